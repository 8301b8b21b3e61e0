"""Whose turn a question is: assigned, due by its severity, passed on once when it lies; twins and reports."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from evidence.models import Decision, Inquiry, Membership, News
from evidence.rules.escalation import Level, due_at, level_at
from evidence.rules.vocab import InquiryKind, Role
from evidence.selectors.audit import verify_chain
from evidence.selectors.inquiries import next_for, turn_of
from evidence.services import sweeps
from evidence.services.errors import Refused
from evidence.services.filing import file_evidence
from evidence.services.inquiring import open_inquiry
from evidence.services.members import grant_role, revoke_role, set_deputy
from tests.services import disputes, make

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(("severity", "days"), [("high", 2), ("medium", 7), ("low", 14), ("", 2)])
def test_a_question_is_due_by_its_severity(severity: str, days: int) -> None:
    assert due_at(severity, NOW) == NOW + timedelta(days=days)


@pytest.mark.parametrize(
    ("late", "deputies", "level"),
    [
        (-1, True, Level.OWNER), (0, True, Level.DEPUTIES), (1.9, True, Level.DEPUTIES), (2, True, Level.ADMINISTRATORS),
        (-1, False, Level.OWNER), (0, False, Level.ADMINISTRATORS),
    ],
)  # fmt: skip
def test_it_goes_on_to_deputies_and_then_to_administrators(late: float, deputies: bool, level: Level) -> None:
    assert level_at(NOW, NOW + timedelta(days=late), has_deputies=deputies) == level
    assert level_at(None, NOW, has_deputies=deputies) == Level.OWNER


@pytest.fixture
def people(db: None) -> dict[str, object]:
    make.agent()
    administrator = make.user("ada", Role.ADMINISTRATOR)
    grant_role(username="dora", role="owner", agent_id="ops-agent", actor=make.person(administrator), deputy=True)
    return {"owner": disputes.owner(), "deputy": make.user("dora"), "administrator": administrator}


def lies(question: Inquiry, days: float) -> None:
    Inquiry.objects.filter(pk=question.pk).update(due_at=timezone.now() - timedelta(days=days))


def told(question: Inquiry, kind: str) -> list[list[int]]:
    return [one.people for one in News.objects.filter(kind=kind, subject_id=str(question.pk)).order_by("at")]


def test_a_question_is_put_to_the_owner_and_told_once(people: dict[str, object]) -> None:
    question = disputes.by_report()
    assert question.assigned_to == people["owner"]
    assert question.due_at is not None
    assert abs(question.due_at - timezone.now() - timedelta(days=2)) < timedelta(minutes=1)
    assert told(question, "question") == [[people["owner"].pk]]  # type: ignore[attr-defined]
    file_evidence(filer=make.filer(), draft=disputes.report(source="entry:ops-agent/letters"))
    assert len(told(question, "question")) == 1, "a twin that is touched is no news"


def test_it_is_passed_on_once_a_step(people: dict[str, object]) -> None:
    question = disputes.by_report()
    assert sweeps.sweep_inquiries() == 0
    lies(question, 0.1)
    assert [sweeps.sweep_inquiries() for _ in range(3)] == [1, 0, 0]
    question.refresh_from_db()
    assert (question.escalation, question.version) == (Level.DEPUTIES, 1)
    assert question.assigned_to == people["owner"]
    lies(question, 3)
    assert [sweeps.sweep_inquiries() for _ in range(3)] == [1, 0, 0]
    question.refresh_from_db()
    assert question.escalation == Level.ADMINISTRATORS
    rows = Decision.objects.filter(action="escalate", target_id=str(question.pk)).order_by("seq")
    assert [[(one["kind"], one["target_id"]) for one in row.effects] for row in rows] == [
        [("deputies", str(people["deputy"].pk))], [("administrators", str(people["administrator"].pk))],  # type: ignore[attr-defined]
    ]  # fmt: skip
    assert len(told(question, "question_overdue")) == 2
    assert verify_chain().ok


def test_whose_turn_it_is(people: dict[str, object]) -> None:
    owner, deputy, administrator = (people[name] for name in ("owner", "deputy", "administrator"))
    question = disputes.by_report()

    def turns() -> list[bool]:
        return [turn_of(one).filter(pk=question.pk).exists() for one in (owner, deputy, administrator)]  # type: ignore[arg-type]

    assert turns() == [True, False, False]
    assert next_for(owner) == question  # type: ignore[arg-type]
    lies(question, 0.1)
    sweeps.sweep_inquiries()
    assert turns() == [True, True, False]
    lies(question, 3)
    sweeps.sweep_inquiries()
    assert turns() == [True, True, True]
    # An administrator is told and sees to it that somebody answers; answering is the owners'.
    assert next_for(administrator) is None  # type: ignore[arg-type]
    question.refresh_from_db()
    disputes.answer(question, deputy, "current")  # type: ignore[arg-type]
    assert turns() == [False, False, False]


def test_what_waits_for_the_agent_is_passed_on_to_nobody(people: dict[str, object]) -> None:
    question = disputes.by_report()
    disputes.answer(question, people["owner"], "need_evidence")  # type: ignore[arg-type]
    lies(question, 9)
    assert sweeps.sweep_inquiries() == 0
    assert not turn_of(people["owner"]).exists()  # type: ignore[arg-type]


def test_a_question_of_somebody_who_left_is_put_to_who_owns_the_agent_now(people: dict[str, object]) -> None:
    question = disputes.by_report()
    actor = make.person(people["administrator"])  # type: ignore[arg-type]
    revoke_role(username="owner", role="owner", agent_id="ops-agent", actor=actor)
    assert [sweeps.sweep_inquiries(), sweeps.sweep_inquiries()] == [1, 0]
    question.refresh_from_db()
    assert question.assigned_to == people["deputy"]
    assert Decision.objects.get(action="assign").target_id == str(question.pk)
    revoke_role(username="dora", role="owner", agent_id="ops-agent", actor=actor)
    assert sweeps.sweep_inquiries() == 0, "there is nobody to put it to"


def test_a_question_of_an_item_that_ended_is_stale_and_says_so_in_the_audit(people: dict[str, object]) -> None:
    question = disputes.asked_by_reviewer()
    assert question.held is not None
    type(question.held).objects.filter(pk=question.held_id).update(status="expired")
    assert [sweeps.sweep_inquiries(), sweeps.sweep_inquiries()] == [1, 0]
    question.refresh_from_db()
    assert (question.status, question.version) == ("stale", 2)
    assert Decision.objects.get(action="expire", target_kind="inquiry").target_id == str(question.pk)


def test_deputies_are_owners_and_made_by_administrators(people: dict[str, object]) -> None:
    administrator = make.person(people["administrator"])  # type: ignore[arg-type]
    membership = Membership.objects.get(user=people["owner"])
    assert set_deputy(membership_id=membership.pk, deputy=True, reason="On leave.", actor=administrator).deputy
    assert set_deputy(membership_id=membership.pk, deputy=True, reason="On leave.", actor=administrator).deputy
    assert Decision.objects.filter(action="membership", effects__0__kind="deputy_made").count() == 1
    with pytest.raises(Refused, match="reason_required"):
        set_deputy(membership_id=membership.pk, deputy=False, reason=" ", actor=administrator)
    with pytest.raises(Refused, match="right_missing"):
        set_deputy(membership_id=membership.pk, deputy=False, reason="x", actor=make.person(disputes.owner()))
    other = Membership.objects.get(user=people["administrator"])
    with pytest.raises(Refused, match="invalid_value"):
        set_deputy(membership_id=other.pk, deputy=True, reason="x", actor=administrator)
    with pytest.raises(Refused, match="invalid_value"):
        grant_role(username="x", role="reviewer", actor=administrator, deputy=True)


def test_an_open_twin_is_touched_and_a_closed_one_does_not_stand_in_the_way(people: dict[str, object]) -> None:
    fact = disputes.stands()
    members = {
        "kind": InquiryKind.CONFLICT, "severity": "high", "agent_id": "ops-agent", "namespace": "default",
        "current": fact, "incoming": None,
    }  # fmt: skip
    first = open_inquiry(question="Is it  ACTIVE?", **members)  # type: ignore[arg-type]
    twin = open_inquiry(question="is it active?", **members)  # type: ignore[arg-type]
    assert (twin.pk, twin.touches) == (first.pk, 1)
    first.refresh_from_db()
    disputes.answer(first, people["owner"], "current")  # type: ignore[arg-type]
    again = open_inquiry(question="is it active?", **members)  # type: ignore[arg-type]
    assert again.pk != first.pk
    elsewhere = open_inquiry(question="is it active?", **(members | {"namespace": "far"}))  # type: ignore[arg-type]
    assert elsewhere.pk != again.pk


def test_new_evidence_after_an_answer_is_asked_about_anew(people: dict[str, object]) -> None:
    question = disputes.by_two_reports()
    assert (question.touches, question.attached.count(), Inquiry.objects.count()) == (1, 1, 1)
    disputes.answer(question, people["owner"], "current")  # type: ignore[arg-type]
    filed = file_evidence(filer=make.filer(), draft=disputes.report(source=f"entry:ops-agent/{uuid.uuid4().hex}"))
    assert filed.finding is not None
    assert filed.finding.inquiry_id not in (None, question.pk)


def test_another_value_or_other_readers_are_another_question(people: dict[str, object]) -> None:
    disputes.by_report()
    for number, members in enumerate(({"value": "closed"}, {"scope_access": "private"})):
        file_evidence(filer=make.filer(), draft=disputes.report(source=f"entry:ops-agent/{number}", **members))  # type: ignore[arg-type]
    assert Inquiry.objects.open().count() == 3
