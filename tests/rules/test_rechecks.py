"""When an owner is asked again whether a fact is true, and which facts one look settles: a table, and what always holds."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.rules.labels import label
from evidence.rules.rechecks import DEFAULT_LEAD, Place, Why, method_kept, recheck_of, where_checked, why_at
from evidence.rules.records import Approval, Check, Claim, Record, Scope, Source, Validity
from evidence.rules.vocab import Kind, Label, Volatility

CHECKED = datetime(2026, 11, 1, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def fact(**members: object) -> Record:
    plain = Record(
        id="e-1", kind="fact", source=Source("fact:1", "1"), claim=Claim("account", "status", "active"), content="It is.",
        check=Check(CHECKED, "ada", "looked it up", "ada"), volatility="billing", trust="internal",
        scope=Scope("ops-agent", "public"), trust_class="user_correction", durability="project",
    )  # fmt: skip
    return replace(plain, **members)


# What stands, and how long after the check its owner is asked and it turns; None where nobody ever is.
CASES = [
    ("two days: half a day before", {}, 36 * HOUR, 48 * HOUR),
    ("nobody confirmed it, a check put it on the ledger", {"check": Check(CHECKED, "ops-agent")}, 36 * HOUR, 48 * HOUR),
    ("approved on the desk", {"review": "approved"}, 36 * HOUR, 48 * HOUR),
    ("stable", {"volatility": "stable"}, None, None),
    ("stable, with a lifetime of its own", {"volatility": "stable", "ttl_days": 8}, 6 * DAY, 8 * DAY),
    ("a year: a week before, no more", {"ttl_days": 365}, 358 * DAY, 365 * DAY),
    ("28 days: the quarter is a week", {"ttl_days": 28}, 21 * DAY, 28 * DAY),
    ("one and a half days act as two", {"ttl_days": 1.5}, 36 * HOUR, 48 * HOUR),
    ("always stale: at once", {"ttl_days": 0}, 0 * DAY, 0 * DAY),
    ("an unreadable lifetime counts as none", {"ttl_days": -1}, 36 * HOUR, 48 * HOUR),
    ("stable, and its time ends", {"volatility": "stable", "valid": Validity(None, CHECKED + 9 * DAY)}, 9 * DAY, 9 * DAY),
    ("its time ends before it turns", {"valid": Validity(None, CHECKED + DAY)}, DAY, DAY),
    ("it turns before its time ends", {"valid": Validity(None, CHECKED + 9 * DAY)}, 36 * HOUR, 48 * HOUR),
    ("it begins, and never ends", {"volatility": "stable", "valid": Validity(CHECKED, None)}, None, None),
    ("an end that cannot be read is none", {"volatility": "stable", "valid": Validity(None, "soon")}, None, None),
    ("never checked", {"check": None}, None, None),
    ("never checked, and its time ends", {"check": None, "valid": Validity(None, CHECKED + DAY)}, DAY, DAY),
    ("a date that cannot be read", {"check": Check("yesterday")}, None, None),
    ("superseded", {"state": "superseded"}, None, None),
    ("revoked", {"state": "revoked"}, None, None),
    ("deleted", {"state": "deleted"}, None, None),
    ("held", {"review": "held"}, None, None),
    ("rejected", {"review": "rejected"}, None, None),
    ("from outside, unreviewed", {"trust": "external"}, None, None),
    ("from outside, approved", {"trust": "external", "review": "approved"}, 36 * HOUR, 48 * HOUR),
    ("an unknown word in it", {"trust": "friendly"}, None, None),
    ("an observation", {"kind": "observation"}, None, None),
    ("an article that somebody checked", {"kind": "article"}, None, None),
    ("an approved article", {"kind": "article", "approval": Approval("ada", CHECKED, "p")}, None, None),
]  # fmt: skip


@pytest.mark.parametrize(("members", "due", "turns"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_when_an_owner_is_asked(members, due, turns):
    found = recheck_of(fact(**members))
    if due is None:
        assert found is None
    else:
        assert (found.due_at - CHECKED, found.turns_at - CHECKED) == (due, turns)


WHYS = [
    ({}, 35 * HOUR, Why.NOT_YET),
    ({}, 36 * HOUR, Why.SOON),
    ({}, 48 * HOUR - timedelta(seconds=1), Why.SOON),
    ({}, 48 * HOUR, Why.TURNED),
    ({"volatility": "stable"}, 9999 * DAY, Why.NOT_YET),
    ({"valid": Validity(None, CHECKED + 9 * DAY)}, 3 * DAY, Why.TURNED),
    ({"valid": Validity(None, CHECKED + 9 * DAY)}, 9 * DAY, Why.TIME_OVER),
]


@pytest.mark.parametrize(("members", "later", "why"), WHYS)
def test_what_it_is_about(members, later, why):
    record = fact(**members)
    until = record.valid.until if record.valid else None
    assert why_at(recheck_of(record), CHECKED + later, until=until) == why


PLACES = [
    ({"check": Check(CHECKED, method="Billing page")}, "", Place.METHOD, "Billing page"),
    ({"check": Check(CHECKED, method="Looked it  UP")}, "", Place.SUBJECT, "account"),
    ({"check": Check(CHECKED, method="owner said")}, "t-7", Place.SESSION, "t-7"),
    ({"claim": None}, "", Place.SOURCE, "fact:1"),
    ({"check": None}, "", Place.SUBJECT, "account"),
]


@pytest.mark.parametrize(("members", "session", "place", "name"), PLACES)
def test_where_one_would_look_again(members, session, place, name):
    where = where_checked(fact(**members), session=session)
    assert (where.place, where.name) == (place, name)


def test_one_look_settles_what_was_checked_in_one_place_and_nothing_else():
    billing = fact(check=Check(CHECKED, method="Billing page"))
    same = [
        replace(billing, claim=Claim("plan", "tier", "pro")),
        replace(billing, check=Check(None, method="billing  PAGE")),
    ]
    other = [
        replace(billing, scope=Scope("qa-agent")), replace(billing, namespace="elsewhere"), fact(),
        replace(billing, check=Check(CHECKED, method="Status page")),
    ]  # fmt: skip
    key = where_checked(billing).key
    assert [where_checked(one).key == key for one in same] == [True, True]
    assert [where_checked(one).key == key for one in other] == [False] * 4
    assert where_checked(fact()).key != where_checked(fact(volatility="outage")).key


@pytest.mark.parametrize(
    ("before", "given", "kept"),
    [
        ("Billing page", "", "Billing page"),
        ("Billing page", " Invoice of May ", "Invoice of May"),
        ("owner said", "", "still true, checked now"),
        ("", "Status page", "Status page"),
        ("still true, checked now", "  ", "still true, checked now"),
    ],
)
def test_the_place_stays_known_through_a_recheck(before, given, kept):
    assert method_kept(before, given) == kept


spans = st.integers(min_value=0, max_value=400 * 24 * 60).map(lambda minutes: timedelta(minutes=minutes))
lifetimes = st.one_of(st.none(), st.floats(min_value=0, max_value=400), st.integers(min_value=0, max_value=400))


@given(
    volatility=st.sampled_from(list(Volatility)), ttl=lifetimes, later=spans, end=st.one_of(st.none(), spans),
    kind=st.sampled_from(list(Kind)), review=st.sampled_from([None, "held", "approved", "rejected"]),
)  # fmt: skip
def test_whatever_stands_is_asked_about_before_it_turns_and_never_without_a_turn(
    volatility, ttl, later, end, kind, review
):
    valid = Validity(None, CHECKED + end) if end is not None else None
    record = fact(volatility=volatility, ttl_days=ttl, kind=kind, review=review, valid=valid)
    now, found = CHECKED + later, recheck_of(record)
    if found is None:
        is_given = kind == Kind.FACT and review not in ("held", "rejected")
        assert not (is_given and label(record, now) == Label.STALE)
        return
    assert kind == Kind.FACT
    assert timedelta(0) <= found.turns_at - found.due_at <= DEFAULT_LEAD.most
    assert found.due_at >= CHECKED
    if label(record, now) == Label.STALE:
        assert why_at(found, now, until=valid.until if valid else None) in (Why.TURNED, Why.TIME_OVER)
    if why_at(found, now) in (Why.NOT_YET, Why.SOON):
        assert label(record, now) == Label.VERIFIED
    # Checked now, and its end taken away: it is due for something later, or never.
    again = recheck_of(replace(record, check=Check(now), valid=None))
    assert again is None or again.turns_at >= now
