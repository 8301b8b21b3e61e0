"""Numbers as they are written in text, in digits or words, with the unit beside them (part of `quantities`)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Final

from evidence.rules.measures import NUMBER_WORDS, SCALES, SHORT_UNITS, TIME_UNITS, UNITS, UNSPACED_UNITS
from evidence.rules.quantity import FoundQuantity, Quantity, decimal_text
from evidence.rules.words import is_unspaced

_WORD_CLASS: Final = r"[^\W\d_]"
_NUMBER: Final = re.compile(
    r"(?<![a-z0-9_#\u00c0-\u024f\u0370-\u052f])(?<![^\W\d_][-/])(?<![^\W_]\.)(?P<mark>v\.?\s?)?"
    r"(?P<number>\d{1,3}(?:[,'\u202f\u00a0]\d{3})+(?:\.\d+)?(?!\d)|\d+(?:[.,]\d+)*)"
)
_AFTER: Final = re.compile(rf"(?P<gap>\s?-?\s?)(?P<word>[%€$£¥₹×]|°?{_WORD_CLASS}+(?:/{_WORD_CLASS}+)?)")
_NEXT: Final = re.compile(rf"\W*({_WORD_CLASS}+)(?:[\s-]+({_WORD_CLASS}+))?")
_LETTERS: Final = re.compile(rf"{_WORD_CLASS}+")
_WORD_SIGN: Final = re.compile(r"\w")
_STOP: Final = re.compile(r"[.,;:()\n]")
_MONEY_BEFORE: Final = re.compile(r"(us\$|[€$£¥₹]|\b(?:eur|usd|gbp|chf|jpy|cny|inr))\s?$")
_VERSION_BEFORE: Final = re.compile(r"\b(?:version|release|ver|versions)\.?\s?$")
_COMMA_DECIMALS: Final = frozenset({"de", "fr", "es", "it", "pt", "nl", "ru"})


def _read(raw: str, language: str) -> tuple[str, Decimal | None]:
    """A number's normal text and its value; a value of none is a version or something else with several dots."""
    if raw.isdecimal():
        return _number(raw)
    if re.fullmatch(r"\d{1,3}(?:[,'\u202f\u00a0]\d{3})+(?:\.\d+)?", raw) and not (
        language in _COMMA_DECIMALS and raw.count(",") == 1
    ):
        return _number(re.sub(r"[,'\u202f\u00a0]", "", raw))
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+", raw) and (language in _COMMA_DECIMALS or raw.count(".") > 1):
        return _number(raw.replace(".", ""))
    if re.fullmatch(r"\d+,\d+", raw):
        return _number(raw.replace(",", "."))
    if raw.count(".") > 1 or "," in raw:
        return re.sub(r"(?:\.0)+$", "", raw), None
    return _number(raw)


def _number(raw: str) -> tuple[str, Decimal | None]:
    value = Decimal(raw)
    if "." not in raw or raw.startswith("0."):
        return decimal_text(value), value
    return re.sub(r"(?:\.0+)$", "", raw), value


def numbers(clear: str, low: str, language: str) -> Iterable[FoundQuantity]:
    for hit in _NUMBER.finditer(low):
        raw = hit["number"]
        text, value = _read(raw.rstrip(".,"), language)
        start, end = hit.start(), hit.end()
        if hit["mark"] or value is None:
            if raw.count(".") != 3 or hit["mark"]:  # four parts and no v: an address, which is a name
                yield FoundQuantity(_bare(text, low, start, end, version=True), start, end)
            continue
        yield _with_unit(clear, low, (start, end), text, value)


_DECADE: Final = re.compile(r"(?:1[5-9]|20)\d0")
_OF_DECADE: Final = re.compile(r"\b(?:the|early|late|mid|in|since|during|from|\d{3}0s (?:and|or|to))[\s-]+$")
""" "in the 1990s", "late 1990s": years, where "after 1990s" are seconds."""


def _with_unit(clear: str, low: str, span: tuple[int, int], text: str, value: Decimal) -> FoundQuantity:
    """The number at `span` with the unit, scale or currency that stands beside it."""
    start, end = span
    money = _MONEY_BEFORE.search(low, max(0, start - 5), start)
    after = _AFTER.match(low, end)
    word, attached = (after["word"], not after["gap"]) if after else ("", False)
    if attached and word in {"st", "nd", "rd", "th"} and after:
        return FoundQuantity(Quantity("ordinal", text), start, after.end())
    if attached and word == "s" and after and _DECADE.fullmatch(low, start, end) and _OF_DECADE.search(low[:start]):
        return FoundQuantity(Quantity("decade", f"{text}s"), start, after.end())
    is_minutes = attached and word == "m" and clear[end] == "m" and money is None
    if after and word in SCALES and not is_minutes and (attached or word not in SHORT_UNITS):
        value, end = value * SCALES[word], after.end()
        text = decimal_text(value)
        after = _AFTER.match(low, end)
        word, attached = (after["word"], not after["gap"]) if after else ("", False)
    if money:
        kind, base, factor = UNITS[money[1]]
        return FoundQuantity(Quantity(kind, decimal_text(value * factor), base), money.start(), end)
    if after and (unit := _unit(low, after, attached, is_minutes)):
        (kind, base, factor), unit_end = unit
        if (kind, base) == ("times", "x"):
            return FoundQuantity(Quantity("times", decimal_text(value)), start, unit_end)
        return FoundQuantity(Quantity(kind, decimal_text(value * factor), base), start, unit_end)
    version = _VERSION_BEFORE.search(low, max(0, start - 10), start) is not None
    return FoundQuantity(_bare(text, low, start, end, version=version), start, end)


def _unit(
    low: str, after: re.Match[str], attached: bool, is_minutes: bool
) -> tuple[tuple[str, str, Decimal], int] | None:
    word, end = after["word"], after.end()
    if is_minutes:
        return UNITS["min"], end
    if word in {"working", "business"} and (more := re.compile(r"\s+(day|hour)s?\b").match(low, end)):
        return (("worktime", more[1], Decimal(1)), more.end())
    if word == "per" and (more := re.compile(r"\s+cent\b").match(low, end)):
        return UNITS["%"], more.end()
    if word in {"degrees", "degree"} and (more := re.compile(r"\s+(celsius|fahrenheit)\b").match(low, end)):
        return UNITS[more[1]], more.end()
    if is_unspaced(word):
        name = next((name for name in sorted(UNSPACED_UNITS, key=len, reverse=True) if word.startswith(name)), None)
        return (UNITS[UNSPACED_UNITS[name]], after.start("word") + len(name)) if name else None
    known = UNITS.get(word)
    if known is None or (word in SHORT_UNITS and not attached and word not in {"h", "s", "g", "x", "d"}):
        return None
    return known, end


def _bare(text: str, low: str, start: int, end: int, *, version: bool) -> Quantity:
    """A number without a unit, with its neighbours: what is counted decides whether two numbers can be compared."""
    stop = _STOP.search(low, end, end + 40)
    following = _NEXT.match(low, end, stop.start() if stop else end + 40)
    after = tuple(word for word in following.groups() if word) if following else ()
    return Quantity("number", text, before=_word_before(low, start), after=after, is_version=version)


def _word_before(low: str, start: int) -> str:
    """The word right before a place, with nothing but signs and spaces between; empty where there is none."""
    found = list(_LETTERS.finditer(low, max(0, start - 24), start))
    return found[-1][0] if found and not _WORD_SIGN.search(low, found[-1].end(), start) else ""


def number_words(low: str, language: str, words: frozenset[str]) -> Iterable[FoundQuantity]:
    """Numbers spelt out in a lower-case text; `words`: its words."""
    table = NUMBER_WORDS[language]
    if words.isdisjoint(number_names(language)):
        return
    for hit in _word_pattern(language).finditer(low):
        first, *rest = re.split(r"[\s-]+", hit.group())
        total = table.get(first, 1)
        for word in rest:
            total = total * SCALES[word] if word in SCALES else total + table.get(word, 1)
        if first in table or _counts_one(low, hit, first):
            yield _with_unit(low, low, hit.span(), str(total), Decimal(total))


def unspaced_numbers(low: str) -> Iterable[FoundQuantity]:
    """Numbers in Chinese and Japanese figures right before a unit: 两周, 十四天."""
    if low.isascii():
        return
    for hit in _FIGURES.finditer(low):
        kind, base, factor = UNITS[UNSPACED_UNITS[hit["unit"]]]
        value = decimal_text(_figures(hit["figures"]) * factor)
        yield FoundQuantity(Quantity(kind, value, "" if kind == "times" else base), *hit.span())


def _figures(text: str) -> Decimal:
    total = figure = 0
    for sign in text:
        if sign in _TENS:
            total, figure = total + max(figure, 1) * _TENS[sign], 0
        else:
            figure = _DIGITS.index(sign) if sign != "两" else 2
    return Decimal(total + figure)


_DIGITS: Final = "零一二三四五六七八九"
_TENS: Final = {"十": 10, "百": 100}
_FIGURES: Final = re.compile(
    rf"(?<![{_DIGITS}两十百第])(?P<figures>[{_DIGITS}两十百]+)(?P<unit>"
    rf"{'|'.join(sorted(UNSPACED_UNITS, key=len, reverse=True))})(?!曜)"
)


@lru_cache(maxsize=16)
def _word_pattern(language: str) -> re.Pattern[str]:
    table = NUMBER_WORDS[language]
    tens = "|".join(word for word, value in table.items() if 20 <= value <= 90)
    scales = "hundred|thousand|million|billion|dozen"
    every = "|".join(sorted({*table, *(_ONES_OF[language])}, key=len, reverse=True))
    return re.compile(
        rf"(?<![\w-])(?:(?:{tens})[\s-](?:{every})|{every})(?:\s(?:{scales}))?(?![\w']|-(?!{TIME_UNITS}))"
    )


_ONES_OF: Final[dict[str, frozenset[str]]] = {
    "en": frozenset({"one", "a", "an"}),
    "de": frozenset({"ein", "eine", "einem", "einen", "einer", "eines"}),
    "fr": frozenset({"un", "une"}),
    "es": frozenset({"un", "una", "uno"}),
    "it": frozenset({"un", "una", "uno"}),
    "pt": frozenset({"um", "uma"}),
    "nl": frozenset({"een", "één"}),
    "ru": frozenset({"один", "одна"}),
}


@lru_cache(maxsize=16)
def number_names(language: str) -> frozenset[str]:
    """The words of a language that a number spelt out opens with."""
    return _ONES_OF[language].union(NUMBER_WORDS[language])


_UNSURE_UNITS: Final = frozenset(
    {"second", "quarter", "night", "minute", "cent", "min", "sec", "times", "meter", "gig", "ton", "bit"}
)


def _counts_one(low: str, hit: re.Match[str], first: str) -> bool:
    """Whether an article or "one" counts: "an hour", "one reviewer", but not "a second reviewer", "the one that"."""
    if " " in hit.group():
        return True
    following = _NEXT.match(low, hit.end())
    if following is None:
        return False
    word = following[1]
    if first == "one":
        is_one_thing = low[hit.end() : hit.end() + 1] == " " and word not in _AFTER_ONE
        return is_one_thing and _word_before(low, hit.start()) not in _BEFORE_ONE
    if word in UNITS and UNITS[word][0] in {"duration", "worktime"}:
        return len(word) > 1 and word not in _UNSURE_UNITS
    return word in {"working", "business"} and (following[2] or "") in {"day", "hour"}


_BEFORE_ONE: Final = frozenset("no any every each this that which the some last next another other".split())
_AFTER_ONE: Final = frozenset(
    "of that who which is was has can for to in on at by and or with as another more way if when".split()
)
