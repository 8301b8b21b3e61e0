"""What an unstructured statement is about, as part of its key (contract 7, 12.10): first specific tag, first content words.

A rewording should keep the topic, another proposition should not: words count as stems and in any order, values in
normal form, negations not at all. Texts that differ in a value alone meet through their likeness (`similarity`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from evidence.rules.frames import contrast_spans, key_of
from evidence.rules.lexicon import GENERIC_TAGS
from evidence.rules.negation import negation_spans
from evidence.rules.quantities import FoundQuantity, quantity_spans
from evidence.rules.spans import Taken
from evidence.rules.text import norm, sha256_hex
from evidence.rules.words import bigrams, cut, is_unspaced, language_of, pieces, plain, readings, stem, words

TOPIC_WORDS: Final = 6


@lru_cache(maxsize=16384)
def topic_of(statement: str, tags: tuple[str, ...]) -> str:
    """The topic as text. A statement without content words has one of its own, whatever its case and punctuation."""
    first = sorted(_first_words(statement)) or [sha256_hex(ascii(words(statement) or norm(statement)))[:16]]
    return f"{_specific_tag(tags)}:{'-'.join(first)}"


def _first_words(statement: str) -> set[str]:
    """The first content words and values (`duration:172800s`)."""
    language = language_of(statement)
    values = quantity_spans(statement, language)
    found = [(value.start, key_of(value.quantity)) for value in values] + list(_words(statement, language, values))
    return {word for _, word in sorted(found, key=lambda item: item[0])[:TOPIC_WORDS]}


def _words(statement: str, language: str, values: tuple[FoundQuantity, ...]) -> Iterator[tuple[int, str]]:
    """Content words beside the values, with their places; a run without spaces in pairs. Negations and contrasts are left out."""
    clear = plain(statement)
    taken = Taken(len(clear))
    for value in values:
        taken.cover(value.start, value.end)
    for negation in negation_spans(statement, language):
        for word in _ends_of(clear[negation.start : negation.end]):
            taken.cover(negation.start + word.start(), negation.start + word.end())
    for _, start, end in contrast_spans(statement):
        taken.cover(start, end)
    for form, start, end in cut(statement):
        if is_unspaced(form):
            run = "".join(clear[first:last] for first, last in taken.free_stretches(start, end))
            yield from ((start, pair) for pair in bigrams(run) if pair)
        elif taken.is_free(start, end):
            yield from ((start, piece.stem) for piece in readings(form, language) if not piece.is_stop)


def _ends_of(phrase: str) -> tuple[re.Match[str], ...]:
    """The first and the last word of a negation: what stands between them is denied ("ne publie plus")."""
    found = tuple(re.finditer(r"\S+", phrase))
    return found if len(found) < 2 else (found[0], found[-1])


def _specific_tag(tags: tuple[str, ...]) -> str:
    """The first tag that names a topic, by the stems of its words; empty where none does."""
    for tag in tags:
        whole = norm(tag)
        parts = pieces(tag)
        if not whole or {whole, "_".join(parts)} & GENERIC_TAGS or whole.startswith("supersede"):
            continue
        return "-".join(stem(part) for part in parts) or whole
    return ""
