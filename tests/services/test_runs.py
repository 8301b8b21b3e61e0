"""The run ledger in the database: nothing of it can be changed, by whatever statement, and what is kept beside it is checked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import Model
from django.utils import timezone

from evidence.models import (
    Evidence,
    MemoryUtility,
    Run,
    RunArtifact,
    RunEvent,
    RunMemoryLink,
    RunOutcome,
    RunWorkItem,
    Token,
)
from evidence.models.base import new_id
from evidence.rules.run_vocab import Evaluator, MemoryRelation, RunEventType, RunOutcomeWord
from evidence.services import run_states, run_utility
from evidence.services.recall_log import answer_recall
from evidence.services.request_shapes import RecallShape
from evidence.services.run_ending import complete_run
from evidence.services.run_recording import begin_run, record_event
from evidence.services.run_shapes import Attributed, Attribution, Beginning, Ending, Happening
from tests.builders import a_record, a_token

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]

LEDGER: tuple[type[Model], ...] = (Run, RunWorkItem, RunEvent, RunArtifact, RunOutcome, RunMemoryLink)
VERIFIED = Ending(
    RunOutcomeWord.VERIFIED_SUCCESS,
    Evaluator.DETERMINISTIC_VERIFIER,
    evidence=("pytest:1",),
    termination_reason="Done.",
)


@pytest.fixture(autouse=True)
def data_dir(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


def told(token: Token, run: Run, word: RunEventType = RunEventType.OBSERVATION, **more: Any) -> RunEvent:
    return record_event(token=token, run_id=run.pk, happening=Happening(word, "It was so.", **more)).event


def a_whole_run(token: Token, record: Evidence) -> Run:
    """One row at least in each table of the ledger."""
    run = begin_run(token=token, beginning=Beginning("project:kestrel", "Restore it.")).run
    receipt = answer_recall(
        token=token, ask=RecallShape(query="kestrel").to_ask(lambda: {"sql"}), now=timezone.now()
    ).receipt
    said = Attribution(receipt, items=(Attributed(record.record_id, 1),))
    told(token, run, RunEventType.MEMORY_RECALLED, attribution=said)
    artifact = {"digest": "a" * 64, "mime_type": "text/csv", "uri": "artifact://x/y"}
    told(token, run, RunEventType.ARTIFACT_CREATED, payload=artifact)
    told(token, run, RunEventType.WORK_ITEM_COMPLETED)
    complete_run(token=token, run_id=run.pk, ending=VERIFIED)
    return run


@pytest.fixture
def run() -> Run:
    return a_whole_run(a_token("ada").token, a_record())


def refused(attempt: Callable[[], object]) -> bool:
    try:
        with transaction.atomic():
            attempt()
    except DatabaseError as error:
        return "append-only" in str(error)
    return False


def sql(text: str, *values: Any) -> Callable[[], object]:
    def attempt() -> None:
        with connection.cursor() as cursor:
            cursor.execute(text, values)

    return attempt


@pytest.mark.parametrize("table", LEDGER, ids=lambda one: one.__name__)
def test_no_row_of_the_ledger_is_ever_changed(run: Run, table: type[Model]) -> None:
    row = table._default_manager.first()
    assert row is not None
    before, name = list(table._default_manager.values()), table._meta.db_table
    connection.check_constraints()  # PostgreSQL: nothing is left to be looked at, so that only the triggers refuse
    attempts = [
        lambda: table._default_manager.update(at="2020-01-01T00:00:00Z"),
        lambda: table._default_manager.filter(pk=row.pk).delete(),
        row.save,
        lambda: table._default_manager.bulk_update([row], ["at"]),
        sql(f"UPDATE {name} SET id = id"),
        sql(f"DELETE FROM {name}"),
    ]
    if connection.vendor == "sqlite":
        attempts.append(sql(f"INSERT OR REPLACE INTO {name} SELECT * FROM {name}"))
        attempts.append(sql(f"UPDATE OR REPLACE {name} SET at = '2020-01-01'"))
    else:
        columns = ", ".join(field.column for field in table._meta.concrete_fields)
        again = (
            f"INSERT INTO {name} ({columns}) SELECT {columns} FROM {name} ON CONFLICT (id) DO UPDATE SET id = {name}.id"
        )
        attempts.append(sql(again))
        attempts.append(sql(f"TRUNCATE {name} CASCADE"))
    assert [refused(attempt) for attempt in attempts] == [True] * len(attempts)
    assert list(table._default_manager.values()) == before


def test_no_row_comes_in_the_place_of_another(run: Run) -> None:
    """SQLite's INSERT OR REPLACE deletes what stands in its way, without a trigger for that."""
    if connection.vendor != "sqlite":
        pytest.skip("only SQLite has it")
    event = RunEvent.objects.filter(run=run).values().first()
    outcome = RunOutcome.objects.filter(run=run).values().first()
    assert event is not None
    assert outcome is not None
    for name, row in (("evidence_runevent", event), ("evidence_runoutcome", outcome)):
        shown = {**row, "id": new_id()}
        columns = ", ".join(shown)
        values = [
            value.hex
            if hasattr(value, "hex")
            else "{}"
            if isinstance(value, dict)
            else "[]"
            if isinstance(value, list)
            else value
            for value in shown.values()
        ]
        marks = ", ".join(["%s"] * len(values))
        assert refused(sql(f"INSERT OR REPLACE INTO {name} ({columns}) VALUES ({marks})", *values)), name


def test_the_database_refuses_what_the_rules_refuse(run: Run) -> None:
    event = RunEvent.objects.filter(run=run).first()
    outcome = RunOutcome.objects.get(run=run)
    assert event is not None
    item = RunWorkItem.objects.get(run=run)

    def an_event(**columns: Any) -> RunEvent:
        given = {"run": run, "work_item": item, "sequence": 99, "type": "observation", "summary": "x", "agent": "ada"}
        return RunEvent(**given | columns)

    rows: list[Model] = [
        an_event(type="daydreamed"),
        RunWorkItem(run=run, number=9, goal="a second root"),
        RunOutcome(run=run, outcome="verified_success", evaluator_type="agent", supersedes=outcome, by_kind="agent"),
        RunOutcome(run=run, outcome="regression", evaluator_type="agent", supersedes=outcome, by_kind="agent"),
        RunMemoryLink(run=run, event=event, relation="applied", namespace="default", record_id="e", content_version="a"),
        RunMemoryLink(
            run=run, event=event, relation="recalled", namespace="default", record_id="e", content_version="a",
            review_required=True,
        ),
        MemoryUtility(namespace="default", record_id="e", content_version="a", score=0.5),
    ]  # fmt: skip
    for row in rows:
        with pytest.raises(DatabaseError), transaction.atomic():
            row.save(force_insert=True)


def test_the_use_of_records_is_checked_and_counted_again(run: Run) -> None:
    assert list(run_utility.drifted()) == []
    version = RunMemoryLink.objects.get(relation=MemoryRelation.RECALLED).content_version
    MemoryUtility.objects.create(namespace="default", record_id="e-1", content_version=version, supporting=3)
    assert run_utility.repair() == [("default", "e-1", version)]
    assert MemoryUtility.objects.get().supporting == 0
    assert list(run_states.drifted_runs()) == []
