"""The queue's sort key: what could do harm first, nothing starves, and looking at it changes nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from evidence.rules.priority import priority

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def key(
    *, age_days: float = 0, risk: str = "low", match: str = "new", access: str = "private", expires: float | None = None
) -> int:
    created = NOW - timedelta(days=age_days)
    ends = None if expires is None else created + timedelta(days=expires)
    return priority(created_at=created, risk=risk, match_kind=match, access=access, expires_at=ends).key


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"risk": "high"}, {"risk": "medium"}),
        ({"risk": "medium"}, {"risk": "low"}),
        ({"risk": "a word nobody knows"}, {"risk": "medium"}),
        ({"match": "potential_conflict"}, {"match": "new"}),
        ({"access": "public"}, {"access": "private"}),
        ({"expires": 1}, {"expires": 5}),
        ({"expires": 5}, {"expires": None}),
        ({"age_days": 2}, {"age_days": 1}),
        ({"risk": "high"}, {"age_days": 20}),
        ({"age_days": 90}, {"risk": "high", "match": "potential_conflict", "access": "public", "expires": 1}),
    ],
)
def test_what_comes_first(first, second):
    assert key(**first) < key(**second)


def test_what_had_expired_before_it_was_filed_is_not_hurried():
    assert key(expires=-1) == key(expires=None)


def test_the_parts_say_what_moved_it():
    place = priority(created_at=NOW, risk="high", match_kind="new", access="public", expires_at=None)
    assert place.parts == {"risk": 28 * 24, "reach": 48}
