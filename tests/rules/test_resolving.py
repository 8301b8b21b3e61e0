"""Which record wins (contract 3, 12.4), beyond the worked cases: reasons, approved articles on the incoming side, odd words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evidence.rules.reasons import WORDS, ResolveReason
from evidence.rules.records import Approval, Check, Claim, Reach, Record, Scope, Source, Validity
from evidence.rules.resolving import about_same_thing, reach_overlaps, resolve, same_value, validity_overlaps
from tests.rules.build import FACT, NOW, article, checked, claim, fact

OTHER = claim("enterprise")
NEW = Source("wiki:scribe/graph/cdn.md", "b2")


@pytest.mark.parametrize(
    ("current", "incoming", "outcome", "reason"),
    [
        (checked(9), checked(1, claim=OTHER, kind="derived", derived_from=("e-2",)), "keep", "incoming_derived"),
        (checked(9), checked(1, claim=OTHER, review="held"), "keep", "incoming_not_usable"),
        (checked(9), checked(1, claim=OTHER, durability="eternal"), "keep", "incoming_not_usable"),
        (article(), article(source=NEW, approved_days_ago=1, claim=OTHER), "supersede", "later_approved_version"),
        (article(), article(source=NEW, approved_days_ago=1), "supersede", "later_approved_version"),
        (article(), article(source=NEW, approved_days_ago=9), "keep", "not_later_approved_version"),
        (article(), article(source=NEW, approved_days_ago=1, claim=OTHER, layer="L9"), "keep", "incoming_not_usable"),
        (article(), article(claim=OTHER), "conflict", "reviewed_article"),
        (article(), article(), "same", "same_value"),
        (article(), checked(1, claim=OTHER, confirmed_by="rhea"), "conflict", "reviewed_article"),
        (article(approval=Approval("rhea", "Friday")), article(source=NEW), "keep", "not_later_approved_version"),
        (article(source=NEW), article(approval=Approval("rhea", "Friday")), "keep", "not_later_approved_version"),
        (fact(approval=Approval("rhea", NOW)), checked(1, claim=OTHER), "supersede", "current_unchecked"),
        (article(layer="L9"), checked(1, claim=OTHER), "supersede", "current_unchecked"),
        (fact(), article(claim=OTHER), "supersede", "current_unchecked"),
        (checked(1), article(claim=OTHER), "conflict", "not_newer"),
        (checked(1, confirmed_by="rhea"), article(claim=OTHER), "conflict", "current_confirmed"),
        (checked(9), checked(1, claim=OTHER, volatility=""), "conflict", "incoming_unverified"),
        (checked(1), checked(9, claim=OTHER, confirmed_by="rhea"), "supersede", "incoming_confirmed"),
        (checked(9, confirmed_by=""), checked(1, claim=OTHER), "supersede", "newer_check"),
        (checked(-1), checked(1, claim=OTHER), "conflict", "not_newer"),
        (fact(check=Check("no date", confirmed_by="rhea")), checked(1, claim=OTHER), "conflict", "current_confirmed"),
        (fact(check=Check("no date")), checked(1, claim=OTHER), "supersede", "current_unchecked"),
        (fact(check=Check("2026-02-30T09:00Z")), checked(1, claim=OTHER), "supersede", "current_unchecked"),
        (fact(), checked(1, claim=OTHER, review="held", kind="derived"), "keep", "incoming_derived"),
        (article(), checked(1, trust="external"), "keep", "incoming_not_usable"),
        (article(), fact(claim=OTHER), "conflict", "reviewed_article"),
        (article(), article(claim=OTHER, approved_days_ago=None, source=NEW), "conflict", "reviewed_article"),
        (article(), article(approved_days_ago=None, source=NEW), "same", "same_value"),
        (article(), article(claim=OTHER, source=Source("wiki:scribe/flat/cdn.md", "b2"), approved_days_ago=1), "conflict",
         "reviewed_article"),
        (article(review="held", state="superseded"), checked(1, claim=OTHER), "conflict", "reviewed_article"),
        (checked(1, trust="partner"), checked(9, claim=OTHER), "conflict", "not_newer"),
        (checked(9), checked(9, claim=OTHER), "conflict", "not_newer"),
        (checked(9), checked(8, claim=OTHER, ttl_days=0), "supersede", "newer_check"),
        (checked(1), checked(-1, claim=OTHER, confirmed_by="rhea"), "conflict", "incoming_unverified"),
    ],
)  # fmt: skip
def test_the_outcome_and_its_reason(current: Record, incoming: Record, outcome: str, reason: str) -> None:
    found = resolve(current, incoming, NOW)
    assert (found.outcome, found.reason) == (outcome, reason)


@pytest.mark.parametrize(
    ("current", "incoming", "refreshes"),
    [
        (checked(2), checked(1), True),
        (checked(1), checked(1), False),
        (checked(1), checked(-1), False),
        (checked(1), checked(0), True),
        (checked(2), checked(-1, confirmed_by="rhea"), False),
        (fact(check=Check("no date")), checked(9), True),
        (checked(1), checked(9, confirmed_by="rhea"), True),
        (checked(1, confirmed_by="noor"), checked(0.5), True),
        (article(), checked(1), False),
        (article(approved_days_ago=None), checked(1), True),
        (checked(9), article(approved_days_ago=None, check=Check(NOW)), False),
        (checked(9), article(check=Check(NOW, confirmed_by="rhea")), False),
    ],
)
def test_when_the_same_value_refreshes_the_check(current: Record, incoming: Record, refreshes: bool) -> None:
    found = resolve(current, incoming, NOW)
    assert (found.outcome, found.refreshes_check) == ("same", refreshes)


def test_a_secret_in_the_incoming_text_is_no_evidence() -> None:
    incoming = checked(1, claim=OTHER, content="gl" + "pat-aB3dE5gH7jK9mN1pQ3sT")
    assert resolve(fact(), incoming, NOW).reason == ResolveReason.INCOMING_NOT_USABLE
    assert resolve(fact(), incoming, NOW, scan_secrets=False).reason == ResolveReason.CURRENT_UNCHECKED


def test_values_compare_normalised_and_texts_where_there_is_no_claim() -> None:
    assert same_value(fact(claim=claim(" TEAM")), fact(claim=claim("team")))
    bare = replace(FACT, claim=None)
    assert same_value(bare, replace(bare, content=FACT.content.upper() + " "))
    assert not same_value(bare, replace(bare, content="something else"))
    assert not same_value(bare, FACT)
    assert not same_value(FACT, bare)


@pytest.mark.parametrize(
    ("a", "b", "overlap"),
    [
        (None, None, True),
        (Validity("2026-01-01T00:00Z", "2026-02-01T00:00Z"), Validity("2026-02-01T00:00Z", None), False),
        (Validity("2026-01-01T00:00Z", "2026-02-01T00:00Z"), Validity("2026-01-31T23:59Z", None), True),
        (Validity("2026-01-01T00:00Z", "2026-02-01T00:00Z"), None, True),
        (Validity(None, "2026-02-01T00:00Z"), Validity("in March", None), True),
        (Validity("2026-03-01T00:00Z", "2026-03-01T00:00Z"), None, True),
        (Validity("2026-03-01T00:00Z", "2026-03-01T00:00Z"), Validity("2026-03-01T00:00Z", None), True),
        (Validity("2026-03-01T02:00+02:00", "2026-04-01T00:00Z"), Validity(None, "2026-03-01T00:00Z"), False),
        (Validity("2026-03-01T00:00Z", "2026-02-01T00:00Z"), Validity("2027-01-01T00:00Z", None), True),
    ],
)
def test_validity_overlaps_half_open(a: Validity | None, b: Validity | None, overlap: bool) -> None:
    assert validity_overlaps(a, b) is overlap
    assert validity_overlaps(b, a) is overlap


@pytest.mark.parametrize(
    ("a", "b", "overlap"),
    [
        (None, Reach("project", "kestrel"), True),
        (Reach("project", "kestrel"), Reach("Project", " Kestrel"), True),
        (Reach("project", "kestrel"), Reach("project", "osprey"), False),
        (Reach("project", "kestrel"), Reach("global", ""), True),
        (Reach("project", ""), Reach("project", "osprey"), True),
        (Reach("session", "kestrel"), Reach("project", "osprey"), True),
    ],
)
def test_reach_is_apart_only_where_two_refs_of_a_level_are_named(
    a: Reach | None, b: Reach | None, overlap: bool
) -> None:
    assert reach_overlaps(a, b) is overlap
    assert reach_overlaps(b, a) is overlap


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (fact(claim=Claim("lumen  cdn", "PLAN", "free")), True),
        (fact(namespace="other"), False),
        (fact(claim=None), False),
        (fact(claim=Claim("Lumen CDN", "price", "team")), False),
        (fact(scope=Scope("ada", "private")), True),
        (fact(scope=Scope("", "private")), False),
        (fact(valid=Validity(None, "2020-01-01T00:00Z")), False),
        (fact(reach=Reach("project", "osprey")), False),
    ],
)
def test_two_records_about_the_same_thing(other: Record, same: bool) -> None:
    one = replace(FACT, valid=Validity("2026-01-01T00:00Z"), reach=Reach("project", "kestrel"))
    assert about_same_thing(one, other) is same
    assert about_same_thing(other, one) is same


def test_every_reason_has_words() -> None:
    assert all(WORDS[reason] for reason in ResolveReason)
