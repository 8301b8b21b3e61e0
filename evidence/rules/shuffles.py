"""Two things that have changed places between sentences of the same words (contract 12.7: "swapped order").

One sentence is tried with two of its things exchanged: where that brings it clearly nearer to the other one, they have
changed places. A phrase that moved as a whole, a list in another order or a turn of voice is brought no nearer so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Final, NamedTuple

from evidence.rules.denials import denials_of
from evidence.rules.frames import Frame, Token
from evidence.rules.synonyms import meaning_of

_ALIKE: Final = 0.76
_NEARER: Final = 4
"""Neighbours more that are shared once two things are exchanged; at most eight can change."""
_HALF: Final = 2
_SAME_PART: Final = 0.6
_MOST_UNITS: Final = 40
_BE: Final = frozenset("is are was were be been being am get gets got".split())
_PASSED_OVER: Final = _BE | frozenset("the a an its his her their our my this that".split())
_JOINING: Final = frozenset("and or &".split())
_PARTING: Final = _JOINING | frozenset("while but whereas".split())
_VERBAL: Final = ("ing", "ed", "ly")
_EDGE: Final = ""


class _Unit(NamedTuple):
    """One thing or one small word: neighbours that stand together in both sentences are one thing."""

    key: str
    said: str
    """The words as they were written, for reasons."""
    is_thing: bool
    clause: int
    small: str
    """The small word right before it, in the same clause."""
    is_verbal: bool


def exchanged(one: Frame, other: Frame) -> tuple[str, str] | None:
    """Two things of the first sentence, as it spells them, each of which stands in the other's place in the second.

    English only.
    """
    if one.language != "en" or not _is_worth_it(one, other):
        return None
    joined = _together(one) & _together(other)
    ours, theirs = _units(one, joined), _units(other, joined)
    if max(len(ours), len(theirs)) > _MOST_UNITS or _is_rearranged(one, other):
        return None
    if pair := _found(ours, theirs):
        return pair
    pair = _found(theirs, ours)  # the same, whichever sentence comes first
    return pair[::-1] if pair else None


def _found(ours: list[_Unit], theirs: list[_Unit]) -> tuple[str, str] | None:
    found = _best(ours, theirs)
    if found is None:
        return None
    again = _best(found.then, theirs, apart_from=found.pair) if _HALF <= found.nearer < _NEARER else None
    if found.nearer + (again.nearer if again else 0) < _NEARER:
        return None
    said = {unit.key: unit.said for unit in ours}
    return said[found.pair[0]], said[found.pair[1]]


def _is_worth_it(one: Frame, other: Frame) -> bool:
    shared = one.everything & other.everything
    if len(shared) < _ALIKE * max(len(one.everything), len(other.everything)):
        return False
    if [t.stem for t in one.sequence if t.stem in shared] == [t.stem for t in other.sequence if t.stem in shared]:
        return False
    if ("by" in one.forms) != ("by" in other.forms) or bool(denials_of(one)) != bool(denials_of(other)):
        return False
    return not (_passives(one) ^ _passives(other)) & shared and not (_owners(one) ^ _owners(other)) & shared


@lru_cache(maxsize=16384)
def _owners(frame: Frame) -> frozenset[str]:
    """Who stands in the possessive: "Marco's mentor"."""
    return frozenset(stem for stem, spoken in frame.spoken.items() if spoken.endswith(("'s", "’s")))


@lru_cache(maxsize=16384)
def _passives(frame: Frame) -> frozenset[str]:
    """Stems of the verbs in the passive: "is fixed", "was never required"."""
    tokens = frame.tokens
    return frozenset(
        token.stem
        for at, token in enumerate(tokens)
        if token.form.endswith(("ed", "en", "pt", "ld", "lt"))
        and any(t.form in _BE for t in tokens[max(0, at - 2) : at])
    )


def _spoken(frame: Frame) -> list[Token]:
    return [token for token in frame.tokens if token.form not in _PASSED_OVER]


def _is_thing(token: Token) -> bool:
    return token.role in {"word", "value"}


@lru_cache(maxsize=16384)
def _together(frame: Frame) -> frozenset[tuple[str, str]]:
    """Things right beside each other, or joined by "and"."""
    tokens = _spoken(frame)
    found = {
        (one.stem, other.stem)
        for one, other in pairwise(tokens)
        if _is_thing(one) and _is_thing(other) and one.clause == other.clause
    }
    for one, joint, other in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if _is_thing(one) and _is_thing(other) and joint.form in _JOINING:
            found.add((one.stem, f"& {other.stem}"))
    return frozenset(found)


def _units(frame: Frame, joined: frozenset[tuple[str, str]]) -> list[_Unit]:
    tokens, found, at = _spoken(frame), list[_Unit](), 0
    while at < len(tokens):
        first = tokens[at]
        before = tokens[at - 1] if at else None
        small = before.form if before and not _is_thing(before) and before.clause == first.clause else ""
        end = _end_of_unit(tokens, at, joined) if _is_thing(first) else at + 1
        part = tokens[at:end]
        key = " ".join(meaning_of(token.stem) if _is_thing(token) else token.form for token in part)
        is_verbal = any(len(token.form) > 4 and token.form.endswith(_VERBAL) for token in part)
        said = " ".join(frame.spoken.get(token.stem, token.form) for token in part)
        found.append(_Unit(key, said, _is_thing(first), first.clause, small, is_verbal))
        at = end
    return found


def _end_of_unit(tokens: Sequence[Token], at: int, joined: frozenset[tuple[str, str]]) -> int:
    end = at + 1
    while True:
        last = tokens[end - 1].stem
        if end < len(tokens) and (last, tokens[end].stem) in joined:
            end += 1
        elif end + 1 < len(tokens) and tokens[end].form in _JOINING and (last, f"& {tokens[end + 1].stem}") in joined:
            end += 2
        else:
            return end


class _Exchange(NamedTuple):
    nearer: int
    pair: tuple[str, str]
    then: list[_Unit]


def _best(ours: list[_Unit], theirs: list[_Unit], *, apart_from: tuple[str, str] = (_EDGE, _EDGE)) -> _Exchange | None:
    """The two things whose exchange brings the first sentence nearest to the second."""
    counts, there = Counter(unit.key for unit in ours), Counter(unit.key for unit in theirs)
    place = {unit.key: at for at, unit in enumerate(theirs)}
    movable = [
        at
        for at, unit in enumerate(ours)
        if unit.is_thing
        and counts[unit.key] == there[unit.key] <= _HALF
        and unit.key not in apart_from
        and not unit.is_verbal
        and not theirs[place[unit.key]].is_verbal
    ]
    board = _Board(ours, theirs)
    best: _Exchange | None = None
    for left, right in combinations(movable, 2):
        x, y = ours[left].key, ours[right].key
        if x == y or (counts[x] == counts[y] == 1 and place[x] < place[y]):
            continue
        if _may_turn(ours, left, right) or _may_turn(theirs, *sorted((place[x], place[y]))):
            continue
        if _are_listed(ours, left, right) and _are_listed(theirs, *sorted((place[x], place[y]))):
            continue
        nearer, within = board.gain(left, right)
        if nearer > (best.nearer if best else 0) and within >= _HALF:
            then = list(ours)
            then[left], then[right] = ours[left]._replace(key=y), ours[right]._replace(key=x)
            best = _Exchange(nearer, (x, y), then)
    return best


class _Board:
    """Who stands beside whom in the first sentence, with the small words and without them, and who should."""

    def __init__(self, ours: list[_Unit], theirs: list[_Unit]) -> None:
        self._keys = [unit.key for unit in ours]
        self._edges = _edges(ours)
        self._at: dict[int, list[int]] = {}
        for number, (one, other, _) in enumerate(self._edges):
            self._at.setdefault(one, []).append(number)
            self._at.setdefault(other, []).append(number)
        there = [unit.key for unit in theirs]
        self._wanted = Counter(_named(edge, there) for edge in _edges(theirs))
        self._now = Counter(_named(edge, self._keys) for edge in self._edges)

    def gain(self, left: int, right: int) -> tuple[int, int]:
        """How many more neighbours are shared once two things are exchanged; and how many of them not at an edge.

        To open the sentence is not yet to stand in the place of another thing.
        """
        turned = {left: right, right: left}
        change: Counter[_Beside] = Counter()
        for number in {*self._at[left], *self._at[right]}:
            one, other, kind = self._edges[number]
            change[_named((one, other, kind), self._keys)] -= 1
            change[_named((turned.get(one, one), turned.get(other, other), kind), self._keys)] += 1
        nearer = within = 0
        for beside, count in change.items():
            now, wanted = self._now[beside], self._wanted[beside]
            more = min(now + count, wanted) - min(now, wanted)
            nearer += more
            within += more if _EDGE not in beside[:2] else 0
        return nearer, within


_Beside = tuple[str, str, str]


def _edges(units: list[_Unit]) -> list[tuple[int, int, str]]:
    """Places side by side, -1 before the first and behind the last: of all, and of the things alone."""
    things = [at for at, unit in enumerate(units) if unit.is_thing]
    found = [(one, other, "") for one, other in pairwise((-1, *range(len(units)), -1))]
    return found + [(one, other, "thing") for one, other in pairwise((-1, *things, -1))]


def _named(edge: tuple[int, int, str], keys: list[str]) -> _Beside:
    one, other, kind = edge
    return (keys[one] if one >= 0 else _EDGE, keys[other] if other >= 0 else _EDGE, kind)


def _may_turn(units: list[_Unit], left: int, right: int) -> bool:
    """Side by side, without different small words before them ("from A to B"): their order says nothing."""
    if any(unit.is_thing for unit in units[left + 1 : right]):
        return False
    one, other = units[left].small, units[right].small
    return one == other or not one or not other or other in _JOINING


def _are_listed(units: list[_Unit], left: int, right: int) -> bool:
    """Whether all from one thing to the other is a list: commas and "and" between things, nothing else."""
    is_open = True
    last: _Unit | None = None
    for unit in units[left : right + 1]:
        if not unit.is_thing:
            if unit.key not in _JOINING:
                return False
            is_open = True
            continue
        if last is not None and unit.clause == last.clause and not is_open:
            return False
        is_open, last = False, unit
    return True


def _is_rearranged(one: Frame, other: Frame) -> bool:
    """Whether whole parts of the sentence stand in another order: each part is found again, another one beside it."""
    ours, theirs = _parts(one), _parts(other)
    if len(ours) < 2 or len(ours) != len(theirs):
        return False
    order = [max(range(len(theirs)), key=lambda at: _alike(part, theirs[at])) for part in ours]
    is_found = all(_alike(part, theirs[at]) >= _SAME_PART for part, at in zip(ours, order, strict=True))
    return is_found and len(set(order)) == len(order) and order != sorted(order)


@lru_cache(maxsize=16384)
def _parts(frame: Frame) -> tuple[frozenset[str], ...]:
    parts: list[set[str]] = [set()]
    clause = 0
    for token in frame.tokens:
        if token.clause != clause or token.form in _PARTING:
            parts.append(set())
            clause = token.clause
        if _is_thing(token):
            parts[-1].add(token.stem)
    return tuple(frozenset(part) for part in parts if len(part) > 1)


def _alike(ours: frozenset[str], theirs: frozenset[str]) -> float:
    return len(ours & theirs) / len(ours | theirs)
