"""Dates, clock times and weekdays as they are written in text, in one normal form (part of `quantities`).

A date may be partial: `2026-10-19`, `--10-19` (no year), `2026-10`, `--10` (a month), `2026-Q3`. Knows no calendar of
its own: it normalises spelling and says nothing of what day it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import regex  # type: ignore[import-untyped]

from evidence.rules.measures import CASED, MONTHS, PERSONAL, WEEKDAYS
from evidence.rules.spans import Taken


class Written(NamedTuple):
    kind: str
    """`date`, `time` or `weekday`."""
    value: str
    start: int
    end: int


def _names(table: dict[str, int]) -> str:
    return "|".join(
        sorted((regex.escape(name) for name in table if name.isascii() or name[0].isalpha()), key=len, reverse=True)
    )


_MONTH: Final = rf"(?P<month>{_names(MONTHS)})"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_DAY: Final = r"(?P<day>[0-3]?\d)"
_PART: Final = r"(?P<half>am\b|pm\b|a\.m\.|p\.m\.)"
_CLOCK: Final = r"[T ](?P<clock>\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"
_DATES: Final = tuple(
    regex.compile(pattern, flags=regex.IGNORECASE)
    for pattern in (
        rf"(?<![\w-])(?P<year>\d{{4}})-(?P<number>\d\d)-(?P<day>\d\d)(?:{_CLOCK})?(?![\w-])",
        r"(?<![\w/])(?P<year>\d{4})/(?P<number>\d{1,2})/(?P<day>\d{1,2})(?![\w/])",
        r"(?<![\w.])(?P<day>\d{1,2})\.\s?(?P<number>\d{1,2})\.\s?(?P<year>\d{4})(?![\w])",
        r"(?<![\w/])(?P<first>\d{1,2})/(?P<second>\d{1,2})/(?P<year>\d{4})(?![\w/])",
        r"(?P<year>\d{4})\s?年\s?(?P<number>\d{1,2})\s?月(?:\s?(?P<day>\d{1,2})\s?[日号])?",
        r"(?<!\d)(?P<number>\d{1,2})\s?月\s?(?P<day>\d{1,2})\s?[日号]",
        rf"(?<![\w.:]){_DAY}(?:st|nd|rd|th|er|\.|º)?\s+(?:of\s+|de\s+|di\s+)?{_MONTH}\b\.?(?:,?\s+(?:de\s+|of\s+)?{_YEAR}(?!\d))?",
        rf"\b{_MONTH}\b\.?\s+{_DAY}(?:st|nd|rd|th)?(?![\d:%.]\d|\d|:)(?:,?\s+{_YEAR}(?!\d))?",
        rf"\b{_MONTH}\b\.?,?\s+(?:de\s+|of\s+)?{_YEAR}(?!\d)",
        r"(?<!\w)Q(?P<quarter>[1-4])(?:\s?[/ ]?\s?(?P<year>\d{4}))?(?!\w)",
        rf"\b{_MONTH}\b",
    )
)
_TIMES: Final = tuple(
    regex.compile(pattern, flags=regex.IGNORECASE)
    for pattern in (
        rf"(?<![\w:.])(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?:\s?{_PART})?(?![\w:])",
        rf"(?<![\w:.])(?P<hour>1[0-2]|[1-9])(?:\.(?P<minute>[0-5]\d))?\s?{_PART}(?!\w)",
        r"(?<![\w:.])(?P<hour>[01]?\d|2[0-4])(?:[.:](?P<minute>[0-5]\d))?\s?Uhr\b(?:\s(?P<late>[0-5]\d)\b)?",
        r"(?<![\w:.])(?P<hour>[01]?\d|2[0-4])\s?h(?P<minute>[0-5]\d)(?!\w)",
        r"(?<![\w:.])(?P<hour>1[0-2]|[1-9]) o'clock\b",
    )
)
_SPOKEN: Final = {
    "noon": "12:00",
    "midday": "12:00",
    "midnight": "00:00",
    "mitternacht": "00:00",
    "midi": "12:00",
    "minuit": "00:00",
}
_SPOKEN_RE: Final = regex.compile(rf"\b(?:{'|'.join(_SPOKEN)})\b", flags=regex.IGNORECASE)
_HOURS: Final = "one two three four five six seven eight nine ten eleven twelve".split()
_PAST: Final = {"five": 5, "ten": 10, "quarter": 15, "twenty": 20, "twenty-five": 25, "half": 30}
_CLOCK_WORDS: Final = regex.compile(
    rf"\b(?:a\s)?(?P<minutes>quarter(?=\sto)|(?:{'|'.join(sorted(_PAST, key=len, reverse=True))})(?=\spast))\s(?P<side>past|to)\s"
    rf"(?P<hour>{'|'.join(_HOURS)}|1[0-2]|[1-9])\b(?!:)(?:\s?{_PART})?",
    flags=regex.IGNORECASE,
)
_WEEKDAY: Final = regex.compile(
    rf"\b(?:{_names(WEEKDAYS)})\b\.?|(?:月|火|水|木|金|土|日)曜|(?:周|星期)[一二三四五六日]", flags=regex.IGNORECASE
)


def written(clear: str, words: frozenset[str]) -> list[Written]:
    """Dates, times and weekdays of a plain text, in order, not overlapping. `words`: its lower-case words."""
    found: list[Written] = []
    taken = Taken(len(clear))
    has_month = not words.isdisjoint(MONTHS)
    if has_month or _NUMERIC.search(clear):
        for pattern in _DATES if has_month else _NUMERIC_DATES:
            for hit in pattern.finditer(clear):
                _keep(found, taken, _date(clear, hit))
        for pattern in _TIMES:
            for hit in pattern.finditer(clear):
                _keep(found, taken, _time(hit))
    if not words.isdisjoint(_PAST) and not words.isdisjoint(("past", "to")):
        _keep(found, taken, (_clock_words(hit) for hit in _CLOCK_WORDS.finditer(clear)))
    if not words.isdisjoint(_SPOKEN):
        spoken = (Written("time", _SPOKEN[hit.group().lower()], *hit.span()) for hit in _SPOKEN_RE.finditer(clear))
        _keep(found, taken, spoken)
    if not words.isdisjoint(_DAY_WORDS) or not clear.isascii():
        _keep(found, taken, (day for hit in _WEEKDAY.finditer(clear) for day in _weekday(hit)))
    return sorted(found, key=lambda item: item.start)


_NUMERIC: Final = re.compile(
    r"\d(?:[-/:]\d|\.\s?\d|\s?[年月]|\s?[ap]\.?m|\s?uhr|\s?h\d|\so'clock)|q[1-4]", re.IGNORECASE
)
"""What every date and time in digits has: texts without it are passed over."""
_DAY_WORDS: Final = frozenset(part for name in WEEKDAYS for part in name.split("-"))
CALENDAR_WORDS: Final = _DAY_WORDS.union(MONTHS, _PAST, _SPOKEN)
"""Words of which every date or time without digits has one."""
_NUMERIC_DATES: Final = tuple(pattern for pattern in _DATES if "<month>" not in pattern.pattern)


def _keep(found: list[Written], taken: Taken, more: Iterable[Written]) -> None:
    found += [item for item in more if taken.take(item.start, item.end)]


def _date(clear: str, hit: regex.Match[str]) -> Iterator[Written]:
    parts = hit.groupdict()
    year = parts.get("year") or "-"
    if parts.get("quarter"):
        yield Written("date", f"{year}-Q{parts['quarter']}", *hit.span())
        return
    number, day = _month_and_day(parts)
    if not 1 <= number <= 12 or (day is not None and not 1 <= day <= 31):
        return
    if parts.get("month") and day is None and year == "-" and not _is_name(clear, hit):
        return
    value = f"{year}-{number:02d}" + (f"-{day:02d}" if day is not None else "")
    clock = parts.get("clock")
    yield Written("date", value, hit.start(), hit.start("clock") - 1 if clock else hit.end())
    if clock:
        yield Written("time", clock, hit.start("clock"), hit.end())


def _month_and_day(parts: dict[str, str | None]) -> tuple[int, int | None]:
    if parts.get("first"):  # 19/10/2026 or 10/19/2026: the part above 12 is the day; else day first
        first, second = int(parts["first"] or 0), int(parts["second"] or 0)
        return (first, second) if second > 12 else (second, first)
    name = (parts.get("month") or "").lower()
    day = parts.get("day")
    return (MONTHS[name] if name else int(parts.get("number") or 0)), int(day) if day else None


def _is_name(clear: str, hit: regex.Match[str]) -> bool:
    """A month's bare name counts with a capital; `may`, `march` also not where a sentence starts with them."""
    name = hit.group("month")
    if name.lower() in PERSONAL:
        return bool(name[0].islower())
    if name.lower() not in CASED:
        return True
    before = clear[: hit.start()].rstrip()
    return name[0].isupper() and bool(before) and before[-1] not in ".!?:;\n"


def _time(hit: regex.Match[str]) -> Iterator[Written]:
    parts = hit.groupdict()
    hour, minute = int(parts["hour"]), parts.get("minute") or parts.get("late") or "00"
    half = (parts.get("half") or "").replace(".", "").lower()
    if half and hour <= 12:
        hour = hour % 12 + (12 if half == "pm" else 0)
    second = parts.get("second")
    yield Written(
        "time", f"{hour % 24:02d}:{minute}" + (f":{second}" if second and second != "00" else ""), *hit.span()
    )


def _clock_words(hit: regex.Match[str]) -> Written:
    """ "half past nine", "a quarter to ten pm"."""
    name = hit["hour"].lower()
    hour = int(name) if name.isdecimal() else _HOURS.index(name) + 1
    half = (hit["half"] or "").replace(".", "").lower()
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    minutes = _PAST[hit["minutes"].lower()]
    total = hour * 60 + (minutes if hit["side"].lower() == "past" else -minutes)
    return Written("time", f"{total // 60 % 24:02d}:{total % 60:02d}", *hit.span())


def _weekday(hit: regex.Match[str]) -> Iterator[Written]:
    name = hit.group().rstrip(".")
    number = WEEKDAYS.get(name.lower())
    if number and (name.lower() not in CASED or name[0].isupper()):
        yield Written("weekday", str(number), hit.start(), hit.start() + len(name))


def dates_agree(one: str, other: str) -> bool:
    """Whether two dates can be the same: what one leaves out (year, day) is open."""
    if "Q" in one or "Q" in other:
        return one == other or (one[-2:] == other[-2:] and "-" in (one[0], other[0]))
    ones, others = _fields(one), _fields(other)
    return all(left is None or right is None or left == right for left, right in zip(ones, others, strict=True))


def _fields(date: str) -> tuple[str | None, str | None, str | None]:
    year, _, rest = date.removeprefix("-").partition("-") if not date.startswith("--") else ("", "", date[2:])
    month, _, day = rest.partition("-")
    return year or None, month or None, day or None
