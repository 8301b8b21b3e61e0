"""The desk after `seed`: one is filled and looked at by all tests of this module."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.db import transaction

from evidence.models import (
    Agent,
    Decision,
    Evidence,
    HeldRecord,
    IndexEntry,
    Inquiry,
    Membership,
    Policy,
    User,
    Verification,
)
from evidence.rules.labels import label, label_of_window
from evidence.rules.parsing import record_from
from evidence.rules.times import to_iso
from evidence.selectors.audit import verify_chain
from evidence.selectors.planning import window_of
from evidence.services.seeding import AS_OF, USERS, Seeded, seed
from tests.services.dumps import dump

NOW = AS_OF + timedelta(days=200, hours=3)
BACKLOG = Path(__file__).parents[2] / "evidence" / "demo" / "backlog"


@pytest.fixture(scope="module")
def seeded(django_db_setup: None, django_db_blocker: Any) -> Iterator[Seeded]:
    """One seeded desk for the tests that only look at it; each still runs in a transaction of its own."""
    with django_db_blocker.unblock(), transaction.atomic(), time_machine.travel(NOW, tick=False):
        yield seed()
        transaction.set_rollback(True)


@pytest.fixture
def desk(seeded: Seeded, db: None) -> Seeded:
    return seeded


def labels(now: datetime) -> Counter[str]:
    rows = Evidence.objects.active().filter(kind="fact")
    return Counter(str(label_of_window(window_of(row), now)) for row in rows)


def written_labels() -> Counter[str]:
    """The labels of the facts as they are in the file, on the day that it was written for."""
    facts = [json.loads(line) for line in (BACKLOG / "facts.jsonl").read_text().splitlines()]
    records = [record_from(fact) for fact in facts if fact["kind"] == "fact"]
    return Counter(str(label(record, AS_OF)) for record in records)


def test_an_empty_desk_is_filled(desk: Seeded) -> None:
    assert (desk.done, desk.records, desk.waiting) == (True, 60, 102)
    assert set(desk.created) == set(USERS)
    assert Agent.objects.count() == 7
    assert Policy.objects.get().version == 1


def test_the_queue_is_verified_and_nothing_in_it_was_decided(desk: Seeded) -> None:
    waiting = HeldRecord.objects.waiting()
    assert waiting.count() == 102
    assert not waiting.filter(verification_status="pending").exists()
    assert Verification.objects.filter(held__in=waiting).count() == 102
    others = Decision.objects.exclude(action__in=["import", "seed"])
    assert set(others.values_list("action", flat=True)) == {"approve"}


def test_articles_are_approved_by_real_decisions(desk: Seeded) -> None:
    articles = Evidence.objects.active().filter(kind="article")
    assert articles.count() == 8
    reviewer = User.objects.get(username="reviewer")
    for article in articles:
        assert (article.approval_by, article.label_base) == ("reviewer", "approved")
        decision = Decision.objects.get(target_id=article.approval_proposal, action="approve")
        assert (decision.actor_kind, decision.actor_id) == ("person", str(reviewer.pk))
        assert article.claim_key != ""
    assert verify_chain("default").ok


def test_roles_are_what_the_design_says(desk: Seeded) -> None:
    rows = Membership.objects.select_related("user")
    assert Counter((row.user.username, str(row.role), row.agent_id is None) for row in rows) == {
        ("reviewer", "reviewer", True): 1,
        ("reviewer2", "reviewer", True): 1,
        ("owner", "owner", False): 7,
        ("auditor", "auditor", True): 1,
        ("admin", "administrator", True): 1,
    }
    admin = User.objects.get(username="admin")
    assert (admin.is_staff, admin.is_superuser) == (True, True)
    assert not User.objects.exclude(username="admin").filter(is_staff=True).exists()


def test_labels_are_those_of_the_day_it_was_written_for(desk: Seeded) -> None:
    expected = written_labels()
    assert expected["stale"] > 0
    assert expected["unverified"] == 1
    assert labels(NOW) == expected


def test_dates_and_the_versions_that_are_dates_move_together(desk: Seeded) -> None:
    deploys = Evidence.objects.get(source_id="fact:f-41cefa0521")
    assert deploys.check_at == NOW - timedelta(days=12)
    assert deploys.event_at == deploys.check_at
    assert deploys.source_version == to_iso(NOW - timedelta(days=12))


def test_recall_finds_what_stands_and_nothing_that_waits(desk: Seeded) -> None:
    indexed = set(IndexEntry.objects.values_list("record_id", flat=True))
    assert set(Evidence.objects.active().curated().values_list("record_id", flat=True)) <= indexed
    assert not set(Evidence.objects.filter(review="held").values_list("record_id", flat=True)) & indexed


def test_contradictions_ask_their_owner(desk: Seeded) -> None:
    assert Inquiry.objects.open().filter(kind="conflict").count() >= 10


def test_a_second_time_changes_nothing(desk: Seeded) -> None:
    before = dump()
    assert seed().done is False
    assert dump() == before


def test_forced_again_it_changes_nothing_either(desk: Seeded) -> None:
    before = dump()
    again = seed(force=True)
    assert (again.done, again.created) == (True, ())
    assert dump() == before
