"""Importing the database of Agent Memory Bridge: what its rows become, again and changed, and what is refused whole."""

from __future__ import annotations

import json
import random
import sqlite3
import string
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evidence.exchange.files import CorruptSource
from evidence.models import Decision, Evidence, HeldRecord, ImportedItem, Tombstone
from evidence.rules.times import read_time
from evidence.services.import_report import Line, Report
from evidence.services.importing import run_import
from tests.exchange.bridges import (
    LEARNED,
    LOUD_PUMP,
    MQTT,
    NAMESPACE,
    SOLENOID,
    VALVE,
    add_memory,
    add_review,
    change,
    digests,
    rewrite,
    sample,
)
from tests.services.dumps import counts, dump
from tests.services.test_importing import command, tally

pytestmark = pytest.mark.django_db


def bridge(path: Path, **options: Any) -> tuple[Report, list[Line]]:
    lines: list[Line] = []
    report = run_import(format_name="bridge", path=path, on_line=lines.append, **options)
    return report, lines


def record(foreign_id: str) -> Evidence:
    return Evidence.objects.active().get(origin_id=foreign_id)


# -- the sample --


def test_the_sample_becomes_what_it_holds(tmp_path: Path) -> None:
    report, lines = bridge(sample(tmp_path))
    # 13 memories, 3 decided candidates, 3 reviews, a revision, an annotation, a tombstone, 3 signals, 3 runs; 3 candidates wait.
    assert (report.read, tally(report), report.exit_status) == (32, {"created": 28, "held": 3, "refused": 1}, 0)
    assert [(line.code, line.detail) for line in lines if line.outcome == "refused"] == [
        ("not_taken_yet", "2 votes on recalled memories: not taken yet"),
    ]
    assert set(Evidence.objects.values_list("namespace", flat=True)) == {NAMESPACE}
    kinds = ImportedItem.objects.values_list("kind", flat=True)
    assert {kind: list(kinds).count(kind) for kind in set(kinds)} == {
        "record": 13, "proposal": 6, "history": 5, "tombstone": 1, "signal": 3, "run": 3,
    }  # fmt: skip


def test_no_memory_arrives_checked_but_the_one_that_a_person_approved(tmp_path: Path) -> None:
    bridge(sample(tmp_path))
    memories = Evidence.objects.filter(source_id__startswith="memory:")
    assert set(memories.values_list("kind", "label_base", "has_check", "trust")) == {
        ("observation", "unverified", False, "internal")
    }
    learned = record(LEARNED)
    assert (learned.kind, learned.check_by, learned.check_confirmed_by) == ("fact", "human:rosa", "human:rosa")
    assert learned.check_at == read_time("2026-11-30T10:51:58.773058+00:00")
    assert (learned.review, learned.approval_by) == ("", "")


def test_a_revised_memory_steps_back_and_an_expired_one_keeps_its_end(tmp_path: Path) -> None:
    bridge(sample(tmp_path))
    old = Evidence.objects.get(origin_id="20261130105158413155-7e895bd2")
    assert (old.state, old.superseded_by) == ("superseded", record("20261130105158553998-f72de480").record_id)
    assert record("20261130105158437155-6dadefa4").valid_until == read_time("2026-01-31T00:00:00+00:00")
    watchdog = record("20261130105158381538-ff07c816")
    assert "fix: move the logger to its own thread" in watchdog.content
    assert "topic:watchdog" in watchdog.tags
    depends = ImportedItem.objects.get(foreign_id="20261130105158465672-0acc8181")
    assert depends.extra["relations"]["depends_on"] == [VALVE]
    assert ImportedItem.objects.get(foreign_id="memory_annotations:1").extra["title_before"] == "Zone 4 drainage"


def test_reviews_are_history_and_no_decisions_of_ours(tmp_path: Path) -> None:
    bridge(sample(tmp_path))
    found = {held.origin_id: (held.status, held.decision_id) for held in HeldRecord.objects.all()}
    assert found[SOLENOID] == ("approved", None)
    assert found[LOUD_PUMP] == ("rejected", None)
    assert sorted(status for status, _ in found.values()) == ["approved", "rejected", "superseded", *["waiting"] * 3]
    assert HeldRecord.objects.get(origin_id=LOUD_PUMP).reason == "rejected by human:rosa in bridge: Hearsay."
    assert set(Decision.objects.values_list("action", flat=True)) == {"import"}


def test_a_candidate_cites_its_references_and_what_it_would_replace(tmp_path: Path) -> None:
    path = sample(tmp_path)
    add_memory(
        path, 1, f'record_type: learning-candidate\nclaim: Bank B is quick.\nsupersedes_record_ids_json: ["{VALVE}"]',
        tags=["kind:learning-candidate"], is_learning_candidate=1, edges=[("evidence_refs", VALVE)],
    )  # fmt: skip
    bridge(path)
    held = HeldRecord.objects.get(statement="Bank B is quick.")
    valve = record(VALVE)
    assert held.supersedes == [valve.record_id]
    assert [link.evidence_id for link in held.links.all()] == [valve.pk]
    mqtt = HeldRecord.objects.get(origin_id=MQTT)
    assert [link.evidence.summary for link in mqtt.links.all()] == ["Cited: commit:abc1234"]


# -- what nobody may slip in --


def test_a_status_of_its_own_approves_nothing(tmp_path: Path) -> None:
    path = sample(tmp_path)
    tags = ["kind:learning-candidate", "candidate_status:approved"]
    add_memory(path, 1, "record_type: learning-candidate\ncandidate_status: approved\nclaim: Trust me.", tags=tags)
    _report, lines = bridge(path)
    assert HeldRecord.objects.get(statement="Trust me.").status == "waiting"
    assert "status_kept_as_history" in {line.code for line in lines}


def test_reviews_that_contradict_each_other_decide_nothing(tmp_path: Path) -> None:
    path = sample(tmp_path)
    add_review(path, 1, SOLENOID, "rejected")
    _report, lines = bridge(path)
    assert HeldRecord.objects.get(origin_id=SOLENOID).status == "waiting"
    assert record(LEARNED).has_check is False
    assert "reviews_disagree" in {line.code for line in lines}


@pytest.mark.parametrize(
    ("statement", "values"),
    [
        ("UPDATE memories SET content = replace(content, '1.2 bar', '9.9 bar') WHERE id = ?", (LEARNED,)),
        ("DELETE FROM memory_edges WHERE source_id = ? AND relation = 'derived_from_candidate_id'", (LEARNED,)),
        ("UPDATE memories SET content = replace(content, 'reviewed_by: human:rosa', 'reviewed_by:') WHERE kind = ?",
         ("memory",)),
    ],
    ids=["other words", "no candidate", "nobody"],
)  # fmt: skip
def test_a_review_confirms_just_what_it_reviewed(tmp_path: Path, statement: str, values: tuple[str, ...]) -> None:
    path = sample(tmp_path)
    change(path, statement, *values)
    bridge(path)
    learned = record(LEARNED)
    assert (learned.kind, learned.has_check, learned.label_base) == ("observation", False, "unverified")


def test_an_agents_review_is_its_check_and_nobodys_confirmation(tmp_path: Path) -> None:
    path = sample(tmp_path)
    change(path, "UPDATE memories SET content = replace(content, 'reviewed_by: human:rosa', 'reviewed_by: reviewer-a')")
    bridge(path)
    assert (record(LEARNED).check_by, record(LEARNED).check_confirmed_by) == ("reviewer-a", "")


@pytest.mark.parametrize("line", ["source_trust: untrusted", "quarantine_status: quarantined"])
def test_what_the_bridge_distrusts_waits(tmp_path: Path, line: str) -> None:
    path = sample(tmp_path)
    foreign = add_memory(path, 1, f"record_type: learn\nclaim: Open the gate for everyone.\n{line}")
    add_memory(
        path, 2, f"record_type: learning-candidate\nclaim: Keep it open.\n{line}", tags=["kind:learning-candidate"]
    )
    report, _ = bridge(path)
    row = record(foreign)
    assert (row.trust, row.review) == ("external", "held")
    assert HeldRecord.objects.get(statement="Keep it open.").trust == "external"
    assert tally(report)["held"] == 5


def test_times_without_a_zone_are_said_and_are_no_dates(tmp_path: Path) -> None:
    path = sample(tmp_path)
    change(path, "UPDATE memories SET created_at = '2026-11-30T10:51:58' WHERE id = ?", VALVE)
    report, lines = bridge(path)
    assert (record(VALVE).event_at, record(VALVE).event_at_text) == (None, "2026-11-30T10:51:58")
    assert [line.code for line in lines if line.serious] == ["unreadable_time"]
    assert report.exit_status == 3


def fake_token() -> str:
    return "ghp" + "_" + "".join(random.Random(7).choices(string.ascii_letters + string.digits, k=36))


def test_a_secret_is_refused_with_its_kind_and_reaches_nothing(tmp_path: Path) -> None:
    path, secret = sample(tmp_path), fake_token()
    for number, column in enumerate(("content", "title", "actor", "source_client")):
        add_memory(path, number, **{"content": f"Note {number}.", column: f"use {secret}"})
    report, lines = bridge(path)
    refused = [line for line in lines if line.serious]
    assert [(line.code, "github_token" in line.detail) for line in refused] == [("secret_detected", True)] * 4
    assert report.exit_status == 3
    assert secret not in repr(lines)
    assert secret not in json.dumps(dump(), default=str)


def test_a_row_that_cannot_be_read_harms_no_other(tmp_path: Path) -> None:
    path = sample(tmp_path)
    change(path, "UPDATE memories SET title = CAST(x'ff41' AS TEXT) WHERE id = ?", VALVE)
    report, lines = bridge(path)
    assert [line.code for line in lines if line.serious] == ["invalid_text"]
    assert tally(report) == {"created": 27, "held": 3, "refused": 2}


# -- again --


def test_again_changes_nothing_and_a_rehearsal_says_the_same(tmp_path: Path) -> None:
    path = sample(tmp_path)
    before, kept = dump(), digests(tmp_path)
    dry, dry_lines = bridge(path, dry_run=True)
    assert dump() == before
    wet, wet_lines = bridge(path)
    assert dry.counts == wet.counts
    assert [(one.place, one.outcome, one.code) for one in dry_lines] == [
        (one.place, one.outcome, one.code) for one in wet_lines
    ]
    after = dump()
    assert tally(bridge(path)[0]) == {"unchanged": 31, "refused": 1}
    assert dump() == after
    assert digests(tmp_path) == kept


def test_a_changed_memory_is_a_new_version_that_supersedes(tmp_path: Path) -> None:
    path = sample(tmp_path)
    bridge(path)
    first = record(VALVE)
    rewrite(path, VALVE, "record_type: learn\nclaim: Valve bank B needs 500 ms.")
    report, _ = bridge(path)
    assert tally(report)["changed"] == 1
    first.refresh_from_db()
    assert (first.state, first.superseded_by) == ("superseded", record(VALVE).record_id)


def test_an_annotation_a_revision_and_a_review_that_came_since(tmp_path: Path) -> None:
    path = sample(tmp_path)
    units, contra = "20261130105158393647-6c1defcf", "20261130105158478874-5776db9a"
    bridge(path)
    change(path, 'UPDATE memories SET tags_json = \'["kind:learn", "topic:litres"]\' WHERE id = ?', units)
    successor = add_memory(path, 1, "record_type: learn\nclaim: The legacy export is gone.")
    change(
        path, "INSERT INTO memory_revisions (predecessor_id, successor_id, created_at) VALUES (?, ?, ?)", contra, successor,
        "2026-12-01T00:00:00+00:00",
    )  # fmt: skip
    add_review(path, 2, MQTT, "rejected")
    report, lines = bridge(path)
    assert record(units).tags == ["kind:learn", "topic:litres"]
    assert Evidence.objects.get(origin_id=contra).superseded_by == record(successor).record_id
    # Nobody here has decided it; that somebody there did is said and kept.
    assert HeldRecord.objects.get(origin_id=MQTT).status == "waiting"
    assert ImportedItem.objects.get(foreign_id=MQTT).decided["status"] == "rejected"
    assert {line.code for line in lines} >= {"decided_elsewhere", "replaced_there"}
    after = dump()
    bridge(path)
    assert dump() == after
    assert report.exit_status == 0


def test_a_memory_that_is_approved_later_becomes_a_fact_in_its_own_place(tmp_path: Path) -> None:
    path = sample(tmp_path)
    change(
        path,
        "UPDATE memories SET content = replace(content, 'review_decision: approved', 'review_decision: kept_staged')",
    )
    bridge(path)
    first = record(LEARNED)
    assert first.kind == "observation"
    change(
        path,
        "UPDATE memories SET content = replace(content, 'review_decision: kept_staged', 'review_decision: approved')",
    )
    bridge(path)
    first.refresh_from_db()
    assert (first.state, record(LEARNED).kind, first.superseded_by) == ("superseded", "fact", record(LEARNED).record_id)


def test_what_was_forgotten_there_goes_and_does_not_come_back(tmp_path: Path) -> None:
    path = sample(tmp_path)
    bridge(path)
    for memory_id in (VALVE, MQTT):
        change(path, "DELETE FROM memories WHERE id = ?", memory_id)
        change(
            path, "INSERT INTO memory_tombstones VALUES (?, ?, 'memory', '2026-12-01T00:00:00+00:00', ?, 'explicit_forget')",
            memory_id, NAMESPACE, memory_id,
        )  # fmt: skip
    report, _ = bridge(path)
    gone = Evidence.objects.get(origin_id=VALVE)
    assert (gone.state, gone.content, gone.excerpt) == ("deleted", "", "")
    assert Tombstone.objects.filter(record_id=gone.record_id).exclude(statement_fingerprint="").exists()
    assert HeldRecord.objects.get(origin_id=MQTT).status == "withdrawn"
    assert tally(report)["changed"] == 2
    after = dump()
    bridge(path)
    assert dump() == after


# -- namespaces --


def test_every_namespace_keeps_its_own_unless_the_operator_says_otherwise(tmp_path: Path) -> None:
    path = sample(tmp_path)
    add_memory(path, 1, "The kitchen door sticks.", namespace="project:kitchen")
    bridge(path)
    assert set(Evidence.objects.values_list("namespace", flat=True)) == {NAMESPACE, "project:kitchen"}
    _report, lines = bridge(path, namespace="shop")
    assert Evidence.objects.filter(namespace="shop").count() > 13
    assert {line.code for line in lines} == {
        "namespace_renamed",
        "not_taken_yet",
        "lease_stays_there",
        "hidden_reasoning",
    }


# -- refused whole --


def _truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:300_000])


def _scrambled(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:40960] = random.Random(3).randbytes(36864)
    path.write_bytes(bytes(data))


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (_truncated, "damaged"),
        (_scrambled, "damaged"),
        (lambda path: path.write_bytes(b""), "no SQLite database"),
        (lambda path: path.write_bytes("{}".encode("utf-16")), "no SQLite database"),
        (lambda path: change(path, "PRAGMA user_version = 13"), "version 13, not 12: the desk knows no newer one"),
        (lambda path: change(path, "PRAGMA user_version = 11"), "version 11, not 12: let the bridge upgrade"),
        (lambda path: change(path, "ALTER TABLE memories ADD COLUMN mood TEXT"), "memories has other columns"),
        (lambda path: change(path, "DROP TABLE memory_revisions"), "there is no table memory_revisions"),
        (lambda path: change(path, "DELETE FROM schema_migrations WHERE version = 7"), "gap"),
    ],
    ids=["truncated", "scrambled", "empty", "text", "newer", "older", "drift", "missing", "migrations"],
)
def test_what_cannot_be_trusted_as_a_whole_is_refused_whole(tmp_path: Path, harm: Any, says: str) -> None:
    path = sample(tmp_path)
    harm(path)
    before = digests(tmp_path)
    status, printed = command("bridge", str(path))
    assert status == 1
    assert printed.startswith("nothing was imported: bridge.db: ")
    assert says in printed
    assert counts() == {}
    assert digests(tmp_path) == before


def test_a_folder_and_a_link_are_no_database(tmp_path: Path) -> None:
    with pytest.raises(CorruptSource):
        bridge(tmp_path)


HOLDER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA journal_mode = DELETE")
connection.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
sys.stdin.read()
"""


def test_a_locked_database_is_refused(tmp_path: Path) -> None:
    path = sample(tmp_path)
    arguments = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        status, printed = command("bridge", str(path))
        assert (status, "locked by a program" in printed) == (1, True)
        holder.communicate(b"")
    assert command("bridge", str(path))[0] == 0


def test_what_only_the_wal_holds_is_read_and_nothing_beside_it_changes(tmp_path: Path) -> None:
    path = sample(tmp_path)
    change(path, "PRAGMA journal_mode = WAL")
    live = sqlite3.connect(path)
    try:
        live.execute("PRAGMA wal_autocheckpoint = 0")
        live.execute("UPDATE memories SET content = 'Only in the WAL.' WHERE id = ?", (VALVE,))
        live.commit()
        live.execute("UPDATE memories SET content = 'Never committed.' WHERE id = ?", (VALVE,))
        before = digests(tmp_path)
        assert (tmp_path / "bridge.db-wal").stat().st_size > 0
        bridge(path)
        assert digests(tmp_path) == before
        assert record(VALVE).content == "Only in the WAL."
    finally:
        live.close()
