"""Halves and quarters of a unit: "half an hour", "two and a half weeks", "anderthalb Stunden" (part of `quantities`)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from evidence.rules.measures import NUMBER_WORDS, ONES, SCALES, UNITS
from evidence.rules.quantity import FoundQuantity, Quantity, decimal_text

_UNIT: Final = "|".join(
    sorted((re.escape(word) for word in (*UNITS, "million", "thousand", "billion", "dozen") if len(word) > 2), key=len)[
        ::-1
    ]
)
_COUNT: Final = r"\d+|[^\W\d_]+"
_PARTS: Final = {
    "half": Decimal("0.5"), "halves": Decimal("0.5"), "quarter": Decimal("0.25"), "quarters": Decimal("0.25"),
    "third": Decimal(1) / 3, "thirds": Decimal(1) / 3,
}  # fmt: skip
_COUNTS: Final = {"": 1, "a": 1, "an": 1, "one": 1, "two": 2, "three": 3}
_OF_ONE: Final = re.compile(
    rf"(?<![\w-])(?:(?P<count>an?|one|two|three)[\s-])?(?P<part>{'|'.join(_PARTS)})\s+(?:of\s+)?an?\s+(?P<unit>{_UNIT})(?!\w)"
)
_AND_A_HALF: Final[dict[str, re.Pattern[str]]] = {
    language: re.compile(
        rf"(?<!\w)(?P<count>{_COUNT})['\s](?:(?P<unit>{_UNIT})\s)?{joint}(?:\s(?P<later>{_UNIT}))?(?!\w)"
    )
    for language, joint in {
        "en": r"and\sa\shalf",
        "fr": r"et\sdemie?",
        "es": r"y\smedi[ao]",
        "it": r"e\smezz[ao]",
        "pt": r"e\smei[ao]",
    }.items()
}
_HALF_WORDS: Final[dict[str, str]] = {
    "de": r"(?P<count>andert|einein|zweiein|dreiein|vierein)halb\s(?P<unit>{unit})|(?P<one>halbe[nrs]?)\s(?P<of>{unit})",
    "nl": r"(?P<count>ander)half\s(?P<unit>{unit})|(?P<one>half)\s(?P<of>{unit})",
    "fr": r"(?P<one>demi)e?[\s-](?P<of>{unit})",
    "es": r"(?P<one>medi[ao])\s(?P<of>{unit})",
    "it": r"(?P<one>mezz['ao])\s?(?P<of>{unit})",
    "pt": r"(?P<one>mei[ao])\s(?P<of>{unit})",
}
_HALVED: Final = {
    language: re.compile(rf"(?<!\w)(?:{pattern.format(unit=_UNIT)})(?!\w)") for language, pattern in _HALF_WORDS.items()
}
_BEFORE_HALF: Final = {"andert": 1, "ander": 1, "einein": 1, "zweiein": 2, "dreiein": 3, "vierein": 4}
FRACTION_WORDS: Final = frozenset(_PARTS) | frozenset(
    "demi demie media medio mezza mezzo mezz meia meio half halbe".split()
)


def fractions(low: str, language: str, words: frozenset[str]) -> Iterable[FoundQuantity]:
    """Fractions of a unit in a lower-case text; `words`: its words."""
    if words.isdisjoint(FRACTION_WORDS) and "halb" not in low and "half" not in low:
        return
    for hit in _OF_ONE.finditer(low) if language == "en" else ():
        yield _found(hit["unit"], _PARTS[hit["part"]] * _COUNTS[hit["count"] or ""], hit)
    for hit in _AND_A_HALF[language].finditer(low) if language in _AND_A_HALF else ():
        count, unit = _number(hit["count"], language), hit["unit"] or hit["later"]
        if count is not None and unit:
            yield _found(unit, count + Decimal("0.5"), hit)
    for hit in _HALVED[language].finditer(low) if language in _HALVED else ():
        if hit["one"]:
            yield _found(hit["of"], Decimal("0.5"), hit)
        else:
            yield _found(hit["unit"], _BEFORE_HALF[hit["count"]] + Decimal("0.5"), hit)


def _number(word: str, language: str) -> Decimal | None:
    if word.isdecimal():
        return Decimal(word[:9])
    if word in ONES:
        return Decimal(1)
    known = NUMBER_WORDS[language].get(word)
    return None if known is None else Decimal(known)


def _found(unit: str, count: Decimal, hit: re.Match[str]) -> FoundQuantity:
    if unit in SCALES:
        return FoundQuantity(Quantity("number", decimal_text(count * SCALES[unit])), *hit.span())
    kind, base, factor = UNITS[unit]
    return FoundQuantity(Quantity(kind, decimal_text(count * factor), base), *hit.span())
