"""How often: "daily", "every 2 hours", "twice a week", "5 times a day" (part of `quantities`).

A period is the time from one to the next, in seconds or months: "twice a day" is 43200 s.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from evidence.rules.measures import NUMBER_WORDS, ONES, PERIODS, TIME_UNITS, UNITS
from evidence.rules.quantity import FoundQuantity, Quantity, decimal_text

_WORD_CLASS: Final = r"[^\W\d_]"
_EVERY: Final = r"every|each|per|jede[nrs]?|alle|chaque|par|cada|ogni|elke|elk|каждый|каждые|каждую"
_PERIOD: Final = re.compile(
    rf"\b(?:(?P<times>once|twice|thrice|einmal|zweimal|(?:\d+|\w+)\s(?:times|mal|fois|veces))\s+)?"
    rf"(?:(?P<every>{_EVERY})|(?P<a>an?|am|im|pro|in der|par|por|al|per))\s+(?:(?P<other>other|second|zweite[nr]?)\s+)?"
    rf"(?:(?P<count>\d+|{_WORD_CLASS}+)\s+)?(?P<unit>{TIME_UNITS})\b"
)
_PERIOD_WORD: Final = re.compile(rf"\b(?:{'|'.join(PERIODS)})\b")
PERIOD_WORDS: Final = frozenset(PERIODS).union(TIME_UNITS.split("|"))
"""Words of which every period has one."""


def periods(low: str, language: str, words: frozenset[str]) -> Iterable[FoundQuantity]:
    """Periods of a lower-case text; `words`: its words."""
    if words.isdisjoint(PERIOD_WORDS):
        return
    for hit in _PERIOD_WORD.finditer(low):
        unit, factor = PERIODS[hit.group()]
        yield FoundQuantity(Quantity("period", decimal_text(factor), unit), *hit.span())
    for hit in _PERIOD.finditer(low):
        _, base, factor = UNITS[hit["unit"]]
        count, times = _count(hit["count"], language), _times(hit["times"], language)
        if count is None or times is None or (hit["every"] is None and hit["times"] is None and not _rate(low, hit)):
            continue
        factor = factor * count * (2 if hit["other"] else 1) / times
        yield FoundQuantity(Quantity("period", decimal_text(factor), base), *hit.span())


def _count(word: str | None, language: str) -> int | None:
    if word is None or word in ONES:
        return 1
    return int(word[:9]) if word.isdecimal() else NUMBER_WORDS[language].get(word)


def _times(phrase: str | None, language: str) -> int | None:
    if phrase is None or phrase in {"once", "einmal"}:
        return 1
    if phrase in {"twice", "zweimal", "thrice"}:
        return 3 if phrase == "thrice" else 2
    return _count(phrase.split()[0], language) or None


def _rate(low: str, hit: re.Match[str]) -> bool:
    """ "200,000 calls a month": an article makes a rate only where a number stands shortly before."""
    return (
        hit["a"] in {"a", "an"}
        and re.search(rf"\d\s+{_WORD_CLASS}+\s+(?:{_WORD_CLASS}+\s+)?$", low[max(0, hit.start() - 40) : hit.start()])
        is not None
    )
