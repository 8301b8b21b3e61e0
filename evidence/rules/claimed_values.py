"""Which values of a claim no cited text gives (contract 8.1): numbers, dates, versions, amounts.

Forms do not matter ("5" and "five", "2 days" and "48 h"). A source may say more than the claim (a day where the claim has a
month), not less; only a date's year may be left out, as people do. A number without a unit gives the number of any
amount (`interval_seconds = 90` gives "90 seconds"); one with another unit does not. Rounded is not equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from evidence.rules.entities import entities
from evidence.rules.measures import UNITS
from evidence.rules.quantities import Quantity, agree, quantity_spans
from evidence.rules.quantity import decimal_text
from evidence.rules.spans import Taken
from evidence.rules.words import plain, spelt

_DIGITS: Final = re.compile(r"\d+(?:[.,]\d+)*")
_EXACT: Final = frozenset({"date", "time", "weekday", "ordinal"})
_UNWRITTEN: Final = frozenset({"period", "duration", "number", "times"})
_ONE: Final = re.compile(
    r"(?:an?|once|one|each|every|per|the|all|eine?[mnrs]?|jede[mnrs]?|pro|une?|chaque|par|un|una|cada|por)(?:\s|$)|\S+$"
)
_ONCE: Final = frozenset("one once ein eine un une una".split())
_ORDINALS: Final = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth""".split()
_YEAR: Final = re.compile(r"1\d{3}|20\d\d")
_THOUSANDS: Final = re.compile(r",(?=\d{3}(?:\D|$))")
_SETTING: Final = re.compile(r"[^\W_][_-]([^\W\d_]+)[\"')\]]?\s*(?:[=:<>]=?|is|to)\s*[\"']?$")
"""The last part of a name with joints, right before a number: `retention_days = 180`."""
_FAR: Final = 40


class Values(NamedTuple):
    """Spans in the plain texts. `hits`: which text, from where, to where."""

    missing: tuple[tuple[int, int], ...]
    given: tuple[tuple[int, int], ...]
    hits: tuple[tuple[int, int, int], ...]


def find_values(statement: str, texts: Sequence[str], language: str) -> Values:
    """The claim's values in order: those that a text gives, with where it does, and those that none gives."""
    claimed = quantity_spans(statement, language)
    if not claimed:
        return Values((), (), ())
    given = [(at, found) for at, text in enumerate(texts) for found in quantity_spans(text, language)]
    names = entities(statement, language)
    clear = plain(statement)
    bare: list[_Bare] | None = None
    missing: list[tuple[int, int]] = []
    hits: list[tuple[int, int, int]] = []
    known: dict[tuple[Quantity, str], list[tuple[int, int, int]]] = {}
    for value, start, end in claimed:
        there = known.get((value, value.before))
        if there is None:
            there = [(at, found.start, found.end) for at, found in given if _gives(found.quantity, value, names)]
            known[value, value.before] = there
        if not there:
            bare = list(_bare_numbers(texts, language)) if bare is None else bare
            there = _in_figures(clear[start:end], value, bare) or list(_spelt_ordinals(value, texts))
        hits += there
        if not there and not _is_loose(clear[start:end], value, [(texts[at], found.quantity) for at, found in given]):
            missing.append((start, end))
    lacking = frozenset(missing)
    spans = tuple((start, end) for _, start, end in claimed if (start, end) not in lacking)
    return Values(tuple(missing), spans, tuple(dict.fromkeys(hits)))


def _gives(given: Quantity, claimed: Quantity, names: frozenset[str]) -> bool:
    """Whether a source's value says the claimed one: the same, or a more precise date or version of it."""
    if given == claimed:
        return True
    if given.kind == claimed.kind == "date":
        return _date_gives(given.value, claimed.value)
    if given.kind == "date" and claimed.kind == "number":
        return given.value[:4] == claimed.value and _YEAR.fullmatch(claimed.value) is not None
    if given.kind == claimed.kind == "number":
        is_version = (
            given.is_version or claimed.is_version or (given.before == claimed.before and claimed.before in names)
        )
        return is_version and f"{given.value}.".startswith(f"{claimed.value}.")
    return {given.kind, claimed.kind} == {"duration", "period"} and agree(given, claimed)


def _date_gives(given: str, claimed: str) -> bool:
    theirs, ours = _date_parts(given), _date_parts(claimed)
    return theirs[1][: len(ours[1])] == ours[1] and (not theirs[0] or not ours[0] or theirs[0] == ours[0])


def _date_parts(date: str) -> tuple[str, list[str]]:
    """The year, empty where none is said, and what follows it."""
    year, rest = ("", date[2:]) if date.startswith("--") else (date[:4], date[5:])
    return year, rest.split("-")


class _Bare(NamedTuple):
    """A number that no unit, date or version claims for itself; `named` where a setting's name says its unit."""

    number: str
    named: Quantity | None
    place: tuple[int, int, int]


def _bare_numbers(texts: Sequence[str], language: str) -> Iterator[_Bare]:
    for at, text in enumerate(texts):
        clear = plain(text)
        taken = Taken(len(clear))
        for value, start, end in quantity_spans(text, language):
            if value.unit or value.kind not in ("number", "ordinal") or value.is_version:
                taken.cover(start, end)
        for digits in _DIGITS.finditer(clear):
            if taken.is_free(digits.start(), digits.start() + 1):
                number = _value(digits.group())
                setting = _SETTING.search(clear, max(0, digits.start() - _FAR), digits.start())
                named = _named(number, setting[1].casefold()) if setting else None
                yield _Bare(number, named, (at, *digits.span()))


def _named(number: str, word: str) -> Quantity | None:
    """`interval_seconds = 90`: ninety seconds."""
    unit = UNITS.get(word)
    if unit is None or number.count(".") > 1:
        return None
    kind, base, factor = unit
    return Quantity(kind, decimal_text(Decimal(number) * factor), base)


def _value(digits: str) -> str:
    """Digits without thousands marks and needless zeros."""
    plain_digits = _THOUSANDS.sub("", digits).replace(",", ".")
    return plain_digits.rstrip("0").rstrip(".") if plain_digits.count(".") == 1 else plain_digits


def _in_figures(written: str, value: Quantity, bare: Sequence[_Bare]) -> list[tuple[int, int, int]]:
    """Where the claim's figures stand bare, or as a setting of the same unit; empty unless all of them do."""
    settings = [item.place for item in bare if item.named is not None and agree(item.named, value)]
    numbers = [_value(digits.group()) for digits in _DIGITS.finditer(written)]
    if settings or not numbers or value.kind in _EXACT or value.is_version:
        return settings
    has_unit = value.kind != "number"
    there = {item.number: item.place for item in bare if item.named is None or not has_unit}
    return [there[number] for number in numbers] if all(number in there for number in numbers) else []


def _spelt_ordinals(value: Quantity, texts: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """ "2nd" where a text has "second"."""
    number = int(value.value) if value.kind == "ordinal" and value.value.isdecimal() else 0
    if 0 < number <= len(_ORDINALS):
        for at, text in enumerate(texts):
            yield from ((at, start, end) for form, start, end in spelt(text) if form == _ORDINALS[number - 1])


def _is_loose(written: str, value: Quantity, given: Iterable[tuple[str, Quantity]]) -> bool:
    """ "nightly", "a day", "one owner": no figure to look for, unless a source gives another value of that kind."""
    low = written.casefold()
    if value.kind not in _UNWRITTEN or _DIGITS.search(written) or not _ONE.match(low):
        return False
    if value.kind in ("number", "times") and low not in _ONCE:
        return False
    rivals = [text.casefold() for text, quantity in given if quantity.kind == value.kind]
    return not rivals if low.startswith("once") else all(low.split()[-1] in text for text in rivals)
