"""Why an item is first, in a sentence; and that it was drawn by lot, where it was."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evidence.models import HeldRecord, User
from evidence.services import leasing
from evidence.web.ordering import BY_LOT, order_words, span
from tests.selectors.test_picking import DRAWN, many, with_a_draw
from tests.services import make
from tests.web.forms import HTMX

NOW = timezone.now()
WHOLE = (
    "Waiting 7 days; counts as 57 days older because its risk is high (+28), it disagrees with a record (+21), "
    "it goes stale soon after filing (+6) and every agent may read it (+2)."
)
CONFLICT = {"risk": 28 * 24, "match": 21 * 24, "reach": 48, "expiry": 6 * 24 + 5}


def held(**columns: object) -> HeldRecord:
    defaults = {"created_at": NOW - timedelta(days=7, hours=2), "risk": "low", "match_kind": "new"}
    return HeldRecord(**(defaults | columns))


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({}, "Waiting 7 days; nothing moves it forward: the oldest come first."),
        (
            {"risk": "high", "match_kind": "potential_conflict", "scope_access": "public", "priority_parts": CONFLICT},
            WHOLE,
        ),
        (
            {"priority_parts": {"expiry": 5}, "created_at": NOW - timedelta(hours=1)},
            "Waiting 1 hour; counts as 5 hours older because it goes stale soon after filing (+5 h).",
        ),
        (
            {"risk": "what", "priority_parts": {"risk": 28 * 24}},
            "Waiting 7 days; counts as 28 days older because its risk is not known (+28).",
        ),
        ({"status": "approved", "priority_parts": CONFLICT}, ""),
        ({"priority_parts": {"risk": "x", "match": -3}}, "Waiting 7 days; nothing moves it forward: the oldest come first."),
        ({"lease_by_lot": True}, "Waiting 7 days; nothing moves it forward: the oldest come first."),
    ],
)  # fmt: skip
def test_the_sentence(columns: dict[str, object], words: str) -> None:
    assert order_words(held(**columns), User(pk=1), NOW) == words


def test_the_numbers_add_up() -> None:
    words = order_words(held(risk="high", priority_parts=CONFLICT), User(pk=1), NOW)
    assert "57 days older" in words
    assert sum(CONFLICT.values()) // 24 == 57


@pytest.mark.parametrize(
    ("length", "words"),
    [
        (timedelta(seconds=-5), "less than an hour"), (timedelta(minutes=59), "less than an hour"),
        (timedelta(hours=1), "1 hour"), (timedelta(hours=23, minutes=59), "23 hours"), (timedelta(days=1), "1 day"),
        (timedelta(days=1500), "1,500 days"),
    ],
)  # fmt: skip
def test_a_span_in_words(length: timedelta, words: str) -> None:
    assert span(length) == words


@pytest.mark.django_db
def test_the_card_says_why_the_item_is_first(desk: Client) -> None:
    item = make.proposal(**make.risky())
    text = desk.get(reverse("item", args=[item.id])).content.decode()
    assert "Waiting less than an hour; counts as 30 days older because its risk is high (+28)" in text


@pytest.mark.django_db
def test_the_card_says_that_it_was_drawn_only_to_who_drew_it(desk: Client, reviewer: User) -> None:
    many(30)
    item = leasing.claim_next(user=reviewer, now=timezone.now(), seed=DRAWN[0])
    address = reverse("item", args=[item.id])
    assert BY_LOT in desk.get(address).content.decode()
    client = Client()
    client.force_login(make.reviewer("ada"))
    assert BY_LOT not in client.get(address).content.decode()
    leasing.claim(held_id=item.id, user=make.reviewer("ada"), now=timezone.now(), take_over=True)
    assert BY_LOT not in client.get(address).content.decode()


@pytest.mark.django_db
def test_the_page_says_it_before_the_claim_and_the_claim_agrees(desk: Client, reviewer: User) -> None:
    leasing.skip(held_id=with_a_draw(reviewer, many(40)).pk, user=reviewer, now=timezone.now())
    page = desk.get(reverse("queue-next")).content.decode()
    assert BY_LOT in page
    shown = re.search(r'data-item="([^"]+)"', page)[1]
    assert not HeldRecord.objects.filter(lease_until__isnull=False).exists()
    answer = desk.post(reverse("claim-next"), {"shown": shown}, **HTMX)
    assert answer["HX-Replace-Url"] == reverse("item", args=[shown])
    assert HeldRecord.objects.get(lease_holder=reviewer).lease_by_lot
    assert BY_LOT in desk.get(reverse("queue-next")).content.decode()


@pytest.mark.django_db
def test_the_card_that_is_fetched_ahead_is_the_one_that_follows(desk: Client, reviewer: User) -> None:
    leaving = with_a_draw(reviewer, many(40))
    leasing.claim(held_id=leaving.pk, user=reviewer, now=timezone.now())
    ahead = desk.get(reverse("peek", args=[leaving.pk])).content.decode()
    assert BY_LOT in ahead
    shown = re.search(r'data-item="([^"]+)"', ahead)[1]
    after = desk.post(reverse("skip", args=[leaving.pk]), {"next": shown}, **HTMX).content.decode()
    assert re.search(r'data-item="([^"]+)"', after)[1] == shown
