"""Deciding again at once: one's own second save is an amendment, everything else a conflict (contract 10, scenario S8)."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evidence.models import Decision, HeldRecord, User
from tests.services import make
from tests.web.conftest import SignIn
from tests.web.forms import HTMX, form_for, send

pytestmark = pytest.mark.django_db


def page_of(client: Client, held: HeldRecord, query: str = ""):
    return client.get(reverse("item", args=[held.id]) + query)


def reject(client: Client, page, reason: str, key: str, code: str = "wrong"):
    address, fields = form_for(page, "reject")
    return client.post(address, fields | {"reason": reason, "reason_code": code, "idempotency_key": key}, **HTMX)


def actions_of(held: HeldRecord) -> list[str]:
    rows = Decision.objects.filter(target_id=str(held.id)).exclude(action="file").order_by("seq")
    return list(rows.values_list("action", flat=True))


def test_a_typo_mended_by_saving_again_is_an_amendment(desk: Client) -> None:
    held = make.proposal()
    page = page_of(desk, held)
    assert reject(desk, page, "It is wrnog.", "key-one").status_code == 200
    assert reject(desk, page, "It is wrong.", "key-two").status_code == 200
    held.refresh_from_db()
    assert (held.status, held.reason) == ("rejected", "It is wrong.")
    assert actions_of(held) == ["reject", "undo", "reject"]
    assert Decision.objects.filter(amends__isnull=False, target_id=str(held.id)).count() >= 1


def test_the_second_save_sent_twice_amends_once(desk: Client) -> None:
    held = make.proposal()
    page = page_of(desk, held)
    reject(desk, page, "It is wrnog.", "key-one")
    answers = [reject(desk, page, "It is wrong.", "key-two").status_code for _ in range(2)]
    assert answers == [200, 200]
    assert actions_of(held) == ["reject", "undo", "reject"]


def test_another_action_from_an_old_card_is_a_conflict(desk: Client) -> None:
    held = make.proposal()
    page = page_of(desk, held)
    send(desk, page, "approve")
    answer = reject(desk, page, "No.", "key-two")
    assert answer.status_code == 409
    assert "No." in answer.content.decode()
    assert actions_of(held) == ["approve"]


def test_another_persons_card_is_a_conflict(desk: Client, sign_in: SignIn) -> None:
    held = make.proposal()
    ada = sign_in(make.reviewer("ada"))
    theirs = page_of(ada, held)
    reject(desk, page_of(desk, held), "It is wrong.", "key-one")
    assert reject(ada, theirs, "I think so too.", "key-ada").status_code == 409
    assert actions_of(held) == ["reject"]


def test_a_card_that_was_left_open_for_long_amends_nothing(desk: Client) -> None:
    held = make.proposal()
    page = page_of(desk, held)
    reject(desk, page, "It is wrnog.", "key-one")
    with time_machine.travel(timezone.now() + timedelta(minutes=6), tick=True):
        assert reject(desk, page, "It is wrong.", "key-two").status_code == 409


def test_deciding_differently_is_a_step_of_its_own(desk: Client) -> None:
    held = make.proposal()
    reject(desk, page_of(desk, held), "It is wrong.", "key-one")
    assert "Decide differently" in page_of(desk, held).content.decode()
    page = page_of(desk, held, "?amend=1")
    assert "It is wrong." in page.content.decode()
    assert send(desk, page, "approve", checked_at="now").status_code == 200
    held.refresh_from_db()
    assert held.status == "approved"
    assert actions_of(held) == ["reject", "undo", "approve"]


def test_nobody_else_is_offered_to_decide_differently(desk: Client, sign_in: SignIn, reviewer: User) -> None:
    held = make.proposal()
    reject(desk, page_of(desk, held), "It is wrong.", "key-one")
    ada = sign_in(make.reviewer("ada"))
    assert "Decide differently" not in page_of(ada, held).content.decode()
    address = reverse("decide", args=[held.id])
    fields = {"action": "approve", "version": held.version + 1, "idempotency_key": "k", "checked_at": "now"}
    amends = Decision.objects.get(action="reject").id
    assert ada.post(address, fields | {"amends": str(amends)}, **HTMX).status_code in (403, 409)
    assert desk.post(address, fields | {"amends": "no id"}, **HTMX).status_code == 422
