"""Several at once about one observation, on SQLite and on PostgreSQL: no change is lost, it goes once, one question asks."""

from __future__ import annotations

import pytest

from evidence.models import Decision, Evidence, Inquiry
from evidence.rules.vocab import AuditAction, Role, State
from evidence.selectors.audit import verify_chain
from evidence.services.annotating import annotate_record, forget_record
from evidence.services.drafts import EvidenceDraft
from evidence.services.errors import Refused
from evidence.services.filing import file_evidence
from tests.services import make
from tests.services.test_races import at_once

pytestmark = [pytest.mark.races, pytest.mark.django_db(transaction=True)]


def a_note(access: str = "private") -> Evidence:
    draft = EvidenceDraft(
        source_id="entry:ops-agent/notes/1", content="The osprey nests on the crane.", event_at=make.days_ago(1),
        scope_access=access,
    )  # fmt: skip
    return file_evidence(filer=make.filer(), draft=draft).record


def test_annotations_at_once_are_all_in_the_audit() -> None:
    note, filer = a_note(), make.filer()
    at_once(lambda number: annotate_record(filer=filer, record_id=note.record_id, tags=[f"t{number}"]), 6)
    row = Evidence.objects.get()
    rows = Decision.objects.filter(action=AuditAction.EDIT).order_by("seq")
    assert [decision.target_version for decision in rows] == list(range(1, 7))
    assert (row.version, len(row.tags)) == (7, 1)
    assert verify_chain().ok


def test_it_is_forgotten_once() -> None:
    note, filer = a_note(), make.filer()

    def forget(_: int) -> str:
        try:
            return str(forget_record(filer=filer, record_id=note.record_id).at_once)
        except Refused as refused:
            return refused.code

    assert sorted(at_once(forget, 5)) == ["True", *["not_found"] * 4]
    assert Evidence.objects.get().state == State.DELETED
    assert Decision.objects.filter(action=AuditAction.DELETE).count() == 1


def test_its_owner_is_asked_once() -> None:
    make.user("olga", Role.OWNER, of=make.agent())
    note, filer = a_note("public"), make.filer()
    at_once(lambda number: forget_record(filer=filer, record_id=note.record_id, reason=f"Reason {number}."), 5)
    assert Inquiry.objects.get().touches == 4
    assert Evidence.objects.get().state == State.ACTIVE
