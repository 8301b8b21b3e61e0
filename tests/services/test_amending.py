"""Deciding again at once: undo and decide in one transaction, by the same person (contract 10 "Undo"; scenario S8)."""

from __future__ import annotations

import uuid

import pytest

from evidence.models import Decision, Evidence, Inquiry
from evidence.rules.vocab import Action, Role
from evidence.selectors.audit import verify_chain
from evidence.services.answering import answer_inquiry
from evidence.services.deciding import decide
from evidence.services.errors import Refused
from evidence.services.undoing import undo
from tests.services import make

pytestmark = pytest.mark.django_db


def amend(held, who, action, first, **members):
    """Decide again, from the card that shows the first decision."""
    held.refresh_from_db()
    defaults = {"seen_version": held.version, "idempotency_key": uuid.uuid4().hex}
    return decide(
        held_id=held.id, action=action, actor=make.person(who), amends=first.decision.id, **(defaults | members)
    )


def facts():
    return sorted(row.claim_value for row in Evidence.objects.filter(kind="fact", state="active"))


@pytest.fixture
def disputed():
    make.fact("The account is active.", about=make.claim("active"))
    return make.proposal(statement="The account is past due.", claim=make.claim("past due"))


def test_an_approval_becomes_a_rejection_and_the_chain_holds_all_three(disputed):
    reviewer = make.reviewer()
    first = make.approve(disputed, reviewer)
    second = amend(disputed, reviewer, Action.REJECT, first, reason_code="wrong", reason="I misread the invoice.")
    disputed.refresh_from_db()
    assert (disputed.status, disputed.reason, facts()) == ("rejected", "I misread the invoice.", ["active"])
    assert (second.decision.amends, second.decision.undoes) == (first.decision.id, None)
    own = Decision.objects.about("held", str(disputed.id)).exclude(action="file").order_by("seq")
    assert [row.action for row in own] == ["approve", "undo", "reject"]
    assert disputed.decision_id == second.decision.id
    assert Inquiry.objects.get(held=disputed).answer == "current"
    assert verify_chain().ok


def test_a_typo_in_the_reason_is_saved_again_from_the_old_card(disputed):
    reviewer = make.reviewer()
    seen = disputed.version
    first = make.act(disputed, reviewer, Action.REJECT, reason_code="wrong", reason="Tpyo.")
    amend(disputed, reviewer, Action.REJECT, first, reason_code="wrong", reason="Typo.", seen_version=seen)
    disputed.refresh_from_db()
    assert disputed.reason == "Typo."


def test_what_the_new_decision_lacks_takes_the_undo_with_it(disputed):
    reviewer = make.reviewer()
    first = make.approve(disputed, reviewer)
    disputed.refresh_from_db()
    before = (disputed.status, disputed.version, facts(), Decision.objects.count())
    with pytest.raises(Refused, match="reason_required"):
        amend(disputed, reviewer, Action.REJECT, first)
    disputed.refresh_from_db()
    assert (disputed.status, disputed.version, facts(), Decision.objects.count()) == before


def test_an_amendment_is_amended_and_undone_like_any_decision(disputed):
    reviewer = make.reviewer()
    first = make.approve(disputed, reviewer)
    second = amend(disputed, reviewer, Action.REJECT, first, reason_code="wrong")
    third = amend(disputed, reviewer, Action.APPROVE, second)
    assert facts() == ["past due"]
    with pytest.raises(Refused, match="undo_blocked"):
        amend(disputed, reviewer, Action.APPROVE, second)
    undo(decision_id=third.decision.id, actor=make.person(reviewer))
    disputed.refresh_from_db()
    assert (disputed.status, facts()) == ("waiting", ["active"])


def test_the_same_amendment_twice_is_one(disputed):
    reviewer = make.reviewer()
    first = make.approve(disputed, reviewer)
    seen = {"idempotency_key": "again", "reason_code": "wrong"}
    second = amend(disputed, reviewer, Action.REJECT, first, **seen)
    again = amend(disputed, reviewer, Action.REJECT, first, **seen)
    assert (again.replay, again.decision.id) == (True, second.decision.id)
    assert Decision.objects.filter(action="undo").count() == 1


def test_a_first_approval_and_a_snooze_are_amended_too():
    held = make.proposal(**make.risky())
    reviewer = make.reviewer()
    make.reviewer("reviewer2")
    first = make.approve(held, reviewer)
    amend(held, reviewer, Action.REJECT, first, reason_code="poisoned")
    held.refresh_from_db()
    assert (held.status, held.first_approver_id) == ("rejected", None)


def test_only_the_same_person_amends_and_only_this_item(disputed):
    reviewer, other = make.reviewer(), make.user("boss", Role.REVIEWER, Role.ADMINISTRATOR)
    first = make.approve(disputed, reviewer)
    with pytest.raises(Refused) as info:
        amend(disputed, other, Action.REJECT, first, reason_code="wrong")
    assert info.value.status == 403
    elsewhere = make.proposal(statement="Lunch is at noon in the north office.")
    with pytest.raises(Refused, match="undo_blocked"):
        amend(elsewhere, reviewer, Action.REJECT, first, reason_code="wrong")
    disputed.refresh_from_db()
    assert disputed.status == "approved"


def test_a_version_that_is_neither_seen_nor_left_is_refused(disputed):
    reviewer = make.reviewer()
    first = make.approve(disputed, reviewer)
    with pytest.raises(Refused, match="version_conflict"):
        amend(disputed, reviewer, Action.REJECT, first, reason_code="wrong", seen_version=1000)


def test_somebody_elses_later_decision_is_not_amended_away(disputed):
    reviewer, other = make.reviewer(), make.reviewer("reviewer2")
    first = make.approve(disputed, reviewer)
    later = make.proposal(statement="The account is closed.", claim=make.claim("closed"))
    make.approve(later, other)
    with pytest.raises(Refused) as info:
        amend(disputed, reviewer, Action.REJECT, first, reason_code="wrong")
    assert (info.value.code, info.value.extra["decided_by"]) == ("undo_blocked", "reviewer2")
    assert facts() == ["closed"]


def test_an_answer_is_not_amended_by_a_decision(disputed):
    owner = make.user("owner", Role.OWNER, Role.REVIEWER, of=make.agent())
    question = Inquiry.objects.open().get(held=disputed)
    answered = answer_inquiry(
        inquiry_id=question.id, answer="current", seen_version=question.version, actor=make.person(owner),
        idempotency_key="a",
    )  # fmt: skip
    with pytest.raises(Refused, match="undo_blocked"):
        amend(disputed, owner, Action.APPROVE, answered)
