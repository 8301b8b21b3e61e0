"""Values of two sentences held against each other (contract 7.4: number, date, unit, version).

Compared are values in normal form, not their spelling. Two that can both be true are no difference: one in miles and one
in kilometres, one rounded ("about 60,000") and one exact.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from functools import lru_cache
from itertools import pairwise
from typing import Final

from evidence.rules.frames import Frame, Token, key_of
from evidence.rules.quantities import Quantity, agree
from evidence.rules.words import is_stop, stem

_ROUGHLY: Final = frozenset(
    "about around approximately approx roughly nearly almost some circa ca etwa rund ungefähr environ unos circa cerca".split()
)
_BOUNDING: Final = frozenset("over than least nearly almost most".split())
_NEAR_TIME: Final = _ROUGHLY | frozenset("just shortly after before by past".split())
_HALF_HOUR: Final = 30
_BEFORE_LEAST: Final = frozenset("least over than".split())
_IN_ONE_SCALE: Final = {
    "mile": Decimal("1609.344"), "inch": Decimal("0.0254"), "m": Decimal(1), "oz": Decimal("28.349523"), "g": Decimal(1),
    "l": Decimal(1), "gallon": Decimal("3.785412"), "km/h": Decimal(1),
    "mile/h": Decimal("1.609344"),
}  # fmt: skip
_IN_CELSIUS: Final = {"c": (Decimal(1), Decimal(0)), "f": (Decimal(5) / 9, Decimal(-160) / 9)}
_IN_FORMS: Final = frozenset("date number duration period".split())
"""Kinds of values that can be said more or less exactly, or as one another."""
_CONVERTED: Final = Decimal("0.07")
_ROUNDED: Final = Decimal("0.1")
_MEASURED: Final = frozenset(
    """number times duration period size rate frequency length weight volume speed percent temperature power money""".split()
)


@lru_cache(maxsize=512)
def own_values(frame: Frame, other: Frame) -> tuple[Quantity, ...]:
    """Values of a sentence that can be none of the other's; what an aside mentions is left out."""
    left = _unlike(frame, other) if frame.values else ()
    if left and frame.asides:
        left = tuple(value for value in left if key_of(value) not in frame.asides)
    free = _unlike(other, frame) if left and other.values else ()
    if not free:
        return left
    return tuple(
        value
        for value in left
        if not any(value.kind == twin.kind and _can_be(value, twin, frame, other) for twin in free)
    )


@lru_cache(maxsize=512)
def _unlike(frame: Frame, other: Frame) -> tuple[Quantity, ...]:
    """The values that the other sentence does not give in any form."""
    there, others = _keys(other), _in_forms(other)
    found: list[Quantity] = []
    for key, value in _keys(frame).items():
        if key in there:
            continue
        if not (value.kind in _IN_FORMS and any(_is_same(value, twin) for twin in others)):
            found.append(value)
    return tuple(found)


@lru_cache(maxsize=16384)
def _keys(frame: Frame) -> dict[str, Quantity]:
    return {key_of(value): value for value in frame.values}


@lru_cache(maxsize=16384)
def _in_forms(frame: Frame) -> tuple[Quantity, ...]:
    return tuple(value for value in frame.values if value.kind in _IN_FORMS)


def _is_same(value: Quantity, twin: Quantity) -> bool:
    """Of two values whose normal forms differ: whether one says less than the other, or the same as another kind."""
    if value.kind == twin.kind:
        return (value.kind == "date" or value.is_version or twin.is_version) and agree(value, twin)
    return agree(value, twin) or _is_year_of(value, twin) or _is_year_of(twin, value)


def _can_be(value: Quantity, twin: Quantity, one: Frame, other: Frame) -> bool:
    """Whether two values of one kind that differ can both be true of one thing."""
    if value.kind == "time":
        is_rough = bool({key_of(value)} & _near_time(one) or {key_of(twin)} & _near_time(other))
        return is_rough and abs(_minutes(value) - _minutes(twin)) <= _HALF_HOUR
    if value.kind not in _MEASURED or value.is_version or twin.is_version:
        return False
    ours, theirs = _comparable_sizes(value, twin)
    if ours is None or theirs is None:
        return False
    most = max(abs(ours), abs(theirs))
    apart = abs(ours - theirs)
    if value.unit != twin.unit:
        return apart <= _CONVERTED * most
    if key_of(value) in _rough(one) or key_of(twin) in _rough(other):
        return apart <= _ROUNDED * most or _reaches(value, twin, one, other)
    # "more than 5,000" and "5,200"; two bounds are compared as they stand
    return apart <= _ROUNDED * most and (key_of(value) in _bounded(one)) != (key_of(twin) in _bounded(other))


def _reaches(value: Quantity, twin: Quantity, one: Frame, other: Frame) -> bool:
    """ "at least 29" and "some three dozen": a number told roughly may be any that the other one allows."""
    ours, theirs = _size(value) or Decimal(0), _size(twin) or Decimal(0)
    if key_of(value) in _rough(one):
        return key_of(twin) in _at_least(other) and ours >= theirs
    return key_of(value) in _at_least(one) and theirs >= ours


def _is_year_of(value: Quantity, date: Quantity) -> bool:
    return value.kind == "number" and date.kind == "date" and date.value.split("-")[0] == value.value


def _comparable_sizes(value: Quantity, twin: Quantity) -> tuple[Decimal | None, Decimal | None]:
    ours, theirs = _size(value), _size(twin)
    is_one_scale = value.unit == twin.unit or (_has_system(value) and _has_system(twin))
    return (ours, theirs) if is_one_scale else (None, None)


def _has_system(value: Quantity) -> bool:
    return value.unit in _IN_ONE_SCALE or value.unit in _IN_CELSIUS


def _size(value: Quantity) -> Decimal | None:
    try:
        number = Decimal(value.value)
    except InvalidOperation:
        return None
    if value.unit in _IN_ONE_SCALE:
        return number * _IN_ONE_SCALE[value.unit]
    if value.kind == "temperature" and value.unit in _IN_CELSIUS:
        factor, offset = _IN_CELSIUS[value.unit]
        return number * factor + offset
    return number


@lru_cache(maxsize=16384)
def _rough(frame: Frame) -> frozenset[str]:
    """The values of a sentence that are only told roughly: "about 30 miles", "some three dozen"."""
    return frozenset(value.stem for word, value in pairwise(frame.tokens) if _is_told(value, word, _ROUGHLY))


@lru_cache(maxsize=16384)
def _at_least(frame: Frame) -> frozenset[str]:
    return frozenset(value.stem for word, value in pairwise(frame.tokens) if _is_told(value, word, _BEFORE_LEAST))


@lru_cache(maxsize=16384)
def _bounded(frame: Frame) -> frozenset[str]:
    return frozenset(value.stem for word, value in pairwise(frame.tokens) if _is_told(value, word, _BOUNDING))


@lru_cache(maxsize=16384)
def _near_time(frame: Frame) -> frozenset[str]:
    return frozenset(value.stem for word, value in pairwise(frame.tokens) if _is_told(value, word, _NEAR_TIME))


def _minutes(value: Quantity) -> int:
    hours, minutes = value.value.split(":")[:2]
    return 60 * int(hours) + int(minutes)


def _is_told(value: Token, word: Token, how: frozenset[str]) -> bool:
    return value.role == "value" and word.form in how


def comparable(value: Quantity, twin: Quantity, one: Frame, other: Frame) -> bool:
    """Values of one kind; bare numbers only of the same thing ("3 retries" and "3 regions" are two things)."""
    if value.kind != twin.kind:
        if len(one.values) != 1 or len(other.values) != 1:
            return False
        if {value.kind, twin.kind} == {"number", "times"}:
            return True
        return {value.kind, twin.kind} <= _MEASURED - {"number", "times"} and _digits(value, one) == _digits(
            twin, other
        )
    if value.kind != "number":
        return True
    ours, theirs = counted(value, one), counted(twin, other)
    if ours & theirs:
        return True
    before = [word for word in (value.before, twin.before) if word and not is_stop(word, one.language)]
    if len(before) == 2:
        return stem(before[0], one.language) == stem(before[1], one.language)
    return not ours or not theirs


def _digits(value: Quantity, frame: Frame) -> str:
    """The figures as they are written; equal where only the unit behind them is another."""
    spoken = frame.spoken[key_of(value)]
    return "".join(sign for sign in spoken if sign.isdigit()) or spoken


def counted(value: Quantity, frame: Frame) -> frozenset[str]:
    """Stems of what a bare number counts: of the words right behind it those that say something."""
    return frozenset(stem(word, frame.language) for word in value.after) & frame.content
