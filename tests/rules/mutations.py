"""Worked cases gone wrong: members dropped, of other types, with odd words, dates and numbers."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

NESTED: Any = "end"
for _ in range(200):
    NESTED = [NESTED] if isinstance(NESTED, dict) else {"in": NESTED}

DROPPED = object()
WORDS: tuple[Any, ...] = (
    "weird",
    "",
    " ",
    "ACTIVE",
    "Public",
    "none",
    "l2",
    "active ",
    "\u0430ctive",
    "verified\u200b",
)
DATES: tuple[Any, ...] = (
    "last Tuesday", "2026-02-30T10:00:00Z", "0000-01-01T00:00:00Z", "2026-09-13T09:00:60Z", "2026-09-13T09:00:00+24:00",
    "2026-09-13t09:00:00z", " 2026-09-13T09:00:00Z ", "\uff12\uff10\uff12\uff16-09-13T09:00Z", "9999-12-31T23:59:59-01:00",
)  # fmt: skip
NUMBERS: tuple[Any, ...] = (
    0, 1, -1, 10**40, -(10**40), 1.5, -0.0, 1e308, 5e-324, float("nan"), float("inf"), float("-inf"), True, False,
)  # fmt: skip
SHAPES: tuple[Any, ...] = (
    None, [], {}, [None], [[]], {"": None}, ["a", "a"], {"text_parts": ["a"]}, NESTED, [NESTED], "\ud800", "a\0b",
    "\u202e" * 50, "word " * 2000, "\U0001f469\u200d\U0001f4bb", "-" * 5000, "(" * 3000, "a=" * 2000, "http://" * 500,
)  # fmt: skip
ODD: tuple[Any, ...] = (DROPPED, *WORDS, *DATES, *NUMBERS, *SHAPES)

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Mutation:
    """`path` leads to the member that becomes `value`, or goes."""

    path: Path
    value: Any

    def of(self, line: dict[str, Any]) -> dict[str, Any]:
        """A changed copy; the line itself where the path no longer leads anywhere."""
        changed = copy.deepcopy(line)
        place: Any = changed
        try:
            for step in self.path[:-1]:
                place = place[step]
            if self.value is DROPPED:
                del place[self.path[-1]]
            else:
                place[self.path[-1]] = self.value
        except (KeyError, IndexError, TypeError):
            return line
        return changed


def paths_of(value: Any, path: Path = ()) -> Iterator[Path]:
    """Where there is something to change, at every depth."""
    members: Iterator[tuple[str | int, Any]]
    if isinstance(value, dict):
        members = iter(value.items())
    elif isinstance(value, list):
        members = iter(enumerate(value))
    else:
        return
    for step, member in members:
        yield (*path, step)
        yield from paths_of(member, (*path, step))
