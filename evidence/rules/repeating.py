"""Whether a text is near-identical to another one (contract 7.5), so that it adds nothing: stricter than likeness alone."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final

from rapidfuzz import fuzz

from evidence.rules import exchanges
from evidence.rules.frames import Frame, Token, frames_of
from evidence.rules.relations import swapped
from evidence.rules.similarity import IDENTICAL, likeness
from evidence.rules.synonyms import meaning_of
from evidence.rules.value_pairs import own_values
from evidence.rules.wordings import begins_alike
from evidence.rules.words import language_of

_FIXED_ORDER: Final = frozenset({"en", "fr", "es", "it", "pt"})
"""Languages in which the order of the words tells who does what."""
_ONE_WORD: Final = 75
"""Likeness of letters from which two words are taken for spellings of one."""
_MANY: Final = 40
"""Own words of two texts up to which each is held against each."""
_NARROWING: Final = frozenset(
    "in on at for during when while unless until with without only in auf bei für während wenn dans en pour pendant".split()
)
_SHORT: Final = 5
_STRETCHES: Final = 2
_SAME_ORDER: Final = 0.95
_LONGEST: Final = 400
"""Words of two texts up to which their order is compared in detail."""


def repeats(one: str, other: str) -> bool:
    """Whether a text is near-identical to another one (contract 7.5): the same words, about the same things.

    One more name or value is no repetition, nor is another thing in the place of one ("hotels", "homes") or a phrase that
    narrows it ("in staging"); in a long sentence neither are the same words in quite another order: who does what may have
    changed with it.
    """
    if likeness(one, other) < IDENTICAL:
        return False
    language = language_of(one, other)
    ones, others = frames_of(one, language), frames_of(other, language)
    if len(ones) == len(others) == 1 and (_names_more(ones[0], others[0]) or swapped(ones[0], others[0])):
        return False
    if _says_another(ones, others) or _narrows(ones, others) or _narrows(others, ones):
        return False
    ours, theirs = ([token.stem for frame in frames for token in frame.sequence] for frames in (ones, others))
    if language not in _FIXED_ORDER or min(len(ours), len(theirs)) < _SHORT or ours == theirs:
        return True
    if _has_few_stretches(ours, theirs) or _has_few_stretches(theirs, ours):
        return True
    return len(ours) + len(theirs) <= _LONGEST and _in_order(ours, theirs) >= _SAME_ORDER


def _in_order(ours: list[str], theirs: list[str]) -> float:
    return SequenceMatcher(None, ours, theirs, autojunk=False).ratio()


def _names_more(one: Frame, other: Frame) -> bool:
    """Whether one of two sentences names something or gives a value that the other one does not."""
    return any(exchanges.own_names(a, b) or own_values(a, b) for a, b in ((one, other), (other, one)))


def _says_another(ones: tuple[Frame, ...], others: tuple[Frame, ...]) -> bool:
    """Whether each text has a word of its own that says something and is no form or spelling of one of the other's own."""
    ours, theirs = _said_by(ones), _said_by(others)
    left, right = ours - theirs, theirs - ours
    if min(len(left), len(right)) > _MANY:
        return True
    return _has_another(left, right) and _has_another(right, left)


def _has_another(words: frozenset[str], others: frozenset[str]) -> bool:
    return any(not any(_is_spelling(word, twin) for twin in others) for word in words)


def _said_by(frames: tuple[Frame, ...]) -> frozenset[str]:
    return frozenset(meaning_of(word) for frame in frames for word in frame.content)


def _is_spelling(one: str, other: str) -> bool:
    return begins_alike(one, other) or fuzz.ratio(one, other) >= _ONE_WORD


def _narrows(ones: tuple[Frame, ...], others: tuple[Frame, ...]) -> bool:
    """Whether a text says once more than the other one where, when or for whom, with a word that the other one lacks."""
    here, there = ([token for frame in frames for token in frame.tokens] for frames in (ones, others))
    said = frozenset().union(*(frame.everything for frame in others))
    added = {
        small.form
        for small, word in pairwise(here)
        if small.form in _NARROWING and word.role == "word" and word.stem not in said
    }
    return any(_times(small, here) > _times(small, there) for small in added)


def _times(form: str, tokens: Sequence[Token]) -> int:
    return sum(token.form == form for token in tokens)


def _has_few_stretches(ours: list[str], theirs: list[str]) -> bool:
    """Whether a text need be cut only once for both pieces to stand in the other one."""
    at = 0
    for _ in range(_STRETCHES):
        starts = (there for there, word in enumerate(theirs) if at < len(ours) and word == ours[at])
        at += max((_common(ours, at, theirs, there) for there in starts), default=1)
    return at >= len(ours)


def _common(ours: list[str], at: int, theirs: list[str], there: int) -> int:
    count = 0
    while at + count < len(ours) and there + count < len(theirs) and ours[at + count] == theirs[there + count]:
        count += 1
    return count
