"""What is written out: one entry of the desk's own line format, with what was known of it when it was written.

`entry` is what a line says; `label` and `made_at` are for readers only: whoever imports computes them anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROPOSAL = "proposal"


@dataclass(frozen=True, slots=True)
class Entry:
    """`kind` is proposal, observation, fact or article."""

    kind: str
    entry: Mapping[str, Any]
    label: str = ""

    @property
    def id(self) -> str:
        return str(self.entry["id"])

    @property
    def text(self) -> str:
        """What it says, for readers."""
        names = ("statement",) if self.kind == PROPOSAL else ("content", "summary", "excerpt")
        return next((str(self.entry[name]) for name in names if self.entry.get(name)), "")

    @property
    def agent(self) -> str:
        if self.kind == PROPOSAL:
            return str(self.entry["agent"])
        return str(self.entry.get("scope", {}).get("owner", ""))


# Writes all entries to a path that does not exist yet, and returns how many.
Writer = Callable[[Path, Iterable[Entry], str], int]


def compact(value: Any) -> Any:
    """Without members that are absent or empty: an empty member says nothing in the line format."""
    if isinstance(value, Mapping):
        found = {name: compact(member) for name, member in value.items()}
        return {name: member for name, member in found.items() if member not in (None, "", [], {})}
    if isinstance(value, list | tuple):
        return [compact(member) for member in value]
    return value
