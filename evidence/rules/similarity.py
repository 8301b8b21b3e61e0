"""How alike two texts are, by words (contract 7.5, 7.6, 12.18). Says nothing of whether they agree: `opposition` comes first.

Three measures: *likeness* of all words (near-identical from 0.85), *overlap* of content words (not about the same thing
below 0.34), *nearness* free of word order (counts as on the candidate's key from 0.80). The numbers are policy defaults.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rapidfuzz import fuzz

from evidence.rules import exchanges
from evidence.rules.frames import Frame, frames_of
from evidence.rules.kept import kept
from evidence.rules.opposition import oppose
from evidence.rules.synonyms import meanings
from evidence.rules.value_pairs import comparable, own_values
from evidence.rules.words import language_of, pieces, stems, words

IDENTICAL: Final = 0.85
SIMILAR: Final = 0.34
NEAR: Final = 0.80
# A rewording may drop and add small things: fewer shared words do where they are nearly all of the shorter text.
_NEAR_SHARE: Final = 0.66
_NEAR_OVERLAP: Final = 0.75
_NEAR_WORDS: Final = 3
_SAME_BUT: Final = 0.5
# Two long sentences may each say something of their own: half of the words do where they are many and read alike.
_LONG_SHARE: Final = 0.5
_LONG_WORDS: Final = 5
_MANY_WORDS: Final = 7
_READ_ALIKE: Final = 70


def likeness(one: str, other: str) -> float:
    """Token-set Jaccard of all words, the better of words as written and words with values in normal form; 0 for empty texts."""
    language = language_of(one, other)
    return max(
        _jaccard(frozenset(words(one)), frozenset(words(other))),
        _jaccard(_normal_words(one, language), _normal_words(other, language)),
    )


@lru_cache(maxsize=16384)
def _normal_words(text: str, language: str) -> frozenset[str]:
    frames = frames_of(text, language)
    return frozenset(token.stem if token.role == "value" else token.form for frame in frames for token in frame.tokens)


def _jaccard(ones: frozenset[str], others: frozenset[str]) -> float:
    return len(ones & others) / len(ones | others) if ones and others else 0.0


def overlap(one: str, other: str) -> float:
    """Shared content words and values by the count of the shorter text; 0 where one has none."""
    language = language_of(one, other)
    return _overlap(_reading(one, language).content, _reading(other, language).content)


def _overlap(ones: frozenset[str], others: frozenset[str]) -> float:
    return len(ones & others) / min(len(ones), len(others)) if ones and others else 0.0


@dataclass(frozen=True, eq=False)
class _Reading:
    """What likeness reads of one text, kept from pair to pair."""

    text: str
    frames: tuple[Frame, ...]
    content: frozenset[str]
    stems: frozenset[str]

    @kept
    def said(self) -> frozenset[str]:
        """Words and values by what they say."""
        if len(self.frames) == 1:
            return meanings(self.frames[0])
        return frozenset().union(*(meanings(frame) for frame in self.frames))

    @kept
    def in_order(self) -> str:
        """All words, sorted: likeness whatever their order."""
        return " ".join(sorted(pieces(self.text)))

    @kept
    def content_in_order(self) -> str:
        return " ".join(sorted(self.content))


@lru_cache(maxsize=16384)
def _reading(text: str, language: str) -> _Reading:
    frames = frames_of(text, language)
    only = frames[0].everything if len(frames) == 1 else None
    content = only or frozenset().union(*(frame.everything for frame in frames))
    return _Reading(text, frames, content, stems(text))


def nearly_the_same(one: str, other: str, *, near: float = NEAR) -> bool:
    """Whether one text says nearly what the other says, or what one sentence of the other says (contract 12.18)."""
    language = language_of(one, other)
    left, right = _reading(one, language), _reading(other, language)
    ones, others, ours, theirs = left.frames, right.frames, left.content, right.content
    shared = len(ours & theirs)
    if not shared:
        return False
    is_found = _is_found(left, right)
    if _near(ours, theirs, near, shared, left, right) or (
        is_found and fuzz.ratio(left.in_order, right.in_order, score_cutoff=near * 100)
    ):
        if not (len(ones) == len(others) == 1 and _others(ones[0], others[0])):
            return True
        return is_found and _is_long_rewording(left, right, least=_MANY_WORDS)
    if not is_found:
        return len(ones) != len(others) and _has_near(ones, others, near)
    if _is_long_rewording(left, right):
        return True
    if len(ones) == len(others) == 1:
        if 2 * shared / (len(ours) + len(theirs)) < _SAME_BUT or _at_best(ones[0], others[0]) < near:
            return False
        return _same_but(one, other, ones[0], others[0], near)
    return _has_near(ones, others, near)


def _is_found(one: _Reading, other: _Reading) -> bool:
    """Whether an index of words finds one text by the other (see `blocking`): what it leaves out is near to nothing."""
    ours, theirs = one.stems, other.stems
    return bool(ours and theirs) and _share(ours, theirs) >= _SAME_BUT


def _has_near(ones: tuple[Frame, ...], others: tuple[Frame, ...], near: float) -> bool:
    """Whether a text of one sentence says nearly what a sentence of the other text says."""
    if len(ones) > 1 and len(others) > 1:
        return False
    return any(
        (shared := len(a.everything & b.everything))
        and _near(a.everything, b.everything, near, shared)
        and not _others(a, b)
        for a in ones
        for b in others
    )


def _is_long_rewording(one: _Reading, other: _Reading, *, least: int = _LONG_WORDS) -> bool:
    """Of two texts that an index finds by each other: whether they share many words and read alike."""
    ours, theirs = one.said, other.said
    if len(ours) < least or len(theirs) < least:
        return False
    shared = len(ours & theirs)
    if shared < least or 2 * shared / (len(ours) + len(theirs)) < _LONG_SHARE:
        return False
    if not fuzz.token_set_ratio(one.in_order, other.in_order, score_cutoff=_READ_ALIKE):
        return False
    if len(one.frames) > 1 or len(other.frames) > 1:
        return True
    pair = one.frames[0], other.frames[0]
    return not (_of_other_values(*pair) or exchanges.other_subject(*pair))


def _of_other_values(one: Frame, other: Frame) -> bool:
    """Another value and another name: told of something else."""
    if not one.values or not other.values:
        return False
    if not exchanges.own_names(one, other) or not exchanges.own_names(other, one):
        return False
    return bool(own_values(one, other) and own_values(other, one))


def _same_but(one: str, other: str, a: Frame, b: Frame, near: float) -> bool:
    """One frame with one thing exchanged ("Analytics run on X", "... on Y"): near, however short it is."""
    if _others(a, b) or (found := oppose(one, other)) is None:
        return False
    ours, theirs = a.content - stems(found.pair[0], a.language), b.content - stems(found.pair[1], b.language)
    return ours == theirs or (len(ours & theirs) > 1 and 2 * len(ours & theirs) / (len(ours) + len(theirs)) >= near)


def _at_best(one: Frame, other: Frame) -> float:
    """How alike two sentences can be with one thing of each left out: spares most of them the search for that thing."""
    ours, theirs = one.content, other.content
    shared = len(ours & theirs)
    left, right = len(ours) - shared - _longest_name(one), len(theirs) - shared - _longest_name(other)
    rest = max(0, left) + max(0, right)
    return 2 * shared / (2 * shared + rest) if shared else float(not rest)


@lru_cache(maxsize=16384)
def _longest_name(frame: Frame) -> int:
    """Content words that one named thing of a sentence can have; any object has up to two."""
    if frame.source.clear.isascii() and not _JOINT.search(frame.source.clear):
        return 2  # every name is one word
    return max((2, *(len(stems(name, frame.language)) for name in frame.names)))


_JOINT: Final = re.compile(r"[-/_@#`~]|\.\S")
"""What a name of several words has in it."""


def _share(ones: frozenset[str], others: frozenset[str]) -> float:
    """Shared words by the mean count (Dice)."""
    return 2 * len(ones & others) / (len(ones) + len(others))


def _near(
    ones: frozenset[str],
    others: frozenset[str],
    near: float,
    shared: int,
    left: _Reading | None = None,
    right: _Reading | None = None,
) -> bool:
    """`shared`: how many words both have, one at least; with the readings of two texts their words are sorted once."""
    share = 2 * shared / (len(ones) + len(others))
    if share >= near:
        return shared > 1 or ones == others
    if share >= _NEAR_SHARE and shared >= _NEAR_WORDS and shared / min(len(ones), len(others)) >= _NEAR_OVERLAP:
        return True
    if share < 0.5 or shared < 2:
        return False
    ours = left.content_in_order if left else " ".join(sorted(ones))
    theirs = right.content_in_order if right else " ".join(sorted(others))
    return fuzz.ratio(ours, theirs, score_cutoff=near * 100) > 0


@lru_cache(maxsize=512)
def _others(one: Frame, other: Frame) -> bool:
    """Two sentences of one pattern about two things: another name *and* something else differs, or values of other things."""
    left = own_values(one, other)
    right = own_values(other, one) if left else ()
    if left and right and not any(comparable(a, b, one, other) for a in left for b in right):
        return True
    if exchanges.other_subject(one, other):
        return True
    ours = exchanges.own_names(one, other)
    if not ours or not exchanges.own_names(other, one):
        return False
    return bool(left and right) or bool(exchanges.own_words(one, other) and exchanges.own_words(other, one))
