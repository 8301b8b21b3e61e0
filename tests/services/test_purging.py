"""A purged text is nowhere any more: not in a table, an index, a file of the data folder, not in the bytes of the database."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from evidence.models import (
    Decision,
    Evidence,
    HeldRecord,
    Job,
    JobItem,
    RecallLog,
    User,
    triggers,
)
from evidence.rules.purging import PURGED
from evidence.rules.run_vocab import RunEventType
from evidence.rules.vocab import Action, AuditAction, Role
from evidence.services import purging
from evidence.services.audit_verifying import verify_audit
from evidence.services.backups import back_up
from evidence.services.errors import Refused
from evidence.services.purging import purge_item, purge_record
from evidence.services.run_recording import begin_run, record_event
from evidence.services.run_shapes import Beginning, Happening
from evidence.services.signal_publishing import publish_signal
from evidence.services.signal_shapes import SignalDraft
from evidence.services.verification import verify_held
from tests.builders import a_token
from tests.services import make

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

SECRET = 'Zoë Kowalczyk-Brandão of "Unit 7" was treated for an illness that is nobody’s business but her own.'
OTHER = "The lighthouse of Quail is dark."


@pytest.fixture
def root() -> User:
    return make.user("root", Role.ADMINISTRATOR)


@pytest.fixture
def said_everywhere() -> HeldRecord:
    """One text in a waiting item, a decided one, its fact, its evidence, questions, jobs, logs, signals and runs."""
    first = make.proposal(statement=SECRET)
    verify_held(held_id=first.pk)
    first.refresh_from_db()
    make.approve(first, make.reviewer())
    waiting = make.proposal(statement=f"It is known that: {SECRET}", claim=make.claim(SECRET[:200], "Zoë", "state"))
    make.act(
        make.proposal(statement="Other."), make.reviewer(), Action.REJECT, reason_code="wrong", reason=f"see {SECRET}"
    )
    make.proposal(statement=OTHER)
    job = Job.objects.create(kind="bulk", detail={"reason": SECRET, "deep": [{"a": [SECRET[:80]]}]})
    JobItem.objects.create(job=job, position=1, detail=SECRET[:90] + "…")
    RecallLog.objects.create(namespace="default", agent="ops-agent", query_text=SECRET, **_needed(RecallLog))
    token = a_token("ops-agent").token
    publish_signal(token=token, draft=SignalDraft(content=SECRET))
    run = begin_run(token=token, beginning=Beginning(workspace_key="w", goal=SECRET)).run
    happening = Happening(type=RunEventType.OBSERVATION, summary=SECRET)
    record_event(token=token, run_id=run.pk, happening=happening)
    return waiting


def _needed(model) -> dict[str, object]:
    """Values for the columns of a log row that have no default."""
    known = {"query_hash": "0" * 64, "door": "api", "at": timezone.now(), "mode": "text", "backend": "sql"}
    return {field.name: known[field.name] for field in model._meta.concrete_fields if field.name in known}


def everything() -> str:
    """Every value of every table of the desk, as text."""
    rows = [
        f"{model.__name__} {values!r}"
        for model in apps.get_app_config("evidence").get_models()
        for values in model._default_manager.values_list()
    ]
    return "\n".join(rows)


def test_it_is_in_no_table_and_everything_else_stays(said_everywhere, root):
    fact = Evidence.objects.active().get(kind="fact")
    assert "Kowalczyk" in everything()
    done = purge_record(
        record_pk=fact.pk, seen_version=fact.version, actor=make.person(root), reason="She asked for it."
    )
    assert [line for line in everything().splitlines() if "Kowalczyk" in line] == []
    assert OTHER in everything()
    assert done.rows["Snapshot"] >= 2
    assert {"Run", "RunEvent", "AgentSignal", "Job", "JobItem", "RecallLog"} <= set(done.rows)
    waiting = HeldRecord.objects.get(pk=said_everywhere.pk)
    assert (waiting.status, PURGED in waiting.statement) == ("expired", True)
    assert not Evidence.objects.active().filter(kind="fact").exists()
    report = verify_audit()
    assert (report.ok, report.purged) == (True, done.rows["Snapshot"])
    assert triggers.missing(connection) == []
    told = Decision.objects.get(action=AuditAction.PURGE)
    assert {effect["target_kind"]: int(effect["target_id"]) for effect in told.effects} == done.rows


def test_it_is_not_in_the_bytes_of_any_file(said_everywhere, root, tmp_path, settings):
    if connection.vendor != "sqlite":
        pytest.skip("the files of PostgreSQL are its server's")
    settings.DATA_DIR = tmp_path
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "1.log").write_text(SECRET)
    back_up(target=tmp_path / "backups" / "old.tar.gz", now=timezone.now())
    waiting = said_everywhere
    purge_item(held_id=waiting.pk, seen_version=waiting.version, actor=make.person(root), reason="She asked for it.")
    call_command("compact", verbosity=0)
    database = Path(str(connection.settings_dict["NAME"]))
    files = [*database.parent.glob(f"{database.name}*"), *(file for file in tmp_path.rglob("*") if file.is_file())]
    assert database in files
    assert not (tmp_path / "backups" / "old.tar.gz").exists()
    for file in files:
        body = file.read_bytes()
        for form in ("Kowalczyk", "kowalczyk", "Brand\u00e3o", json.dumps(SECRET)[1:30]):
            assert form.encode() not in body, (file.name, form)
    assert OTHER.encode() in database.read_bytes()


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"reason": ""}, "reason_required"),
        ({"reason": f"because {SECRET}"}, "invalid_value"),
        ({"seen_version": None}, "version_required"),
        ({"seen_version": 99}, "version_conflict"),
        ({"held_id": "01a22ef1-b7a8-70b9-ae84-494afdb10c2a"}, "not_found"),
    ],
)
def test_what_is_wrong_purges_nothing(root, members, code):
    held = make.proposal(statement=SECRET)
    asked = {"held_id": held.pk, "seen_version": held.version, "actor": make.person(root), "reason": "She asked."}
    with pytest.raises(Refused) as refused:
        purge_item(**(asked | members))
    assert refused.value.code == code
    assert HeldRecord.objects.get(pk=held.pk).statement == SECRET


def test_only_an_administrator_purges():
    held = make.proposal(statement=SECRET)
    with pytest.raises(Refused) as refused:
        purge_item(held_id=held.pk, seen_version=held.version, actor=make.person(make.reviewer()), reason="x")
    assert refused.value.code == "right_missing"


def test_a_short_text_is_left_where_others_say_it(root):
    fact = make.fact("The account is active.", about=make.claim("active"))
    make.proposal(statement="The gate is active.")
    purge_record(record_pk=fact.pk, seen_version=fact.version, actor=make.person(root), reason="x")
    assert "The gate is active." in everything()
    assert "The account is active." not in everything()


def test_when_it_fails_in_the_middle_everything_is_as_it_was(said_everywhere, root, monkeypatch):
    def fail(**_: object) -> None:
        raise RuntimeError("in the middle")

    monkeypatch.setattr(purging.audit, "append", fail)
    before = everything()
    with pytest.raises(RuntimeError):
        purge_item(
            held_id=said_everywhere.pk,
            seen_version=said_everywhere.version,
            actor=make.person(root),
            reason="She asked.",
        )
    assert everything() == before
    assert triggers.missing(connection) == []
