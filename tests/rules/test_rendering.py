"""Records as mappings in the contract's shape: what is none, and how times and numbers are written (contract 1, 12.1)."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from evidence.rules.records import Check, Reach, Scope
from evidence.rules.rendering import instant_text, reach_as_dict, record_as_dict
from evidence.rules.times import Instant
from tests.rules.build import FACT, NOW, article


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (None, None),
        ("2026-09-01 10:00+0200", "2026-09-01T08:00:00Z"),
        (datetime(2026, 9, 1, 10, tzinfo=timezone(timedelta(hours=2))), "2026-09-01T08:00:00Z"),
        (datetime(2026, 9, 1, 10, 0, 0, 5, tzinfo=UTC), "2026-09-01T10:00:00.000005Z"),
        (datetime(2026, 9, 1, 10), "2026-09-01T10:00:00"),  # noqa: DTZ001 - without a zone: unreadable, as it came
        ("on Friday", "on Friday"),
        ("", ""),
    ],
)
def test_a_time_is_utc_where_it_can_be_read(given: Instant, shown: str | None) -> None:
    assert instant_text(given) == shown


@pytest.mark.parametrize(
    ("ttl", "shown"),
    [(2, 2), (1.5, 1.5), (10**400, 10**400), (math.nan, None), (math.inf, None), (True, None), ("5", None)],
    ids=["whole", "half", "huge", "nan", "inf", "flag", "text"],
)
def test_a_ttl_is_a_number_that_json_has(ttl: object, shown: object) -> None:
    assert record_as_dict(replace(FACT, ttl_days=ttl))["ttl_days"] == shown


def test_empty_names_are_null() -> None:
    record = replace(
        FACT, scope=Scope("ada", "public", project=""), review="", superseded_by="", check=Check(NOW, confirmed_by="")
    )
    shown = record_as_dict(record)
    assert (shown["review"], shown["superseded_by"]) == (None, None)
    assert shown["scope"] == {"owner": "ada", "access": "public", "shared_with": [], "project": None}
    assert shown["check"] == {"at": "2026-09-14T09:00:00Z", "by": "", "method": "", "confirmed_by": None}


@pytest.mark.parametrize(
    ("reach", "shown"),
    [
        (None, None),
        (Reach("", ""), None),
        (Reach("global", ""), {"level": "global", "ref": ""}),
        (Reach("", "kestrel"), {"level": "", "ref": "kestrel"}),
    ],
)
def test_a_reach_that_says_nothing_is_null(reach: Reach | None, shown: object) -> None:
    assert reach_as_dict(reach) == shown


def test_a_rendered_record_is_json() -> None:
    assert json.loads(json.dumps(record_as_dict(article()), allow_nan=False))["approval"]["by"] == "rhea"
