"""The list: nothing is lost or shown twice while items are decided, filters mean what they say, numbers equal rows (S11)."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from zeal import zeal_context

from evidence.models import Evidence, FactProposal, HeldRecord, User
from evidence.rules.vocab import Action
from evidence.selectors import paging, queue, queue_pages
from evidence.selectors.queue import QueueFilter
from tests.services import make

pytestmark = pytest.mark.django_db

ROW = re.compile(r'data-row href="/queue/([0-9a-f-]{36})/')
TAB = re.compile(r'href="(/queue/[^"]*)"[^>]*>[^<]+<span class="count">(\d+)</span>')
NEXT = re.compile(r'rel="next" href="([^"]+)"')


def many(number: int, **columns: object) -> list[HeldRecord]:
    """Waiting proposals without their services: only what lists read."""
    agent = make.agent()
    rows = [
        HeldRecord(
            kind="fact_proposal", agent=agent, statement=f"Statement {place}.", statement_key=str(place), scope_owner=agent.id,
            **({"priority": place // 3} | columns),
        )
        for place in range(number)
    ]  # fmt: skip
    made = HeldRecord.objects.bulk_create(rows)
    observations = [
        Evidence(
            record_id=f"e-{row.id}", kind="observation", source_id=f"proposal:{row.id}", source_version="1", scope_owner=agent.id,
            content=row.statement, review="held",
        )
        for row in made
    ]  # fmt: skip
    Evidence.objects.bulk_create(observations)
    FactProposal.objects.bulk_create(
        FactProposal(held=row, observation=seen) for row, seen in zip(made, observations, strict=True)
    )
    return made


def rows_of(client: Client, address: str) -> tuple[list[str], str]:
    text = client.get(address).content.decode()
    found = NEXT.search(text)
    return ROW.findall(text), found.group(1).replace("&amp;", "&") if found else ""


def test_pages_lose_and_repeat_nothing_while_items_are_decided(desk: Client) -> None:
    made = many(130)
    seen: list[str] = []
    address = reverse("queue")
    while address:
        rows, address = rows_of(desk, address)
        seen += rows
        # Everything on this page is decided before the next one is opened, and something new arrives behind.
        HeldRecord.objects.filter(pk__in=rows).update(status="rejected")
    assert seen == [str(row.id) for row in sorted(made, key=lambda row: (row.priority, row.id))]


def test_the_row_that_is_opened_is_the_row_that_was_listed(desk: Client) -> None:
    many(7)
    rows, _ = rows_of(desk, f"{reverse('queue')}?kind=fact_proposal")
    assert f'data-item="{rows[2]}"' in desk.get(f"/queue/{rows[2]}/?kind=fact_proposal").content.decode()


def test_numbers_equal_the_rows_behind_their_links(desk: Client, reviewer: User) -> None:
    make.fact("The account is active.", about=make.claim("active"))
    make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    make.proposal(statement="Backups run at two.", **make.risky("Backups run at two."))
    snoozed = make.proposal(statement="Offices close at six.")
    make.act(snoozed, reviewer, Action.SNOOZE, until=timezone.now() + timedelta(days=1))
    leased = make.proposal(statement="The lighthouse keeps a log.")
    HeldRecord.objects.filter(pk=leased.pk).update(
        lease_holder=make.reviewer("ada"), lease_until=timezone.now() + timedelta(minutes=1)
    )
    expiring = make.proposal(statement="The queue is degraded.", volatility="outage", event_at=make.days_ago(1))
    assert expiring.expires_at is not None
    text = desk.get(reverse("queue")).content.decode()
    numbers = TAB.findall(text)
    assert {address: int(number) for address, number in numbers} == {
        "/queue/": 5, "/queue/?q=risk%3Ahigh": 1, "/queue/?q=match%3Aconflict": 1, "/queue/?q=is%3Aexpiring": 1,
        "/queue/?q=is%3Aleased+-is%3Amine": 1, "/queue/?q=is%3Asnoozed": 1,
    }  # fmt: skip
    for address, number in numbers:
        assert len(rows_of(desk, address)[0]) == int(number), address


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("risk=high", ["high"]),
        ("agent=other-agent", ["other"]),
        ("kind=held_evidence", []),
        ("q=lighthouse", ["other"]),
        ("q=LIGHTHOUSE log", ["other"]),
        ("q=lighthouse nothing", []),
        ("risk=high&agent=other-agent", []),
        ("status=rejected", ["done"]),
        ("status=any&q=backups", ["done", "high"]),
        ("ns=elsewhere", []),
        ("q=100%25", []),
        ("q=%_", []),
    ],
)
def test_filters_mean_what_they_say(desk: Client, reviewer: User, query: str, found: list[str]) -> None:
    made = {
        "high": make.proposal(statement="Backups run at two.", **make.risky("Backups run at two.")),
        "other": make.proposal(of=make.agent("other-agent"), statement="The lighthouse keeps a log."),
        "done": make.proposal(statement="Backups run at three."),
    }
    make.act(made["done"], reviewer, Action.REJECT, reason_code="wrong")
    rows, _ = rows_of(desk, f"{reverse('queue')}?{query}")
    assert sorted(rows) == sorted(str(made[name].id) for name in found)


def test_a_wide_filter_stops_after_a_bounded_stretch_and_goes_on_from_there(
    desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue_pages, "SCAN_LIMIT", 20)
    made = many(45)
    wanted = [made[3], made[30], made[44]]
    HeldRecord.objects.filter(pk__in=[row.pk for row in wanted]).update(filed_by="ada")
    seen: list[str] = []
    address, pages = f"{reverse('queue')}?q=by:ada", 0
    while address:
        rows, address = rows_of(desk, address)
        seen, pages = seen + rows, pages + 1
    assert seen == [str(row.id) for row in wanted]
    assert pages == 3
    assert "Looked at 20 rows" in desk.get(f"{reverse('queue')}?q=by:ada").content.decode()


def test_numbers_are_not_counted_beyond_their_cap(desk: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paging, "COUNT_LIMIT", 5)
    many(9)
    assert '<span class="count">5+</span>' in desk.get(reverse("queue")).content.decode()


def test_a_place_is_not_taken_for_one_of_another_list(desk: Client) -> None:
    many(60)
    _, address = rows_of(desk, reverse("queue"))
    assert desk.get(address.replace("/queue/", "/queue/") + "&q=statement").status_code == 400
    assert desk.get(address.replace("/queue/", "/records/")).status_code == 400


def test_next_gives_ones_own_lease_first_then_the_order_then_what_was_skipped(reviewer: User) -> None:
    first, second, third = many(3, priority=1)
    now = timezone.now()
    assert queue.next_candidate(reviewer, QueueFilter(), now) == first
    reviewer.skips.create(held=first)
    assert queue.next_candidate(reviewer, QueueFilter(), now) == second
    HeldRecord.objects.filter(pk=third.pk).update(lease_holder=reviewer, lease_until=now + timedelta(minutes=1))
    assert queue.next_candidate(reviewer, QueueFilter(), now) == third
    HeldRecord.objects.filter(pk__in=[second.pk, third.pk]).update(status="rejected")
    assert queue.next_candidate(reviewer, QueueFilter(), now) == first


def test_an_empty_queue_says_what_is_held_and_when_it_goes_on(desk: Client, reviewer: User) -> None:
    snoozed = make.proposal(statement="Offices close at six.")
    make.act(snoozed, reviewer, Action.SNOOZE, until=timezone.now() + timedelta(days=3))
    leased = make.proposal(statement="The queue is degraded.", volatility="outage", event_at=make.days_ago(1))
    HeldRecord.objects.filter(pk=leased.pk).update(
        lease_holder=make.reviewer("ada"), lease_until=timezone.now() + timedelta(minutes=1)
    )
    text = desk.get(reverse("queue-next")).content.decode()
    assert "Nothing waits for you" in text
    assert "1 held by others" in text
    assert "1 snoozed" in text
    assert "the next comes back" in text
    assert "The next expiry comes" in text


@pytest.mark.parametrize(
    ("name", "most"), [("queue", 16), ("home", 29), ("records", 14), ("audit", 10), ("inquiries", 8)]
)
def test_a_page_asks_the_database_as_often_for_many_rows_as_for_few(desk: Client, name: str, most: int) -> None:
    many(3)
    make.fact("The account is active.", about=make.claim("active"))
    make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    counted = []
    for more in (0, 40):
        many(more, status="waiting")
        with zeal_context(), CaptureQueriesContext(connection) as queries:
            assert desk.get(reverse(name)).status_code == 200
        counted.append(len(queries))
    assert counted[0] == counted[1]
    assert counted[0] <= most, counted


def test_an_item_and_a_decision_ask_the_database_a_bounded_number_of_times(desk: Client) -> None:
    make.fact("The account is active.", about=make.claim("active"))
    held = make.proposal(
        statement="The account is past due.", claim=make.claim("past due"),
        evidence=tuple(make.inline(f"vendor account billing status past due {n}", thread=f"t-{n}") for n in range(12)),
    )  # fmt: skip
    with zeal_context(), CaptureQueriesContext(connection) as queries:
        assert desk.get(reverse("item", args=[held.id])).status_code == 200
    assert len(queries) <= 36, len(queries)
