"""Reading times: ISO 8601 with a zone, or nothing (contract 1, 12.2). Pure: `now` is always an argument."""

from __future__ import annotations

import re
from datetime import UTC, datetime

# "Readable": YYYY-MM-DDTHH:MM[:SS[.f]], also a space for the T, with Z, ±HH:MM or ±HHMM; nothing else.
_READABLE = re.compile(
    r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d+))?)?(Z|[+-]\d{2}:?\d{2})",
    re.ASCII,
)

Instant = str | datetime | None
"""A time as it came: text, an aware datetime, or none. Rules read it with `read_time`."""


def read_time(value: object) -> datetime | None:
    """The instant in UTC, or none when absent, unreadable or without a zone (contract 12.2)."""
    if isinstance(value, datetime):
        return value.astimezone(UTC) if value.tzinfo else None
    if not isinstance(value, str):
        return None
    found = _READABLE.fullmatch(value)
    if not found:
        return None
    day, minute, second, fraction, zone = found.groups()
    micro = (fraction or "0")[:6].ljust(6, "0")
    offset = "+00:00" if zone == "Z" else zone if ":" in zone else f"{zone[:3]}:{zone[3:]}"
    try:
        return datetime.fromisoformat(f"{day}T{minute}:{second or '00'}.{micro}{offset}").astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def to_iso(value: datetime) -> str:
    """UTC with a trailing Z, microseconds only when there are any."""
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
