"""Answers: what becomes of both sides, of the held item and of its equals (contract 10 "Inquiry")."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from evidence.models import Decision, Evidence, HeldRecord, Inquiry
from evidence.rules.records import Scope
from evidence.rules.vocab import Answer, Role
from evidence.selectors.audit import verify_chain
from evidence.selectors.sides import answers_of
from evidence.services.answering import answer_inquiry
from evidence.services.errors import Refused
from evidence.services.undoing import undo
from tests.services import make

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return make.user("owner", Role.OWNER, of=make.agent())


@pytest.fixture
def conflict():
    current = make.fact(
        "The account is active.", about=make.claim("active"), checked=timezone.now() - timedelta(days=9)
    )
    held = make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    return current, held, Inquiry.objects.open().get(held=held)


def answer(inquiry, who, word, **members):
    members.setdefault("seen_version", inquiry.version)
    members.setdefault("idempotency_key", uuid.uuid4().hex)
    return answer_inquiry(inquiry_id=inquiry.id, answer=word, actor=make.person(who), **members)


def facts():
    return sorted(row.claim_value for row in Evidence.objects.filter(kind="fact", state="active"))


@pytest.mark.parametrize(
    ("word", "members", "status", "left"),
    [
        (Answer.CURRENT, {}, "rejected", ["active"]),
        (Answer.INCOMING, {}, "approved", ["past due"]),
        (Answer.OTHER_VALUE, {"value": "closed"}, "rejected", ["closed"]),
        (Answer.NEITHER, {}, "rejected", []),
    ],
)
def test_an_answer_decides_the_item_and_the_record(conflict, owner, word, members, status, left):
    _, held, inquiry = conflict
    answer(inquiry, owner, word, **members)
    held.refresh_from_db()
    inquiry.refresh_from_db()
    assert (held.status, inquiry.status, inquiry.answer, facts()) == (status, "answered", word, left)
    for row in Evidence.objects.filter(kind="fact", state="active"):
        assert row.check_confirmed_by == "owner"
        assert timezone.now() - row.check_at < timedelta(minutes=1)
    assert verify_chain().ok


@pytest.mark.parametrize("word", [Answer.CURRENT, Answer.INCOMING, Answer.OTHER_VALUE, Answer.NEITHER])
def test_every_answer_can_be_undone(conflict, owner, word):
    _, held, inquiry = conflict
    answered = answer(inquiry, owner, word, value="closed")
    undo(decision_id=answered.decision.id, actor=make.person(owner))
    held.refresh_from_db()
    inquiry.refresh_from_db()
    assert (held.status, inquiry.status, inquiry.answer, facts()) == ("waiting", "open", "", ["active"])


def test_both_are_true_each_for_its_own_readers(conflict, owner):
    _, _, inquiry = conflict
    apart = {"current": Scope("ops-agent", "private"), "incoming": Scope("sales-agent", "private")}
    overlapping = {"current": Scope("ops-agent", "public"), "incoming": Scope("sales-agent", "private")}
    with pytest.raises(Refused, match="overlap"):
        answer(inquiry, owner, Answer.BOTH_SCOPE, scopes=overlapping)
    answer(inquiry, owner, Answer.BOTH_SCOPE, scopes=apart)
    owners = {row.claim_value: row.scope_owner for row in Evidence.objects.filter(kind="fact", state="active")}
    assert owners == {"active": "ops-agent", "past due": "sales-agent"}


def test_both_are_true_each_in_its_own_time(conflict, owner):
    current, _, inquiry = conflict
    turn = timezone.now() - timedelta(days=3)
    answer(inquiry, owner, Answer.BOTH_TIME, validity={"current": (None, turn), "incoming": (turn, None)})
    assert facts() == ["active", "past due"]
    current.refresh_from_db()
    assert current.valid_until == turn


def test_need_evidence_keeps_the_question_open(conflict, owner):
    _, held, inquiry = conflict
    answer(inquiry, owner, Answer.NEED_EVIDENCE)
    inquiry.refresh_from_db()
    held.refresh_from_db()
    assert (inquiry.status, held.status) == ("open", "waiting")
    assert inquiry.evidence_asked_at is not None


def test_when_one_side_is_gone_only_the_other_or_neither_can_be_answered(conflict, owner):
    current, _, inquiry = conflict
    Evidence.objects.filter(pk=current.pk).update(state="revoked")
    assert answers_of(inquiry) == (Answer.INCOMING, Answer.NEITHER)
    with pytest.raises(Refused, match="invalid_value"):
        answer(inquiry, owner, Answer.CURRENT)
    answer(inquiry, owner, Answer.INCOMING)
    assert facts() == ["past due"]


def test_deciding_the_item_closes_the_question_and_the_answer_comes_too_late(conflict, owner):
    _, held, inquiry = conflict
    make.approve(held, make.reviewer())
    with pytest.raises(Refused) as info:
        answer(inquiry, owner, Answer.CURRENT)
    assert (info.value.code, info.value.extra["decided_by"]) == ("closed", "reviewer")


def test_only_an_owner_answers(conflict):
    _, _, inquiry = conflict
    with pytest.raises(Refused) as info:
        answer(inquiry, make.reviewer(), Answer.CURRENT)
    assert info.value.status == 403
    with pytest.raises(Refused, match="not_found"):
        answer(inquiry, make.user("stranger", Role.OWNER, of=make.agent("x")), Answer.CURRENT)


def test_a_reviewed_article_changes_only_through_a_promotion_proposal(owner):
    about = make.claim("Tuesday", "deploys", "weekday")
    article = make.article(about=about)
    held = make.proposal(statement="Deploys happen on Thursday.", claim=make.claim("Thursday", "deploys", "weekday"))
    inquiry = Inquiry.objects.open().get(held=held)
    answer(inquiry, owner, Answer.INCOMING)
    article.refresh_from_db()
    held.refresh_from_db()
    promotion = HeldRecord.objects.get(kind="promotion_proposal")
    assert article.state == "active"
    assert (held.status, held.replaced_by) == ("superseded", promotion)
    assert "Thursday" in promotion.promotion.content
    assert promotion.promotion.base_version == article.source_version
    assert promotion.meaning_editor == owner


def test_version_and_replay(conflict, owner):
    _, _, inquiry = conflict
    with pytest.raises(Refused, match="version_required"):
        answer(inquiry, owner, Answer.CURRENT, seen_version=None)
    first = answer(inquiry, owner, Answer.CURRENT, idempotency_key="k")
    again = answer(inquiry, owner, Answer.CURRENT, idempotency_key="k")
    assert (again.replay, again.decision.id) == (True, first.decision.id)
    assert Decision.objects.filter(action="answer").count() == 1
