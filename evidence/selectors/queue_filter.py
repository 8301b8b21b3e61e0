"""What the queue shows, as its address says it: one search text (URL = state). Addresses of older links are read as one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Self
from urllib.parse import urlencode

from evidence.rules.search import Problem, Query, parse, term_text
from evidence.rules.vocab import HeldStatus

LONGEST = 1_000  # beyond the longest search, so that what is too long is said and not quietly cut
_OLD_FIELDS = ("risk", "kind", "match", "status", "agent", "ns")
_OLD_VIEWS = {"leased": "is:leased -is:mine"}
_DEFAULTS = {("status", HeldStatus.WAITING.value)}


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """`q` as it was typed. Everything else is read from it."""

    q: str = ""

    @classmethod
    def read(cls, given: Mapping[str, str]) -> Self:
        parts = [given.get("q", "").strip()]
        for name in _OLD_FIELDS:
            word = given.get(name, "").strip()
            if word and (name, word) not in _DEFAULTS:
                parts.append(term_text(name, word))
        view = given.get("only", "").strip()
        if view:
            parts.append(_OLD_VIEWS.get(view) or term_text("is", view))
        return cls(" ".join(part for part in parts if part)[:LONGEST])

    @property
    def search(self) -> Query:
        return _parsed(self.q)

    @property
    def problems(self) -> tuple[Problem, ...]:
        return self.search.problems

    @property
    def query(self) -> str:
        """The filter as a query string."""
        return urlencode({"q": self.q}) if self.q else ""

    def only_waiting(self) -> Self:
        """The part of it that waits: a search for decided items has none."""
        waiting = term_text("status", HeldStatus.WAITING.value)
        return type(self)(f"{waiting} {self.q}") if self.search.of("status") else self

    @property
    def narrows(self) -> bool:
        return bool(self.q)


_parsed = lru_cache(maxsize=512)(parse)
