"""Who stands where in a sentence: what comes before what, from where to where, which is more than which (contract 12.7).

Reads one frame alone; `swapped` compares two and finds a pair that changed places.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from evidence.rules.frames import Frame, Token
from evidence.rules.shuffles import exchanged

_BEFORE: Final = frozenset("before until till prior vor bevor avant antes prima voor".split())
_AFTER: Final = frozenset("after once nach nachdem après después tras dopo depois após na nadat".split())
_THEN: Final = frozenset("then dann ensuite puis luego poi depois daarna".split())
_FROM: Final = frozenset("from von vom aus depuis desde da dal dalla van".split())
_TO: Final = frozenset("to into onto nach zu zum zur vers hasta a al à naar towards".split())
_THAN: Final = frozenset("than als dan".split())
_ALIKE: Final = 0.6
_SLOT_END: Final = frozenset(
    """to into onto from by for with on in at via through over than before after until while when where which that if and then
    so as during against without per every each""".split()
)
_WORD_ORDER: Final = frozenset({"en", "fr", "es", "it", "pt"})
"""Languages in which the place before and behind the verb tells who does it."""
_LISTS: Final = frozenset("and or und oder et ou y o e".split())


@dataclass(frozen=True, slots=True)
class Relation:
    """`first` and `second` stand in the relation `name`; sets of stems and values."""

    name: str
    first: frozenset[str]
    second: frozenset[str]


@lru_cache(maxsize=32768)
def relations_of(frame: Frame) -> tuple[Relation, ...]:
    """All relations of a sentence; a sentence may say several."""
    found: list[Relation] = []
    for at, token in enumerate(frame.tokens):
        if token.role != "stop" or (at + 1 < len(frame.tokens) and frame.tokens[at + 1].role == "value"):
            continue  # "before 14:00" is a bound, not an order
        if token.form in _BEFORE or token.form in _AFTER or token.form in _THEN:
            first, second = _sides(frame, at)
            denied = any(other.role == "denial" for other in frame.tokens[:at])
            if (token.form in _AFTER) != (denied and token.form in _BEFORE):  # "not before B" is after B
                first, second = second, first
            found.append(Relation("order", first, second))
    found += _from_to(frame)
    return tuple(relation for relation in found if relation.first and relation.second)


def _sides(frame: Frame, at: int) -> tuple[frozenset[str], frozenset[str]]:
    """What stands before and behind an order word; where it opens the sentence its clause comes first in the text."""
    tokens = frame.tokens
    clause = tokens[at].clause
    behind = [token for token in tokens[at + 1 :] if token.clause == clause]
    if _stems(tokens[:at]):
        return _stems(tokens[:at]), _stems(behind)
    return _stems([token for token in tokens[at + 1 :] if token.clause > clause]), _stems(behind)


def _from_to(frame: Frame) -> list[Relation]:
    tokens = frame.tokens
    starts = [at for at, token in enumerate(tokens) if token.form in _FROM and token.role == "stop"]
    ends = [at for at, token in enumerate(tokens) if token.form in _TO and token.role == "stop"]
    return [
        Relation("from-to", _slot(frame, start), _slot(frame, end)) for start in starts for end in ends if start != end
    ]


def _slot(frame: Frame, at: int) -> frozenset[str]:
    """The thing named behind a small word: up to the next small word that opens another place."""
    found: list[Token] = []
    for token in frame.tokens[at + 1 :]:
        if token.clause != frame.tokens[at].clause or (token.role == "stop" and token.form in _SLOT_END and found):
            break
        found.append(token)
    return _stems(found)


def _stems(tokens: tuple[Token, ...] | list[Token]) -> frozenset[str]:
    return frozenset(token.stem for token in tokens if token.role in {"word", "value"})


def swapped(one: Frame, other: Frame) -> tuple[str, str] | None:
    """The two things that changed places between two sentences of nearly the same words, as the first one spells them."""
    alike = len(one.everything & other.everything) / max(len(one.everything | other.everything), 1)
    if alike < _ALIKE:
        return None  # neither can two things be found to be exchanged between sentences that share so little
    for ours in relations_of(one):
        for theirs in relations_of(other):
            if ours.name == theirs.name and (pair := _spoken(one, _crossed(ours, theirs))):
                return pair
    return exchanged(one, other) or (_spoken(one, _turned(one, other)) if alike == 1 else None)


def _spoken(frame: Frame, pair: tuple[str, str] | None) -> tuple[str, str] | None:
    return (frame.spoken.get(pair[0], pair[0]), frame.spoken.get(pair[1], pair[1])) if pair else None


def _crossed(ours: Relation, theirs: Relation) -> tuple[str, str] | None:
    """One thing from first to second place, another from second to first; what kept its place does not count."""
    first, second = ours.first - ours.second, ours.second - ours.first
    their_first, their_second = theirs.first - theirs.second, theirs.second - theirs.first
    there, back = first & their_second, second & their_first
    kept = second & their_second
    if there and back and not kept:
        return min(there), min(back)
    return None


def _turned(one: Frame, other: Frame) -> tuple[str, str] | None:
    """ "A calls B" and "B calls A": the same words, two of them exchanged around a third, no list and no small word moved."""
    if one.language not in _WORD_ORDER or any(token.form in _LISTS for token in one.tokens + other.tokens):
        return None
    if [token.form for token in one.tokens if token.role != "word"] != [
        token.form for token in other.tokens if token.role != "word"
    ]:
        return None
    ours = [token.stem for token in one.tokens if token.role == "word"]
    theirs = [token.stem for token in other.tokens if token.role == "word"]
    if len(ours) != len(theirs):
        return None
    moved = [at for at, (left, right) in enumerate(zip(ours, theirs, strict=True)) if left != right]
    if len(moved) != 2 or moved[1] - moved[0] < 2:
        return None
    left, right = moved
    return (ours[left], ours[right]) if (ours[left], ours[right]) == (theirs[right], theirs[left]) else None
