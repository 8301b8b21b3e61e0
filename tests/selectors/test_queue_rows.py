"""What a row says beside its columns: how many more say the same, and what became of it meanwhile."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evidence.models import User
from evidence.rules.vocab import Action, Role
from evidence.selectors.queue import QueueFilter, listing
from evidence.selectors.queue_rows import ended, rows_of
from evidence.selectors.search_terms import Asking
from tests.selectors.rows import found, held_rows
from tests.services import make

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture
def reviewer() -> User:
    return make.reviewer()


def same(user: User, text: str = "") -> dict[str, int]:
    now = timezone.now()
    rows = rows_of(Asking.of(user, now), listing(user, QueueFilter(text), now).rows)
    return {row.held.statement: row.same.number for row in rows}


def test_what_says_the_same_is_counted_as_its_search_finds_it(reviewer: User) -> None:
    make.proposal(of=make.agent("a"), statement="The account is past due.", claim=make.claim("past due"))
    make.proposal(of=make.agent("b"), statement="Vendor account: past due.", claim=make.claim("past due"))
    make.proposal(of=make.agent("c"), statement="Vendor account: active.", claim=make.claim("active"))
    held_rows(2, of="a", statement="Backups run.", statement_key="backups")
    held_rows(1, of="b", statement="Backups run, elsewhere.", statement_key="backups", namespace="elsewhere")
    held_rows(1, of="c", statement="Backups ran.", statement_key="backups", status="rejected")
    now = timezone.now()
    counted = same(reviewer)
    assert counted == {
        "The account is past due.": 1, "Vendor account: past due.": 1, "Vendor account: active.": 0, "Backups run.": 1,
        "Backups run, elsewhere.": 0,
    }  # fmt: skip
    for held in listing(reviewer, QueueFilter(), now).rows:
        assert len(found(reviewer, f"same:{held.id}", now)) == counted[held.statement]
    stranger = make.user("stranger", Role.REVIEWER, of=make.agent("b"))
    assert same(stranger)["Vendor account: past due."] == 0
    assert same(reviewer, "status:rejected") == {"Backups ran.": 0}


def test_rows_ask_the_database_three_times_however_many_there_are(reviewer: User) -> None:
    held_rows(30)
    make.proposal(claim=make.claim("past due"))
    now = timezone.now()
    rows = listing(reviewer, QueueFilter(), now).rows
    asking = Asking.of(reviewer, now)
    with CaptureQueriesContext(connection) as queries:
        rows_of(asking, rows)
    assert len(queries) == 3  # by claim, by statement, by cluster


def test_what_ended_meanwhile_says_how_and_by_whom(reviewer: User) -> None:
    first, second, third = (make.proposal(statement=f"Fact number {number}.") for number in "abc")
    make.act(first, reviewer, Action.REJECT, reason_code="wrong")
    (bare,) = held_rows(1, status="expired")
    ids = [row.id for row in (first, second, third, bare)]
    assert {(row.id, row.status, row.by) for row in ended(reviewer, ids)} == {
        (str(first.id), "rejected", "reviewer"), (str(bare.id), "expired", "")
    }  # fmt: skip
    assert ended(make.user("stranger", Role.REVIEWER, of=make.agent("other")), ids) == []
    assert ended(reviewer, []) == []
