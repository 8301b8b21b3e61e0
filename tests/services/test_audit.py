"""The chain: appended in order, refused to be changed by the database itself, verifiable, purgeable (DESIGN "The model")."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from evidence.models import ChainHead, Decision, DecisionTouch, HeldRecord, Snapshot, triggers
from evidence.models.base import new_id
from evidence.rules.chain import Fault
from evidence.rules.vocab import Action, Role
from evidence.selectors.audit import verify_chain
from evidence.services.purging import purge_item
from tests.services import make

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


@pytest.fixture
def decision() -> Decision:
    held = make.proposal()
    return make.act(held, make.reviewer(), Action.REJECT, reason_code="wrong", reason="because").decision


def refuses(statement: str, *parameters: object) -> None:
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, parameters)


def test_every_trigger_is_there():
    assert triggers.missing(connection) == []


def test_update_and_delete_are_refused(decision):
    for table in ("evidence_decision", "evidence_decisiontouch"):
        refuses(f"DELETE FROM {table}")
    refuses("UPDATE evidence_decision SET reason_code = 'other'")
    refuses("UPDATE evidence_decisiontouch SET version = 9")
    refuses("DELETE FROM evidence_snapshot")
    refuses("UPDATE evidence_snapshot SET body = 'nicer'")
    assert verify_chain().ok


def test_replacing_a_row_is_refused_on_sqlite(decision):
    if connection.vendor != "sqlite":
        pytest.skip("INSERT OR REPLACE is SQLite's")
    columns = ", ".join(f'"{field.column}"' for field in Decision._meta.concrete_fields)
    refuses(f"INSERT OR REPLACE INTO evidence_decision ({columns}) SELECT {columns} FROM evidence_decision")
    others = columns.replace('"id"', "'0123456789abcdef0123456789abcdef'", 1)
    refuses(f"INSERT OR REPLACE INTO evidence_decision ({columns}) SELECT {others} FROM evidence_decision LIMIT 1")
    assert verify_chain().ok


@pytest.mark.django_db(transaction=True)  # a pending foreign key check would refuse the TRUNCATE first
def test_truncating_and_upserting_are_refused_on_postgresql(decision):
    if connection.vendor != "postgresql":
        pytest.skip("TRUNCATE is PostgreSQL's")
    for table in ("evidence_decision", "evidence_decisiontouch", "evidence_snapshot"):
        refuses(f"TRUNCATE {table} CASCADE")
    columns = ", ".join(f'"{field.column}"' for field in Decision._meta.concrete_fields)
    refuses(
        f"INSERT INTO evidence_decision ({columns}) SELECT {columns} FROM evidence_decision LIMIT 1"
        " ON CONFLICT (id) DO UPDATE SET reason_code = 'other'"
    )
    assert verify_chain().ok


def test_a_purge_takes_text_and_salt_and_the_chain_still_verifies(decision):
    held = HeldRecord.objects.get(pk=decision.target_id)
    purge_item(
        held_id=held.pk, seen_version=held.version, actor=make.person(make.user("root", Role.ADMINISTRATOR)), reason="x"
    )
    report = verify_chain()
    assert (report.ok, report.purged >= 1) == (True, True)


def test_a_text_that_was_emptied_by_nobodys_decision_is_found(decision):
    for purged_at in (None, timezone.now()):
        Snapshot.objects.filter(pk=decision.commitments["reason"]["snapshot"]).update(
            body=None, salt=None, purged_at=purged_at
        )
        assert [fault.fault for fault in verify_chain().broken] == [Fault.PURGED]


def test_a_forged_row_is_found(decision):
    triggers.drop(connection)
    try:
        Decision.objects.filter(pk=decision.pk).update(reason_code="other")
        broken = verify_chain().broken
    finally:
        Decision.objects.filter(pk=decision.pk).update(reason_code="wrong")
        triggers.install(connection)
    assert [fault.seq for fault in broken] == [decision.seq]
    assert verify_chain().ok


def test_a_row_put_before_the_first_link_is_found(decision):
    forged = Decision.objects.get(pk=decision.pk)
    forged.id, forged.seq, forged.target_id, forged.idempotency_key = new_id(), 0, "forged", None
    forged.save(force_insert=True)
    report = verify_chain()
    assert [fault.seq for fault in report.broken][:1] == [0]


@pytest.mark.parametrize("column", ["at", "bulk_id", "commitments"])
def test_a_value_that_cannot_be_read_is_a_break_and_no_error(decision, column):
    if connection.vendor != "sqlite":
        pytest.skip("other databases refuse values that are not of a column's type")
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER evidence_decision_no_update")
        value = '{"shown": 1}' if column == "commitments" else "zz"
        cursor.execute(f"UPDATE evidence_decision SET {column} = %s WHERE seq = %s", [value, decision.seq])
    report = verify_chain("default")
    assert "no link can hold" in report.broken[-1].detail
    assert report.checked <= decision.seq


def test_a_missing_row_a_changed_text_and_a_wrong_head_are_found(decision):
    triggers.drop(connection)
    try:
        Snapshot.objects.filter(pk=decision.commitments["reason"]["snapshot"]).update(body="another reason")
        assert "not what was committed to" in verify_chain().broken[0].detail
        ChainHead.objects.filter(namespace="default").update(seq=99)
        assert "does not end" in verify_chain().broken[-1].detail
        DecisionTouch.objects.all().delete()
        Decision.objects.filter(seq=1).delete()
        assert "link 1 is missing" in verify_chain().broken[0].detail
    finally:
        triggers.install(connection)


def test_a_changed_or_missing_note_of_what_was_touched_is_found(decision):
    triggers.drop(connection)
    try:
        DecisionTouch.objects.filter(decision=decision).update(version=99)
        assert [fault.seq for fault in verify_chain().broken] == [decision.seq]
        DecisionTouch.objects.filter(decision=decision).delete()
        assert [fault.seq for fault in verify_chain().broken] == [decision.seq]
    finally:
        triggers.install(connection)


def test_the_audit_outlives_the_people_and_models_it_names(decision):
    held_id = decision.target_id
    decision_name = decision.actor_name
    from evidence.models import HeldLink, HeldRecord, User

    User.objects.filter(username="reviewer").delete()
    HeldLink.objects.filter(held=held_id).delete()
    HeldRecord.objects.filter(pk=held_id).delete()
    row = Decision.objects.get(pk=decision.pk)
    assert (row.actor_name, row.target_id) == (decision_name, held_id)
    assert verify_chain().ok


def test_a_failing_audit_write_takes_the_decision_with_it(monkeypatch):
    from evidence.services import audit

    held = make.proposal()

    def broken(**_: object) -> None:
        raise DatabaseError("disk full")

    monkeypatch.setattr(audit, "append", broken)
    with pytest.raises(DatabaseError), transaction.atomic():
        make.act(held, make.reviewer(), Action.REJECT, reason_code="wrong")
    held.refresh_from_db()
    assert held.status == "waiting"
    assert not Decision.objects.about("held", str(held.id)).exclude(action="file").exists()
