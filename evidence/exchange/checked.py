"""Checks that several readers share: known words, readable times, texts cut to the contract's lengths.

Knows the rules' lists; not any format. What is wrong is a `BadInput` (the part is not taken) or a `Note` (it is, and said).
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from evidence.exchange.items import Note
from evidence.rules.errors import BadInput
from evidence.rules.members import Members
from evidence.rules.records import Record
from evidence.rules.times import Instant, read_time

# Contract 1: longer ones are refused at the doors and cut by importers, before hashing.
SUMMARY_MAX = 300
EXCERPT_MAX = 1_000


def word(field: str, text: str, allowed: type[StrEnum], *, default: str = "") -> str:
    """One word of a list; "" gives the default. Another word is refused, never guessed (doors "Files")."""
    if not text and default:
        return default
    if text not in frozenset(allowed):
        raise BadInput("invalid_value", f"{field} has to be one of: {', '.join(allowed)}", field)
    return text


def readable(field: str, value: Instant) -> Instant:
    """A time with a zone, or none; anything else is refused (strict formats)."""
    if value is None or value == "":
        return None
    if read_time(value) is None:
        raise BadInput("invalid_value", f"{field} has to be a time with a zone, such as 2026-01-31T09:00:00Z", field)
    return value


def unreadable(field: str, value: str, *, serious: bool = True) -> tuple[Note, ...]:
    """A note where a time is kept as it came but is no date for any rule (lenient formats)."""
    if not value or read_time(value) is not None:
        return ()
    return (Note("unreadable_time", f"{field} has no zone or is no time: kept as text, no date for any rule", serious),)


def as_it_came(field: str, text: str, beside: Instant) -> Instant:
    """A time that an export could not read, kept for display: no date for any rule. One that can be read is no such text."""
    if not text:
        return beside
    if beside or read_time(text) is not None:
        raise BadInput("invalid_value", f"{field}_text is for a time that cannot be read; others are {field}", field)
    return text


def cut(text: str, longest: int) -> str:
    """The text, at most `longest` characters; what is left over is marked."""
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"


def cut_notes(before: Iterable[tuple[str, str, int]]) -> tuple[Note, ...]:
    """One note for each (field, text, longest) that had to be cut."""
    return tuple(
        Note("cut", f"{field} was cut to {longest:,} characters")
        for field, text, longest in before
        if len(text) > longest
    )


def objects(members: Members, name: str) -> list[Members]:
    """A list of objects; absent counts as empty, anything else in it is refused."""
    return [Members(entry, f"{name}[{number}]") for number, entry in enumerate(members.raw_list(name))]


def small_count(members: Members, name: str) -> int:
    """A count from 1 to a million; what is absent or out of bounds is brought inside."""
    return int(min(max(members.number(name, 1), 1), 1_000_000))


def text_of(value: Instant) -> str:
    """A time as text, for drafts."""
    return "" if value is None else str(value)


def times_of(record: Record) -> list[tuple[str, Instant]]:
    """The named times of a record that a rule reads."""
    found: list[tuple[str, Instant]] = [("event_at", record.event_at)]
    if record.check:
        found.append(("check.at", record.check.at))
    if record.valid:
        found += [("valid.from", record.valid.start), ("valid.until", record.valid.until)]
    if record.approval:
        found.append(("approval.at", record.approval.at))
    return found
