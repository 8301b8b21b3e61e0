"""The stored sort key of the queue: smaller comes first, and it does not depend on when one looks (DESIGN "What it must stand").

It is the creation time in milliseconds, moved earlier by risk, by what the item would change, and by how soon it expires.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from evidence.rules.vocab import Access, MatchKind, Risk

HOUR = timedelta(hours=1)
DAY = 24 * HOUR

# Weeks, not hours: a backlog is often a month old, and what could do harm must still come first. Bounded, so that whatever
# waits longer than all of these together is first in the end: nothing starves.
RISK_SHIFT: dict[str, timedelta] = {Risk.HIGH: 28 * DAY, Risk.MEDIUM: 4 * DAY, Risk.LOW: 0 * DAY}
MATCH_SHIFT: dict[str, timedelta] = {
    MatchKind.POTENTIAL_CONFLICT: 21 * DAY,
    MatchKind.SUPERSEDES: 21 * DAY,
    MatchKind.AMBIGUOUS: 14 * DAY,
    MatchKind.UPDATES: 7 * DAY,
}
REACH_SHIFT: dict[str, timedelta] = {Access.PUBLIC: 2 * DAY, Access.SHARED: 1 * DAY}
EXPIRY_WINDOW = 7 * DAY


@dataclass(frozen=True, slots=True)
class Priority:
    """`key` in milliseconds; `parts` says in whole hours what moved it ("why is this first?")."""

    key: int
    parts: dict[str, int]


def priority(*, created_at: datetime, risk: str, match_kind: str, access: str, expires_at: datetime | None) -> Priority:
    """Risk, conflict, reach and expiry, as shifts of the creation time."""
    shifts = {
        "risk": RISK_SHIFT.get(risk, RISK_SHIFT[Risk.HIGH]),
        "match": MATCH_SHIFT.get(match_kind, timedelta(0)),
        "reach": REACH_SHIFT.get(access, timedelta(0)),
        "expiry": _expiry_shift(created_at, expires_at),
    }
    moved = created_at - sum(shifts.values(), timedelta(0))
    parts = {name: int(shift / HOUR) for name, shift in shifts.items() if shift}
    return Priority(int(moved.timestamp() * 1000), parts)


def _expiry_shift(created_at: datetime, expires_at: datetime | None) -> timedelta:
    """Up to a week earlier for what expires within a week of its filing; nothing for what had expired already."""
    if expires_at is None or expires_at <= created_at:
        return timedelta(0)
    return max(timedelta(0), EXPIRY_WINDOW - (expires_at - created_at))
