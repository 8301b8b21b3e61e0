"""What is looked up in the big tables goes by an index, also when the database knows its statistics (SQLite)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet

from evidence.models import Evidence, HeldRecord
from tests.services import make

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 1, tzinfo=UTC)


@pytest.fixture
def rows() -> None:
    agent = make.agent("ada")
    Evidence.objects.bulk_create(
        Evidence(
            record_id=f"e-{n}", kind="fact", source_id=f"fact:{n}", source_version="1", content="A fact.",
            scope_owner="ada", match_key="" if n % 2 else f"m{n}", claim_key=f"c{n}" if n % 2 else "",
        )
        for n in range(600)
    )  # fmt: skip
    HeldRecord.objects.bulk_create(
        HeldRecord(
            kind="fact_proposal", agent=agent, statement="x", scope_owner="ada", priority=n,
            match_key=f"m{n}" if n % 2 else "",
        )
        for n in range(600)
    )  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


# So few have one such key that they may be sorted.
FEW = ("evidence_by_record", "evidence_by_source", "held_by_topic")
LOOKUPS: dict[str, Callable[[], QuerySet[Any]]] = {
    "evidence_by_claim_id": lambda: Evidence.objects.on_claim("default", "c1"),
    "evidence_by_match_id": lambda: Evidence.objects.standing().on_topic("default", "m2").order_by("pk_uuid")[:100],
    "evidence_by_origin": lambda: Evidence.objects.from_origin("default", "pi", "7"),
    "evidence_by_record": lambda: Evidence.objects.filter(record_id="e-7").order_by("-ingested_at"),
    "evidence_by_source": lambda: Evidence.objects.filter(namespace="default", source_id="fact:7").order_by(
        "-ingested_at"
    ),
    "held_by_topic": lambda: HeldRecord.objects.on_topic("default", "m2").order_by("id")[:100],
    "held_queue": lambda: HeldRecord.objects.waiting().in_order()[:1],
}


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="a plan of SQLite")
@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize("index", LOOKUPS)
def test_goes_by_its_index(index: str) -> None:
    plan = LOOKUPS[index]().explain()
    assert f"USING INDEX {index} " in plan, plan
    assert "SCAN" not in plan, plan
    assert "TEMP B-TREE" not in plan or index in FEW, plan


@pytest.mark.usefixtures("rows")
def test_the_next_item_is_not_found_by_sorting_all() -> None:
    user = make.reviewer()
    plan = HeldRecord.objects.waiting().reviewable_by(user).awake(NOW).free_for(user, NOW).in_order()[:1].explain()
    assert "held_queue " in plan if connection.vendor == "sqlite" else "evidence_heldrecord" in plan, plan
    assert connection.vendor != "sqlite" or "TEMP B-TREE" not in plan, plan
