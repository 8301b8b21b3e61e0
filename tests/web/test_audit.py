"""The audit page: rows by time with their texts, filters, and the proof that nothing was changed."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from evidence.models import Decision, User, triggers
from evidence.rules.vocab import Action
from tests.services import make
from tests.web.forms import HTMX

pytestmark = pytest.mark.django_db


def rejected(reviewer: User, reason: str = "It is three.") -> Decision:
    held = make.proposal()
    return make.act(held, reviewer, Action.REJECT, reason_code="wrong", reason=reason).decision


def test_a_row_shows_what_was_on_the_screen_the_plan_and_its_link(desk: Client, reviewer: User) -> None:
    row = rejected(reviewer)
    text = desk.get(reverse("audit-row", args=[row.id])).content.decode()
    for part in (
        "Backups run every night at two.",
        "It is three.",
        row.digest,
        row.prev,
        "Kept as rejected",
        "What was on the screen",
    ):
        assert part in text, part
    assert "<html" not in desk.get(reverse("audit-row", args=[row.id]), **HTMX).content.decode()


def test_the_list_is_newest_first_and_can_be_filtered(desk: Client, reviewer: User) -> None:
    first = rejected(reviewer)
    held = make.proposal(statement="Offices close at six.")
    second = make.approve(held, make.reviewer("ada")).decision

    def rows(query: str = "") -> list[str]:
        return re.findall(
            r'data-row href="/audit/([0-9a-f-]{36})/"', desk.get(reverse("audit") + query).content.decode()
        )

    assert [row for row in rows() if row in (str(first.id), str(second.id))] == [str(second.id), str(first.id)]
    assert rows("?action=reject") == [str(first.id)]
    assert rows("?who=ada") == [str(second.id)]
    assert rows(f"?target={held.id}&action=approve") == [str(second.id)]
    assert rows("?agent=nobody") == []


def test_a_chain_that_holds_is_said_to_hold(desk: Client, reviewer: User) -> None:
    rejected(reviewer)
    for extra in ({}, HTMX):
        assert "The chain holds" in desk.post(reverse("audit-verify"), **extra).content.decode()
    assert desk.get(reverse("audit-verify")).status_code == 405


def test_a_row_changed_behind_the_back_of_the_house_is_found(desk: Client, reviewer: User) -> None:
    row = rejected(reviewer)
    triggers.drop(connection)
    try:
        Decision.objects.filter(pk=row.pk).update(reason_code="stale")
    finally:
        triggers.install(connection)
    text = desk.post(reverse("audit-verify"), **HTMX).content.decode()
    assert "The chain is broken" in text
    assert f"{row.namespace}#{row.seq}" in text


def test_a_purged_text_is_said_to_be_purged(desk: Client, reviewer: User) -> None:
    from evidence.models import Snapshot

    row = rejected(reviewer)
    Snapshot.objects.filter(pk=row.commitments["reason"]["snapshot"]).update(body=None, salt=None)
    text = desk.get(reverse("audit-row", args=[row.id])).content.decode()
    assert "Purged" in text
    assert row.commitments["reason"]["sha256"] in text
