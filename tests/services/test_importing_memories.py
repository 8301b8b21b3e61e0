"""The memories of four systems end to end: what each sample becomes, that it waits, and that nothing of it is lifted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import QuerySet

from evidence.exchange.registry import FORMATS
from evidence.models import Evidence, HeldRecord, ImportedItem, Membership, Tombstone, User
from evidence.rules.vocab import Action, Door, Role
from evidence.services.actors import Actor
from evidence.services.deciding import decide
from evidence.services.import_report import ImportOutcome, Line, Report
from evidence.services.importing import run_import
from evidence.services.verification import verify_held
from tests.exchange.memories import hashes, memories, with_secrets
from tests.services.dumps import counts, dump

pytestmark = pytest.mark.django_db

# What each sample promises: the path below it, and what becomes of its entries.
PROMISED: dict[tuple[str, str], dict[str, int]] = {
    # 25 observations and 6 relations; one relation stands there twice.
    ("mcp-memory", "memory.jsonl"): {"held": 30, "unchanged": 1},
    ("mcp-memory", "array_form.json"): {"held": 1},
    ("mcp-memory", "broken_line.jsonl"): {"held": 2, "refused": 1},
    # 10 topic files of 22 thoughts and 5 bullets; the index names a file that is not there.
    ("claude-memory", ""): {"held": 27, "refused": 1},
    ("claude-memory", "-srv-tidebook/memory"): {"held": 22, "refused": 1},
    # 16 observations and 7 relations; two notes have prose.
    ("basic-memory", "main"): {"held": 25},
    ("mem0", "get_all.json"): {"held": 18},
    ("mem0", "bare_list.json"): {"held": 4},
    ("mem0", "export_memories.json"): {"held": 4},
    # What one said before, and the name of one that was deleted.
    ("mem0", "history.json"): {"held": 1, "created": 2},
}
# Dates without a zone, a line that is cut off, an index line without a file: said, and the rest goes in.
WITH_PROBLEMS = {
    ("mcp-memory", "broken_line.jsonl"), ("claude-memory", ""), ("claude-memory", "-srv-tidebook/memory"),
    ("basic-memory", "main"), ("mem0", "get_all.json"),
}  # fmt: skip
SYSTEMS = (
    ("mcp-memory", "memory.jsonl", "bearer_token"),
    ("claude-memory", "", "url_credentials"),
    ("basic-memory", "main", "github_token"),
    ("mem0", "get_all.json", "openai_key"),
)


def bring(system: str, path: Path, **options: Any) -> tuple[Report, list[Line]]:
    lines: list[Line] = []
    report = run_import(format_name=system, path=path, on_line=lines.append, **options)
    return report, lines


def tally(report: Report) -> dict[str, int]:
    return {outcome.value: number for outcome, number in report.counts.items() if number}


def said(system: str) -> QuerySet[Evidence]:
    """What was imported of a system, without the observations behind proposals."""
    return Evidence.objects.filter(origin_system=system).exclude(source_id__startswith="proposal:")


@pytest.mark.parametrize(("system", "name"), list(PROMISED))
def test_a_sample_imports_with_the_report_it_promises(tmp_path: Path, system: str, name: str) -> None:
    folder = memories(tmp_path, system)
    before = hashes(folder)
    dry, dry_lines = bring(system, folder / name, dry_run=True)
    report, lines = bring(system, folder / name)
    assert tally(report) == PROMISED[system, name]
    assert report.exit_status == (3 if (system, name) in WITH_PROBLEMS else 0)
    assert dry.counts == report.counts
    assert [(line.place, line.outcome, line.code, line.detail) for line in dry_lines] == [
        (line.place, line.outcome, line.code, line.detail) for line in lines
    ]
    stored = dump()
    again, _ = bring(system, folder / name)
    assert again.counts[ImportOutcome.UNCHANGED] == report.read - report.counts[ImportOutcome.REFUSED]
    assert dump() == stored
    assert hashes(folder) == before


@pytest.mark.parametrize(("system", "name", "kind"), SYSTEMS)
def test_a_secret_is_refused_with_its_kind_and_the_rest_goes_in(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, system: str, name: str, kind: str
) -> None:
    folder = memories(tmp_path, system)
    secret = with_secrets(folder)
    report, lines = bring(system, folder / name)
    promised = PROMISED[system, name]
    assert (report.counts[ImportOutcome.HELD], report.exit_status) == (promised["held"] - 1, 3)
    (refused,) = [line for line in lines if line.code == "secret_detected"]
    assert kind in refused.detail
    seen = json.dumps(dump(), default=str) + repr(lines) + repr(report) + caplog.text
    assert secret.removeprefix("Bearer ") not in seen


@pytest.mark.parametrize(("system", "name", "kind"), SYSTEMS)
def test_nothing_arrives_checked_approved_or_usable(tmp_path: Path, system: str, name: str, kind: str) -> None:
    bring(system, memories(tmp_path, system) / name)
    rows = said(system)
    assert rows.exists()
    assert not rows.exclude(has_check=False, review="held", approval_by="", label_base="unverified").exists()
    assert not rows.exclude(scope_access="private", kind="observation", trust="internal").exists()
    assert HeldRecord.objects.waiting().filter(origin_system=system).count() == PROMISED[system, name]["held"]


def test_foreign_ids_are_kept_and_the_item_shows_what_stood_beside_it(tmp_path: Path) -> None:
    bring("mem0", memories(tmp_path, "mem0") / "get_all.json")
    held = HeldRecord.objects.get(origin_id="27b279fb-0283-504c-a63c-347280af911f")
    row = Evidence.objects.get(source_id="memory:mem0/27b279fb-0283-504c-a63c-347280af911f")
    assert (held.origin_system, held.agent_id, held.statement) == (
        "mem0",
        "dev-agent",
        "Payments are retried at most 4 times",
    )
    assert (row.source_version, row.thread) == ("c36a7cf6c4f688a9a926c81d094c2ff5", "r-201")
    remembered = ImportedItem.objects.get(foreign_id="27b279fb-0283-504c-a63c-347280af911f")
    assert remembered.extra["metadata"] == {"kind": "rule", "source": "chat-104"}


def test_a_time_without_a_zone_is_no_date(tmp_path: Path) -> None:
    _report, lines = bring("mem0", memories(tmp_path, "mem0") / "get_all.json")
    assert [line.place for line in lines if line.code == "unreadable_time"] == ["get_all.json [17]"]
    row = Evidence.objects.get(source_id="memory:mem0/f3168fcb-8879-5973-9783-276402582dbf")
    assert (row.event_at, row.event_at_text) == (None, "2026-09-09T09:09:09")


def test_a_changed_memory_is_a_new_version_and_the_decision_about_the_old_one_stays(tmp_path: Path) -> None:
    path = memories(tmp_path, "mem0") / "get_all.json"
    bring("mem0", path)
    held = HeldRecord.objects.get(origin_id="47d387dc-1244-5d3d-bf78-aab72e861807")
    reviewer = User.objects.create_user("reviewer")
    Membership.objects.create(user=reviewer, role=Role.REVIEWER)
    verify_held(held_id=held.id)
    held.refresh_from_db()
    decide(
        held_id=held.id, action=Action.REJECT, seen_version=held.version, actor=Actor.person(reviewer, Door.WEB),
        idempotency_key="k", reason_code="stale",
    )  # fmt: skip
    path.write_text(path.read_text().replace("at most 5 times", "at most 6 times").replace("port 7071", "port 7072"))
    report, _lines = bring("mem0", path)
    assert tally(report) == {"held": 2, "unchanged": 16}
    held.refresh_from_db()
    assert held.status == "rejected"
    replaced = Evidence.objects.filter(source_id="memory:mem0/f04ec553-0e73-56ec-b35b-dc8618e5cd0a").order_by("pk_uuid")
    assert [(row.content[-4:], row.state) for row in replaced] == [
        ("7071 locally"[-4:], "superseded"),
        ("7072 locally"[-4:], "active"),
    ]
    waiting = HeldRecord.objects.waiting().get(origin_id="f04ec553-0e73-56ec-b35b-dc8618e5cd0a")
    assert waiting.statement == "booking-api listens on port 7072 locally"


def test_what_mem0_deleted_leaves_nothing_but_its_name(tmp_path: Path) -> None:
    folder = memories(tmp_path, "mem0")
    report, lines = bring("mem0", folder / "history.json")
    assert [line.code for line in lines if line.code] == ["deleted_there"]
    assert "night watch" not in json.dumps(dump(), default=str)
    assert Tombstone.objects.get().source_id == "memory:mem0/2845b213-3a1f-5525-8bda-2010a136a926"
    past = Evidence.objects.get(state="superseded")
    now = Evidence.objects.get(state="active")
    assert (past.content, past.superseded_by) == ("booking-api listens on port 7000 locally", now.record_id)
    assert report.exit_status == 0


def test_a_memory_that_was_deleted_since_goes_while_nobody_has_decided(tmp_path: Path) -> None:
    folder = memories(tmp_path, "mem0")
    history = json.loads((folder / "history.json").read_text())
    (folder / "history.json").write_text(json.dumps(history[:3]))
    bring("mem0", folder / "history.json")
    assert HeldRecord.objects.waiting().filter(statement__contains="night watch").count() == 1
    (folder / "history.json").write_text(json.dumps(history))
    bring("mem0", folder / "history.json")
    assert not HeldRecord.objects.waiting().filter(statement__contains="night watch").exists()
    assert not Evidence.objects.filter(content__contains="night watch").exists()


def test_an_export_and_its_history_together_bring_each_text_once(tmp_path: Path) -> None:
    folder = memories(tmp_path, "mem0")
    for name in ("bare_list.json", "export_memories.json"):
        (folder / name).unlink()
    report, _lines = bring("mem0", folder)
    assert tally(report) == {"held": 18, "created": 2}
    stored = dump()
    bring("mem0", folder)
    assert dump() == stored


def test_a_history_that_comes_later_replaces_nothing(tmp_path: Path) -> None:
    folder = memories(tmp_path, "mem0")
    bring("mem0", folder / "get_all.json")
    old = json.loads((folder / "history.json").read_text())[0]
    middle = old | {"event": "UPDATE", "new_memory": "booking-api listens on port 7001 locally"}
    history = [old, middle, *json.loads((folder / "history.json").read_text())[1:]]
    (folder / "history.json").write_text(json.dumps(history))
    bring("mem0", folder / "history.json")
    rows = Evidence.objects.filter(source_id="memory:mem0/155227e3-094d-54e9-b7fb-8e80613cd6fa").order_by("content")
    assert [row.state for row in rows] == ["superseded", "superseded", "active"]
    assert rows[0].superseded_by == rows[1].record_id
    assert rows[1].superseded_by == rows[2].record_id


def test_a_note_keeps_its_items_when_its_title_changes(tmp_path: Path) -> None:
    folder = memories(tmp_path, "basic-memory") / "main"
    bring("basic-memory", folder)
    note = folder / "product/seat-holds.md"
    note.write_text(note.read_text().replace("title: Seat holds", "title: Holding seats"))
    report, _lines = bring("basic-memory", folder)
    assert tally(report) == {"held": 5, "unchanged": 20}
    rows = Evidence.objects.filter(source_id__startswith="memory:basic-memory/main/product/seat-holds#")
    assert sorted(rows.values_list("state", flat=True)) == ["active"] * 4 + ["superseded"] * 4


def test_prose_of_a_note_waits_as_an_article(tmp_path: Path) -> None:
    bring("basic-memory", memories(tmp_path, "basic-memory") / "main")
    held = HeldRecord.objects.get(origin_id="main/payments/payment-retries")
    assert held.promotion.target_source == "wiki:basic-memory/flat/main/payments/payment-retries.md"
    assert held.promotion.content == "# Payment retries\n\nRetry rules agreed after the October incident."


def test_a_topic_file_of_one_thought_is_replaced_when_it_changes(tmp_path: Path) -> None:
    folder = memories(tmp_path, "claude-memory")
    bring("claude-memory", folder)
    topic = folder / "-srv-tidebook/memory/commit-style.md"
    topic.write_text(topic.read_text().replace("twice", "three times"))
    report, _lines = bring("claude-memory", folder)
    assert tally(report) == {"held": 1, "unchanged": 26, "refused": 1}
    rows = Evidence.objects.filter(source_id="memory:claude-code/-srv-tidebook/commit-style.md")
    assert sorted(rows.values_list("state", flat=True)) == ["active", "superseded"]


def test_a_person_can_let_a_memory_in(tmp_path: Path) -> None:
    bring("mcp-memory", memories(tmp_path, "mcp-memory") / "array_form.json")
    held = HeldRecord.objects.get()
    reviewer = User.objects.create_user("reviewer")
    Membership.objects.create(user=reviewer, role=Role.REVIEWER)
    verify_held(held_id=held.id)
    held.refresh_from_db()
    decide(
        held_id=held.id, action=Action.APPROVE, seen_version=held.version, actor=Actor.person(reviewer, Door.WEB),
        idempotency_key="k",
    )  # fmt: skip
    row = Evidence.objects.get()
    assert (row.review, row.has_check, row.label_base) == ("approved", False, "unverified")
    stored = dump()
    bring("mcp-memory", tmp_path / "mcp-memory/array_form.json")
    assert dump() == stored


def test_a_table_is_imported_row_by_row_and_once(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(
        "id,agent,statement,trust\np-1,ada,The till opens at nine,internal\np-2,ada,=1+1,\np-3,,nobody said it,\n"
    )
    report, lines = bring("csv", path)
    assert (tally(report), report.exit_status) == ({"held": 2, "refused": 1}, 3)
    assert [(line.place, line.code) for line in lines if line.serious] == [("table.csv:4", "invalid_value")]
    assert HeldRecord.objects.get(origin_id="p-2").statement == "=1+1"
    assert HeldRecord.objects.get(origin_id="p-2").trust == "external"
    stored = dump()
    assert tally(bring("csv", path)[0]) == {"unchanged": 2, "refused": 1}
    assert dump() == stored


@pytest.mark.parametrize("system", ["mcp-memory", "claude-memory", "basic-memory", "mem0", "csv"])
def test_what_cannot_be_read_at_all_stores_nothing_and_ends_with_one(tmp_path: Path, system: str) -> None:
    path = tmp_path / "source"
    path.write_bytes("statement,agent".encode("utf-16"))
    with pytest.raises(CommandError, match="nothing was imported: source: ") as error:
        call_command("import", system, str(path))
    assert error.value.returncode == 1
    assert counts() == {}


def test_every_format_says_what_it_takes() -> None:
    assert {"jsonl", "csv", "agentx", "mcp-memory", "claude-memory", "basic-memory", "mem0"} <= set(FORMATS)
    assert all(one.takes for one in FORMATS.values())
