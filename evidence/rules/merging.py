"""Bringing a proposed text onto a text that changed meanwhile: a three-way merge by lines (contract 10 "Promotion proposal").

Deterministic and bounded: lines that occur once in both texts are the anchors, between them only equal beginnings and ends
are matched. What both sides changed in different ways is a conflict, which a person resolves; nothing is chosen for them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

# Rounds of looking for anchors between anchors; text that needs more is treated as changed.
_ROUNDS = 12

OURS, MIDDLE, THEIRS = "<<<<<<< current", "=======", ">>>>>>> proposed"


class Side(StrEnum):
    """Who changed a stretch."""

    SAME = "same"
    CURRENT = "current"
    PROPOSED = "proposed"
    BOTH = "both"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some lines of each text that belong together. `side` says who changed them; BOTH: alike."""

    side: Side
    base: tuple[str, ...]
    current: tuple[str, ...]
    proposed: tuple[str, ...]

    @property
    def merged(self) -> tuple[str, ...]:
        """The lines that stand there afterwards; a conflict keeps both, between marks."""
        if self.side == Side.CONFLICT:
            return (OURS, *self.current, MIDDLE, *self.proposed, THEIRS)
        return self.current if self.side in (Side.CURRENT, Side.SAME) else self.proposed


@dataclass(frozen=True, slots=True)
class Merge:
    stretches: tuple[Stretch, ...]

    @property
    def conflicts(self) -> int:
        return sum(one.side == Side.CONFLICT for one in self.stretches)

    @property
    def text(self) -> str:
        return "\n".join(line for one in self.stretches for line in one.merged)


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that one text has where the other has others."""

    old: tuple[str, ...]
    new: tuple[str, ...]


def merge(base: str, current: str, proposed: str) -> Merge:
    """What becomes of `base` when `proposed` is brought onto `current`. Equal inputs give equal results."""
    texts = [lines_of(text) for text in (base, current, proposed)]
    ours = dict(matched(texts[0], texts[1]))
    theirs = dict(matched(texts[0], texts[2]))
    found: list[_Place] = []
    at = (0, 0, 0)
    for line in [*(one for one in sorted(ours) if one in theirs), len(texts[0])]:
        here = (line, ours.get(line, len(texts[1])), theirs.get(line, len(texts[2])))
        if here != at:
            _add(found, _side(*(text[a:b] for text, a, b in zip(texts, at, here, strict=True))), at, here)
        at = (here[0] + 1, here[1] + 1, here[2] + 1)
        if line < len(texts[0]):
            _add(found, Side.SAME, here, at)
    return Merge(tuple(_stretch(texts, place) for place in found))


def has_marks(text: str) -> bool:
    """Whether a conflict is left unresolved in the text."""
    return any(line in (OURS, THEIRS) for line in lines_of(text))


def changed_blocks(old: str, new: str) -> list[Block]:
    """Where the two texts differ, by lines, in order."""
    before, after = lines_of(old), lines_of(new)
    blocks: list[Block] = []
    at = (0, 0)
    for one, other in [*matched(before, after), (len(before), len(after))]:
        if (one, other) != at:
            blocks.append(Block(tuple(before[at[0] : one]), tuple(after[at[1] : other])))
        at = (one + 1, other + 1)
    return blocks


def lines_of(text: str) -> list[str]:
    """The lines; an empty text has none. Kinds of line ends and empty lines at the end do not count."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def matched(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of places of equal lines, rising in both."""
    pairs: list[tuple[int, int]] = []
    waiting = [(0, len(old), 0, len(new), 0)]
    while waiting:
        a, b, c, d, depth = waiting.pop()
        while a < b and c < d and old[a] == new[c]:
            pairs.append((a, c))
            a, c = a + 1, c + 1
        while a < b and c < d and old[b - 1] == new[d - 1]:
            b, d = b - 1, d - 1
            pairs.append((b, d))
        if a == b or c == d or depth >= _ROUNDS:
            continue
        anchors = _anchors(old[a:b], new[c:d])
        if not anchors:
            continue
        left = (0, 0)
        for one, other in [*anchors, (b - a, d - c)]:
            waiting.append((a + left[0], a + one, c + left[1], c + other, depth + 1))
            left = (one + 1, other + 1)
        pairs += [(a + one, c + other) for one, other in anchors]
    return sorted(pairs)


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """The longest rising chain of lines that occur once on either side."""
    once_old = {line for line, number in Counter(old).items() if number == 1 and line}
    once_new = {line for line, number in Counter(new).items() if number == 1}
    places = {line: place for place, line in enumerate(new) if line in once_new}
    pairs = [(place, places[line]) for place, line in enumerate(old) if line in once_old and line in places]
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (_, place) in enumerate(pairs):
        slot = bisect_left(tails, place)
        if slot == len(tails):
            tails.append(place)
            ends.append(number)
        else:
            tails[slot], ends[slot] = place, number
        before.append(ends[slot - 1] if slot else -1)
    return list(_chain(pairs, before, ends))[::-1]


def _chain(pairs: Sequence[tuple[int, int]], before: Sequence[int], ends: Sequence[int]) -> Iterator[tuple[int, int]]:
    at = ends[-1] if ends else -1
    while at >= 0:
        yield pairs[at]
        at = before[at]


_Point = tuple[int, int, int]


@dataclass(slots=True)
class _Place:
    """From where to where a stretch goes, in the three texts."""

    side: Side
    start: _Point
    end: _Point


def _add(found: list[_Place], side: Side, start: _Point, end: _Point) -> None:
    """Neighbours of one side are one; two conflicts stay two."""
    if found and found[-1].side == side and side != Side.CONFLICT:
        found[-1].end = end
    else:
        found.append(_Place(side, start, end))


def _stretch(texts: Sequence[Sequence[str]], place: _Place) -> Stretch:
    parts = (tuple(text[a:b]) for text, a, b in zip(texts, place.start, place.end, strict=True))
    return Stretch(place.side, *parts)


def _side(base: Sequence[str], current: Sequence[str], proposed: Sequence[str]) -> Side:
    if current == proposed:
        return Side.SAME if base == current else Side.BOTH
    if base == proposed:
        return Side.CURRENT
    return Side.PROPOSED if base == current else Side.CONFLICT
