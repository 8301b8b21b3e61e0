"""What an answer may not do, and places where two facts meet (contract 4, 8, 10 "Inquiry"; scenarios S5, S21)."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from evidence.models import Evidence, HeldRecord, Inquiry
from evidence.rules.records import Claim, Scope
from evidence.rules.vocab import Action, Answer, Role
from evidence.services.answering import answer_inquiry
from evidence.services.editing import edit_held
from evidence.services.errors import Refused
from evidence.services.undoing import undo
from tests.services import make

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return make.user("owner", Role.OWNER, of=make.agent())


@pytest.fixture
def approved_fact():
    """A fact as an approval makes it: its source id comes from its claim and its readers."""
    held = make.proposal(statement="The account is active.", claim=make.claim("active"))
    make.approve(held, make.reviewer())
    held.refresh_from_db()
    return held.fact_proposal.result


def dispute(**members) -> tuple[HeldRecord, Inquiry]:
    members.setdefault("statement", "The account is past due.")
    members.setdefault("claim", make.claim("past due"))
    held = make.proposal(**members)
    return held, Inquiry.objects.open().get(held=held)


def answer(inquiry, who, word, **members):
    members.setdefault("seen_version", inquiry.version)
    members.setdefault("idempotency_key", uuid.uuid4().hex)
    return answer_inquiry(inquiry_id=inquiry.id, answer=word, actor=make.person(who), **members)


def facts():
    return sorted(row.claim_value for row in Evidence.objects.filter(kind="fact", state="active"))


def test_both_are_true_each_in_its_own_time_where_the_first_came_from_an_approval(approved_fact, owner):
    held, inquiry = dispute()
    turn = timezone.now() - timedelta(days=3)
    answered = answer(inquiry, owner, Answer.BOTH_TIME, validity={"current": (None, turn), "incoming": (turn, None)})
    assert facts() == ["active", "past due"]
    undo(decision_id=answered.decision.id, actor=make.person(owner))
    held.refresh_from_db()
    inquiry.refresh_from_db()
    approved_fact.refresh_from_db()
    assert (facts(), held.status, inquiry.status) == (["active"], "waiting", "open")
    assert (approved_fact.valid_until, approved_fact.valid_key) == (None, "")


def test_two_that_change_places_are_both_true_each_for_its_own_readers(approved_fact, owner):
    _, inquiry = dispute()
    scopes = {"current": Scope("ops-agent", "private"), "incoming": Scope("sales-agent", "private")}
    answered = answer(inquiry, owner, Answer.BOTH_SCOPE, scopes=scopes)
    assert facts() == ["active", "past due"]
    undo(decision_id=answered.decision.id, actor=make.person(owner))
    approved_fact.refresh_from_db()
    assert (facts(), approved_fact.scope_access) == (["active"], "public")


def test_a_fact_of_another_time_is_not_replaced_by_an_approval(approved_fact):
    Evidence.objects.filter(pk=approved_fact.pk).update(valid_until=timezone.now() - timedelta(days=30))
    held = make.proposal(statement="It is past due.", claim=make.claim(), valid_from=make.days_ago(20))
    make.approve(held, make.reviewer())
    assert facts() == ["active", "past due"]


def test_the_new_one_of_an_ambiguous_question_takes_the_place_that_it_needs(owner):
    public = make.fact("It is active.", about=make.claim("active"))
    private = make.fact("It is closed.", about=make.claim("closed"), scope_access="private")
    held, inquiry = dispute(scope_access="private")
    assert inquiry.kind == "ambiguous"
    answer(inquiry, owner, Answer.INCOMING)
    held.refresh_from_db()
    for row in (public, private):
        row.refresh_from_db()
    assert held.status == "approved"
    named = Evidence.objects.get(record_id=inquiry.current_record)
    assert (named.state, private.state) == ("superseded", "superseded")
    assert private.superseded_by == held.fact_proposal.result.record_id


def test_an_answer_approves_nothing_that_the_verifier_rejects(owner):
    make.fact("The account is active.", about=make.claim("active"))
    bad = make.inline("old note", thread="t-2", redaction="redacted")
    said = make.inline("The vendor account billing status is past due.")
    _, inquiry = dispute(evidence=(said, bad))
    with pytest.raises(Refused, match="verification_rejected"):
        answer(inquiry, owner, Answer.INCOMING)
    answer(inquiry, owner, Answer.CURRENT)


@pytest.mark.parametrize(
    ("members", "code"),
    [({"durability": "session"}, "conversion_required"), ({"layer": "L1"}, "ratification_required")],
)
def test_an_answer_converts_and_ratifies_nothing(owner, members, code):
    make.fact("The account is active.", about=make.claim("active"))
    _, inquiry = dispute(**members)
    with pytest.raises(Refused, match=code):
        answer(inquiry, owner, Answer.INCOMING)
    assert facts() == ["active"]


def test_an_owner_does_not_approve_a_high_risk_item_by_answering(owner):
    make.fact("The account is active.", about=make.claim("active"))
    low = "third_party_documentation"
    said = make.inline("The vendor account billing status is past due.", trust_class=low)
    held, inquiry = dispute(trust_class=low, evidence=(said,))
    assert held.risk == "high"
    make.reviewer()
    with pytest.raises(Refused, match="four_eyes"):
        answer(inquiry, owner, Answer.INCOMING)
    answer(inquiry, owner, Answer.CURRENT)
    held.refresh_from_db()
    assert held.status == "rejected"


def test_where_nobody_else_could_the_answer_goes_through_and_is_marked_solo(owner):
    make.fact("The account is active.", about=make.claim("active"))
    low = "third_party_documentation"
    said = make.inline("The vendor account billing status is past due.", trust_class=low)
    _, inquiry = dispute(trust_class=low, evidence=(said,))
    assert answer(inquiry, owner, Answer.INCOMING).decision.solo


def test_a_question_about_a_text_that_was_edited_since_is_not_answered(owner):
    make.fact("The account is active.", about=make.claim("active"))
    held, inquiry = dispute()
    edit_held(
        held_id=held.id, seen_version=held.version, actor=make.person(make.reviewer()), reason="The letter says so.",
        statement="The account is closed.", claim=make.claim("closed"),
    )  # fmt: skip
    with pytest.raises(Refused) as info:
        answer(inquiry, owner, Answer.INCOMING)
    assert info.value.status == 409
    again = Inquiry.objects.open().get(held=held)
    assert "closed" in again.question
    answer(again, owner, Answer.INCOMING)
    assert facts() == ["closed"]


def test_a_reviewers_question_about_a_text_that_was_edited_since_has_changed(owner):
    held = make.proposal()
    reviewer = make.reviewer()
    make.act(held, reviewer, Action.ASK_OWNER, question="Is that still so?")
    inquiry = Inquiry.objects.get(held=held)
    edit_held(
        held_id=held.id, seen_version=held.version, actor=make.person(reviewer), reason="They moved.",
        statement="Backups run every night at four.",
    )  # fmt: skip
    with pytest.raises(Refused, match="version_conflict"):
        answer(inquiry, owner, Answer.INCOMING)
    inquiry.refresh_from_db()
    assert "four" in inquiry.incoming_snapshot.body


def test_another_answer_under_the_same_key_is_no_replay(owner):
    make.fact("The account is active.", about=make.claim("active"))
    _, inquiry = dispute()
    answer(inquiry, owner, Answer.CURRENT, idempotency_key="k")
    with pytest.raises(Refused, match="idempotency_conflict"):
        answer(inquiry, owner, Answer.INCOMING, idempotency_key="k")


@pytest.mark.parametrize(
    ("scope", "code"),
    [
        (Scope("ops-agent", "private", project="kestrel"), "reserved"),
        (Scope("ops\0agent", "private"), "invalid_text"),
        (Scope("", "private"), "invalid_value"),
        (Scope("ops-agent", "everybody"), "invalid_value"),
        (Scope("ops-agent", "shared", ("gh" + "p_" + "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cF2hJ4kL6",)), "secret_detected"),
    ],
)
def test_the_readers_that_an_answer_names_are_checked(owner, scope, code):
    make.fact("The account is active.", about=make.claim("active"))
    _, inquiry = dispute()
    with pytest.raises(Refused, match=code):
        answer(
            inquiry, owner, Answer.BOTH_SCOPE, scopes={"current": scope, "incoming": Scope("sales-agent", "private")}
        )


def test_taking_back_that_an_article_should_change_takes_back_its_new_text(owner):
    make.article(about=make.claim("Tuesday", "deploys", "weekday"))
    held, inquiry = dispute(statement="Deploys happen on Thursday.", claim=make.claim("Thursday", "deploys", "weekday"))
    answered = answer(inquiry, owner, Answer.ARTICLE_SHOULD_CHANGE)
    promotion = HeldRecord.objects.get(kind="promotion_proposal")
    undo(decision_id=answered.decision.id, actor=make.person(owner))
    for row in (held, inquiry, promotion):
        row.refresh_from_db()
    assert (held.status, held.replaced_by, inquiry.status, promotion.status) == ("waiting", None, "open", "withdrawn")
    assert held.fact_proposal.observation.state == "active"


def test_an_undone_answer_leaves_no_trace_in_the_question(owner):
    make.fact("The account is active.", about=make.claim("active"))
    _, inquiry = dispute()
    answered = answer(inquiry, owner, Answer.OTHER_VALUE, value="closed")
    undo(decision_id=answered.decision.id, actor=make.person(owner))
    inquiry.refresh_from_db()
    assert (inquiry.status, inquiry.answer, inquiry.answer_value, inquiry.decision_id) == ("open", "", "", None)


def test_the_article_that_an_owner_had_changed_claims_its_new_value(owner):
    article = make.article(about=make.claim("Tuesday", "deploys", "weekday"))
    _, inquiry = dispute(statement="Deploys happen on Thursday.", claim=make.claim("Thursday", "deploys", "weekday"))
    answer(inquiry, owner, Answer.ARTICLE_SHOULD_CHANGE)
    promotion = HeldRecord.objects.get(kind="promotion_proposal")
    make.approve(promotion, make.reviewer(), ratify=True)
    promotion.refresh_from_db()
    written = promotion.promotion.result
    article.refresh_from_db()
    assert (article.state, article.superseded_by) == ("superseded", written.record_id)
    assert written.claim == Claim("deploys", "weekday", "Thursday")
