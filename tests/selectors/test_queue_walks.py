"""Which index a search walks: looked up in the plan of the statement that is run, on both databases."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evidence.models import User
from evidence.rules.vocab import Role
from evidence.selectors.queue import QueueFilter, count, listing
from evidence.selectors.queue_walks import walk_of
from evidence.selectors.search_terms import Asking
from tests.selectors.rows import held_rows
from tests.services import make

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

LEASED = "(held_leased|evidence_heldrecord_lease_holder_id_[0-9a-f]+)"  # either way a few rows
INDEXES = [
    ("", "held_queue"),
    ("risk:high", "held_queue_risk"),
    ("risk:high,low", "held_queue_risk"),
    ("kind:evidence", "held_queue_kind"),
    ("agent:ops-agent", "held_queue_agent"),
    ("match:ambiguous", "held_queue_match"),
    ("match:conflict", "held_queue_match"),
    ("status:rejected", "held_queue"),
    ("-status:waiting", "held_queue"),
    ("is:expiring", "held_expiring"),
    ("expires:<3d", "held_expiring"),
    ("is:snoozed", "held_snoozed"),
    ("is:leased", LEASED),
    ("is:leased -is:mine", LEASED),
    ("is:unverified", "held_unverified"),
]
# A mix walks the index that tells most, and looks at the rest in a bounded stretch of it.
MIXES = [
    ("risk:high match:ambiguous", "held_queue_match"),
    ("age:>1d agent:ops-agent risk:high", "held_queue_agent"),
    ("by:ada", "held_queue"),
    ("is:snoozed risk:high", "held_snoozed"),
]


@pytest.fixture
def reviewer() -> User:
    """With enough rows of each kind that an index pays, and fresh statistics."""
    person, now = make.reviewer(), timezone.now()
    for place, match in enumerate(("new", "ambiguous", "supersedes_existing", "potential_conflict")):
        for risk in ("low", "medium", "high"):
            held_rows(
                20, match_kind=match, risk=risk, of=f"agent-{place}", verification_status="verified",
                expires_at=now + timedelta(days=40), statement_key=f"{match}{risk}",
            )  # fmt: skip
    held_rows(5, of="ops-agent", snoozed_until=now + timedelta(days=1), kind="held_evidence")
    held_rows(
        5, of="agent-1", lease_until=now + timedelta(minutes=1), lease_holder=person, expires_at=now + timedelta(days=1)
    )
    held_rows(40, of="agent-2", status="rejected", kind="promotion_proposal")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return person


def plans(user: User, text: str) -> str:
    """How the database would run the statements of one page."""
    with CaptureQueriesContext(connection) as queries:
        listing(user, QueueFilter(text), timezone.now())
    explain = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
    lines: list[str] = []
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Few rows fit on a page or two, where reading all of them is cheapest; the question is what can be walked.
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("SET LOCAL enable_sort = off")
        for query in queries.captured_queries:
            if "evidence_heldrecord" in query["sql"]:
                cursor.execute(f"{explain} {query['sql']}")
                lines += [str(row[-1]) for row in cursor.fetchall()]
    return "\n".join(lines)


@pytest.mark.parametrize(("text", "index"), INDEXES + MIXES)
def test_a_search_walks_the_index_of_what_it_asks(reviewer: User, text: str, index: str) -> None:
    plan = plans(reviewer, text)
    assert re.search(rf"\b{index}\b", plan), plan
    assert not re.search(r"SCAN evidence_heldrecord(?! USING)|Seq Scan", plan), plan


@pytest.mark.parametrize(
    "text", ["", "risk:high", "kind:fact", "match:conflict", "agent:ops-agent", "status:rejected", "is:unverified"]
)
def test_an_order_that_an_index_gives_is_not_sorted_again(reviewer: User, text: str) -> None:
    plan = plans(reviewer, text)
    assert not re.search(r"TEMP B-TREE FOR ORDER BY|Sort Key", plan), plan


@pytest.mark.parametrize("text", ["", "agent:only", "risk:medium", "match:new", "kind:fact"])
def test_nothing_is_sorted_where_all_rows_are_alike(text: str) -> None:
    person = make.reviewer()
    held_rows(400, of="only")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    plan = plans(person, text)
    assert not re.search(r"TEMP B-TREE FOR ORDER BY|Sort Key", plan), plan


def test_words_are_looked_for_in_the_index_of_words(reviewer: User) -> None:
    with CaptureQueriesContext(connection) as queries:
        listing(reviewer, QueueFilter("lighthouse risk:high"), timezone.now())
    asked = " ".join(query["sql"] for query in queries.captured_queries)
    assert re.search(r"MATCH|@@", asked)
    assert "LIKE" not in asked.upper().replace("UNLIKELY", "")


@pytest.mark.parametrize(
    ("text", "most"),
    [("", 2), ("risk:high", 2), ("match:conflict", 4), ("match:conflict by:ada", 7), ("light", 6), ("by:ada", 3)],
)
def test_a_page_of_a_search_asks_the_database_a_few_times(reviewer: User, text: str, most: int) -> None:
    with CaptureQueriesContext(connection) as queries:
        listing(reviewer, QueueFilter(text), timezone.now())
    assert len(queries) <= most, [query["sql"][:120] for query in queries.captured_queries]


def test_a_reviewer_of_some_agents_walks_theirs() -> None:
    some = make.user("some", Role.REVIEWER, of=make.agent("a"))
    make.user("some", Role.REVIEWER, of=make.agent("b"))
    walk = walk_of(QueueFilter("risk:high").search, Asking.of(some, timezone.now()))
    assert len(walk.starts) == 2
    for name in ("a", "b", "c"):
        held_rows(3, of=name, risk="high")
    now = timezone.now()
    assert [row.agent_id for row in listing(some, QueueFilter("risk:high"), now).rows] == ["a", "a", "a", "b", "b", "b"]
    assert count(some, QueueFilter("risk:high"), now).number == 6
