"""How far a decision reaches, read from the recall log (screens "One at a time": "of the last 200 recalls")."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from evidence.models import RecallItem, RecallLog
from evidence.selectors.reach import SAMPLE, Reach, reach_of
from tests.services import make

pytestmark = pytest.mark.django_db


def recalled(*shown: str, text: str = "", agent: str = "ops-agent", ago: int = 0, namespace: str = "default") -> None:
    at = timezone.now() - timedelta(minutes=ago)
    log = RecallLog.objects.create(at=at, namespace=namespace, agent=agent, query_hash="h", query_text=text)
    for rank, record_id in enumerate(shown):
        RecallItem.objects.create(
            recall=log, namespace=namespace, record_id=record_id, label="verified", rank=rank, at=at
        )


def test_an_empty_log_says_nothing() -> None:
    assert reach_of(make.proposal(), ["e-1"]) == Reach()


def test_recalls_that_showed_what_is_replaced_count_once_each() -> None:
    held = make.proposal()
    recalled("e-1", "e-2")
    recalled("e-2")
    recalled("e-3")
    recalled("e-1", namespace="other")
    assert reach_of(held, ["e-1", "e-2"]) == Reach(sample=3, replaced=2)


def test_only_the_newest_are_looked_at() -> None:
    held = make.proposal()
    recalled("e-1", ago=60)
    for _ in range(SAMPLE):
        recalled("e-9")
    assert reach_of(held, ["e-1"]) == Reach(sample=SAMPLE, replaced=0)


@pytest.mark.parametrize(
    ("query", "asks"),
    [
        ("when do backups run", True),
        ("backups", True),
        ("backup schedule of the mirror", False),
        ("the of and", False),
        ("office hours", False),
    ],
)
def test_queries_count_by_their_words_where_their_text_was_kept(query: str, asks: bool) -> None:
    held = make.proposal(statement="Backups run at two.", scope_access="public")
    recalled(text=query)
    recalled()
    assert reach_of(held, []) == Reach(sample=2, kept=1, asked=int(asks))


def test_agents_that_may_not_read_it_do_not_count() -> None:
    held = make.proposal(statement="Backups run at two.", scope_access="private")
    recalled(text="backups run", agent="stranger")
    assert reach_of(held, []) == Reach(sample=1, kept=1, asked=0)
