"""Reading times: ISO 8601 with a zone, or nothing (contract 1, 12.2). Pure: `now` is always an argument."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache

# "Readable": YYYY-MM-DDTHH:MM[:SS[.f]], also a space for the T, with Z, ±HH:MM or ±HHMM; nothing else. The bounds stand
# here too: `fromisoformat` reads many more forms, and takes +00:99 for a zone.
_READABLE = re.compile(
    r"\d{4}-\d{2}-\d{2}[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)",
    re.ASCII,
)

# Longer ones are read as well and not remembered: fractions of a second may go on for ever.
_REMEMBERED = 64

Instant = str | datetime | None
"""A time as it came: text, an aware datetime, or none. Rules read it with `read_time`."""


def read_time(value: object) -> datetime | None:
    """The instant in UTC, or none when absent, unreadable or without a zone (contract 12.2)."""
    if isinstance(value, datetime):
        return _in_utc(value)
    if not isinstance(value, str):
        return None
    return _read_again(value) if len(value) <= _REMEMBERED else _read(value)


def _read(value: str) -> datetime | None:
    if not _READABLE.fullmatch(value):
        return None
    try:
        return _in_utc(datetime.fromisoformat(value))
    except ValueError:  # a day that no calendar has, such as 30 February or any day of the year 0
        return None


# One text is read several times on its way in.
_read_again = lru_cache(maxsize=1024)(_read)


def _in_utc(value: datetime) -> datetime | None:
    """None without an offset (a zone may decline to give one) and where UTC would leave the years 1 to 9999."""
    if value.utcoffset() is None:
        return None
    try:
        return value.astimezone(UTC)
    except OverflowError:
        return None


def to_iso(value: datetime) -> str:
    """UTC with a trailing Z, microseconds only when there are any."""
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
