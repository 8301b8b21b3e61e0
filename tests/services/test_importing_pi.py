"""Importing a store of pi-persistent-intelligence: what its files become, again and changed, and what is refused."""

from __future__ import annotations

import json
import random
import string
from pathlib import Path
from typing import Any

import pytest

from evidence.models import Decision, Evidence, HeldRecord, ImportedItem, Inquiry, Tombstone
from evidence.rules.times import read_time
from evidence.services.import_report import Line, Report
from evidence.services.importing import run_import
from evidence.services.verification import verify_held
from tests.exchange.pi_stores import PROFILE, append, change, digests, lines, sample, write
from tests.services.dumps import counts, dump
from tests.services.test_importing import command, tally

pytestmark = pytest.mark.django_db

EVIDENCE, INBOX, TOMBSTONES = "memory/evidence.jsonl", "inbox/captured.jsonl", "memory/tombstones.jsonl"
HARBOR, GENERAL = "memory/projects/harbor-api.jsonl", "memory/L2.playbooks.jsonl"
PNPM = "a7b68fd920f0f67608795e347303e04e"


def pi(path: Path, **options: Any) -> tuple[Report, list[Line]]:
    found: list[Line] = []
    report = run_import(format_name="pi", path=path, on_line=found.append, **options)
    return report, found


def verified(origin: str) -> HeldRecord:
    held = HeldRecord.objects.get(origin_id=origin)
    verify_held(held_id=held.id)
    held.refresh_from_db()
    return held


# -- the sample --


def test_the_sample_becomes_what_it_holds(tmp_path: Path) -> None:
    report, _ = pi(sample(tmp_path))
    # 2 notes, 11 evidence, 12 records, a tombstone, 2 decided candidates, 6 inquiries, a patch; 17 candidates wait.
    assert (report.read, tally(report), report.exit_status) == (52, {"created": 35, "held": 17}, 0)
    assert HeldRecord.objects.waiting().count() == 17
    assert set(Decision.objects.values_list("action", flat=True)) == {"import"}


def test_records_are_facts_that_nobody_checked(tmp_path: Path) -> None:
    pi(sample(tmp_path))
    facts = Evidence.objects.filter(kind="fact", state="active")
    assert set(facts.values_list("label_base", "has_check", "approval_by", "trust")) == {
        ("unverified", False, "", "internal")
    }
    port = facts.get(origin_id="mem_gateway_port")
    assert (port.namespace, port.reach_level, port.reach_ref, port.ttl_days) == (PROFILE, "project", "harbor-api", 30)
    assert (port.event_at, port.event_at_text) == (None, "2026-10-01")  # a day is no time
    assert facts.get(origin_id="mem_ask_before_push").layer == "L1"
    assert facts.get(origin_id="mem_legacy_plain").namespace == "default"


def test_evidence_keeps_its_trust_durability_and_session(tmp_path: Path) -> None:
    pi(sample(tmp_path))
    row = Evidence.objects.get(origin_id=PNPM)
    assert row.source_id == "session:pi/s-1103a/conversation/message-14"
    assert (row.trust_class, row.durability, row.thread, row.scope_access) == (
        "direct_user_instruction", "project", "s-1103a", "private",
    )  # fmt: skip
    note = Evidence.objects.get(origin_id="daily/2026-11-03.md")
    assert (note.trust_class, note.durability, note.event_at) == ("unknown", "unknown", None)


def test_candidates_are_matched_and_verified_here(tmp_path: Path) -> None:
    pi(sample(tmp_path))
    assert verified("cap_pnpm").match_kind == "potential_conflict"
    assert verified("cap_docs_folder").verification_status == "verified"
    assert verified("cap_ci_super").match_kind == "supersedes_existing"
    assert verified("cap_purged").verification_status == "rejected"
    assert verified("cap_sig").risk == "high"
    # It would bring back what was deleted there.
    back = verified("cap_oncall_phone")
    assert back.verification_status == "rejected"
    assert Inquiry.objects.get(held=back).question.startswith("What stood is gone, “Page the on-call phone")


def test_what_pi_decided_is_history(tmp_path: Path) -> None:
    pi(sample(tmp_path))
    done, rejected = (HeldRecord.objects.get(origin_id=one) for one in ("cap_done", "cap_rejected"))
    assert (done.status, done.decision_id, done.fact_proposal.observation.state) == ("approved", None, "superseded")
    assert (rejected.status, rejected.decision_id) == ("rejected", None)
    patch = ImportedItem.objects.get(foreign_id="patch_202611051010_001")
    assert (patch.kind, patch.decided["status"], patch.namespace) == ("history", "proposed", PROFILE)
    assert ImportedItem.objects.get(foreign_id="cap_pnpm").extra["patch"]["target_id"] == "mem_pkg_manager"


def test_questions_and_the_tombstone_arrive_as_they_are(tmp_path: Path) -> None:
    pi(sample(tmp_path))
    assert sorted(Inquiry.objects.values_list("status", flat=True)) == [
        "answered", "open", "open", "open", "stale", "withdrawn",
    ]  # fmt: skip
    gone = Evidence.objects.get(origin_id="mem_oncall_phone")
    assert (gone.state, gone.content) == ("deleted", "")
    assert Tombstone.objects.get(namespace=PROFILE).record_id == gone.record_id


# -- what nobody may slip in --


def test_a_ratified_policy_is_confirmed_by_its_date(tmp_path: Path) -> None:
    store = sample(tmp_path)
    ratified = {"method": "asked", "evidence_refs": [], "ratified_at": "2026-10-02T09:00:00.000Z"}
    change(
        store, "memory/L1.identity.jsonl", "mem_ask_before_push", lambda row: row.update(policy_ratification=ratified)
    )
    pi(store)
    row = Evidence.objects.get(origin_id="mem_ask_before_push")
    assert (row.check_confirmed_by, row.check_at) == ("user:demo", read_time("2026-10-02T09:00:00.000Z"))


def test_a_document_from_outside_waits(tmp_path: Path) -> None:
    store = sample(tmp_path)
    change(store, EVIDENCE, PNPM, lambda row: row.update(source_kind="external_document"))
    pi(store)
    row = Evidence.objects.get(origin_id=PNPM)
    assert (row.trust, row.review, row.trust_class) == ("external", "held", "third_party_documentation")


def test_unknown_words_are_refused_and_harm_no_other_line(tmp_path: Path) -> None:
    store = sample(tmp_path)
    wrong = (
        (EVIDENCE, ("trust_class", "source_kind", "polarity", "redaction_status", "durability_signal")),
        (HARBOR, ("status", "layer")), (INBOX, ("status", "durability_signal", "primary_trust_class")),
        ("memory/inquiries.jsonl", ("status",)),
    )  # fmt: skip
    for name, members in wrong:
        rows = lines(store, name)
        for row, member in zip(rows, members, strict=False):
            row[member] = "weather"
        write(store, name, rows)
    report, found = pi(store)
    refused = [line for line in found if line.serious]
    assert {line.place for line in refused} == {
        f"{name}:{at}" for name, members in wrong for at in range(1, len(members) + 1)
    }
    assert {line.code for line in refused} == {"invalid_value"}
    assert (report.read, report.exit_status) == (52, 3)


def test_lines_that_cannot_be_read_are_reported(tmp_path: Path) -> None:
    store = sample(tmp_path)
    append(store, INBOX, b"{", b'{"id": "x", "id": "y"}', b"\xff\xfe", b"[]", b'{"text": "no id", "status": "new"}')
    append(store, EVIDENCE, b'{"id": "n", "source_kind": "file", "source_summary": "a\\u0000b"}', b"x" * 70_000)
    report, found = pi(store)
    refused = [line for line in found if line.serious]
    assert {line.place for line in refused} == {
        *(f"{INBOX}:{at}" for at in range(20, 25)),
        f"{EVIDENCE}:12",
        f"{EVIDENCE}:13",
    }
    assert tally(report) == {"created": 35, "held": 17, "refused": 7}


def test_the_same_id_twice_counts_once(tmp_path: Path) -> None:
    store = sample(tmp_path)
    first = lines(store, EVIDENCE)[0]
    append(store, EVIDENCE, first | {"source_excerpt": "Something else."})
    append(store, HARBOR, lines(store, HARBOR)[0] | {"statement": "Something else."})
    _report, found = pi(store)
    assert [(line.code, line.serious) for line in found if line.outcome == "refused"] == [
        ("duplicate", False), ("malformed", True)
    ]  # fmt: skip
    after = dump()
    pi(store)
    assert dump() == after


def env_secret() -> str:
    value = "".join(random.Random(5).choices(string.ascii_letters + string.digits, k=24))
    return f"DEPLOY_{'TOKEN'}={value}"


def test_a_secret_in_a_note_is_refused_with_its_kind(tmp_path: Path) -> None:
    store, secret = sample(tmp_path), env_secret()
    note = store / "daily/2026-11-04.md"
    note.write_text("x " * 300 + note.read_text().replace("@@FAKE_SECRET:env_secret@@", secret))
    report, found = pi(store)
    assert [(line.place, line.code, "assigned_secret" in line.detail) for line in found if line.serious] == [
        ("daily/2026-11-04.md", "secret_detected", True)
    ]
    assert tally(report) == {"created": 34, "held": 17, "refused": 1}
    assert secret.partition("=")[2] not in repr(found) + json.dumps(dump(), default=str)


def test_a_secret_in_a_line_reaches_nothing(tmp_path: Path) -> None:
    store, secret = sample(tmp_path), env_secret()
    for name, row_id, member in (
        (EVIDENCE, PNPM, "source_excerpt"), (HARBOR, "mem_gateway_port", "statement"), (INBOX, "cap_port", "text"),
        (INBOX, "cap_log", "remark"), ("memory/inquiries.jsonl", "inq_6c139383132e", "question"),
    ):  # fmt: skip
        change(store, name, row_id, lambda row, member=member: row.update({member: f"use {secret}"}))
    _report, found = pi(store)
    assert [line.code for line in found if line.serious] == ["secret_detected"] * 5
    assert secret not in repr(found) + json.dumps(dump(), default=str)


# -- again --


def test_again_changes_nothing_and_a_rehearsal_says_the_same(tmp_path: Path) -> None:
    store = sample(tmp_path)
    before, kept = dump(), digests(store)
    dry, _ = pi(store, dry_run=True)
    assert dump() == before
    wet, _ = pi(store)
    assert dry.counts == wet.counts
    after = dump()
    assert tally(pi(store)[0]) == {"unchanged": 52}
    assert dump() == after
    assert digests(store) == kept


def test_a_changed_record_supersedes_and_a_retired_one_steps_back(tmp_path: Path) -> None:
    store = sample(tmp_path)
    pi(store)
    change(store, HARBOR, "mem_gateway_port", lambda row: row.update(statement="The gateway listens on port 8443."))
    change(store, HARBOR, "mem_log_b", lambda row: row.update(status="superseded", superseded_by=["mem_log_a"]))
    report, _ = pi(store)
    assert tally(report) == {"changed": 2, "unchanged": 50}
    versions = Evidence.objects.filter(origin_id="mem_gateway_port").order_by("ingested_at")
    assert [row.state for row in versions] == ["superseded", "active"]
    current = Evidence.objects.get(origin_id="mem_log_a", state="active").record_id
    assert set(Evidence.objects.filter(origin_id="mem_log_b").values_list("state", "superseded_by")) == {
        ("superseded", current)
    }


def test_a_confirmation_made_here_outlives_what_pi_does_next(tmp_path: Path) -> None:
    store = sample(tmp_path)
    pi(store)
    mine = Evidence.objects.filter(origin_id="mem_log_b")
    mine.update(has_check=True, check_at=read_time("2026-11-01T09:00:00Z"), check_confirmed_by="mira")
    change(store, HARBOR, "mem_log_b", lambda row: row.update(status="deprecated"))
    pi(store)
    assert mine.filter(state="active", check_confirmed_by="mira").exists()


def test_a_purge_there_empties_what_was_imported(tmp_path: Path) -> None:
    store = sample(tmp_path)
    pi(store)

    def purge(row: dict[str, Any]) -> None:
        row.update(source_summary="[deleted]", redaction_status="deleted")
        row.pop("source_excerpt"), row.pop("excerpt_hash")

    change(store, EVIDENCE, PNPM, purge)
    append(
        store, TOMBSTONES,
        {"id": "tomb_mem_log_a_1", "deleted_record_id": "mem_log_a", "deleted_at": "2026-12-01T08:00:00.000Z"},
    )  # fmt: skip
    write(store, HARBOR, [row for row in lines(store, HARBOR) if row["id"] != "mem_log_a"])
    pi(store)
    row = Evidence.objects.get(origin_id=PNPM)
    assert (row.redaction, row.content, row.summary, row.excerpt) == ("deleted", "", "", "")
    assert verified("cap_pnpm").verification_status == "rejected"
    gone = Evidence.objects.get(origin_id="mem_log_a")
    assert (gone.state, gone.content) == ("deleted", "")
    after = dump()
    pi(store)
    assert dump() == after


# -- refused whole --


@pytest.mark.parametrize(
    ("name", "data"),
    [(INBOX, "{}".encode("utf-16")), (EVIDENCE, b"SQLite format 3\0 and more"), (HARBOR, b"PK\x03\x04")],
    ids=["utf-16", "database", "archive"],
)
def test_a_file_that_is_none_of_lines_stops_everything(tmp_path: Path, name: str, data: bytes) -> None:
    store = sample(tmp_path)
    (store / name).write_bytes(data)
    before = digests(store)
    status, printed = command("pi", str(store))
    assert (status, printed.startswith(f"nothing was imported: {name}: ")) == (1, True)
    assert counts() == {}
    assert digests(store) == before


def test_a_link_or_no_store_stops_everything(tmp_path: Path) -> None:
    assert command("pi", str(tmp_path))[0] == 1
    store = sample(tmp_path)
    (store / INBOX).unlink()
    (store / INBOX).symlink_to("/etc/hostname")
    assert command("pi", str(store))[0] == 1
    assert counts() == {}
