"""The next card is there when a decision is sent, and nothing can be decided on it until the answer confirms it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from evidence.models import Decision, HeldRecord, User
from evidence.services import leasing
from tests.e2e.conftest import Arrive
from tests.e2e.test_reviewing import read, status_of, waiting
from tests.services import make

pytestmark = pytest.mark.django_db(transaction=True)

Held = list[Route]


@pytest.fixture
def stopped(page: Page) -> Held:
    """Decisions wait here until the test lets them go."""
    routes: Held = []

    def hold_back(route: Route) -> None:
        routes.append(route)

    page.route("**/decision/", hold_back)
    return routes


def arrived(arrive: Arrive, page: Page) -> None:
    with page.expect_response(lambda answer: answer.url.split("?")[0].endswith("/peek/")):
        arrive()
    page.wait_for_timeout(50)
    read(page)


def test_the_next_card_shows_at_once_and_takes_no_key(arrive: Arrive, page: Page, stopped: Held) -> None:
    first, second, third = waiting(3)
    arrived(arrive, page)
    page.keyboard.press("a")
    expect(page.locator("#card .preview")).to_contain_text(second.statement)
    expect(page.locator("#claim")).to_be_hidden()
    page.keyboard.press("a")
    page.keyboard.press("k")
    assert len(stopped) == 1
    stopped.pop().continue_()
    expect(page.locator("#claim")).to_have_text(second.statement)
    expect(page.locator("#card .preview")).to_have_count(0)
    expect(page.locator("#claim")).to_be_focused()
    assert [status_of(held) for held in (first, second, third)] == ["approved", "waiting", "waiting"]


def test_what_was_shown_ahead_is_what_comes(arrive: Arrive, page: Page, stopped: Held) -> None:
    """Something more urgent arrives between the look ahead and the decision: it waits its turn."""
    _, second = waiting(2)
    arrived(arrive, page)
    urgent = make.proposal(statement="The cellar is under water.")
    HeldRecord.objects.filter(pk=urgent.pk).update(priority=0)
    page.keyboard.press("a")
    expect(page.locator("#card .preview")).to_contain_text(second.statement)
    stopped.pop().continue_()
    expect(page.locator("#claim")).to_have_text(second.statement)


def test_what_somebody_took_meanwhile_gives_way(arrive: Arrive, page: Page, stopped: Held) -> None:
    first, second, third = waiting(3)
    arrived(arrive, page)
    ada = make.reviewer("ada")
    leasing.claim(held_id=second.id, user=ada, now=timezone.now())
    page.keyboard.press("a")
    page.wait_for_function("() => document.querySelector('#card .preview')")
    stopped.pop().continue_()
    expect(page.locator("#claim")).to_have_text(third.statement)
    assert status_of(first) == "approved"
    assert HeldRecord.objects.get(pk=second.pk).lease_holder_id == ada.pk


def test_a_refusal_brings_the_card_back_with_what_was_typed(arrive: Arrive, page: Page, stopped: Held) -> None:
    first, _ = waiting(2)
    arrived(arrive, page)
    page.keyboard.press("r")
    page.locator("#reject-reason").fill("Half a sentence")
    page.get_by_role("button", name="Wrong").click()
    page.wait_for_function("() => document.querySelector('#card .preview')")
    sent = stopped.pop()
    sent.continue_(post_data=(sent.request.post_data or "").replace("version=", "unknown="))
    expect(page.locator("#claim")).to_have_text(first.statement)
    expect(page.locator("#problem")).to_contain_text("which version you saw")
    page.keyboard.press("r")
    expect(page.locator("#reject-reason")).to_have_value("Half a sentence")
    assert not Decision.objects.filter(action="reject").exists()


def test_a_conflict_shows_the_card_as_it_is_now(arrive: Arrive, page: Page, other_tab: Callable[[str], Page]) -> None:
    first, second = waiting(2)
    arrived(arrive, page)
    tab = other_tab(f"/queue/{first.id}/")
    read(tab)
    tab.keyboard.press("a")
    expect(tab.locator("#claim")).to_have_text(second.statement)
    page.bring_to_front()
    page.keyboard.press("a")
    expect(page.locator(".changed")).to_contain_text("Already decided")
    expect(page.locator("#claim")).to_have_text(first.statement)
    expect(page.locator("#card .preview")).to_have_count(0)


def test_looking_ahead_claims_nothing(arrive: Arrive, page: Page, reviewer: User) -> None:
    first, second = waiting(2)
    arrived(arrive, page)
    assert HeldRecord.objects.get(pk=first.pk).lease_holder_id == reviewer.pk
    assert HeldRecord.objects.get(pk=second.pk).lease_holder_id is None
