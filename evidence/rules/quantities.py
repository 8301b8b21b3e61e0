"""Numbers, durations, sizes, money, dates, times, versions of a text, in one normal form (contract 7, 8, 12.10).

`5` = five, 2 days = 48 h, v1.2 = 1.2, 20,000 = 20000, 19 October = October 19. Finds and normalises; what a difference
means is for `opposition` and the verifier. Never fails; what it cannot read it leaves out.
"""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from typing import Final

from evidence.rules.calendar_forms import CALENDAR_WORDS, written
from evidence.rules.fraction_forms import FRACTION_WORDS, fractions
from evidence.rules.measures import UNITS
from evidence.rules.number_forms import number_names, number_words, numbers, unspaced_numbers
from evidence.rules.period_forms import PERIOD_WORDS, periods
from evidence.rules.quantity import FoundQuantity, Quantity, agree, decimal_text, missing
from evidence.rules.spans import Taken
from evidence.rules.words import language_of, letter_runs, lower, plain

__all__ = ["FoundQuantity", "Quantity", "agree", "missing", "quantities", "quantity_spans"]

_RANGE: Final = re.compile(r"\s*(?:-|–|—|to|and|or|,|bis|und|oder|à|et|ou|a|y|o|e|en|tot|до|и)\s*(?:and|or|und)?\s*")


def quantities(text: str, language: str | None = None) -> frozenset[Quantity]:
    """All values of a text in normal form."""
    return frozenset(found.quantity for found in quantity_spans(text, language))


def quantity_spans(text: str, language: str | None = None) -> tuple[FoundQuantity, ...]:
    """As `quantities`, in order, with spans in the plain text."""
    return _spans(text, language or language_of(text))


@lru_cache(maxsize=16384)
def _spans(text: str, language: str) -> tuple[FoundQuantity, ...]:
    clear = plain(text)
    words = letter_runs(text)
    if clear.isascii() and words.isdisjoint(_spoken_values(language)) and not _HINT.search(clear):
        return ()
    low = lower(clear)
    found = [FoundQuantity(Quantity(item.kind, item.value), item.start, item.end) for item in written(clear, words)]
    taken = Taken(len(clear))
    for item in found:
        taken.cover(item.start, item.end)
    forms = (
        fractions(low, language, words),
        periods(low, language, words),
        unspaced_numbers(low),
        numbers(clear, low, language),
        number_words(low, language, words),
    )
    for more in forms:
        found += [item for item in more if taken.take(item.start, item.end)]
    if len(found) < 2:
        return tuple(found)
    found.sort(key=lambda item: item.start)
    return tuple(_joined(_inherit(found, low), low))


_HINT: Final = re.compile(r"\d|hal[bf]")
"""In a text of ASCII signs, what every value has that no word of `_spoken_values` is part of."""


@lru_cache(maxsize=16)
def _spoken_values(language: str) -> frozenset[str]:
    """Words of which a value without figures has one."""
    return CALENDAR_WORDS | FRACTION_WORDS | PERIOD_WORDS | number_names(language)


def _inherit(found: list[FoundQuantity], low: str) -> list[FoundQuantity]:
    """ "2, 4 and 8 seconds", "30-60 minutes": a bare number takes the unit of the next one in the row."""
    unit: tuple[str, str, Decimal] | None = None
    following: FoundQuantity | None = None
    for at in range(len(found) - 1, -1, -1):
        here = found[at]
        if here.quantity.kind != "number" or here.quantity.is_version:
            unit = _written_unit(low[here.start : here.end])
        elif (
            unit
            and following
            and _RANGE.fullmatch(low, here.end, following.start)
            and _PLAIN_NUMBER.fullmatch(here.quantity.value)
        ):
            value = decimal_text(Decimal(here.quantity.value) * unit[2])
            found[at] = here._replace(quantity=Quantity(unit[0], value, "" if unit[0] == "times" else unit[1]))
        else:
            unit = None
        following = here
    return found


_PLAIN_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")


def _written_unit(low: str) -> tuple[str, str, Decimal] | None:
    words = re.findall(r"[%€$£¥₹°]|[^\W\d_]+", low)
    return next((UNITS[word] for word in words if word in UNITS and UNITS[word][0] != "period"), None)


def _joined(found: list[FoundQuantity], low: str) -> list[FoundQuantity]:
    """ "1 h 30 min" is one duration."""
    joined: list[FoundQuantity] = []
    for item in found:
        last = joined[-1] if joined else None
        if (
            last
            and last.quantity.kind == item.quantity.kind == "duration"
            and last.quantity.unit == item.quantity.unit == "s"
            and re.fullmatch(r"\s?(?:and\s)?", low[last.end : item.start])
            and Decimal(item.quantity.value) < Decimal(last.quantity.value)
        ):
            total = decimal_text(Decimal(last.quantity.value) + Decimal(item.quantity.value))
            joined[-1] = FoundQuantity(replace(last.quantity, value=total), last.start, item.end)
        else:
            joined.append(item)
    return joined
