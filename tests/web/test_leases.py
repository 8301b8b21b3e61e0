"""Claims from the page: on arrival, by heartbeat, by take-over; a courtesy that no decision needs (scenarios S6, S7)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evidence.models import HeldRecord, User
from evidence.rules.vocab import Role
from tests.services import make
from tests.web.conftest import SignIn
from tests.web.forms import HTMX, send

pytestmark = pytest.mark.django_db


def lease(client: Client, held: HeldRecord, **fields: object):
    return client.post(reverse("lease", args=[held.id]), fields, **HTMX)


def test_arriving_claims_the_item_and_says_how_long(desk: Client, reviewer: User) -> None:
    held = make.proposal()
    text = lease(desk, held).content.decode()
    held.refresh_from_db()
    assert held.lease_holder_id == reviewer.pk
    assert "yours" in text
    assert f'data-token="{held.lease_token}"' in text


def test_somebody_elses_item_names_the_holder_and_offers_to_take_over(desk: Client, sign_in: SignIn) -> None:
    held = make.proposal()
    lease(desk, held)
    ada = sign_in(make.reviewer("ada"))
    assert "held by reviewer until" in ada.get(reverse("item", args=[held.id])).content.decode()
    assert "Take over" in lease(ada, held).content.decode()
    assert "yours" in lease(ada, held, take_over="1").content.decode()


def test_a_late_heartbeat_steals_nothing_back_and_shows_who_has_it(desk: Client, sign_in: SignIn) -> None:
    held = make.proposal()
    lease(desk, held)
    held.refresh_from_db()
    old = held.lease_token
    ada = make.reviewer("ada")
    lease(sign_in(ada), held, take_over="1")
    text = lease(desk, held, token=old).content.decode()
    held.refresh_from_db()
    assert held.lease_holder_id == ada.pk
    assert "held by ada" in text


def test_a_heartbeat_prolongs(desk: Client) -> None:
    held = make.proposal()
    lease(desk, held)
    held.refresh_from_db()
    HeldRecord.objects.filter(pk=held.pk).update(lease_until=timezone.now() + timedelta(seconds=5))
    lease(desk, held, token=held.lease_token)
    held.refresh_from_db()
    assert held.lease_until > timezone.now() + timedelta(seconds=60)


def test_a_decision_needs_no_lease(desk: Client, sign_in: SignIn) -> None:
    held = make.proposal()
    page = desk.get(reverse("item", args=[held.id]))
    lease(sign_in(make.reviewer("ada")), held)
    assert send(desk, page, "approve").status_code == 200


def test_the_shown_item_is_claimed_where_it_is_free(desk: Client, reviewer: User) -> None:
    held = make.proposal()
    answer = desk.post(reverse("claim-next"), {"shown": held.id}, **HTMX)
    assert "yours" in answer.content.decode()
    assert answer["HX-Replace-Url"] == reverse("item", args=[held.id])
    assert "HX-Retarget" not in answer


def test_where_somebody_was_quicker_the_next_item_takes_the_place(desk: Client, sign_in: SignIn) -> None:
    first, second = make.proposal(), make.proposal(statement="Offices close at six.")
    page = desk.get(reverse("queue-next")).content.decode()
    assert f'data-item="{first.id}"' in page
    lease(sign_in(make.reviewer("ada")), first)
    answer = desk.post(reverse("claim-next"), {"shown": first.id}, **HTMX)
    assert (answer["HX-Retarget"], answer["HX-Replace-Url"]) == ("#card", reverse("item", args=[second.id]))
    assert f'data-item="{second.id}"' in answer.content.decode()
    assert "Somebody else took that item" in answer.content.decode()


def test_where_nothing_is_left_the_page_says_so(desk: Client, sign_in: SignIn) -> None:
    held = make.proposal()
    lease(sign_in(make.reviewer("ada")), held)
    answer = desk.post(reverse("claim-next"), {"shown": held.id}, **HTMX)
    assert "Nothing waits for you" in answer.content.decode()


def test_a_reader_claims_nothing(sign_in: SignIn) -> None:
    held = make.proposal()
    lease(sign_in(make.user("audrey", Role.AUDITOR)), held)
    held.refresh_from_db()
    assert held.lease_holder_id is None


def test_an_item_decided_a_moment_ago_is_not_claimed_and_nothing_breaks(desk: Client, reviewer: User) -> None:
    held = make.proposal()
    make.approve(held, reviewer)
    assert lease(desk, held).status_code == 200
