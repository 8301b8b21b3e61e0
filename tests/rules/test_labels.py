"""Labels: lifetimes, unknown words and the stored window (contract 2, 12.2, 12.3), beyond the worked cases."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from evidence.rules.labels import LabelWindow, effective_ttl, is_approved, label, label_of_window, label_window
from evidence.rules.records import Approval, Check, Reach, Scope, Validity
from evidence.rules.usability import usable
from evidence.rules.vocab import Label
from tests.rules.build import DAY, NOW, article, checked, fact


@pytest.mark.parametrize(
    ("volatility", "ttl_days", "days"),
    [
        ("billing", None, 2.0),
        ("work-state", None, 2.0),
        ("stable", None, None),
        ("stable", 5, 5.0),
        ("deploy", 1.5, 1.5),
        ("deploy", 0, 0.0),
        ("deploy", Decimal("0.5"), 0.5),
        ("deploy", 10**400, 3_652_060.0),
        ("deploy", -1, 2.0),
        ("deploy", math.nan, 2.0),
        ("stable", math.inf, None),
        ("stable", Decimal("sNaN"), None),
        ("deploy", True, 2.0),
        ("deploy", "5", 2.0),
        ("deploy", [5], 2.0),
        ("weather", None, 0.0),
        ("", None, 0.0),
        ("", 3, 3.0),
    ],
)
def test_how_long_a_check_holds(volatility: str, ttl_days: object, days: float | None) -> None:
    assert effective_ttl(volatility, ttl_days) == days


ODD_WORDS: list[dict[str, Any]] = [
    {"kind": "rumour"},
    {"state": "paused"},
    {"state": ""},
    {"volatility": "weather"},
    {"scope": Scope("ada", "team")},
    {"trust": "partner"},
    {"review": "maybe"},
    {"layer": "L3"},
    {"trust_class": "hearsay"},
    {"durability": "eternal"},
    {"polarity": "denies"},
    {"redaction": "half"},
    {"reach": Reach("planet", "earth")},
    {"reach": Reach(" ", "earth")},
    {"trust": "Internal"},
    {"review": "none"},
    {"volatility": "Billing"},
    {"state": "active "},
    {"kind": "\u0430rticle"},
]


@pytest.mark.parametrize("odd", ODD_WORDS, ids=str)
def test_an_unknown_word_in_any_field_is_unverified(odd: dict[str, Any]) -> None:
    record = checked(0.5, **odd)
    assert label(record, NOW) == Label.UNVERIFIED
    assert label_window(record) == LabelWindow("unverified")


@pytest.mark.parametrize("odd", ODD_WORDS, ids=str)
def test_an_unknown_word_undoes_an_approval(odd: dict[str, Any]) -> None:
    assert label(article(), NOW) == Label.APPROVED
    assert label(article(**odd), NOW) == Label.UNVERIFIED
    assert not is_approved(article(**odd))


@pytest.mark.parametrize("until", ["2026-09-13T09:00:00Z", "2020-01-01T00:00:00Z", "in March", None])
def test_validity_is_not_read(until: str | None) -> None:
    valid = Validity("2020-01-01T00:00:00Z", until)
    for record in (fact(), checked(1), checked(9), article()):
        held = replace(record, valid=valid)
        assert label(held, NOW) == label(record, NOW)
        assert label_window(held) == label_window(record)
        assert usable(held) == usable(record)


def test_an_approval_by_nobody_is_none() -> None:
    assert label(article(approval=Approval(by="", at=NOW)), NOW) == Label.UNVERIFIED


def test_an_approval_counts_whatever_its_date() -> None:
    assert label(article(approval=Approval(by="rhea", at="on Friday")), NOW) == Label.APPROVED


def test_an_approval_on_anything_but_an_article_is_not_read() -> None:
    assert label(fact(approval=Approval(by="rhea", at=NOW)), NOW) == Label.UNVERIFIED


def test_words_that_nobody_gave_are_not_unknown() -> None:
    record = checked(1, trust="", layer="", polarity="", redaction="", review="", scope=Scope())
    assert label(record, NOW) == Label.VERIFIED


@pytest.mark.parametrize(("ttl_days", "expected"), [(None, Label.UNVERIFIED), (3, Label.VERIFIED)])
def test_without_a_class_only_an_own_lifetime_counts(ttl_days: float | None, expected: Label) -> None:
    record = checked(1, volatility="", ttl_days=ttl_days)
    assert label(record, NOW) == label_of_window(label_window(record), NOW) == expected


def test_a_level_of_reach_is_read_normalised() -> None:
    assert label(checked(1, reach=Reach(" Project", "kestrel")), NOW) == Label.VERIFIED


@pytest.mark.parametrize(("ttl", "days"), [(1.5, 2), (2, 2), (0.01, 1), (0, 0)])
def test_a_window_ends_at_a_whole_number_of_days(ttl: float, days: int) -> None:
    window = label_window(checked(1, ttl_days=ttl))
    assert window == LabelWindow("dated", NOW - DAY, NOW - DAY + days * DAY)


def test_a_window_turns_to_the_microsecond() -> None:
    window = label_window(checked(0))
    ends = NOW + 2 * DAY
    tick = timedelta(microseconds=1)
    seen = [label_of_window(window, at) for at in (NOW - tick, NOW, ends - tick, ends)]
    assert seen == [Label.UNVERIFIED, Label.VERIFIED, Label.VERIFIED, Label.STALE]


def test_a_lifetime_past_the_last_year_never_ends() -> None:
    assert label_window(checked(1, ttl_days=10**9)).expires_at is None
    assert label(checked(1, ttl_days=10**9), NOW) == Label.VERIFIED


def test_days_are_24_hours_also_across_a_change_of_clocks() -> None:
    # Written in two offsets, 47 hours 59 minutes apart.
    record = fact(check=Check(at="2026-10-24T12:01:00+02:00"))
    assert label(record, NOW.replace(month=10, day=26, hour=10, minute=0)) == Label.VERIFIED
    assert label(record, NOW.replace(month=10, day=26, hour=10, minute=1)) == Label.STALE
