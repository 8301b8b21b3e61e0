"""Questions of every kind, made the way they come about; for tests that answer them."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.utils import timezone

from evidence.models import HeldRecord, Inquiry, User
from evidence.rules.records import Scope
from evidence.rules.vocab import Action, Answer, InquiryKind, Role
from evidence.selectors.answer_plans import answer_plans
from evidence.services.answering import Answered, answer_inquiry
from evidence.services.drafts import EvidenceDraft
from evidence.services.filing import file_evidence
from evidence.services.inquiring import open_inquiry
from evidence.services.verification import verify_held
from tests.services import make

TUESDAY = ("Tuesday", "deploys", "weekday")
THURSDAY = ("Thursday", "deploys", "weekday")


def owner(*, of_all: bool = False) -> User:
    return make.user("owner", Role.OWNER, of=None if of_all else make.agent())


def one_person_is_enough() -> None:
    """What comes from outside is high risk, and approving it takes two people who do not own its agent, unless so."""
    make.policy(two_approvals=False)


def stands(value: str = "active", **columns: Any) -> Any:
    """A fact that was checked too long ago for anything to be replaced without a question."""
    columns.setdefault("checked", timezone.now() - timedelta(hours=1))
    return make.fact(f"The account is {value}.", about=make.claim(value), volatility="billing", **columns)


def report(value: str = "past due", version: str = "1", **members: Any) -> EvidenceDraft:
    """What the agent says it saw, without having checked it: against a fact it raises a question."""
    defaults = {
        "content": f"The account is {value}.", "claim": make.claim(value), "volatility": "billing",
        "trust_class": "direct_user_instruction", "durability": "project", "scope_access": "public",
    }  # fmt: skip
    source = members.pop("source", "entry:ops-agent/billing")
    return EvidenceDraft(source_id=source, source_version=version, **(defaults | members))


def by_report() -> Inquiry:
    stands()
    filed = file_evidence(filer=make.filer(), draft=report())
    assert filed.finding is not None
    return Inquiry.objects.get(pk=filed.finding.inquiry_id)


def by_two_reports() -> Inquiry:
    """The second report of the same value comes to the question that is open already."""
    question = by_report()
    file_evidence(filer=make.filer(), draft=report(source="entry:ops-agent/letters"))
    question.refresh_from_db()
    return question


def by_proposal() -> Inquiry:
    stands()
    return _of(_disputed())


def with_equals() -> Inquiry:
    """Another agent proposes the same: its item closes with the first one's, and so does its own question."""
    stands()
    held = _disputed()
    make.proposal(make.agent("sales-agent"), "It is past due, they say.", claim=make.claim(), volatility="billing")
    return _of(held)


def with_two_questions() -> Inquiry:
    question = by_proposal()
    assert question.held is not None
    make.act(question.held, make.reviewer(), Action.ASK_OWNER, question="Do you know?")
    return question


def supersession() -> Inquiry:
    old = make.fact("The till opens at nine.", about=make.claim("nine", "till", "opens"))
    held = make.proposal(
        statement="The till opens at ten.", claim=make.claim("ten", "till", "opens"), supersedes=(old.record_id,)
    )
    return _of(held)


def ambiguous() -> Inquiry:
    stands()
    stands("closed", scope_access="private")
    return _of(_disputed())


def asked_by_reviewer() -> Inquiry:
    held = make.proposal()
    make.act(held, make.reviewer(), Action.ASK_OWNER, question="Is that so?")
    return Inquiry.objects.get(held=held)


def about_capture() -> Inquiry:
    """A text from outside that claims something else than what stands."""
    stands()
    return _of_capture(report(channel="webhook"))


def about_plain_capture() -> Inquiry:
    return _of_capture(make.inline("The office moves in May.", channel="web-chat", scope_access="public"))


def against_article() -> Inquiry:
    make.article(about=make.claim(*TUESDAY))
    return _of(make.proposal(statement="Deploys happen on Thursday.", claim=make.claim(*THURSDAY)))


def article_by_report() -> Inquiry:
    make.article(about=make.claim(*TUESDAY))
    draft = report(content="Deploys happen on Thursday.", claim=make.claim(*THURSDAY))
    filed = file_evidence(filer=make.filer(), draft=draft)
    assert filed.finding is not None
    return Inquiry.objects.get(pk=filed.finding.inquiry_id)


def against_unreviewed() -> Inquiry:
    """An article that nobody reviewed counts as a fact that nobody checked."""
    make.article(about=make.claim(*TUESDAY), approval_by="", approval_at=None, approval_proposal="", review="")
    return open_inquiry(
        kind=InquiryKind.CONFLICT, severity="high", agent_id="ops-agent", namespace="default", question="Tuesday?",  # type: ignore[arg-type]
        current=make.Evidence.objects.get(kind="article"),
        incoming=file_evidence(filer=make.filer(), draft=report(content="On Thursday.", claim=make.claim(*THURSDAY))).record,
    )  # fmt: skip


def recheck() -> Inquiry:
    fact = stands(checked=timezone.now() - timedelta(days=3))
    return open_inquiry(
        kind=InquiryKind.RECHECK, severity="medium", agent_id="ops-agent", namespace="default",  # type: ignore[arg-type]
        question="Still true?", current=fact, incoming=None,
    )  # fmt: skip


def plain() -> Inquiry:
    """Asked without anything that stands or is proposed."""
    return open_inquiry(
        kind=InquiryKind.QUESTION, severity="low", agent_id="ops-agent", namespace="default",  # type: ignore[arg-type]
        question="Which office moves in May?", current=None, incoming=None,
    )  # fmt: skip


def current_gone() -> Inquiry:
    question = by_proposal()
    make.Evidence.objects.filter(record_id=question.current_record).update(state="revoked", content="", claim_value="")
    return question


def incoming_gone() -> Inquiry:
    question = by_report()
    make.Evidence.objects.filter(record_id=question.incoming_record).update(state="deleted", content="", claim_value="")
    return question


def both_gone() -> Inquiry:
    question = by_report()
    sides = [question.incoming_record, question.current_record]
    make.Evidence.objects.filter(record_id__in=sides).update(state="deleted", content="")
    return question


EVERY: dict[str, Callable[[], Inquiry]] = {
    maker.__name__: maker
    for maker in (
        by_report, by_two_reports, by_proposal, with_equals, with_two_questions, supersession, ambiguous,
        asked_by_reviewer, about_capture, about_plain_capture, against_article, article_by_report, against_unreviewed,
        recheck, plain, current_gone, incoming_gone, both_gone,
    )
}  # fmt: skip


def said(question: Inquiry, word: str) -> dict[str, Any]:
    """What has to be said beside an answer."""
    if word == Answer.OTHER_VALUE:
        return {"value": "on hold"}
    if word == Answer.BOTH_SCOPE and question.kind == InquiryKind.AMBIGUOUS:
        # The place of the one that nobody named is taken by the new one.
        return {"scopes": {"current": Scope("sales-agent", "private"), "incoming": Scope("ops-agent", "private")}}
    if word == Answer.BOTH_SCOPE:
        return {"scopes": {"current": Scope("ops-agent", "private"), "incoming": Scope("sales-agent", "private")}}
    if word == Answer.BOTH_TIME:
        turn = timezone.now() - timedelta(days=3)
        return {"validity": {"current": (None, turn), "incoming": (turn, None)}}
    return {"reason": "Look at the letter of May."} if word == Answer.NEED_EVIDENCE else {}


def answer(question: Inquiry, who: User, word: str, **members: Any) -> Answered:
    """As the page does it: with the version, the plan that was shown and a key of its own."""
    if "plan_digest" not in members:
        shown = answer_plans(question, user=who, now=timezone.now()).get(Answer(word))
        members["plan_digest"] = shown.digest if shown else ""
    defaults: dict[str, Any] = {"seen_version": question.version, "idempotency_key": uuid.uuid4().hex}
    return answer_inquiry(
        inquiry_id=question.pk, answer=word, actor=make.person(who), **(defaults | said(question, word) | members)
    )


def _disputed() -> HeldRecord:
    return make.proposal(statement="The account is past due.", claim=make.claim(), volatility="billing")


def _of(held: HeldRecord) -> Inquiry:
    return Inquiry.objects.open().get(held=held)


def _of_capture(draft: EvidenceDraft) -> Inquiry:
    held = file_evidence(filer=make.filer(), draft=draft).held
    assert held is not None
    verify_held(held_id=held.pk)
    held.refresh_from_db()
    make.act(held, make.reviewer(), Action.ASK_OWNER, question="Is that so?")
    return Inquiry.objects.get(held=held)
