"""Records from the page: labels as of now, one record's life, the re-check and the revocation."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evidence.models import Evidence, User
from evidence.rules.labels import label
from evidence.rules.vocab import Label, Role
from evidence.selectors.records import with_label
from tests.services import make
from tests.web.conftest import SignIn

pytestmark = pytest.mark.django_db


def listed(client: Client, query: str = "") -> list[str]:
    return re.findall(r'href="/records/([^/"]+)/\?ns=', client.get(f"{reverse('records')}{query}").content.decode())


def one_of_each() -> dict[str, Evidence]:
    now = timezone.now()
    return {
        "verified": make.fact("Checked.", about=make.claim("a", "one")),
        "stale": make.fact("Old.", about=make.claim("b", "two"), volatility="billing", checked=now - timedelta(days=3)),
        "unverified": make.fact("Never.", about=make.claim("c", "three"), checked=None),
        "future": make.fact("Later.", about=make.claim("d", "four"), checked=now + timedelta(days=3)),
    }


def test_a_label_filter_gives_what_the_rule_gives(desk: Client) -> None:
    one_of_each()
    make.article()
    now = timezone.now()
    for word in Label:
        found = set(with_label(Evidence.objects.all(), word, now))
        assert found == {row for row in Evidence.objects.all() if label(row.to_record(), now) == word}
        assert found


def test_the_list_shows_one_kind_in_one_state(desk: Client) -> None:
    rows = one_of_each()
    article = make.article()
    assert set(listed(desk)) == {row.record_id for row in rows.values()}
    assert listed(desk, "?kind=article") == [article.record_id]
    assert listed(desk, "?label=stale") == [rows["stale"].record_id]
    assert listed(desk, "?q=never") == [rows["unverified"].record_id]
    assert listed(desk, "?state=revoked") == []
    assert listed(desk, "?agent=nobody") == []


def test_pages_follow_each_other_without_gap_or_repeat(desk: Client) -> None:
    at = timezone.now()
    for number in range(60):
        make.fact(
            f"Fact {number}.",
            about=make.claim("v", f"s{number}"),
            ingested_at=at if number % 2 else at + timedelta(seconds=number),
        )
    text = desk.get(reverse("records")).content.decode()
    following = re.search(r'rel="next" href="([^"]+)"', text).group(1).replace("&amp;", "&")  # type: ignore[union-attr]
    rest = re.findall(r'href="/records/([^/"]+)/\?ns=', desk.get(following).content.decode())
    first = listed(desk)
    assert (len(first), len(rest), len({*first, *rest})) == (50, 10, 60)


def test_a_record_says_what_it_is_worth_and_until_when(desk: Client) -> None:
    row = make.fact("The account is active.", about=make.claim("active"), volatility="billing")
    text = desk.get(reverse("record", args=[row.record_id])).content.decode()
    assert "verified" in text
    assert "turns stale" in text
    assert "every agent (public)" in text


def test_a_fact_leads_back_to_its_proposal_and_what_it_replaced(desk: Client, reviewer: User) -> None:
    old = make.fact("The account is active.", about=make.claim("active"))
    held = make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    make.approve(held, reviewer)
    held.refresh_from_db()
    new = held.fact_proposal.result
    text = desk.get(reverse("record", args=[new.record_id])).content.decode()
    assert reverse("item", args=[held.id]) in text
    assert "<del>active</del>" in text
    assert "<ins>past due</ins>" in text
    text = desk.get(reverse("record", args=[old.record_id])).content.decode()
    assert "Replaced by" in text
    assert new.record_id in text


def act(client: Client, row: Evidence, name: str, **fields: object):
    given = {"version": row.version, "ns": row.namespace, "idempotency_key": "k"} | fields
    return client.post(reverse(name, args=[row.record_id]), given)


def test_a_recheck_makes_a_stale_fact_verified(owner_desk: Client) -> None:
    row = one_of_each()["stale"]
    assert act(owner_desk, row, "record-recheck").status_code == 302
    row.refresh_from_db()
    assert row.check_confirmed_by == "olga"
    assert timezone.now() - row.check_at < timedelta(minutes=1)


def test_a_recheck_of_something_else_than_what_was_seen_is_refused(owner_desk: Client) -> None:
    row = one_of_each()["stale"]
    assert act(owner_desk, row, "record-recheck", version="").status_code == 422
    assert act(owner_desk, row, "record-recheck", version=row.version + 1).status_code == 409
    before = row.check_at
    row.refresh_from_db()
    assert row.check_at == before


def test_revoking_needs_a_reason_and_empties_the_text(owner_desk: Client) -> None:
    row = one_of_each()["verified"]
    assert act(owner_desk, row, "record-revoke").status_code == 422
    assert act(owner_desk, row, "record-revoke", reason="It moved.").status_code == 302
    row.refresh_from_db()
    assert (row.state, row.content) == ("revoked", "")
    assert owner_desk.get(reverse("record", args=[row.record_id])).status_code == 200


def test_an_auditor_reads_and_does_nothing(sign_in: SignIn) -> None:
    row = one_of_each()["stale"]
    auditor = sign_in(make.user("audrey", Role.AUDITOR))
    page = auditor.get(reverse("record", args=[row.record_id])).content.decode()
    assert "re-check due since" in page
    assert "Re-check:" not in page
    assert "It is now" not in page
    assert act(auditor, row, "record-recheck").status_code == 403


def test_the_same_id_in_two_namespaces_is_told_apart(desk: Client) -> None:
    source = {"source_id": "fact:same", "source_version": "1"}
    make.fact("Here.", about=make.claim("here"), **source)
    make.fact("There.", about=make.claim("there"), namespace="elsewhere", **source)
    record_id = Evidence.objects.values_list("record_id", flat=True).distinct().get()
    for namespace, text in (("default", "Here."), ("elsewhere", "There.")):
        page = desk.get(f"{reverse('record', args=[record_id])}?ns={namespace}").content.decode()
        assert re.search(rf"<h1[^>]*><bdi[^>]*>{text}</bdi>", page)
