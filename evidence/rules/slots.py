"""Where in its sentence a thing stands: between which words, behind which small one (part of the text rules).

Two things are set against each other only where they stand in one place: "built by X" and "built by Y". Reads one frame
alone; a name of several words is one thing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from evidence.rules.frames import Frame, Token
from evidence.rules.synonyms import meaning_of

_ARTICLES: Final = frozenset(
    "the a an its his her their our my this that ein eine der die das le la les el los il".split()
)
_JOINING: Final = frozenset("and or & und oder et ou y o e".split())
_FAR: Final = 2


class Slot(NamedTuple):
    left: str
    """The nearest word that says something; empty at the edge of the sentence."""
    before: str
    """The small word right before, articles passed over; empty where there is none."""
    right: str


def slot_of(frame: Frame, stems: Collection[str]) -> Slot:
    """The slot of the longest stretch of words that are among `stems`."""
    first, last = max(_stretches(frame, stems), key=lambda span: span[1] - span[0], default=(0, 0))
    before = ""
    for token in reversed(frame.tokens[:first]):
        if token.form in _ARTICLES:
            continue
        before = "" if _says(token) or token.form in _JOINING else token.form
        break
    left = next((token.stem for token in reversed(frame.tokens[:first]) if _says(token)), "")
    right = next((token.stem for token in frame.tokens[last + 1 :] if _says(token)), "")
    return Slot(meaning_of(left), before, meaning_of(right))


def _stretches(frame: Frame, stems: Collection[str]) -> Iterator[tuple[int, int]]:
    first = 0
    while first < len(frame.tokens):
        last = first
        if frame.tokens[first].stem in stems:
            while last + 1 < len(frame.tokens) and _goes_on(frame, last, stems):
                last += 1
            yield first, last
        first = last + 1


def _says(token: Token) -> bool:
    return token.role in {"word", "value"}


def _goes_on(frame: Frame, at: int, stems: Collection[str]) -> bool:
    """Whether the next word belongs to the same thing: another of the stems, or a name right beside it."""
    here, following = frame.tokens[at], frame.tokens[at + 1]
    if here.clause != following.clause or not _says(following):
        return False
    is_beside = following.start - here.end <= _FAR
    return following.stem in stems or (is_beside and following.form in frame.names and here.form in frame.names)


def same_slot(one: Slot, other: Slot) -> bool:
    """Whether two things stand in one place: behind the same small word, or beside the same word, or both at one edge."""
    if one.before and one.before == other.before:
        return True
    return one.left == other.left or one.right == other.right
