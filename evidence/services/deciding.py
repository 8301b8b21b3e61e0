"""Deciding a held item: the one way in for pages, API, bulk, admin, mail and jobs (DESIGN "One way to decide").

Locks the claim key, then the row; checks version, role and policy; matches and verifies again where needed; compares the
plan that the person saw; carries out that plan; writes snapshot, audit row and outbox. One transaction. What it refuses
changed nothing. A lease is a courtesy and is not looked at here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from evidence.models import Decision, Evidence, HeldRecord, Snapshot
from evidence.models.base import new_id
from evidence.models.remembered import one_reading
from evidence.rules.joining import Joining, only_joins
from evidence.rules.planning import Choices, Effect, EffectKind, Plan, plan
from evidence.rules.vocab import DURABLE, Action, AuditAction, HeldKind, HeldStatus, ReasonCode, Review
from evidence.selectors.matching import Matching
from evidence.selectors.planning import EQUALS_SHOWN, open_questions, permission, plain_situation, situation_of
from evidence.services import audit
from evidence.services.actors import Actor
from evidence.services.afterwards import after_decision
from evidence.services.checked_dates import checked_choice, checked_from
from evidence.services.conflicts import already_decided, named_version, plan_changed, version_conflict
from evidence.services.effects import ANSWER_OF, Deed, carry_out, end_held
from evidence.services.errors import Refused
from evidence.services.locks import lock_deciding, lock_held
from evidence.services.shown import shown_body
from evidence.services.texts import NAME_MAX, REASON_MAX, check_text, check_word
from evidence.services.undoing import TakenBack, record_undo, take_back
from evidence.services.verification import do_verify, is_outdated, read_for, verify_held
from evidence.services.work_news import tell_first_approval

_FINAL: dict[str, HeldStatus] = {
    Action.APPROVE: HeldStatus.APPROVED,
    Action.SUPERSEDE: HeldStatus.APPROVED,
    Action.REJECT: HeldStatus.REJECTED,
}


@dataclass(frozen=True, slots=True)
class Decided:
    """`replay`: the same request was answered before; nothing new was written. `approvals`: {have, need} while one misses."""

    decision: Decision
    held: HeldRecord
    effects: tuple[Effect, ...]
    approvals: dict[str, int] | None
    replay: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """One decision as it was asked for, after its texts were checked."""

    held_id: UUID | str
    action: Action
    seen_version: int
    actor: Actor
    key: str | None
    plan_digest: str | None
    choices: Choices
    checked_at: str
    reason: str
    until: datetime | None
    question: str
    bulk_id: UUID | None
    amends: UUID | None
    joining: Joining | None = None
    # An amendment's first half: what was restored before it was decided anew.
    taken: TakenBack | None = None


def decide(
    *,
    held_id: UUID | str,
    action: Action | str,
    seen_version: int | None,
    actor: Actor,
    idempotency_key: str,
    plan_digest: str | None = None,
    reason_code: str = "",
    reason: str = "",
    checked_at: str = "",
    supersedes: Sequence[str] = (),
    durability: str = "",
    ratify: bool = False,
    until: datetime | None = None,
    question: str = "",
    bulk_id: UUID | None = None,
    amends: UUID | str | None = None,
    joining: Joining | None = None,
) -> Decided:
    """Decide one item as `actor`. Raises `Refused`: 422 for what is missing, 403 for who may not, 409 for what moved.

    `checked_at`: "" or "source" (the source's date), "now", or an ISO time. `until` is for snooze, `question` for ask_owner.
    `amends`: one's own decision about this item, which is undone first, in the same transaction (contract 10); the version is
    then the one that it left, or the one that it was made at, and no plan is compared: the undo restores what was seen.
    `joining`: all that the approval of one more member of a cluster may do, in place of a plan's digest, which the decision
    before it has moved.
    """
    seen_version = named_version(seen_version)
    if not idempotency_key:
        raise Refused("invalid_value", "A decision needs an idempotency key.", field="idempotency_key")
    if actor.user is None:
        raise Refused("not_reviewer", "A person decides.")
    word = Action(check_word("action", str(action), list(Action)))
    if reason_code:
        check_word("reason_code", reason_code, list(ReasonCode))
    if durability:
        check_word("durability", durability, sorted(DURABLE))
    check_text("reason", reason, longest=REASON_MAX)
    check_text("question", question, longest=REASON_MAX)
    if len(supersedes) > EQUALS_SHOWN:
        raise Refused("too_large", f"More than {EQUALS_SHOWN} records to replace.", field="supersedes")
    for record_id in supersedes:
        check_text("supersedes", record_id, longest=NAME_MAX)
    choices = Choices(checked_choice(checked_at), durability, ratify, tuple(supersedes), reason_code)
    request = Request(
        held_id, word, seen_version, actor, audit.key_for(actor, idempotency_key), plan_digest, choices, checked_at,
        reason, until, question, bulk_id, UUID(str(amends)) if amends else None, joining,
    )  # fmt: skip
    return _decide_once(request)


def _decide_once(request: Request) -> Decided:
    replay = _replayed(request)
    if replay is not None:
        return replay
    try:
        with transaction.atomic():
            return do_decide(request)
    except IntegrityError:
        # Another request with the same key, or another ending of the same version, was first.
        replay = _replayed(request)
        if replay is not None:
            return replay
        held = HeldRecord.objects.get(pk=request.held_id)
        raise already_decided(held, request.seen_version) from None
    except Refused as refused:
        keep_findings(request.held_id, refused)
        raise


def do_decide(request: Request) -> Decided:
    """As `decide`, inside the caller's transaction; the bulk job and amendments use it."""
    lock_deciding(request.held_id)
    held = lock_held(request.held_id)
    replay = _replayed(request)
    if replay is not None:
        return replay
    with one_reading():
        return _decide_locked(held, request)


def _decide_locked(held: HeldRecord, request: Request) -> Decided:
    user = request.actor.user
    assert user is not None
    _refuse_unseen(held, request)
    if request.amends is not None:
        request = _take_back_first(held, request)
        held = lock_held(request.held_id)
    _check_version(held, request.seen_version)
    verdict = permission(held, user, request.action)
    if verdict.refusal is not None:
        raise Refused(verdict.refusal.code, verdict.refusal.detail)
    now = timezone.now()
    approving = request.action in (Action.APPROVE, Action.SUPERSEDE)
    matching = _verify_inline(held, request.seen_version, now) if approving else None
    made = _plan_now(held, request, now, matching)
    if request.action == Action.SNOOZE:
        return _snooze(held, request, made, now)
    if request.action == Action.ASK_OWNER:
        return _ask_owner(held, request, made, now)
    if any(effect.kind == EffectKind.FIRST_APPROVAL for effect in made.effects):
        return _first_approval(held, request, made, now)
    return _finish(held, request, made, now, solo=verdict.solo)


def _replayed(request: Request) -> Decided | None:
    """The answer to a request that was answered before (scenario S1); another request under the key is refused."""
    decision = Decision.objects.filter(idempotency_key=request.key).first() if request.key else None
    if decision is None:
        return None
    first = decision.action == AuditAction.FIRST_APPROVAL
    alike = request.action in (Action.APPROVE, Action.SUPERSEDE) if first else request.action.value == decision.action
    asked = (str(request.held_id), request.choices.reason_code, request.amends)
    if not alike or asked != (decision.target_id, decision.reason_code, decision.amends):
        raise Refused("idempotency_conflict", "This idempotency key was used for another request.")
    held = HeldRecord.objects.get(pk=request.held_id)
    effects = tuple(
        Effect(EffectKind(one["kind"]), one["target_kind"], one["target_id"], "")
        for one in decision.effects
        if one["kind"] in set(EffectKind)
    )
    return Decided(decision, held, effects, {"have": 1, "need": 2} if first else None, replay=True)


def _take_back_first(held: HeldRecord, request: Request) -> Request:
    """The first half of an amendment (scenario S8); what the second half refuses takes it back too."""
    first = Decision.objects.filter(pk=str(request.amends)).first()
    if first is None or (first.target_kind, first.target_id) != ("held", str(held.id)):
        raise Refused("undo_blocked", "What is amended has to be a decision about this item.", field="amends")
    if (first.actor_kind, first.actor_id) != (request.actor.kind, request.actor.id):
        raise Refused("not_reviewer", "Only who decided may decide again; an administrator undoes it first.")
    touch = first.touches.filter(target_kind="held", target_id=first.target_id).first()
    left = touch.version if touch else first.target_version
    taken = take_back(first.id, request.actor, also_records=request.choices.supersedes)
    if held.version != left or request.seen_version not in (left, first.target_version):
        raise version_conflict(held, request.seen_version)
    version = HeldRecord.objects.values_list("version", flat=True).get(pk=held.pk)
    return replace(request, taken=taken, seen_version=version, plan_digest=None)


def _refuse_unseen(held: HeldRecord, request: Request) -> None:
    """Items that the person may not see are answered like unknown ones (doors 404)."""
    user = request.actor.user
    assert user is not None
    if not HeldRecord.objects.filter(pk=held.pk).visible_to(user).exists():
        raise Refused("not_found", "There is no such item.")


def _check_version(held: HeldRecord, seen_version: int) -> None:
    if not held.is_waiting:
        raise already_decided(held, seen_version)
    if held.version != seen_version:
        raise version_conflict(held, seen_version)


def _verify_inline(held: HeldRecord, seen_version: int, now: datetime) -> Matching:
    """Verify what is missing or outdated before it counts; the item may turn out to be closed, or something else.

    Returns what it matches now, so that the plan need not look again.
    """
    reading = read_for(held, now)
    if is_outdated(held, reading):
        do_verify(held, reading)
        if not held.is_waiting:
            raise already_decided(held, seen_version)
    return reading.matching


def _plan_now(held: HeldRecord, request: Request, now: datetime, matching: Matching | None) -> Plan:
    """The plan as it is now; 409 with it when it is not the one that the person saw, 422 for what is still missing."""
    if matching is None:
        situation = plain_situation(held, policy_version=_policy_version(), questions=open_questions(held))
    else:
        situation = situation_of(
            held, user=request.actor.user, now=now, named=request.choices.supersedes, matching=matching
        )
    made = plan(situation, request.action, request.choices)
    if made.refusal is not None:
        raise Refused(made.refusal.code, made.refusal.detail, plan=made, current_version=held.version)
    if request.plan_digest and request.plan_digest != made.digest:
        raise plan_changed(held, request.seen_version, made)
    if request.joining is not None and not only_joins(made, request.joining):
        raise plan_changed(held, request.seen_version, made)
    if made.needs:
        raise Refused(made.needs[0].kind.value, made.needs[0].detail, needs=[need.kind.value for need in made.needs])
    if request.action == Action.SUPERSEDE:
        known = {item.record_id for item in situation.affected} | _nameable(held, request)
        if not set(request.choices.supersedes) <= known:
            raise Refused("invalid_value", "A record to replace does not exist.", field="supersedes")
    return made


def _nameable(held: HeldRecord, request: Request) -> set[str]:
    """Of the records that are named, those that this person may see and that are no proposal or capture in waiting."""
    assert request.actor.user is not None
    rows = Evidence.objects.in_namespace(held.namespace).visible_to(request.actor.user)
    named = rows.filter(record_id__in=request.choices.supersedes).exclude(review__in=[Review.HELD, Review.REJECTED])
    return set(named.values_list("record_id", flat=True))


def _finish(held: HeldRecord, request: Request, made: Plan, now: datetime, *, solo: bool) -> Decided:
    """Approve, supersede or reject for good."""
    decision_id = new_id()
    before = shown_body(held, made, now)
    approving = request.action != Action.REJECT
    is_fact = held.kind == HeldKind.FACT_PROPOSAL
    checked = checked_from(held, request.actor, request.checked_at, now) if approving and is_fact else None
    deed = Deed(
        held, decision_id, request.actor, now, checked, request.choices.durability or held.durability,
        ANSWER_OF[request.action],
    )  # fmt: skip
    version = held.version
    carry_out(deed, made.effects)
    end_held(held, deed, _FINAL[request.action], reason_code=request.choices.reason_code, reason=request.reason)
    snapshots = {"shown": audit.keep(before), "journal": audit.keep({"journal": deed.journal.entries})}
    decision = _append(
        held, request, made, AuditAction(request.action.value), snapshots, target_version=version,
        decision_id=decision_id, touches=deed.journal.touches(), solo=solo,
    )  # fmt: skip
    held.decision_id = decision.id
    held.save(update_fields=["decision_id"])
    after_decision(decision, held, deed)
    return Decided(decision, held, made.effects, None)


def _first_approval(held: HeldRecord, request: Request, made: Plan, now: datetime) -> Decided:
    """The first of two: recorded, the item waits on. The version stays, a change of it voids this (contract 10)."""
    user = request.actor.user
    assert user is not None
    held.first_approver_id, held.first_approval_hash = user.pk, held.content_hash
    held.first_approval_version = held.version
    held.lease_holder_id, held.lease_until = None, None
    held.save(
        update_fields=["first_approver", "first_approval_hash", "first_approval_version", "lease_holder", "lease_until"]
    )
    decision = _note(held, request, made, AuditAction.FIRST_APPROVAL, now)
    tell_first_approval(held, decision, request.actor)
    have, need = made.approvals
    return Decided(decision, held, made.effects, {"have": have + 1, "need": need})


def _snooze(held: HeldRecord, request: Request, made: Plan, now: datetime) -> Decided:
    if request.until is None or request.until <= now:
        raise Refused("invalid_value", "A snooze needs a date in the future.", field="until")
    held.snoozed_until, held.snoozed_by = request.until, request.actor.name
    held.lease_holder_id, held.lease_until = None, None
    held.save(update_fields=["snoozed_until", "snoozed_by", "lease_holder", "lease_until"])
    return Decided(_note(held, request, made, AuditAction.SNOOZE, now), held, made.effects, None)


def _ask_owner(held: HeldRecord, request: Request, made: Plan, now: datetime) -> Decided:
    from evidence.services.asking import ask_owner_about

    ask_owner_about(held, request.question or request.reason, request.actor)
    return Decided(_note(held, request, made, AuditAction.ASK_OWNER, now), held, made.effects, None)


def _note(held: HeldRecord, request: Request, made: Plan, action: AuditAction, now: datetime) -> Decision:
    """An audit row for what does not end the item; the item's version is as the person saw it."""
    shown = {"shown": audit.keep(shown_body(held, made, now))}
    return _append(held, request, made, action, shown, target_version=held.version)


def _append(
    held: HeldRecord, request: Request, made: Plan, action: AuditAction, snapshots: dict[str, Snapshot],
    **columns: Any,
) -> Decision:  # fmt: skip
    """The audit row of a request; an amendment's undo comes right before it."""
    if request.reason:
        snapshots = snapshots | {"reason": audit.keep(request.reason)}
    if request.taken is not None:
        record_undo(request.taken)
    return audit.append(
        namespace=held.namespace, actor=request.actor, action=action, target_kind="held", target_id=str(held.id),
        agent=held.agent_id, reason_code=request.choices.reason_code, snapshots=snapshots,
        effects=[effect.as_dict() for effect in made.effects], idempotency_key=request.key, bulk_id=request.bulk_id,
        amends=request.amends, policy_version=_policy_version(), **columns,
    )  # fmt: skip


def _policy_version() -> int:
    from evidence.selectors.policy import current_policy

    return current_policy().version


def keep_findings(held_id: UUID | str, refused: Refused) -> None:
    """After a refusal and outside its transaction: what was found out about the item is kept, so that the next look shows it."""
    if refused.code not in ("version_conflict", "verification_rejected", "reviewed_article"):
        return
    try:
        verify_held(held_id=held_id)
    except Refused:
        return
