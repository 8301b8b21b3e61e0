"""What the search box offers: fields, known values with how much waits under each, and nothing that a person may not see."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evidence.models import User
from evidence.rules.search import FIELDS, parse
from evidence.rules.vocab import Role
from evidence.selectors.queue import QueueFilter, count
from evidence.selectors.suggestions import MOST, suggestions
from tests.selectors.rows import held_rows
from tests.services import make

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture
def reviewer() -> User:
    return make.reviewer()


def offered(user: User, text: str, caret: int | None = None) -> list[str]:
    found = suggestions(user, text, len(text) if caret is None else caret, timezone.now())
    return [text[: one.start] + one.text + text[one.end :] for one in found]


def test_an_empty_box_offers_every_field(reviewer: User) -> None:
    assert offered(reviewer, "") == [f"{name}:" for name in FIELDS]
    assert offered(reviewer, "due ") == [f"due {name}:" for name in FIELDS]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ri", ["risk:"]),
        ("-ri", ["-risk:"]),
        ("due -EX", ["due -expires:"]),
        ("risk:", ["risk:high", "risk:medium", "risk:low"]),
        ("risk:m", ["risk:medium"]),
        ("risk:high,M", ["risk:high,medium"]),
        ("match:supersedes-", ["match:supersedes_existing"]),
        ("age:", ["age:>1d", "age:>3d", "age:>1w", "age:<1d", "age:<2d", "age:<1w"]),
        ("age:<", ["age:<1d", "age:<2d", "age:<1w"]),
        ("has:", ["has:history"]),
        ("risk:high", []),
        ("riks:", []),
        ("source:", []),
        ("zzz", []),
        ('"due ', []),
    ],
)
def test_what_is_typed_is_completed(reviewer: User, text: str, found: list[str]) -> None:
    assert offered(reviewer, text) == found


def test_only_the_term_at_the_caret_is_replaced(reviewer: User) -> None:
    assert offered(reviewer, "risk:h due", 6) == ["risk:high due"]
    assert offered(reviewer, "risk:h due", 3) == []


def test_agents_and_namespaces_are_those_that_the_person_may_see(reviewer: User) -> None:
    for name in ("ops-agent", "Other agent", "ops_2"):
        make.agent(name, namespace=f"team {name}")
    held_rows(1, of="ops-agent", namespace="recent")
    assert sorted(offered(reviewer, "agent:o")) == ['agent:"Other agent"', "agent:ops-agent", "agent:ops_2"]
    assert offered(reviewer, "agent:ops_") == ["agent:ops_2"]
    assert "ns:recent" in offered(reviewer, "ns:")
    stranger = make.user("stranger", Role.REVIEWER, of=make.agent("Other agent"))
    assert offered(stranger, "agent:") == ['agent:"Other agent"']
    assert offered(stranger, "ns:") == ['ns:"team Other agent"']
    assert offered(make.user("nobody"), "agent:") == []


def test_every_offered_value_can_be_read(reviewer: User) -> None:
    make.agent('odd "agent", <b>')
    for name in FIELDS:
        for text in offered(reviewer, f"{name}:"):
            assert parse(text).problems == (), text


def test_numbers_are_those_of_the_search_itself(reviewer: User) -> None:
    now = timezone.now()
    held_rows(3, risk="high", match_kind="ambiguous", snoozed_until=now + timedelta(days=1))
    held_rows(2, of="other", kind="held_evidence", status="rejected")
    for name in ("risk", "match", "kind", "status", "is", "agent"):
        for one in suggestions(reviewer, f"{name}:", len(name) + 1, now):
            if one.number is not None:
                assert str(one.number) == str(count(reviewer, QueueFilter(f"{name}:{one.text}"), now)), one
    numbers = {one.text: one.number for one in suggestions(reviewer, "is:", 3, now)}
    assert str(numbers["snoozed"]) == "3"
    assert numbers["flagged"] is None  # no index counts it


def test_many_agents_are_cut_and_asked_for_a_bounded_number_of_times(reviewer: User) -> None:
    for number in range(MOST + 8):
        make.agent(f"agent-{number:02}")
    with CaptureQueriesContext(connection) as queries:
        assert len(offered(reviewer, "agent:")) == MOST
    assert len(queries) <= MOST + 2
