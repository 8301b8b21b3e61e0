"""The runs of a bridge: what its ledger becomes here, again, gone on, and what cannot stand in ours."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from evidence.exchange.registry import FORMATS
from evidence.models import (
    Evidence,
    Run,
    RunArtifact,
    RunEvent,
    RunMemoryLink,
    RunOutcome,
    RunState,
    RunWorkItem,
)
from evidence.services.import_report import Line
from evidence.services.importing import run_import, store_items
from evidence.services.run_states import drift_of
from tests.exchange.bridges import NAMESPACE, VALVE, change, sample
from tests.services.dumps import dump

pytestmark = pytest.mark.django_db

CALIBRATED, WINTER, UNFINISHED = (
    "run_0d40e67373facb14b351890c560a5f72",
    "run_7050773d2cb9302f7e106efbca720cd7",
    "run_7ea333",
)
WORK = "work_721a64ced8ca6f88593a19b945ee4dbe"


def bridge(path: Path) -> list[Line]:
    """The runs alone: what else a bridge holds is looked at in `test_importing_bridge`."""
    lines: list[Line] = []
    items = (one for one in FORMATS["bridge"].read(path) if one.place.part.startswith("agent_runs["))
    store_items(
        items=items, format_name="bridge", source="bridge.db", namespace="default", spread=True, on_line=lines.append
    )  # fmt: skip
    return lines


def run(origin: str) -> Run:
    return Run.objects.get(origin_id__startswith=origin)


def an_event(path: Path, sequence: int, summary: str = "Went on.", **columns: object) -> None:
    """One more event of the run that is not finished there."""
    row = {
        "event_id": f"evt_{sequence:032x}", "run_id": run_id(path), "work_item_id": WORK, "sequence": sequence,
        "event_type": "observation", "summary": summary, "idempotency_key_digest": f"{sequence:064x}",
        "request_digest": "0" * 64, "created_at": f"2026-12-01T00:00:{sequence:02d}+00:00",
    } | columns  # fmt: skip
    marks = ", ".join("?" for _ in row)
    change(path, f"INSERT INTO run_events ({', '.join(row)}) VALUES ({marks})", *row.values())


def run_id(path: Path) -> str:
    with sqlite3.connect(path) as connection:
        return str(connection.execute("SELECT run_id FROM agent_runs WHERE run_id LIKE 'run_7ea333%'").fetchone()[0])


def test_the_sample_runs_become_runs(tmp_path: Path) -> None:
    lines = bridge(sample(tmp_path))
    assert [line.outcome for line in lines] == ["created"] * 3
    calibrated = run(CALIBRATED)
    assert (calibrated.agent, calibrated.namespace, calibrated.budget) == ("agent:gardener", NAMESPACE, {"minutes": 30})
    assert [RunEvent.objects.filter(run=run(one)).count() for one in (CALIBRATED, WINTER, UNFINISHED)] == [21, 4, 0]
    states = [RunState.objects.get(run=run(one)).status for one in (CALIBRATED, WINTER, UNFINISHED)]
    assert states == ["completed", "completed", "active"]
    assert [drift_of(one.pk) for one in Run.objects.all()] == [[], [], []]
    line = RunOutcome.objects.filter(run=calibrated).order_by("at").values_list("outcome", "by_kind", "by_name")
    assert list(line) == [("partial_success", "import", "agent:gardener"), ("user_corrected", "import", "human:rosa")]
    assert RunArtifact.objects.get().uri == "artifact://bench/calibration.csv"
    # The second schema's words stand beside the first one's there.
    assert "preflight_review" in RunEvent.objects.filter(run=run(WINTER)).values_list("type", flat=True)
    assert RunWorkItem.objects.filter(run=calibrated).count() == 2


def test_its_links_name_the_records_that_the_memories_became(tmp_path: Path) -> None:
    run_import(format_name="bridge", path=sample(tmp_path))
    links = RunMemoryLink.objects.filter(run=run(CALIBRATED)).order_by("event__sequence", "rank")
    assert [link.relation for link in links] == ["recalled", "recalled", "applied", "rejected", "applied"]
    assert links[0].record_id == Evidence.objects.active().get(origin_id=VALVE).record_id
    assert (links[2].source_id, links[2].review_required) == (links[0].event_id, False)
    assert (links[4].source_id, links[4].review_required) == (None, True)
    assert not any(link.feedback_id for link in links)


def test_what_the_bridge_let_through_is_left_out_and_said(tmp_path: Path) -> None:
    lines = bridge(sample(tmp_path))
    (told,) = [line for line in lines if line.code == "hidden_reasoning"]
    assert told.detail.startswith("8 structures")  # message, thought(s), scratchpad, monologue, cot and two look-alikes
    events = RunEvent.objects.filter(run=run(CALIBRATED), type="observation").order_by("sequence")
    assert [event.payload for event in events] == [{"nested": [{"analysis_digest": "x"}]}, *[{}] * 8]


def test_twice_is_as_good_as_once_and_what_came_since_is_added(tmp_path: Path) -> None:
    path = sample(tmp_path)
    bridge(path)
    before = dump(Run, RunEvent, RunMemoryLink, RunOutcome)
    assert {line.outcome for line in bridge(path)} == {"unchanged"}
    assert dump(Run, RunEvent, RunMemoryLink, RunOutcome) == before
    an_event(path, 1)
    an_event(path, 2, event_type="work_item_completed")
    assert sorted(line.outcome for line in bridge(path)) == ["changed", "unchanged", "unchanged"]
    state = RunState.objects.get(run=run(UNFINISHED))
    assert (state.last_sequence, state.open_items, drift_of(state.pk)) == (2, 0, [])


def test_a_run_that_went_on_here_is_left_alone(tmp_path: Path) -> None:
    path = sample(tmp_path)
    bridge(path)
    mine = run(UNFINISHED)
    RunEvent.objects.create(
        run=mine, work_item=mine.work_items.get(), sequence=1, type="observation", summary="Here.", agent="bridge"
    )
    an_event(path, 1)
    (line,) = [line for line in bridge(path) if line.outcome == "refused"]
    assert (line.code, RunEvent.objects.filter(run=mine).count()) == ("version_conflict", 1)


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("UPDATE run_outcomes SET created_at = '2026-12-01 10:00:00'", "invalid_value"),
        (
            "UPDATE agent_runs SET root_goal = 'token ghp_' || replace(hex(zeroblob(9)), '00', 'a1B2')",
            "secret_detected",
        ),
        ("UPDATE run_events SET sequence = sequence + 1 WHERE sequence = 21", "invalid_value"),
        ("UPDATE run_artifacts SET uri = 'javascript:alert(1)'", "invalid_value"),
        (f"""UPDATE run_artifacts SET metadata_json = '{{"image": "{"QUJD" * 200}"}}'""", "invalid_value"),
        (
            "UPDATE run_outcomes SET outcome_type = 'verified_success', evaluator_type = 'human', evidence_json = '[{}]'",
            "invalid_value",
        ),
    ],
)
def test_what_cannot_stand_here_is_refused_and_the_rest_comes(tmp_path: Path, statement: str, code: str) -> None:
    path = sample(tmp_path)
    _without_checks(path, statement)
    lines = bridge(path)
    refused = [line for line in lines if line.outcome == "refused"]
    assert refused
    assert {line.code for line in refused} == {code}
    assert len(refused) + Run.objects.count() == 3


def _without_checks(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(statement)
