"""Text to index terms, and what a search asks for. Pure: the same words come out whatever the database is.

Terms are stems of the rules' tokens (contract 12.10), casefolded, in order. Places are where a search may look.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from evidence.rules.tokens import content_words, pieces, stem

LONGEST_TERM = 64
MOST_TERMS = 4_000
"""Of one record: more than 64 KiB of prose has is never needed to find it."""
MOST_ASKED = 32
"""Of one query: what a longer one says in the rest tells it apart no further."""
_QUERY_CHARACTERS = 20_000

# The tokenisers of both databases would cut a term at ASCII punctuation (3.12, c++), so it moves to private-use letters.
_PUNCTUATION = str.maketrans({code: 0xE000 + code for code in range(0x80) if not chr(code).isalnum()})
_QUOTED = re.compile(r'"([^"]{1,300})"')


@dataclass(frozen=True, slots=True)
class Wanted:
    """The terms of a query, each once, and its quoted phrases as runs of terms joined by a space."""

    terms: tuple[str, ...]
    phrases: tuple[str, ...] = ()


def terms_of(text: str) -> list[str]:
    """The terms of a record's text, in order."""
    return [term for word in pieces(text)[:MOST_TERMS] if (term := _term(word))]


def wanted(text: str) -> Wanted:
    """The terms that a query asks for; small words count only where there is nothing else. Any text will do."""
    query = text[:_QUERY_CHARACTERS]
    words = content_words(query) or pieces(query)
    terms = list(dict.fromkeys(term for word in words if (term := _term(word))))
    phrases = (terms_of(found) for found in _QUOTED.findall(query))
    return Wanted(tuple(terms[:MOST_ASKED]), tuple(" ".join(run) for run in phrases if len(run) > 1))


def _term(word: str) -> str:
    return stem(word).translate(_PUNCTUATION)[:LONGEST_TERM]


def partition_place(namespace: str, partition: str) -> str:
    """The place of a partition of a namespace. Hashed: names hold any character, and namespaces must never meet."""
    return "P" + _short_hash(namespace, partition)


def kind_place(kind: str) -> str:
    return "K" + _short_hash(kind)


def claim_place(claim_key: str) -> str:
    return "C" + _short_hash(claim_key)


def places_of(namespace: str, partitions: Iterable[str], kind: str, claim_key: str) -> list[str]:
    """Everything by which a search narrows down where it looks."""
    places = [partition_place(namespace, partition) for partition in sorted(partitions)]
    places.append(kind_place(kind))
    if claim_key:
        places.append(claim_place(claim_key))
    return places


def _short_hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:24]
