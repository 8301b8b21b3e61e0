"""Decisions carried back to a bridge and to pi: the plan, what stops it, and the bridge's real package where it is installed.

`AGENT_MEMORY_BRIDGE_PYTHON` names a Python that has the package agent-memory-bridge 0.36; without it the tests that need the
package are skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from evidence.exchange.files import CorruptSource
from evidence.models import Evidence, HeldRecord, ImportedItem, Job, JobItem, Membership, User
from evidence.rules.vocab import Action, Door, Role
from evidence.services.actors import Actor
from evidence.services.deciding import decide
from evidence.services.errors import Refused
from evidence.services.importing import run_import
from evidence.services.verification import verify_held
from evidence.services.writing_back import write_bridge_decisions, write_pi_decisions
from tests.exchange import pi_stores
from tests.exchange.bridges import MQTT, SOLENOID, add_review, change, digests, rewrite, sample
from tests.services.dumps import dump

pytestmark = pytest.mark.django_db

PYTHON = os.environ.get("AGENT_MEMORY_BRIDGE_PYTHON", "")
needs_package = pytest.mark.skipif(
    not PYTHON, reason="AGENT_MEMORY_BRIDGE_PYTHON names no Python with agent-memory-bridge"
)
SCRIPT = Path(__file__).resolve().parent.parent / "exchange" / "real_bridge_script.py"


@pytest.fixture
def rosa(db: None) -> Actor:
    user = User.objects.create_user("rosa")
    Membership.objects.create(user=user, role=Role.REVIEWER)
    return Actor.person(user, Door.WEB)


def decided(actor: Actor, origin: str, action: Action, **options: Any) -> HeldRecord:
    held = HeldRecord.objects.get(origin_id=origin)
    verify_held(held_id=held.id)
    held.refresh_from_db()
    more = {"checked_at": "now", "durability": "long_term"} if action != Action.REJECT else {"reason_code": "wrong"}
    decide(
        held_id=held.id, action=action, seen_version=held.version, actor=actor, idempotency_key=origin, **(more | options)
    )  # fmt: skip
    held.refresh_from_db()
    return held


def imported(path: Path) -> None:
    run_import(format_name="bridge", path=path)


# -- without the package --


def test_only_what_was_decided_here_is_planned_and_nothing_is_written(tmp_path: Path, rosa: Actor) -> None:
    path = sample(tmp_path)
    imported(path)
    assert write_bridge_decisions(path=path).planned == ()
    decided(rosa, MQTT, Action.REJECT)
    before, kept = dump(), digests(tmp_path)
    result = write_bridge_decisions(path=path)
    assert (result.planned, result.written) == ((f"rejected  {MQTT} (project:garden-controller)",), None)
    assert write_bridge_decisions(path=path, namespace="elsewhere").planned == ()
    assert (dump(), digests(tmp_path)) == (before, kept)


DRIFTS: tuple[tuple[Callable[[Path], object], str], ...] = (
    (lambda path: rewrite(path, MQTT, "record_type: learning-candidate\nclaim: Other."), "changed since"),
    (lambda path: change(path, "DELETE FROM memories WHERE id = ?", MQTT), "is gone"),
    (lambda path: change(path, "UPDATE bridge_metadata SET value = 'e2'"), "restored since"),
    (lambda path: add_review(path, 1, MQTT, "approved"), "reviewed it there since"),
    (lambda path: change(path, "PRAGMA user_version = 13"), "version 13"),
)


def test_drift_stops_everything(tmp_path: Path, rosa: Actor) -> None:
    path = sample(tmp_path)
    imported(path)
    decided(rosa, MQTT, Action.REJECT)
    for drift, says in DRIFTS:
        sample(tmp_path)
        drift(path)
        kept = digests(tmp_path)
        with pytest.raises(CorruptSource, match=says):
            write_bridge_decisions(path=path, apply=True, python="/bin/false")
        with pytest.raises(CommandError, match="nothing was written"):
            call_command("export", "bridge-decisions", str(path), "--apply")
        assert digests(tmp_path) == kept
    assert not Job.objects.filter(kind="write_back").exists()


def test_a_python_without_the_package_stops_and_says_so(tmp_path: Path, rosa: Actor) -> None:
    path = sample(tmp_path)
    imported(path)
    decided(rosa, MQTT, Action.REJECT)
    kept = digests(tmp_path)
    with pytest.raises(Refused, match="0 of 1 were written"):
        write_bridge_decisions(path=path, apply=True, python="/bin/false")
    assert digests(tmp_path) == kept
    assert (Job.objects.get(kind="write_back").status, JobItem.objects.get(subject=MQTT).outcome) == ("failed", "left")


def test_what_was_decided_there_is_not_written_again(tmp_path: Path) -> None:
    path = sample(tmp_path)
    imported(path)
    assert HeldRecord.objects.get(origin_id=SOLENOID).status == "approved"
    assert write_bridge_decisions(path=path).planned == ()


# -- with it --


def real(*arguments: str) -> Any:
    ran = subprocess.run([PYTHON, str(SCRIPT), *arguments], capture_output=True, check=True, text=True)
    return json.loads(ran.stdout)


@needs_package
def test_a_real_database_comes_in_is_decided_and_recalls_the_result(tmp_path: Path, rosa: Actor) -> None:
    path = tmp_path / "bridge.db"
    ids = real("write", str(path))
    imported(path)
    assert Evidence.objects.active().filter(origin_id__in=[ids["oven"], ids["teal"]]).count() == 2
    assert Evidence.objects.get(origin_id=ids["kettle"]).state == "superseded"
    assert HeldRecord.objects.waiting().count() == 3
    decided(rosa, ids["hum"], Action.APPROVE)
    decided(rosa, ids["sink"], Action.REJECT)
    oven = Evidence.objects.active().get(origin_id=ids["oven"])
    decided(rosa, ids["lamp"], Action.SUPERSEDE, supersedes=[oven.record_id], reason_code="stale")

    result = write_bridge_decisions(path=path, apply=True, python=PYTHON)
    assert result.written == 3
    assert JobItem.objects.filter(job_id=result.job_id, outcome="written").exclude(result_id="").count() == 3

    recalled = real("recall", str(path), "fridge hums")
    assert any("claim: The fridge hums at night." in text and "confidence: human-reviewed" in text for text in recalled)
    everything = " ".join(real("recall", str(path), "oven heats lamp broken sink cellar"))
    assert "The lamp is broken." in everything
    assert "The oven heats" not in everything  # it was revised
    assert "The sink is in the cellar." not in everything
    receipts = real("recall", str(path), "review", "kind:learning-review")
    assert sorted(text.partition("review_decision: ")[2].partition("\n")[0] for text in receipts) == [
        "approved", "approved", "rejected",
    ]  # fmt: skip
    assert all("reviewed_by: human:rosa" in text for text in receipts)

    assert write_bridge_decisions(path=path, apply=True, python=PYTHON).planned == ()
    facts = Evidence.objects.active().filter(kind="fact").count()
    imported(path)
    assert Evidence.objects.active().filter(kind="fact").count() == facts  # what was written is no evidence of itself
    assert ImportedItem.objects.filter(target_kind="history", kind="record").count() == 2
    after = dump()
    imported(path)
    assert dump() == after


# -- pi --


def pi_store(tmp_path: Path) -> Path:
    store = pi_stores.sample(tmp_path)
    run_import(format_name="pi", path=store)
    return store


def test_decisions_about_candidates_become_one_patch_that_pi_applies(tmp_path: Path, rosa: Actor) -> None:
    store = pi_store(tmp_path)
    docs = decided(rosa, "cap_docs_folder", Action.APPROVE)
    decided(rosa, "cap_monday", Action.REJECT)
    yarn = Evidence.objects.active().get(origin_id="mem_pkg_manager")
    decided(rosa, "cap_pnpm", Action.SUPERSEDE, supersedes=[yarn.record_id], reason_code="stale")
    kept = pi_stores.digests(store)
    assert len(write_pi_decisions(path=store).planned) == 3
    assert pi_stores.digests(store) == kept

    result = write_pi_decisions(path=store, apply=True)
    new = {name for name in pi_stores.digests(store) if name not in kept}
    assert {name: digest for name, digest in pi_stores.digests(store).items() if name not in new} == kept
    patch = json.loads((store / new.pop()).read_text())
    assert (patch["status"], patch["mode"], len(new)) == ("proposed", "supervised", 0)
    operations = {one["candidate_id"]: one for one in patch["ops"]}
    added = operations["cap_docs_folder"]["record"]
    assert (added["id"], added["statement"], added["scope"]) == (
        "mem_docs_folder", docs.statement, {"type": "project", "project": "harbor-api"},
    )  # fmt: skip
    assert (operations["cap_pnpm"]["op"], operations["cap_pnpm"]["target_id"]) == ("supersede", "mem_pkg_manager")
    assert operations["cap_monday"]["op"] == "reject_candidate"
    assert set(JobItem.objects.filter(job_id=result.job_id).values_list("result_id", flat=True)) == {patch["patch_id"]}
    assert write_pi_decisions(path=store, apply=True).planned == ()


def test_what_pi_made_of_the_patch_is_no_evidence_of_itself(tmp_path: Path, rosa: Actor) -> None:
    store = pi_store(tmp_path)
    decided(rosa, "cap_docs_folder", Action.APPROVE)
    write_pi_decisions(path=store, apply=True)
    patch = next(json.loads(path.read_text()) for path in sorted((store / "patches").iterdir(), reverse=True))
    pi_stores.append(store, "memory/L2.playbooks.jsonl", patch["ops"][0]["record"])
    pi_stores.change(store, "inbox/captured.jsonl", "cap_docs_folder", lambda row: row.update(status="patched"))
    facts = Evidence.objects.active().filter(kind="fact").count()
    run_import(format_name="pi", path=store)
    assert Evidence.objects.active().filter(kind="fact").count() == facts
    assert write_pi_decisions(path=store, apply=True).planned == ()


def test_drift_in_a_store_of_pi_stops_everything(tmp_path: Path, rosa: Actor) -> None:
    store = pi_store(tmp_path)
    yarn = Evidence.objects.active().get(origin_id="mem_pkg_manager")
    decided(rosa, "cap_pnpm", Action.SUPERSEDE, supersedes=[yarn.record_id], reason_code="stale")
    for name, row_id, member in (
        ("inbox/captured.jsonl", "cap_pnpm", "text"), ("inbox/captured.jsonl", "cap_pnpm", "status"),
        ("memory/projects/harbor-api.jsonl", "mem_pkg_manager", "statement"),
    ):  # fmt: skip
        before = (store / name).read_bytes()
        pi_stores.change(store, name, row_id, lambda row, member=member: row.update({member: "patched"}))
        kept = pi_stores.digests(store)
        with pytest.raises(CommandError, match="changed or went since"):
            call_command("export", "pi-decisions", str(store), "--apply")
        assert pi_stores.digests(store) == kept
        (store / name).write_bytes(before)
