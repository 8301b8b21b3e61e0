"""The stored sort key of the queue: smaller comes first, and it does not depend on when one looks (DESIGN "What it must stand").

It is the creation time in milliseconds, moved earlier by risk, by what the item would change, and by how soon it expires.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from evidence.rules.vocab import Access, MatchKind, Risk

HOUR = timedelta(hours=1)

RISK_SHIFT: dict[str, timedelta] = {Risk.HIGH: 72 * HOUR, Risk.MEDIUM: 12 * HOUR, Risk.LOW: 0 * HOUR}
MATCH_SHIFT: dict[str, timedelta] = {
    MatchKind.POTENTIAL_CONFLICT: 48 * HOUR,
    MatchKind.SUPERSEDES: 48 * HOUR,
    MatchKind.AMBIGUOUS: 24 * HOUR,
    MatchKind.UPDATES: 12 * HOUR,
}
REACH_SHIFT: dict[str, timedelta] = {Access.PUBLIC: 12 * HOUR, Access.SHARED: 6 * HOUR}
EXPIRY_WINDOW = timedelta(days=2)


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
    """Up to two days earlier for what expires within two days of its filing; nothing for what had expired already."""
    if expires_at is None or expires_at <= created_at:
        return timedelta(0)
    return max(timedelta(0), EXPIRY_WINDOW - (expires_at - created_at))
