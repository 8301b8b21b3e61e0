"""Answering a question: a decision like any other, with version, plan, audit, chain and undo (contract 10 "Inquiry").

It confirms what it says is true, supersedes or revokes what it says is not, and decides the held item, in one transaction.
What is done is what the plan says: an answer that would do anything else is 409 with the plan as it is now.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from evidence.models import Decision, Evidence, HeldRecord, Inquiry, Snapshot
from evidence.models.base import new_id
from evidence.rules.answer_steps import AnswerPlan, Step
from evidence.rules.answers import allowed_answers
from evidence.rules.records import Scope
from evidence.rules.vocab import Answer, AuditAction
from evidence.selectors.answer_plans import Chosen, Rows, Span, answer_plan, rows_of
from evidence.selectors.people import is_owner
from evidence.selectors.sides import sides_asked
from evidence.services import audit
from evidence.services.actors import Actor
from evidence.services.afterwards import credit_equals, settle
from evidence.services.answer_effects import AnswerDeed, carry_out_answer
from evidence.services.answer_limits import is_solo, lock_open_inquiry, verify_if_outdated
from evidence.services.article_counting import ORIGIN, answer_never_reviewed
from evidence.services.conflicts import named_version
from evidence.services.errors import Refused
from evidence.services.locks import lock_claims, lock_held, lock_records
from evidence.services.texts import CLAIM_MEMBER_MAX, REASON_MAX, check_text, check_word


@dataclass(frozen=True, slots=True)
class Answered:
    """`steps`: what happened, in order. `replay`: the same request was answered before."""

    decision: Decision
    inquiry: Inquiry
    steps: tuple[Step, ...]
    replay: bool = False

    @property
    def effects(self) -> tuple[str, ...]:
        return tuple(step.words for step in self.steps)


@dataclass(frozen=True, slots=True)
class _Request:
    inquiry_id: UUID | str
    answer: Answer
    seen_version: int
    actor: Actor
    key: str | None
    chosen: Chosen = field(default_factory=Chosen)
    reason: str = ""
    plan_digest: str = ""


def answer_inquiry(
    *,
    inquiry_id: UUID | str,
    answer: Answer | str,
    seen_version: int | None,
    actor: Actor,
    idempotency_key: str,
    value: str = "",
    scopes: Mapping[str, Scope] | None = None,
    validity: Mapping[str, Span] | None = None,
    reason: str = "",
    plan_digest: str = "",
) -> Answered:
    """Answer as an owner. Raises `Refused`: 403 not an owner, 409 `closed` or moved, 422 for what is missing.

    `value` for other_value; `scopes` {current, incoming} for both_scope; `validity` {current, incoming} for both_time. For
    need_evidence `reason` is what the agent is asked for. `plan_digest`: the plan that the person saw.
    """
    seen_version = named_version(seen_version)
    word = Answer(check_word("answer", str(answer), list(Answer)))
    check_text("value", value, longest=CLAIM_MEMBER_MAX)
    check_text("reason", reason, longest=REASON_MAX)
    if word == Answer.OTHER_VALUE and not value.strip():
        raise Refused("invalid_value", "Say which value is true.", field="value")
    chosen = Chosen(value.strip(), scopes or {}, validity or {})
    request = _Request(
        inquiry_id,
        word,
        seen_version,
        actor,
        audit.key_for(actor, idempotency_key),
        chosen,
        reason.strip(),
        plan_digest,
    )
    replay = _replayed(request)
    if replay is not None:
        return replay
    try:
        with transaction.atomic():
            return do_answer(request)
    except Refused:
        # The same request may have been answered while this one waited for the locks (scenario S1).
        replay = _replayed(request)
        if replay is not None:
            return replay
        raise
    except IntegrityError:
        replay = _replayed(request)
        if replay is not None:
            return replay
        raise Refused("version_conflict", "Something this answer touches was decided at the same moment.") from None


def do_answer(request: _Request) -> Answered:
    """As `answer_inquiry`, inside the caller's transaction."""
    if Inquiry.objects.filter(pk=request.inquiry_id, origin_system=ORIGIN).exists():
        counted = answer_never_reviewed(
            inquiry_id=request.inquiry_id, answer=request.answer, seen_version=request.seen_version,
            actor=request.actor, key=request.key, reason=request.reason,
        )  # fmt: skip
        return Answered(counted.decision, counted.inquiry, ())
    inquiry, held = _locked(request)
    evidence = Evidence.objects.in_namespace(inquiry.namespace).select_for_update(of=("self",))
    rows = rows_of(inquiry, held, evidence)
    _refuse_not_allowed(rows, request.answer)
    now = timezone.now()
    made = answer_plan(rows, request.answer, request.chosen, user=request.actor.user, now=now)
    if made.refusal is not None:
        raise Refused(made.refusal.code, made.refusal.detail)
    if request.plan_digest and request.plan_digest != made.digest:
        raise _plan_changed(inquiry, request, made)
    solo = rows.item is not None and is_solo(rows.item, request.answer, rows.current, request.actor)
    deed = AnswerDeed(
        rows=rows, answer=request.answer, chosen=request.chosen, actor=request.actor, now=now, decision_id=new_id(),
        reason=request.reason,
    )  # fmt: skip
    shown = audit.keep(_shown(rows, request, made))
    carry_out_answer(deed)
    if deed.done != {(step.kind.value, step.target_id) for step in made.steps}:
        raise _plan_changed(inquiry, request, made)
    decision = _record(deed, request, made, shown, solo=solo)
    return Answered(decision, inquiry, made.steps)


def _record(deed: AnswerDeed, request: _Request, made: AnswerPlan, shown: Snapshot, *, solo: bool) -> Decision:
    inquiry = deed.inquiry
    snapshots = {"shown": shown, "journal": audit.keep({"journal": deed.journal.entries})}
    if request.reason:
        snapshots["reason"] = audit.keep(request.reason)
    decision = audit.append(
        namespace=inquiry.namespace, actor=request.actor, action=AuditAction.ANSWER, target_kind="inquiry",
        target_id=str(inquiry.id), target_version=request.seen_version, decision_id=deed.decision_id,
        agent=inquiry.agent_id, effects=[_answer_effect(request), *(step.as_dict() for step in made.steps)],
        snapshots=snapshots, touches=deed.journal.touches(), idempotency_key=request.key, solo=solo,
    )  # fmt: skip
    Inquiry.objects.filter(pk=inquiry.pk).update(decision_id=decision.id)
    if deed.item is not None and not deed.item.is_waiting:
        HeldRecord.objects.filter(pk=deed.item.pk).update(decision_id=decision.id)
    if deed.deed is not None:
        credit_equals(decision, deed.deed)
    settle(decision, deed.item, deed.journal)
    return decision


def _answer_effect(request: _Request) -> dict[str, object]:
    """Which answer it was comes first; what it did follows."""
    return {"kind": str(request.answer), "target_kind": "inquiry", "target_id": str(request.inquiry_id)}


def _shown(rows: Rows, request: _Request, made: AnswerPlan) -> dict[str, object]:
    return {
        "question": rows.inquiry.question, "answer": str(request.answer), "value": request.chosen.value,
        "effects": [step.words for step in made.steps],
    }  # fmt: skip


def _refuse_not_allowed(rows: Rows, word: Answer) -> None:
    allowed = allowed_answers(rows.inquiry.kind, sides_asked(rows.inquiry, rows.current, rows.incoming))
    if word not in allowed:
        raise Refused(
            "invalid_value", f"Here the answers are: {', '.join(allowed)}.", field="answer",
            allowed=[str(one) for one in allowed],
        )  # fmt: skip


def _plan_changed(inquiry: Inquiry, request: _Request, made: AnswerPlan) -> Refused:
    return Refused(
        "version_conflict", "What this answer would do has changed since you opened the question; look at the new plan.",
        seen_version=request.seen_version, current_version=inquiry.version, plan_digest=made.digest,
        plan=[step.words for step in made.steps],
    )  # fmt: skip


def _locked(request: _Request) -> tuple[Inquiry, HeldRecord | None]:
    """Claim key, held item, both sides, question, in this order; the question open, unchanged, the person its owner."""
    inquiry_id, seen_version, user = request.inquiry_id, request.seen_version, request.actor.user
    seen = Inquiry.objects.filter(pk=inquiry_id).select_related("held").first()
    if user is None or seen is None or not Inquiry.objects.visible_to(user).filter(pk=inquiry_id).exists():
        raise Refused("not_found", "There is no such question.")
    if not is_owner(user, seen.agent_id):
        raise Refused("not_reviewer", "The owner of the agent answers this.")
    lock_claims(seen.namespace, _claim_keys(seen))
    held = lock_held(seen.held.pk) if seen.held is not None else None
    # All of them before the question, in one order; under the claim's lock no further report comes.
    reports = seen.attached.filter(is_report=True).values_list("evidence__record_id", flat=True)
    lock_records(seen.namespace, [one for one in (seen.current_record, seen.incoming_record, *reports) if one])
    if held is not None and held.is_waiting:
        verify_if_outdated(held)
    return lock_open_inquiry(inquiry_id, seen_version), held


def _claim_keys(inquiry: Inquiry) -> list[str]:
    if inquiry.held is not None:
        return [inquiry.held.claim_key or inquiry.held.statement_key]
    ids = [inquiry.current_record, inquiry.incoming_record]
    rows = Evidence.objects.in_namespace(inquiry.namespace).filter(record_id__in=[one for one in ids if one])
    return [key for key in rows.values_list("claim_key", flat=True) if key]


def _replayed(request: _Request) -> Answered | None:
    known = Decision.objects.filter(idempotency_key=request.key).first() if request.key else None
    if known is None:
        return None
    if known.target_id != str(request.inquiry_id) or known.effects[:1] != [_answer_effect(request)]:
        raise Refused("idempotency_conflict", "This idempotency key was used for another request.")
    return Answered(known, Inquiry.objects.get(pk=request.inquiry_id), (), replay=True)
