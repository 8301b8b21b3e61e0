"""Records to test with: one plain fact, and changes to it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from evidence.rules.records import Approval, Check, Claim, Record, Scope, Source

NOW = datetime(2026, 9, 14, 9, tzinfo=UTC)
DAY = timedelta(days=1)

FACT = Record(
    id="e-1",
    kind="fact",
    source=Source("fact:cdn-plan", "1"),
    claim=Claim("Lumen CDN", "plan", "team"),
    content="Lumen CDN: plan is team",
    volatility="billing",
    scope=Scope(owner="ops-agent", access="public"),
    trust="internal",
)


def fact(**changes: Any) -> Record:
    """A public internal fact that nobody checked, with changes."""
    return replace(FACT, **changes)


def checked(days_ago: float, *, confirmed_by: str | None = None, **changes: Any) -> Record:
    """The fact, checked so many days before `NOW`."""
    check = Check(at=(NOW - days_ago * DAY).isoformat(), by="ops-agent", method="read", confirmed_by=confirmed_by)
    return fact(check=check, **changes)


def article(*, approved_days_ago: float | None = 5, **changes: Any) -> Record:
    """A wiki article with the fact's claim, approved so many days before `NOW`, or by nobody."""
    approval = None
    if approved_days_ago is not None:
        approval = Approval(by="rhea", at=NOW - approved_days_ago * DAY, proposal="pp-1")
    changes = {"kind": "article", "source": Source("wiki:scribe/graph/cdn.md", "a1"), "approval": approval} | changes
    return fact(**changes)


def claim(value: str) -> Claim:
    """The fact's claim with another value."""
    return Claim("Lumen CDN", "plan", value)
