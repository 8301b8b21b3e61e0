"""Pages of every kind of search lose and repeat nothing, forwards and backwards, while items are decided (scenario S11)."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.utils import timezone

from evidence.models import HeldRecord, User
from evidence.rules.vocab import Role
from evidence.selectors import paging, queue_pages, search_words
from evidence.selectors.paging import Page
from evidence.selectors.queue import QueueFilter, count, listing, narrowed
from tests.selectors.rows import held_rows
from tests.services import make

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

SEARCHES = [
    "", "risk:high", "risk:high,low", "match:conflict", "kind:fact,article", "agent:a", "agent:a,b", "-agent:a", "status:any",
    "status:rejected", "-status:waiting", "risk:high match:conflict", "by:ada", "by:ada agent:a,b", "light", "light by:ada",
    "light risk:high", "-light", "light -dark", "is:snoozed", "is:leased", "is:leased -is:mine", "is:expiring", "expires:>1d",
    "is:snoozed by:ada", "is:unverified", "is:unverified risk:low", "match:conflict by:ada", "status:rejected,approved by:ada",
]  # fmt: skip


@pytest.fixture
def reviewer() -> User:
    return make.reviewer()


@pytest.fixture
def mixed(reviewer: User) -> list[HeldRecord]:
    """Items of every sort, the same each time."""
    drawn, now, ada = random.Random(11), timezone.now(), make.reviewer("ada")
    pick = drawn.choice
    return [
        held_rows(
            1, of=pick("abc"), risk=pick(["low", "medium", "high"]), match_kind=pick(["new", "ambiguous", "potential_conflict"]),
            kind=pick(["fact_proposal", "promotion_proposal", "held_evidence"]), filed_by=pick(["ada", "bo", "bo"]),
            status=pick(["waiting", "waiting", "waiting", "rejected", "approved"]), priority=drawn.randrange(9),
            statement=f"{pick(['A light', 'The dark', 'A dark light'])} {place}", statement_key=f"{place}",
            snoozed_until=pick([None, now + timedelta(days=drawn.randrange(1, 4))]),
            expires_at=pick([None, now + timedelta(days=drawn.randrange(-1, 4))]),
            lease_until=now + timedelta(minutes=1), lease_holder=pick([None, None, ada, reviewer]),
            verification_status=pick(["pending", "verified"]),
        )[0]
        for place in range(70)
    ]  # fmt: skip


def walked(user: User, text: str, limit: int) -> list[HeldRecord]:
    """All pages of a search, one after another."""
    now, seen, after = timezone.now(), [], ""
    while True:
        page = listing(user, QueueFilter(text), now, after=after, limit=limit)
        seen += page.rows
        after = page.after
        if not after:
            return seen


@pytest.mark.parametrize("text", SEARCHES)
def test_pages_of_any_size_give_the_rows_of_the_search_once_and_in_one_order(
    reviewer: User, mixed: list[HeldRecord], monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    now, wanted = timezone.now(), QueueFilter(text)
    whole = listing(reviewer, wanted, now, limit=500).rows
    assert set(whole) == set(narrowed(HeldRecord.objects.all(), wanted, reviewer, now))
    assert count(reviewer, wanted, now).number == len(whole)
    for scan in (4, 20_000):
        monkeypatch.setattr(queue_pages, "SCAN_LIMIT", scan)
        monkeypatch.setattr(queue_pages, "FIRST_CHUNK", 3)
        monkeypatch.setattr(search_words, "WINDOW", scan)
        for limit in (1, 3, 50):
            if scan == 4 and limit == 50:
                continue
            assert walked(reviewer, text, limit) == whole, (scan, limit)


@pytest.mark.parametrize("text", SEARCHES)
def test_the_way_back_gives_the_same_pages(
    reviewer: User, mixed: list[HeldRecord], monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    now, wanted = timezone.now(), QueueFilter(text)
    whole = listing(reviewer, wanted, now, limit=500).rows
    for scan in (6, 20_000):
        monkeypatch.setattr(queue_pages, "SCAN_LIMIT", scan)
        pages = [listing(reviewer, wanted, now, limit=3)]
        while pages[-1].after:
            pages.append(listing(reviewer, wanted, now, after=pages[-1].after, limit=3))
        while len(pages) > 1 and not pages[-1].before:
            assert pages.pop().rows == []  # only the end of the list has no way back
        page = pages[-1]
        seen = page.rows
        while page.before:
            page = listing(reviewer, wanted, now, before=page.before, limit=3)
            seen = page.rows + seen
        assert seen == whole, scan


def decide(rows: list[HeldRecord]) -> None:
    HeldRecord.objects.filter(pk__in=[row.pk for row in rows]).update(status="rejected")


@pytest.mark.parametrize("text", ["", "risk:high,medium", "light", "by:ada", "agent:a,b"])
def test_deciding_between_pages_loses_and_repeats_nothing_either_way(reviewer: User, text: str) -> None:
    made = held_rows(12, statement="A light.", risk="high", filed_by="ada", of="a")
    made += held_rows(12, statement="A light.", risk="medium", filed_by="ada", of="b")
    now, wanted = timezone.now(), QueueFilter(text)
    whole = listing(reviewer, wanted, now, limit=100).rows
    assert set(whole) == set(made)
    pages: list[Page[HeldRecord]] = []
    after = ""
    while not pages or after:
        pages.append(listing(reviewer, wanted, now, after=after, limit=5))
        after = pages[-1].after
        decide(pages[-1].rows[:3])
    assert [row for page in pages for row in page.rows] == whole
    left = [row for page in pages[:-1] for row in page.rows[3:]]
    back, before = [], pages[-1].before
    while before:
        page = listing(reviewer, wanted, now, before=before, limit=5)
        back, before = page.rows + back, page.before
    assert back == left


def test_a_page_that_is_all_decided_leads_back_to_what_is_left(reviewer: User) -> None:
    made = held_rows(9)
    now = timezone.now()
    first = listing(reviewer, QueueFilter(), now, limit=4)
    second = listing(reviewer, QueueFilter(), now, after=first.after, limit=4)
    assert (first.before, bool(second.before)) == ("", True)
    decide(first.rows)
    page = listing(reviewer, QueueFilter(), now, before=second.before, limit=4)
    assert (page.rows, page.before) == ([], "")
    assert listing(reviewer, QueueFilter(), now, limit=4).rows == made[4:8]


def test_a_count_of_a_wide_search_says_when_it_stopped_early(reviewer: User, monkeypatch: pytest.MonkeyPatch) -> None:
    held_rows(30, filed_by="ada", statement="A light.")
    now = timezone.now()
    assert str(count(reviewer, QueueFilter("by:ada"), now)) == "30"
    monkeypatch.setattr(queue_pages, "COUNT_SCAN", 10)
    assert str(count(reviewer, QueueFilter("by:ada"), now)) == "10+"
    assert str(count(reviewer, QueueFilter("by:ada light"), now)) == "10+"
    assert str(count(reviewer, QueueFilter("by:bo"), now)) == "0+"
    monkeypatch.setattr(paging, "COUNT_LIMIT", 7)
    assert str(count(reviewer, QueueFilter(""), now)) == "7+"
    assert str(count(reviewer, QueueFilter("light"), now)) == "7+"


def test_a_search_that_could_not_be_read_shows_nothing(reviewer: User) -> None:
    held_rows(3, risk="high")
    now = timezone.now()
    assert listing(reviewer, QueueFilter("riks:high"), now).rows == []
    assert count(reviewer, QueueFilter("riks:high"), now).number == 0
    assert list(narrowed(HeldRecord.objects.all(), QueueFilter("riks:high"), reviewer, now)) == []
    assert len(listing(reviewer, QueueFilter("riks:high risk:high"), now).rows) == 3


def test_what_waits_of_a_search() -> None:
    assert QueueFilter("risk:high").only_waiting() == QueueFilter("risk:high")
    assert QueueFilter("status:any risk:high").only_waiting().q == "status:waiting status:any risk:high"
    held_rows(1, status="rejected")
    held_rows(2)
    reviewer, now = make.reviewer(), timezone.now()
    assert count(reviewer, QueueFilter("status:any").only_waiting(), now).number == 2
    assert count(reviewer, QueueFilter("status:rejected").only_waiting(), now).number == 0


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({}, ""),
        ({"q": " past due "}, "past due"),
        ({"risk": "high"}, "risk:high"),
        ({"status": "waiting"}, ""),
        (
            {"status": "any", "q": "due", "agent": "my agent", "match": "conflict"},
            'due match:conflict status:any agent:"my agent"',
        ),
        ({"only": "leased"}, "is:leased -is:mine"),
        ({"only": "expiring", "kind": "fact_proposal", "ns": "team"}, "kind:fact_proposal ns:team is:expiring"),
        ({"risk": "purple"}, "risk:purple"),
        ({"unknown": "x"}, ""),
    ],
)
def test_older_addresses_are_read_as_a_search(given: dict[str, str], text: str) -> None:
    assert QueueFilter.read(given).q == text
    assert bool(QueueFilter.read(given).problems) == ("purple" in text)


def test_a_person_of_few_agents_pages_through_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_pages, "SCAN_LIMIT", 6)
    some = make.user("some", Role.REVIEWER, of=make.agent("a"))
    make.user("some", Role.REVIEWER, of=make.agent("b"))
    made = [
        held_rows(1, of=name, priority=place, filed_by="ada", statement_key=str(place))[0]
        for place, name in enumerate("acbabcab")
    ]
    theirs = [row for row in made if row.agent_id != "c"]
    assert walked(some, "", 2) == theirs
    assert walked(some, "by:ada", 2) == theirs
