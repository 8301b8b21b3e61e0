"""Answering a question: a decision like any other, with version, audit, chain and undo (contract 10 "Inquiry").

It confirms what it says is true, supersedes or revokes what it says is not, and decides the held item, in one transaction.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from evidence.models import Decision, Evidence, HeldRecord, Inquiry
from evidence.models.base import new_id
from evidence.rules.answers import allowed_answers
from evidence.rules.records import Scope
from evidence.rules.times import to_iso
from evidence.rules.vocab import Answer, AuditAction, InquiryStatus
from evidence.selectors.people import is_owner
from evidence.selectors.sides import incoming_row, sides_of
from evidence.services import audit
from evidence.services.actors import Actor
from evidence.services.afterwards import credit_equals, settle
from evidence.services.answer_effects import AnswerDeed, carry_out_answer
from evidence.services.answer_limits import check_approval, verify_if_outdated
from evidence.services.errors import Refused
from evidence.services.locks import lock_claims, lock_held, lock_inquiry, lock_records
from evidence.services.texts import CLAIM_MEMBER_MAX, REASON_MAX, check_text, check_word

Span = tuple[datetime | None, datetime | None]


@dataclass(frozen=True, slots=True)
class Answered:
    """`effects`: what happened, as plain sentences. `replay`: the same request was answered before."""

    decision: Decision
    inquiry: Inquiry
    effects: tuple[str, ...]
    replay: bool = False


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
) -> Answered:
    """Answer as an owner. Raises `Refused`: 403 not an owner, 409 `closed` or moved, 422 for what is missing.

    `value` for other_value; `scopes` {current, incoming} for both_scope; `validity` {current, incoming} for both_time.
    """
    if seen_version is None:
        raise Refused("version_required", "Say which version you saw; the latest is never assumed.", field="version")
    word = Answer(check_word("answer", str(answer), list(Answer)))
    check_text("value", value, longest=CLAIM_MEMBER_MAX)
    check_text("reason", reason, longest=REASON_MAX)
    if word == Answer.OTHER_VALUE and not value.strip():
        raise Refused("invalid_value", "Say which value is true.", field="value")
    key = audit.key_for(actor, idempotency_key)
    replay = _replayed(key, inquiry_id, word)
    if replay is not None:
        return replay
    try:
        with transaction.atomic():
            return _answer(
                inquiry_id, word, seen_version, actor, key, value.strip(), scopes or {}, validity or {}, reason
            )
    except IntegrityError:
        replay = _replayed(key, inquiry_id, word)
        if replay is not None:
            return replay
        raise Refused("version_conflict", "Something this answer touches was decided at the same moment.") from None


def _answer(
    inquiry_id: UUID | str, word: Answer, seen_version: int, actor: Actor, key: str | None, value: str,
    scopes: Mapping[str, Scope], validity: Mapping[str, Span], reason: str,
) -> Answered:  # fmt: skip
    inquiry, held = _locked(inquiry_id, seen_version, actor)
    current, incoming = _sides(inquiry, held)
    sides = sides_of(current, incoming)
    allowed = allowed_answers(inquiry.kind, sides)
    if word not in allowed:
        raise Refused(
            "invalid_value", f"Here the answers are: {', '.join(allowed)}.", field="answer",
            allowed=[str(one) for one in allowed],
        )  # fmt: skip
    solo = check_approval(held, word, current, actor) if held is not None and held.is_waiting else False
    deed = AnswerDeed(
        inquiry=inquiry, held=held, current=current, incoming=incoming, answer=word, actor=actor,
        now=timezone.now(), decision_id=new_id(), value=value, scopes=scopes, validity=validity, reason=reason,
    )  # fmt: skip
    carry_out_answer(deed)
    snapshots = {
        "shown": audit.keep({"question": inquiry.question, "answer": str(word), "value": value, "effects": deed.words}),
        "journal": audit.keep({"journal": deed.journal.entries}),
    }
    if reason:
        snapshots["reason"] = audit.keep(reason)
    decision = audit.append(
        namespace=inquiry.namespace, actor=actor, action=AuditAction.ANSWER, target_kind="inquiry",
        target_id=str(inquiry.id), target_version=seen_version, decision_id=deed.decision_id, agent=inquiry.agent_id,
        effects=[{"kind": str(word), "target_kind": "inquiry", "target_id": str(inquiry.id)}], snapshots=snapshots,
        touches=deed.journal.touches(), idempotency_key=key, solo=solo,
    )  # fmt: skip
    Inquiry.objects.filter(pk=inquiry.pk).update(decision_id=decision.id)
    if held is not None and not held.is_waiting:
        HeldRecord.objects.filter(pk=held.pk).update(decision_id=decision.id)
    if deed.deed is not None:
        credit_equals(decision, deed.deed)
    settle(decision, held, deed.journal)
    return Answered(decision, inquiry, tuple(deed.words))


def _locked(inquiry_id: UUID | str, seen_version: int, actor: Actor) -> tuple[Inquiry, HeldRecord | None]:
    """Claim key, held item, both sides, question, in this order; the question open, unchanged, the person its owner."""
    user = actor.user
    seen = Inquiry.objects.filter(pk=inquiry_id).select_related("held").first()
    if user is None or seen is None or not Inquiry.objects.visible_to(user).filter(pk=inquiry_id).exists():
        raise Refused("not_found", "There is no such question.")
    if not is_owner(user, seen.agent_id):
        raise Refused("not_reviewer", "The owner of the agent answers this.")
    lock_claims(seen.namespace, _claim_keys(seen))
    held = lock_held(seen.held.pk) if seen.held is not None else None
    lock_records(seen.namespace, [one for one in (seen.current_record, seen.incoming_record) if one])
    if held is not None and held.is_waiting:
        verify_if_outdated(held)
    inquiry = lock_inquiry(inquiry_id)
    if inquiry.status != InquiryStatus.OPEN:
        at = to_iso(inquiry.answered_at) if inquiry.answered_at else None
        raise Refused(
            "closed", f"{inquiry.answered_by or 'Somebody'} was first: this question is {inquiry.status}.",
            decided_by=inquiry.answered_by, decided_at=at, answer=inquiry.answer, current_version=inquiry.version,
        )  # fmt: skip
    if inquiry.version != seen_version:
        raise Refused(
            "version_conflict", "The question changed since you opened it.", seen_version=seen_version,
            current_version=inquiry.version,
        )  # fmt: skip
    return inquiry, held


def _claim_keys(inquiry: Inquiry) -> list[str]:
    if inquiry.held is not None:
        return [inquiry.held.claim_key or inquiry.held.statement_key]
    ids = [inquiry.current_record, inquiry.incoming_record]
    rows = Evidence.objects.in_namespace(inquiry.namespace).filter(record_id__in=[one for one in ids if one])
    return [key for key in rows.values_list("claim_key", flat=True) if key]


def _sides(inquiry: Inquiry, held: HeldRecord | None) -> tuple[Evidence | None, Evidence | None]:
    rows = Evidence.objects.in_namespace(inquiry.namespace).select_for_update(of=("self",))
    current = rows.filter(record_id=inquiry.current_record).first() if inquiry.current_record else None
    return current, incoming_row(inquiry, held, rows)


def _replayed(key: str | None, inquiry_id: UUID | str, word: Answer) -> Answered | None:
    known = Decision.objects.filter(idempotency_key=key).first() if key else None
    if known is None:
        return None
    if known.target_id != str(inquiry_id) or [one["kind"] for one in known.effects] != [str(word)]:
        raise Refused("idempotency_conflict", "This idempotency key was used for another request.")
    return Answered(known, Inquiry.objects.get(pk=inquiry_id), (), replay=True)
