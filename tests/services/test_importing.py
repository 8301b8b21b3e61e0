"""Importing end to end: what the rows become, that a second run changes nothing, and that nothing is ever half stored."""

from __future__ import annotations

import json
import random
import string
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from evidence.exchange.files import CorruptSource
from evidence.models import (
    Agent,
    ChainHead,
    Decision,
    DecisionTouch,
    Evidence,
    HeldRecord,
    ImportedItem,
    IndexEntry,
    Inquiry,
    Job,
    JobItem,
    Membership,
    Outbox,
    User,
)
from evidence.rules.vocab import Action, Door, Role
from evidence.selectors.audit import verify_chain
from evidence.services import importing, verifying
from evidence.services.actors import Actor
from evidence.services.deciding import decide
from evidence.services.import_report import ImportOutcome, Line, Report
from evidence.services.importing import run_import
from evidence.services.outbox import BULK, deliver_due
from evidence.services.verification import verify_held
from tests.exchange.checkouts import append_line, change, memory_line, sample, with_corrupt_ledger
from tests.exchange.test_jsonl import BACKLOG
from tests.services.dumps import counts, dump

pytestmark = pytest.mark.django_db


def agentx(path: Path, **options: Any) -> tuple[Report, list[Line]]:
    lines: list[Line] = []
    report = run_import(format_name="agentx", path=path, on_line=lines.append, **options)
    return report, lines


def jsonl(path: Path, *entries: dict[str, Any] | bytes, **options: Any) -> tuple[Report, list[Line]]:
    path.write_bytes(b"\n".join(one if isinstance(one, bytes) else json.dumps(one).encode() for one in entries))
    lines: list[Line] = []
    report = run_import(format_name="jsonl", path=path, on_line=lines.append, **options)
    return report, lines


def command(*arguments: str) -> tuple[int, str]:
    """Exit status and what was printed."""
    out = StringIO()
    try:
        call_command("import", *arguments, stdout=out)
    except SystemExit as stopped:
        return int(stopped.code or 0), out.getvalue()
    except CommandError as error:
        return error.returncode, out.getvalue() + str(error)
    return 0, out.getvalue()


def tally(report: Report) -> dict[str, int]:
    return {outcome.value: number for outcome, number in report.counts.items() if number}


def fact(number: int, **members: Any) -> dict[str, Any]:
    return {
        "kind": "fact", "source": {"id": f"fact:f-{number}", "version": "2026-10-05T10:00:00Z"},
        "claim": {"subject": f"till {number}", "attribute": "opens", "value": "nine"}, "content": f"Till {number} opens at nine.",
        "event_at": "2026-10-05T10:00:00Z", "check": {"at": "2026-10-05T10:00:00Z", "by": "ada", "method": "looked"},
        "volatility": "stable", "scope": {"owner": "ada", "access": "public"}, "trust": "internal",
    } | members  # fmt: skip


def note(number: int, **members: Any) -> dict[str, Any]:
    return {
        "kind": "observation", "source": {"id": f"entry:ada/{number}", "version": "1"}, "content": f"Till {number} is open.",
        "scope": {"owner": "ada", "access": "private"}, "trust": "internal",
    } | members  # fmt: skip


def proposal(**members: Any) -> dict[str, Any]:
    return {
        "id": "p-1", "agent": "ada", "statement": "The till opens at nine.", "trust": "internal",
        "claim": {"subject": "till", "attribute": "opens", "value": "nine"}, "event_at": "2026-10-05T10:00:00Z",
        "scope": {"owner": "ada", "access": "public"}, "durability": "project",
        "evidence": [{"source": {"id": "session:ada/t-1/message/3"}, "excerpt": "The till opens at nine."}],
    } | members  # fmt: skip


# -- the sample --


def test_the_sample_becomes_records_items_and_questions(tmp_path: Path) -> None:
    report, lines = agentx(sample(tmp_path))
    assert (report.read, tally(report)) == (26, {"created": 18, "held": 8})
    assert report.exit_status == 0
    waiting = HeldRecord.objects.waiting()
    assert {row.origin_id for row in waiting} == {
        "fp-c1bbd5b662", "fp-3b80c44f90", "2026-10-07-decisions-deploy-window-k3x9",
        "2026-10-07-patterns-retry-mail-export-p0q1", "mg8a1b2c-x1y2", "mg8a1b2d-q7w8", "mg8a1b2e-e3r4", "c-5d20e1f7a9",
    }  # fmt: skip
    assert set(waiting.values_list("origin_system", flat=True)) == {"agentx"}
    assert len(lines) == 26


def test_what_agentx_decided_is_history_and_no_decision_of_ours(tmp_path: Path) -> None:
    agentx(sample(tmp_path))
    rejected = HeldRecord.objects.get(origin_id="fp-e4ae17df0b")
    assert (rejected.status, rejected.decision_id) == ("rejected", None)
    assert rejected.reason == "rejected by operator in agentx: account is active in the vendor console"
    approved = HeldRecord.objects.get(origin_id="fp-31d5cde689")
    assert (approved.status, approved.decision_id) == ("approved", None)
    assert approved.fact_proposal.observation.state == "superseded"
    # Its ledger changed subject and value on approval, so nothing here claims to be its fact.
    assert approved.fact_proposal.result is None
    assert set(Decision.objects.values_list("action", flat=True)) == {"import"}
    assert not Evidence.objects.exclude(approval_by="").exists()


def test_facts_stand_with_their_label_and_their_past(tmp_path: Path) -> None:
    agentx(sample(tmp_path))
    facts = Evidence.objects.filter(kind="fact")
    assert facts.filter(state="active").count() == 5
    undated = facts.get(origin_id="f-719b957c6e")
    assert (undated.has_check, undated.label_base) == (False, "unverified")
    confirmed = facts.get(origin_id="f-8c328526b6")
    assert (confirmed.check_confirmed_by, confirmed.label_base) == ("operator", "dated")
    past = facts.get(state="superseded")
    now = facts.get(source_id=past.source_id, state="active")
    assert (past.claim_value, past.superseded_by) == ("past due", now.record_id)


def test_open_questions_are_asked_and_closed_ones_kept(tmp_path: Path) -> None:
    agentx(sample(tmp_path))
    asked = Inquiry.objects.open().order_by("origin_id")
    assert [(row.origin_id, row.kind) for row in asked] == [
        ("489ba3b3569b", "question"), ("84c6edb7ef06", "conflict"), ("ac3afdf91914", "conflict")
    ]  # fmt: skip
    conflict = asked[2]
    current = Evidence.objects.get(record_id=conflict.current_record)
    incoming = Evidence.objects.get(record_id=conflict.incoming_record)
    assert (current.claim_value, incoming.claim_value) == ("09:00-17:00 Mon-Fri", "10:00-18:00 Mon-Sat")
    assert conflict.current_snapshot is not None
    assert "09:00-17:00" in str(conflict.current_snapshot.body)
    answered = Inquiry.objects.get(origin_id="f3d2a586e2da")
    assert (answered.status, answered.answer, answered.answer_value) == ("answered", "current", "healthy")
    assert answered.decision_id is None
    assert Inquiry.objects.get(origin_id="aaa9dba0ba4b").status == "withdrawn"


def test_external_memory_waits_and_internal_does_not(tmp_path: Path) -> None:
    agentx(sample(tmp_path))
    memory = Evidence.objects.filter(source_id__startswith="memory:support-agent/")
    assert sorted(memory.values_list("trust", "review")) == [("external", "held")] * 3 + [("internal", "")] * 3
    approved_there = ImportedItem.objects.get(foreign_id="mg8a1b2e-e3r4")
    assert approved_there.decided["status"] == "approved"


def test_a_promotion_waits_against_the_article_that_lies_there(tmp_path: Path) -> None:
    agentx(sample(tmp_path))
    held = HeldRecord.objects.get(origin_id="2026-10-07-decisions-deploy-window-k3x9")
    article = Evidence.objects.get(kind="article")
    assert held.promotion.target_source == article.source_id == "wiki:memory-promoter/flat/decisions/deploy-window.md"
    assert held.promotion.base_version == article.source_version
    assert (article.label_base, article.approval_by) == ("unverified", "")


def test_an_approval_arrives_with_the_text_it_was_given_for(tmp_path: Path) -> None:
    checkout = sample(tmp_path)
    agentx(checkout)
    name = "wiki/_proposals/2026-10-07-decisions-deploy-window-k3x9.json"
    text = json.loads((checkout / ".agentx" / name).read_text())["article"]["content"]
    (checkout / ".agentx/wiki/decisions/deploy-window.md").write_text(f"---\nowner: memory-promoter\n---\n{text}\n")

    def approve(document: dict[str, Any]) -> None:
        document |= {"status": "approved", "decidedBy": "operator", "decidedAt": "2026-10-08T09:00:00.000Z"}

    change(checkout, name, approve)
    report, _ = agentx(checkout)
    assert tally(report) == {"changed": 2, "unchanged": 24}
    article = Evidence.objects.get(kind="article", state="active")
    assert (article.content, article.approval_by, article.label_base) == (text, "operator", "approved")
    assert Evidence.objects.get(kind="article", state="superseded").superseded_by == article.record_id
    held = HeldRecord.objects.get(origin_id="2026-10-07-decisions-deploy-window-k3x9")
    assert held.status == "waiting"  # nobody here has decided it


# -- again --


def test_a_second_run_changes_nothing_at_all(tmp_path: Path) -> None:
    checkout = sample(tmp_path)
    agentx(checkout)
    before = dump()
    report, _ = agentx(checkout)
    assert tally(report) == {"unchanged": 26}
    assert report.job_id == ""
    assert dump() == before


def test_a_second_run_after_decisions_changes_nothing_either(tmp_path: Path) -> None:
    checkout = sample(tmp_path)
    agentx(checkout)
    reviewer = User.objects.create_user("reviewer")
    Membership.objects.create(user=reviewer, role=Role.REVIEWER)
    for held in HeldRecord.objects.waiting():
        verify_held(held_id=held.id)
    held = HeldRecord.objects.get(origin_id="fp-3b80c44f90")
    decide(
        held_id=held.id, action=Action.REJECT, seen_version=held.version, actor=Actor.person(reviewer, Door.WEB),
        idempotency_key="k", reason_code="stale",
    )  # fmt: skip
    before = dump()
    report, _ = agentx(checkout)
    assert tally(report) == {"unchanged": 26}
    assert dump() == before


def test_a_changed_fact_is_a_new_version_that_supersedes(tmp_path: Path) -> None:
    checkout = sample(tmp_path)
    agentx(checkout)

    def pay(ledger: dict[str, Any]) -> None:
        entry = ledger["facts"][0]
        entry["history"].append(
            {name: entry[name] for name in ("value", "source", "verifiedAt", "verifiedBy")}
            | {"replacedAt": "2026-10-09T09:00:00.000Z"}
        )
        entry |= {"value": "closed", "verifiedAt": "2026-10-09T09:00:00.000Z", "updatedAt": "2026-10-09T09:00:00.000Z"}

    change(checkout, "wiki/_facts.json", pay)
    report, _ = agentx(checkout)
    assert tally(report) == {"changed": 1, "unchanged": 25}
    versions = Evidence.objects.filter(source_id="fact:f-a224c442cd", kind="fact").order_by("pk_uuid")
    assert [(row.claim_value, row.state) for row in versions] == [
        ("active", "superseded"), ("past due", "superseded"), ("closed", "active")
    ] or sorted((row.claim_value, row.state) for row in versions) == [
        ("active", "superseded"), ("closed", "active"), ("past due", "superseded")
    ]  # fmt: skip


def test_a_decision_made_there_meanwhile_is_said_and_decides_nothing(tmp_path: Path) -> None:
    checkout = sample(tmp_path)
    agentx(checkout)
    change(
        checkout, "wiki/_facts.json",
        lambda ledger: ledger["proposals"][0].update(status="rejected", decidedBy="operator", reason="paid since"),
    )  # fmt: skip
    report, lines = agentx(checkout)
    assert tally(report) == {"changed": 1, "unchanged": 25}
    assert [line.code for line in lines if line.outcome == ImportOutcome.CHANGED] == ["decided_elsewhere"]
    assert HeldRecord.objects.get(origin_id="fp-c1bbd5b662").status == "waiting"
    assert ImportedItem.objects.get(foreign_id="fp-c1bbd5b662").decided["reason"] == "paid since"
    assert tally(agentx(checkout)[0]) == {"unchanged": 26}


def test_a_rewritten_proposal_replaces_the_one_that_waits(tmp_path: Path) -> None:
    jsonl(tmp_path / "a.jsonl", proposal())
    first = HeldRecord.objects.get()
    report, _ = jsonl(tmp_path / "a.jsonl", proposal(claim={"subject": "till", "attribute": "opens", "value": "ten"}))
    assert tally(report) == {"held": 1}
    first.refresh_from_db()
    second = HeldRecord.objects.get(origin_id="p-1")
    assert (first.status, first.replaced_by_id, second.claim_value) == ("superseded", second.pk, "ten")


def test_the_same_fact_from_another_source_stands_beside_as_evidence(tmp_path: Path) -> None:
    jsonl(tmp_path / "a.jsonl", fact(1))
    other = fact(1, source={"id": "fact:f-99", "version": "1"})
    report, lines = jsonl(tmp_path / "b.jsonl", other)
    assert tally(report) == {"created": 1}
    assert lines[0].code == "beside_a_record"
    assert Evidence.objects.filter(kind="fact", state="active").count() == 1
    assert Evidence.objects.get(source_id="fact:f-99").kind == "observation"


def test_a_fact_that_contradicts_one_that_stands_asks_a_question(tmp_path: Path) -> None:
    jsonl(tmp_path / "a.jsonl", fact(1, check={"at": "2026-10-05T10:00:00Z", "by": "ada", "confirmed_by": "operator"}))
    other = fact(
        1, source={"id": "fact:f-99", "version": "1"}, claim={"subject": "till 1", "attribute": "opens", "value": "ten"},
        content="Till 1 opens at ten.",
    )  # fmt: skip
    jsonl(tmp_path / "b.jsonl", other)
    inquiry = Inquiry.objects.open().get()
    assert inquiry.current_record == Evidence.objects.get(kind="fact").record_id
    assert Evidence.objects.get(kind="fact").claim_value == "nine"


def test_a_confirmation_made_here_survives_the_files_next_version(tmp_path: Path) -> None:
    jsonl(tmp_path / "a.jsonl", fact(1))
    Evidence.objects.update(check_confirmed_by="owner")
    newer = fact(
        1, source={"id": "fact:f-1", "version": "2026-10-06T10:00:00Z"},
        check={"at": "2026-10-06T10:00:00Z", "by": "ada", "method": "looked"},
    )  # fmt: skip
    report, _ = jsonl(tmp_path / "a.jsonl", newer)
    assert tally(report) == {"changed": 1}
    assert Evidence.objects.get(kind="fact", state="active").check_confirmed_by == "owner"


# -- refused --


def test_a_corrupt_ledger_stores_nothing_at_all(tmp_path: Path) -> None:
    checkout = with_corrupt_ledger(tmp_path)
    before = (checkout / ".agentx/wiki/_facts.json").read_bytes()
    status, printed = command("agentx", str(checkout))
    assert status == 1
    assert "nothing was imported: wiki/_facts.json" in printed
    assert counts() == {}
    assert (checkout / ".agentx/wiki/_facts.json").read_bytes() == before


def test_bad_lines_are_reported_and_the_rest_goes_in(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    entries = [note(1), b"{", note(2, event_at="2026-10-05T10:00:00"), note(3, volatility="weather"), note(4)]
    path.write_bytes(b"\n".join(one if isinstance(one, bytes) else json.dumps(one).encode() for one in entries))
    status, printed = command("jsonl", str(path))
    assert status == 3
    assert "refused   a.jsonl:2  malformed" in printed
    assert "refused   a.jsonl:3  invalid_value: event_at has to be a time with a zone" in printed
    assert "refused   a.jsonl:4  invalid_value: volatility" in printed
    assert sorted(Evidence.objects.values_list("source_id", flat=True)) == ["entry:ada/1", "entry:ada/4"]


def test_the_same_problems_are_stored_once(tmp_path: Path) -> None:
    jsonl(tmp_path / "a.jsonl", note(1), b"{")
    before = dump()
    report, _ = jsonl(tmp_path / "a.jsonl", note(1), b"{")
    assert tally(report) == {"unchanged": 1, "refused": 1}
    assert dump() == before
    report, _ = jsonl(tmp_path / "a.jsonl", note(1), b"{", b"[")
    assert report.job_id != ""


def fake_token() -> str:
    letters = random.Random(7).choices(string.ascii_letters + string.digits, k=36)
    return "ghp" + "_" + "".join(letters)


@pytest.mark.parametrize(
    "entry",
    [
        lambda secret: note(1, content=f"use {secret}"),
        lambda secret: note(1, summary=f"use {secret}"),
        lambda secret: note(1, tags=[secret]),
        lambda secret: note(1, source={"id": f"entry:ada/{secret}", "version": "1"}),
        lambda secret: note(1, claim={"subject": "token", "attribute": "is", "value": secret}),
        lambda secret: note(1, agent=secret),
        lambda secret: note(1, id=secret),
        lambda secret: proposal(statement=f"The token is {secret}"),
        lambda secret: proposal(evidence=[{"source": {"id": "entry:ada/2"}, "excerpt": secret}]),
        lambda secret: proposal(target={"path": "graph/a.md", "title": "A", "content": secret}),
    ],
    ids=["content", "summary", "tag", "source", "claim", "agent", "id", "statement", "evidence", "article"],
)
def test_a_secret_reaches_nothing(tmp_path: Path, entry: Any, caplog: pytest.LogCaptureFixture) -> None:
    secret = fake_token()
    report, lines = jsonl(tmp_path / "a.jsonl", entry(secret), note(5))
    assert tally(report) == {"created": 1, "refused": 1}
    assert lines[0].code in ("secret_detected", "invalid_value")
    assert secret not in repr(lines)
    assert secret not in json.dumps(dump(), default=str)
    assert secret not in caplog.text


@pytest.mark.parametrize(
    "entry",
    [
        lambda text: fact(1, check={"at": "2026-10-05T10:00:00Z", "by": text}),
        lambda text: fact(1, check={"at": "2026-10-05T10:00:00Z", "by": "ada", "confirmed_by": text}),
        lambda text: fact(1, scope={"owner": text, "access": "public"}),
        lambda text: fact(1, scope={"owner": "ada", "access": "public", "project": text}),
        lambda text: note(1, rule_type=text),
        lambda text: note(1, reach={"level": "project", "ref": text}),
        lambda text: note(1, thread=text),
        lambda text: note(1, derived_from=[text]),
        lambda text: proposal(scope={"owner": text, "access": "public"}),
        lambda text: proposal(check={"at": "2026-10-05T10:00:00Z", "by": text}),
        lambda text: proposal(supersedes=text),
        lambda text: proposal(
            target={"path": "graph/a.md", "title": "A", "content": "# A", "related": [text], "type": "note"}
        ),
    ],
    ids=[
        "check by", "confirmed by", "owner", "project", "rule type", "reach", "thread", "derived from", "held owner",
        "held check", "supersedes", "related",
    ],
)  # fmt: skip
def test_names_are_looked_at_like_any_text(tmp_path: Path, entry: Any) -> None:
    for text in (fake_token(), "x" * 2_000):
        report, _ = jsonl(tmp_path / "a.jsonl", entry(text))
        assert tally(report) == {"refused": 1}
        assert Agent.objects.count() == 0  # nor is its agent made known
    assert set(counts()) <= {"Job", "JobItem", "News", "Outbox"}  # that it ended is told of, by its id


def test_the_kind_of_a_secret_is_named(tmp_path: Path) -> None:
    _report, lines = jsonl(tmp_path / "a.jsonl", note(1, content=f"use {fake_token()}"))
    assert (lines[0].code, "github_token" in lines[0].detail) == ("secret_detected", True)


def test_a_secret_in_a_member_that_nobody_reads_is_refused_too(tmp_path: Path) -> None:
    checkout = sample(tmp_path)
    secret = fake_token()
    append_line(checkout, "support-agent", memory_line(remark={"deep": [secret]}))
    report, lines = agentx(checkout)
    assert [line.code for line in lines if line.outcome == ImportOutcome.REFUSED] == ["secret_detected"]
    assert secret not in json.dumps(dump(), default=str)
    assert report.exit_status == 3


def test_the_name_of_a_file_may_be_a_secret(tmp_path: Path) -> None:
    secret = fake_token()
    folder = tmp_path / "folder"
    folder.mkdir()
    _report, lines = jsonl(folder / f"{secret}.jsonl", note(1))
    assert secret not in repr(lines)
    assert secret not in json.dumps(dump(), default=str)


def test_a_claim_that_was_rejected_there_counts_here(tmp_path: Path) -> None:
    agentx(sample(tmp_path))
    again = proposal(
        statement="Contoso account is suspended", agent="ops-agent", evidence=[],
        claim={"subject": "Contoso account", "attribute": "account status", "value": "suspended"},
    )  # fmt: skip
    report, lines = jsonl(tmp_path / "a.jsonl", again)
    assert tally(report) == {"refused": 1}
    assert lines[0].code == "already_rejected"


def test_the_same_version_with_another_content_is_refused(tmp_path: Path) -> None:
    jsonl(tmp_path / "a.jsonl", note(1))
    report, lines = jsonl(tmp_path / "a.jsonl", note(1, content="Till 1 is shut."))
    assert tally(report) == {"refused": 1}
    assert lines[0].code == "source_version_conflict"
    assert Evidence.objects.get().content == "Till 1 is open."


def test_an_entry_of_another_namespace_does_not_slip_in(tmp_path: Path) -> None:
    entries = [note(1, namespace="shop"), proposal(namespace="shop"), note(2, namespace="default")]
    report, lines = jsonl(tmp_path / "a.jsonl", *entries)
    assert tally(report) == {"created": 1, "refused": 2}
    assert {line.code for line in lines} == {"", "wrong_namespace"}
    assert tally(jsonl(tmp_path / "a.jsonl", *entries[:2], namespace="shop")[0]) == {"created": 1, "held": 1}


# -- dry run, audit, interruption --


def test_a_dry_run_says_the_same_and_leaves_no_trace(tmp_path: Path) -> None:
    checkout = sample(tmp_path)
    append_line(checkout, "support-agent", b"{")
    before = dump()
    dry, dry_lines = agentx(checkout, dry_run=True)
    assert dump() == before
    wet, wet_lines = agentx(checkout)
    assert dry.counts == wet.counts
    plain = [(line.place, line.outcome, line.code, line.detail) for line in dry_lines]
    assert plain == [(line.place, line.outcome, line.code, line.detail) for line in wet_lines]


def test_one_audit_row_a_transaction_with_counts_and_what_it_touched(tmp_path: Path) -> None:
    agentx(sample(tmp_path))
    row = Decision.objects.get()
    assert (row.action, row.actor_kind, row.door, row.target_kind) == ("import", "import", "import", "import")
    assert row.effects == [{"kind": "import", "format": "agentx", "created": 18, "held": 8}]
    touched = set(DecisionTouch.objects.filter(target_kind="held").values_list("target_id", flat=True))
    assert touched == {str(held.pk) for held in HeldRecord.objects.all()}
    assert verify_chain("default").ok
    job = Job.objects.get()
    assert (job.status, row.target_id, job.detail["held"]) == ("done", str(job.pk), 8)
    assert JobItem.objects.filter(job=job).count() == 26


@pytest.mark.parametrize(
    ("seconds", "chunks"),
    [(1e6, [2, 5, 3]), (0.0, [2, 1, 1, 1, 1, 1, 1, 1, 1])],
    ids=["as many as fit", "one by one where nobody may wait"],
)
def test_large_imports_are_stored_in_chunks_that_nobody_waits_long_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, chunks: list[int]
) -> None:
    for name, value in (("FIRST_CHUNK", 2), ("CHUNK", 5), ("HOLD_SECONDS", seconds)):
        monkeypatch.setattr(importing, name, value)
    report, _ = jsonl(tmp_path / "a.jsonl", *(note(number) for number in range(10)))
    assert tally(report) == {"created": 10}
    assert [row.effects[0]["created"] for row in Decision.objects.order_by("seq")] == chunks
    assert list(JobItem.objects.order_by("position").values_list("position", flat=True)) == list(range(10))


def rows_of(namespace: str) -> list[dict[str, Any]]:
    """Records with everything but what differs between two stores by nature."""
    # Keys of topics and of places to look again name their namespace.
    by_nature = {"pk_uuid", "namespace", "match_key", "recheck_key", "ingested_at"}
    rows = Evidence.objects.filter(namespace=namespace).order_by("record_id").values()
    return [{name: value for name, value in row.items() if name not in by_nature} for row in rows]


def test_many_at_once_and_one_by_one_store_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [
        *(json.loads(line) for line in (BACKLOG / "facts.jsonl").read_text().splitlines()), note(1), note(2, tags=["till"]),
        note(2, source={"id": "entry:ada/2", "version": "2"}), note(3, trust="external"), note(4, state="superseded"),
        note(5, layer="L1", rule_type="workflow", reach={"level": "project", "ref": "till"}), fact(1), fact(2), fact(2),
        note(6, claim={"subject": "till 1", "attribute": "opens", "value": "ten"}), note(7, content=""), note(1),
    ]  # fmt: skip
    quick, quick_lines = jsonl(tmp_path / "a.jsonl", *entries, namespace="quick")
    monkeypatch.setattr(importing, "store_plain", lambda arrival, items: {})
    slow, slow_lines = jsonl(tmp_path / "a.jsonl", *entries, namespace="slow")
    assert quick.counts == slow.counts
    assert [(line.place, line.outcome, line.code) for line in quick_lines] == [
        (line.place, line.outcome, line.code) for line in slow_lines
    ]
    assert rows_of("quick") == rows_of("slow")
    touched = [
        set(
            DecisionTouch.objects.filter(decision__namespace=name, target_kind="record").values_list(
                "version", "target_id"
            )
        )
        for name in ("quick", "slow")
    ]
    assert len(touched[0]) == len(touched[1])
    indexed = [
        set(IndexEntry.objects.filter(namespace=name).values_list("record_id", "terms")) for name in ("quick", "slow")
    ]
    assert indexed[0] == indexed[1]


@pytest.mark.django_db(transaction=True)
def test_an_interrupted_import_keeps_whole_chunks_and_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "CHUNK", 4)
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps(note(number)) for number in range(10)))
    reader = importing.FORMATS["jsonl"]

    def dies(where: Path) -> Iterator[Any]:
        for number, item in enumerate(reader.read(where)):
            if number == 6:
                raise KeyboardInterrupt
            yield item

    monkeypatch.setitem(importing.FORMATS, "jsonl", type(reader)("jsonl", "", dies))  # type: ignore[arg-type]
    with pytest.raises(KeyboardInterrupt):
        run_import(format_name="jsonl", path=path)
    assert Evidence.objects.count() == 4
    assert Job.objects.get().status == "failed"
    monkeypatch.setitem(importing.FORMATS, "jsonl", reader)  # type: ignore[arg-type]
    report = run_import(format_name="jsonl", path=path)
    assert tally(report) == {"created": 6, "unchanged": 4}
    assert Evidence.objects.count() == 10
    assert ChainHead.objects.get().seq == Decision.objects.count()


@pytest.mark.races
@pytest.mark.django_db(transaction=True)
def test_two_equal_runs_at_once_store_everything_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "CHUNK", 5)
    checkout = sample(tmp_path)
    together = threading.Barrier(2)

    def run(_number: int) -> Report:
        try:
            together.wait(timeout=30)
            return run_import(format_name="agentx", path=checkout)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        reports = list(pool.map(run, range(2)))
    totals = [
        sum(report.counts[outcome] for report in reports) for outcome in (ImportOutcome.CREATED, ImportOutcome.HELD)
    ]
    assert totals == [18, 8]
    assert all(report.exit_status == 0 for report in reports)
    assert sum(report.counts[ImportOutcome.UNCHANGED] for report in reports) == 26
    assert ImportedItem.objects.count() == 26
    assert verify_chain("default").ok


def test_new_proposals_are_put_up_for_verification(tmp_path: Path) -> None:
    agentx(sample(tmp_path))
    waiting = HeldRecord.objects.needing_verification()
    alone = set(Outbox.objects.filter(topic="verify").values_list("subject", flat=True))
    assert alone < {str(held.pk) for held in waiting}
    # What went the quick way has one message, however many there are.
    assert Outbox.objects.filter(topic=verifying.TOPIC).count() == 1
    while deliver_due(lane=BULK):
        pass
    assert not waiting.all().exists()


def test_agents_that_a_file_names_become_known(tmp_path: Path) -> None:
    jsonl(tmp_path / "a.jsonl", note(1, scope={"owner": "zoë", "access": "private"}), namespace="shop")
    assert Agent.objects.get().pk == "zoë"
    assert Evidence.objects.get().namespace == "shop"


# -- the command --


def test_the_command_reports_as_json(tmp_path: Path) -> None:
    status, printed = command("agentx", str(sample(tmp_path)), "--json", "--all")
    report = json.loads(printed)
    assert status == 0
    assert len(report["lines"]) == 26
    assert (report["report"]["read"], report["report"]["created"], report["report"]["held"]) == (26, 18, 8)
    status, printed = command("agentx", str(tmp_path / "checkout"), "--json", "--dry-run")
    assert json.loads(printed)["lines"] == []


@pytest.mark.parametrize("arguments", [("jsonl", "nothing.jsonl"), ("agentx", "."), ("jsonl", "a", "--namespace", " ")])
def test_what_cannot_be_taken_ends_with_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert command(*arguments)[0] == 1
    assert counts() == {}


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(CommandError, match="agentx"):
        call_command("import", "tarot", "x")


def test_a_source_that_is_corrupt_raises_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(CorruptSource):
        agentx(with_corrupt_ledger(tmp_path))
    assert counts() == {}
