"""Decisions carried back to Agent Memory Bridge: the plan, what stops it, and the real package where it is installed.

`AGENT_MEMORY_BRIDGE_PYTHON` names a Python that has the package agent-memory-bridge 0.36; without it the tests that need the
package are skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
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
from evidence.services.writing_back import write_bridge_decisions
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


@pytest.mark.parametrize(
    ("drift", "says"),
    [
        (lambda path: rewrite(path, MQTT, "record_type: learning-candidate\nclaim: Other."), "changed since"),
        (lambda path: change(path, "DELETE FROM memories WHERE id = ?", MQTT), "is gone"),
        (lambda path: change(path, "UPDATE bridge_metadata SET value = 'e2'"), "restored since"),
        (lambda path: add_review(path, 1, MQTT, "approved"), "reviewed it there since"),
        (lambda path: change(path, "PRAGMA user_version = 13"), "version 13"),
    ],
    ids=["changed", "gone", "epoch", "reviewed", "schema"],
)
def test_drift_stops_everything(tmp_path: Path, rosa: Actor, drift: Any, says: str) -> None:
    path = sample(tmp_path)
    imported(path)
    decided(rosa, MQTT, Action.REJECT)
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
