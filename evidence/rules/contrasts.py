"""What differs between two sentences that say nearly the same: an opposite word, a value, a bound (contract 7.4).

Every check is the same whichever sentence comes first. Names and objects are for `exchanges`, negation for `denials`.
"""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache
from typing import Final, NamedTuple

from evidence.rules.antonyms import PARTICLES
from evidence.rules.denials import cue_stems
from evidence.rules.frames import Frame, key_of
from evidence.rules.quantities import Quantity
from evidence.rules.slots import same_slot, slot_of
from evidence.rules.synonyms import meaning_of
from evidence.rules.value_pairs import comparable, counted, own_values
from evidence.rules.words import stem

_POLAR_WORDS: Final = frozenset(
    """always never up down inside outside all every none some must may several both after before same different more less
    immer nie siempre nunca toujours jamais""".split()
)
_OBJECT_WORDS: Final = 3
_SWITCH: Final = frozenset(
    "is are be turn turned turns switch switched set keep kept stays stay default defaults goes comes".split()
)
_LOW: Final = frozenset(
    "above over exceeding beyond least minimum min more than after from since exceeds exceed longer larger "
    "greater bigger later higher über mindestens".split()
)
_HIGH: Final = frozenset(
    "below under most maximum max less fewer within until before by up shorter smaller "
    "earlier lower unter höchstens maximal".split()
)


_HALF: Final = 0.5


class Difference(NamedTuple):
    kind: str
    ours: str
    theirs: str
    stems: tuple[frozenset[str], frozenset[str]]
    """Of either side: the stems and values that differ."""


@lru_cache(maxsize=32768)
def polar_stems(frame: Frame) -> frozenset[str]:
    """Stems among which opposites are looked for: content, and small words that have an opposite ("off", "always")."""
    small = {
        stem(token.form, frame.language)
        for at, token in enumerate(frame.tokens)
        if token.role == "stop" and _is_polar(frame, at)
    }
    joined = phrasals(frame)
    return (frame.content | small) - {word.partition("_")[2] for word in joined} | joined


@lru_cache(maxsize=32768)
def phrasals(frame: Frame) -> frozenset[str]:
    """Verbs with their particle, beside each other or around an object: "turn off the light", "turn the light off"."""
    found: set[str] = set()
    for at, token in enumerate(frame.tokens):
        particles = PARTICLES.get(token.stem)
        if particles is None or token.role == "value":
            continue
        for later in frame.tokens[at + 1 : at + 2 + _OBJECT_WORDS]:
            if later.clause != token.clause:
                break
            if later.form in particles:
                found.add(f"{token.stem}_{later.form}")
                break
    return frozenset(found)


def _is_polar(frame: Frame, at: int) -> bool:
    form = frame.tokens[at].form
    if form in {"on", "off"}:
        return (
            at > 0 and frame.tokens[at - 1].form in _SWITCH and not (at + 1 < len(frame.tokens) and _goes_on(frame, at))
        )
    if form in {"above", "below"}:
        return at + 1 < len(frame.tokens) and frame.tokens[at + 1].role != "value"  # with a value it is a bound
    if form == "some":
        return at + 1 < len(frame.tokens) and frame.tokens[at + 1].role == "word"  # "some 30 people" are about 30
    return form in _POLAR_WORDS


def _switches(form: str) -> bool:
    return form in _SWITCH or form.endswith(("ing", "ed"))


def _goes_on(frame: Frame, at: int) -> bool:
    """ "on the team plan", "on Monday": a place or a time, not a state."""
    following, here = frame.tokens[at + 1], frame.tokens[at]
    return following.clause == here.clause and (following.role != "stop" or following.form in {"the", "a", "an", "its"})


def same_frame(one: Frame, other: Frame, *, without: Set[str] = frozenset(), least: float = 0.6) -> bool:
    """Whether two sentences share enough words beside those that differ."""
    ours, theirs = one.content - without - cue_stems(one), other.content - without - cue_stems(other)
    shared = len(ours & theirs)
    if shared < 2:
        return ours == theirs and (shared == 1 or not ours)
    return shared / min(len(ours), len(theirs)) >= least and 2 * shared >= _HALF * (len(ours) + len(theirs))


def other_value(one: Frame, other: Frame) -> Difference | None:
    """A value on each side, in one place, that cannot be the same; or the same value with another bound.

    Where several differ, it is another measurement and no contradiction, unless nothing else is said otherwise.
    """
    if not one.values or not other.values or not same_frame(one, other):
        return None
    left, right = own_values(one, other), own_values(other, one)
    if len(left) > 1 and len(right) > 1 and not _same_words(one, other):
        return None
    for value in left:
        for twin in right:
            if comparable(value, twin, one, other) and _in_one_place(value, twin, one, other):
                keys = key_of(value), key_of(twin)
                return Difference(_kind(value, twin), one.spoken[keys[0]], other.spoken[keys[1]], _each(*keys))
    return _other_bound(one, other)


def _same_words(one: Frame, other: Frame) -> bool:
    return {meaning_of(word) for word in one.content} == {meaning_of(word) for word in other.content}


def _in_one_place(value: Quantity, twin: Quantity, one: Frame, other: Frame) -> bool:
    """Beside the same word, or the only ones of their kind."""
    if value.kind != "number" and all(
        sum(item.kind == value.kind for item in frame.values) <= 1 for frame in (one, other)
    ):
        return True
    if value.kind == "number" and counted(value, one) & counted(twin, other):
        return True
    return same_slot(slot_of(one, {key_of(value)}), slot_of(other, {key_of(twin)}))


def _kind(value: Quantity, twin: Quantity) -> str:
    if value.kind != twin.kind and "number" not in {value.kind, twin.kind}:
        return "unit"
    if value.kind == "number":
        return "version" if value.is_version else "number"
    return value.kind


def _other_bound(one: Frame, other: Frame) -> Difference | None:
    """ "at least 3" and "at most 3"."""
    ours, theirs = _bounds(one), _bounds(other)
    for key, (bound, words) in ours.items():
        if key in theirs and theirs[key][0] != bound:
            return Difference("bound", words, theirs[key][1], _each(key, key))
    return None


def _each(ours: str, theirs: str) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset({ours}), frozenset({theirs})


def _bounds(frame: Frame) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for at, token in enumerate(frame.tokens):
        if token.role != "value":
            continue
        near = [
            word.form
            for word in frame.tokens[max(0, at - 3) : at]
            if word.clause == token.clause and word.role != "value"
        ]
        low, high = _LOW.intersection(near[-2:]), _HIGH.intersection(near[-2:])
        if token.stem.startswith(("duration", "period")):
            low, high = low - {"after", "from", "since"}, high - {"before", "by", "until"}
        if bool(low) != bool(high):
            denied = any(word in {"no", "not"} for word in near) or (near[-1] == "than" and _is_denied(frame, at))
            is_low = bool(low) != denied  # "no more than 30" is at most 30
            found[token.stem] = ("low" if is_low else "high", " ".join([*near[-2:], token.form]))
    return found


def _is_denied(frame: Frame, at: int) -> bool:
    clause = frame.tokens[at].clause
    return any(token.role == "denial" and token.clause == clause for token in frame.tokens[:at])
