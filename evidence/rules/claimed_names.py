"""The names in a claim, as support asks for them (contract 8.1; "named entities of the claim must be present").

Words with a capital that stand together are one name. Where every noun has a capital (German) only a bare noun behind a
preposition or another noun is taken for a name ("auf Walhall", "Frau Petersen"). Whether a text gives them is for
`given_names`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from evidence.rules.entities import entity_spans
from evidence.rules.quantities import quantity_spans
from evidence.rules.spans import Taken
from evidence.rules.wordings import wording_of
from evidence.rules.words import is_stop, plain, spelt

_ORDERS: Final = frozenset(
    """ask tell call ping contact mail email message notify see invite give send assign add thank include show visit meet frag
    ruf schick""".split()
)
_PLURAL_VERBS: Final = frozenset(
    """are were have do must should can may will would could run use need go live keep take get stay belong wait cover require
    carry happen come fail pass start""".split()
)
PARTS: Final = re.compile(r"[^\W_]+")
_HEADLINE: Final = 5
_NEAR: Final = 20
_GERMAN_BEFORE: Final = frozenset(
    "auf mit bei in von über an durch aus nach für unter per via ohne gegen namens heißt zwischen und oder".split()
)
_GERMAN_NOUN: Final = re.compile(
    r".+(?:ung|ungen|heit|heiten|keit|keiten|schaft|ion|ionen|tät|ment|nis|ling|tag|tage|zeit)"
)


class Name(NamedTuple):
    start: int
    end: int
    """Span in the *plain* text of the claim; several words that stand together are one name."""
    parts: tuple[str, ...]
    """Folded, without small words."""
    is_identifier: bool
    opener: str = ""
    """The word before it where that opens the sentence: it may be part of the name ("Yale University") or not ("Ask Lena")."""


def names_of(statement: str, language: str) -> list[Name]:
    """The names of a claim, in order; not those that are part of a value ("kB", "May")."""
    clear = plain(statement)
    taken = Taken(len(clear))
    for value in quantity_spans(statement, language):
        taken.cover(value.start, value.end)
    if language == "de":
        found = [*_entities(statement, language, taken), *_bare_nouns(statement, taken)]
    elif _is_title(statement, language):
        found = [name for name in _entities(statement, language, taken) if name.is_identifier]
    else:
        found = [*_entities(statement, language, taken), *_owner(statement, language)]
    return _joined(clear, sorted(found))


def _entities(statement: str, language: str, taken: Taken) -> Iterator[Name]:
    clear = plain(statement)
    first = next(iter(spelt(statement)), None)
    for entity in entity_spans(statement, language):
        written = clear[entity.start : entity.end]
        if not taken.is_free(entity.start, entity.end):
            continue
        if not entity.sure and not _is_singular(written, clear[entity.end : entity.end + _NEAR]):
            continue
        bare = written.removesuffix("'s")
        is_identifier = not bare.isalpha() or not bare.istitle()
        parts = tuple(part for part in PARTS.findall(entity.name) if not is_stop(part, language))
        is_second = first is not None and entity.start == first.end + 1 and clear[first.start].isupper()
        opener = first.form if first and is_second and not may_stand_before(first.form, language) else ""
        if parts:
            end = entity.end - (2 if written.endswith("'s") else 0)
            yield Name(entity.start, end, parts, is_identifier, opener)


def may_stand_before(word: str, language: str) -> bool:
    """Whether a word with a capital beside a name is none itself: a small word, or what opens an order ("Ask Lena")."""
    return word in _ORDERS or is_stop(word, language)


def _is_singular(word: str, behind: str) -> bool:
    """ "Merrow handles ...": one thing without an article that opens a sentence.

    "Deploys run ...", "Testing is ..." and "Browser tests run ..." are none.
    """
    verb, _, rest = behind.strip().partition(" ")
    follower = rest.split(maxsplit=1)[:1]
    is_noun = bool(follower) and follower[0] in _PLURAL_VERBS
    return verb.endswith("s") and not is_noun and not word.endswith(("s", "ing", "ion", "ment", "ness", "ity"))


def _owner(statement: str, language: str) -> Iterator[Name]:
    """ "Fabrikam's plan" at the start of a sentence."""
    first = next(iter(spelt(statement)), None)
    if first and first.form.endswith("'s") and plain(statement)[first.start].isupper():
        owner = first.form.removesuffix("'s")
        if owner.isalpha() and not is_stop(first.form, language) and not is_stop(owner, language):
            yield Name(first.start, first.end - 2, (owner,), is_identifier=False)


def _is_title(statement: str, language: str) -> bool:
    """Whether a claim is written like a headline, every word with a capital: then a capital tells nothing."""
    words = wording_of(statement, language)
    clear = plain(statement)
    return len(words) >= _HEADLINE and all(clear[word.start].isupper() for word in words)


def _joined(clear: str, names: Sequence[Name]) -> list[Name]:
    """ "Marta Kowalska": words with capitals that only a space parts are one name."""
    joined: list[Name] = []
    for name in names:
        last = joined[-1] if joined else None
        if last and not last.is_identifier and not name.is_identifier and clear[last.end : name.start] == " ":
            joined[-1] = last._replace(end=name.end, parts=last.parts + name.parts)
        else:
            joined.append(name)
    return joined


def _bare_nouns(statement: str, taken: Taken) -> Iterator[Name]:
    clear = plain(statement)
    for before, word in pairwise(spelt(statement)):
        written = clear[word.start : word.end]
        is_led = before.form in _GERMAN_BEFORE or (clear[before.start].isupper() and before.start > 0)
        is_noun = written.istitle() and written.isalpha() and not _GERMAN_NOUN.fullmatch(word.form)
        if is_noun and is_led and taken.is_free(word.start, word.end) and not is_stop(word.form, "de"):
            yield Name(word.start, word.end, (word.form,), is_identifier=True)
