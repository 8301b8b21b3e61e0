"""Which values of a claim no cited text gives (contract 8.1): numbers, dates, versions, amounts.

Forms do not matter ("5" and "five", "2 days" and "48 h"). A number without a unit gives the number of any amount
(`interval_seconds = 90` gives "90 seconds"); one with another unit does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from evidence.rules.quantities import FoundQuantity, agree, quantity_spans
from evidence.rules.words import plain

_DIGITS: Final = re.compile(r"\d+(?:[.,]\d+)*")
_EXACT: Final = frozenset({"date", "time", "weekday", "ordinal"})
_UNWRITTEN: Final = frozenset({"period", "duration", "number", "times"})
_ONE: Final = re.compile(
    r"(?:an?|once|one|each|every|per|the|all|eine?[mnrs]?|jede[mnrs]?|pro|une?|chaque|par|un|una|cada|por)(?:\s|$)|\S+$"
)


def missing_values(statement: str, texts: Sequence[str], language: str) -> tuple[tuple[int, int], ...]:
    """Spans (in the plain text) of the claim's values that are not given, in order."""
    given = [(text, found) for text in texts for found in quantity_spans(text, language)]
    bare = frozenset(_bare_numbers(texts, language))
    clear = plain(statement)
    return tuple(
        (value.start, value.end)
        for value in quantity_spans(statement, language)
        if not any(agree(value.quantity, found.quantity) for _, found in given)
        and not _is_given(clear[value.start : value.end], value, bare)
        and not _is_loose(clear[value.start : value.end], value, given)
    )


def _bare_numbers(texts: Iterable[str], language: str) -> Iterator[str]:
    """Numbers of the texts that no unit, date or version claims for itself."""
    for text in texts:
        clear = plain(text)
        taken = [
            (found.start, found.end)
            for found in quantity_spans(text, language)
            if found.quantity.unit or found.quantity.kind not in ("number", "ordinal") or found.quantity.is_version
        ]
        for digits in _DIGITS.finditer(clear):
            if not any(start <= digits.start() < end for start, end in taken):
                yield _value(digits.group())


def _value(digits: str) -> str:
    """Digits without thousands marks and needless zeros."""
    plain_digits = re.sub(r",(?=\d{3}(?:\D|$))", "", digits).replace(",", ".")
    return plain_digits.rstrip("0").rstrip(".") if plain_digits.count(".") == 1 else plain_digits


def _is_given(written: str, value: FoundQuantity, bare: frozenset[str]) -> bool:
    numbers = [_value(digits.group()) for digits in _DIGITS.finditer(written)]
    if not numbers or value.quantity.kind in _EXACT or value.quantity.is_version:
        return False
    return all(number in bare for number in numbers)


def _is_loose(written: str, value: FoundQuantity, given: Iterable[tuple[str, FoundQuantity]]) -> bool:
    """ "nightly", "a day", "one owner": no figure to look for, unless a source gives another value of that kind."""
    if value.quantity.kind not in _UNWRITTEN or _DIGITS.search(written) or not _ONE.match(written.casefold()):
        return False
    if value.quantity.kind in ("number", "times") and written.casefold() not in (
        "one",
        "once",
        "ein",
        "eine",
        "un",
        "une",
        "una",
    ):
        return False
    noun = written.casefold().split()[-1]
    return not any(found.quantity.kind == value.quantity.kind and noun not in text.casefold() for text, found in given)
