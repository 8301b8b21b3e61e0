"""Undo: a compensating decision by the decider or an administrator (contract 10 "Undo").

Who may, which locks, and the audit row; `restoring` puts the rows back. Lists which recalls showed the first decision
meanwhile. Nothing is erased from the audit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from evidence.models import Decision, DecisionTouch, Evidence, HeldRecord, RecallItem
from evidence.rules.vocab import AuditAction, HeldStatus
from evidence.selectors.people import is_administrator
from evidence.services import audit, batching
from evidence.services.actors import Actor
from evidence.services.afterwards import settle
from evidence.services.errors import Refused
from evidence.services.journal import Journal
from evidence.services.locks import lock_claims, lock_many_held, lock_records
from evidence.services.restoring import blocked, closed_against, restore_all
from evidence.services.texts import REASON_MAX, check_text
from evidence.services.verification import enqueue_verification
from evidence.services.work_news import tell_undone

UNDOABLE = frozenset(
    {
        AuditAction.APPROVE, AuditAction.REJECT, AuditAction.SUPERSEDE, AuditAction.FIRST_APPROVAL, AuditAction.SNOOZE,
        AuditAction.ANSWER, AuditAction.REFRESH_CHECK, AuditAction.REVOKE, AuditAction.CORRECT,
    }
)  # fmt: skip
SHOWN_LIMIT = 200


@dataclass(frozen=True, slots=True)
class Undone:
    """`shown`: recalls that showed what the undone decision had made or changed, newest first."""

    decision: Decision
    held: HeldRecord | None
    shown: list[RecallItem]


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A decision whose changes are restored, but whose undoing is not in the audit yet."""

    first: Decision
    actor: Actor
    journal: Journal
    shown: list[RecallItem]


def undo(
    *, decision_id: UUID | str, actor: Actor, reason: str = "", idempotency_key: str | None = None,
    seen_version: int | None = None, bulk_id: UUID | None = None,
) -> Undone:  # fmt: skip
    """Take one decision back. 403 for who may not, 409 `undo_blocked` naming the later decision, 404 for what isn't seen."""
    check_text("reason", reason, longest=REASON_MAX)
    key = audit.key_for(actor, idempotency_key)
    replay = _replayed(key, decision_id)
    if replay is not None:
        return replay
    batching.flush_quietly()  # what this process showed within the last second is to be listed too
    try:
        with transaction.atomic():
            taken = take_back(decision_id, actor, seen_version=seen_version)
            undone = record_undo(taken, reason=reason, key=key, bulk_id=bulk_id)
            return Undone(undone, _held_of(taken.first), taken.shown)
    except IntegrityError:
        replay = _replayed(key, decision_id)
        if replay is not None:
            return replay
        raise blocked(None, "It was undone, or something it touched was filed again meanwhile.") from None


def take_back(
    decision_id: UUID | str, actor: Actor, *, seen_version: int | None = None, also_records: Sequence[str] = ()
) -> TakenBack:
    """Restore what the decision changed, inside the caller's transaction; `record_undo` has to follow in it.

    Apart, so that an amendment decides anew in between and still locks the chain head last. `also_records`: what that new
    decision will touch, locked together with the rest.
    """
    first = _undoable(decision_id, actor)
    _lock_all(first, also_records)
    held = _held_of(first)
    if seen_version is not None and held is not None and held.version != seen_version:
        raise Refused(
            "version_conflict", "The item changed since.", seen_version=seen_version, current_version=held.version
        )
    earlier = Decision.objects.filter(undoes=first.id).first()
    if earlier is not None:
        raise blocked(earlier, "It was undone already.")
    journal = Journal()
    shown = _shown(first)
    restore_all(first, actor, journal)
    return TakenBack(first, actor, journal, shown)


def record_undo(taken: TakenBack, *, reason: str = "", key: str | None = None, bulk_id: UUID | None = None) -> Decision:
    """The compensating decision, and what follows from it: search copies, verification of what waits again."""
    first, journal = taken.first, taken.journal
    decision = audit.append(
        namespace=first.namespace, actor=taken.actor, action=AuditAction.UNDO, target_kind=first.target_kind,
        target_id=first.target_id, target_version=first.target_version, agent=first.agent, undoes=first.id,
        idempotency_key=key, bulk_id=bulk_id, effects=[{"kind": "undo", "target_kind": "decision", "target_id": str(first.id)}],
        snapshots={"reason": audit.keep(reason)} if reason else None, touches=journal.touches(),
    )  # fmt: skip
    touched = HeldRecord.objects.filter(pk__in=[target for kind, target in journal.touched if kind == "held"])
    touched.filter(status=HeldStatus.WITHDRAWN).update(decision_id=decision.id)
    settle(decision, _held_of(first), journal)
    tell_undone(first, decision, taken.actor)
    for held in touched.waiting().order_by("pk"):
        enqueue_verification(held)
    return decision


def _replayed(key: str | None, decision_id: UUID | str) -> Undone | None:
    known = Decision.objects.filter(idempotency_key=key).first() if key else None
    if known is None:
        return None
    if known.action != AuditAction.UNDO or str(known.undoes) != str(decision_id):
        raise Refused("idempotency_conflict", "This idempotency key was used for another request.")
    return Undone(known, _held_of(known), [])


def _held_of(decision: Decision) -> HeldRecord | None:
    return HeldRecord.objects.filter(pk=decision.target_id).first() if decision.target_kind == "held" else None


def _undoable(decision_id: UUID | str, actor: Actor) -> Decision:
    first = Decision.objects.filter(pk=decision_id).first()
    if first is None or actor.user is None or not Decision.objects.filter(pk=first.pk).visible_to(actor.user).exists():
        raise Refused("not_found", "There is no such decision.")
    if first.action not in UNDOABLE:
        raise Refused("undo_blocked", f"A decision of kind {first.action} cannot be undone.")
    if first.actor_id != str(actor.user.pk) and not is_administrator(actor.user):
        raise Refused("not_reviewer", "Only who decided, or an administrator, may undo this.")
    return first


def _lock_all(first: Decision, also_records: Sequence[str]) -> None:
    """Locks in the house's order: claim keys, held rows, records. The chain head comes with the audit row."""
    touched = list(DecisionTouch.objects.filter(decision=first).values_list("target_kind", "target_id"))
    records = Evidence.objects.filter(pk__in=[target for kind, target in touched if kind == "record"])
    held_ids = {target for kind, target in touched if kind == "held"}
    held_ids |= {str(row.pk) for record in records for row in closed_against(record)}
    if first.target_kind == "held":
        held_ids.add(first.target_id)
    seen = HeldRecord.objects.filter(pk__in=held_ids).values_list("claim_key", "statement_key")
    keys = {claim or statement for claim, statement in seen} | {record.claim_key for record in records}
    lock_claims(first.namespace, keys)
    lock_many_held(held_ids)
    lock_records(first.namespace, [*(record.record_id for record in records), *also_records])


def _shown(first: Decision) -> list[RecallItem]:
    """Recalls since the decision that showed a record it had made or changed."""
    pks = [
        target for kind, target in DecisionTouch.objects.filter(decision=first).values_list("target_kind", "target_id")
        if kind == "record"
    ]  # fmt: skip
    ids = list(Evidence.objects.filter(pk__in=pks).values_list("record_id", flat=True))
    now = timezone.now()
    rows = RecallItem.objects.filter(namespace=first.namespace, record_id__in=ids, at__gte=first.at, at__lte=now)
    return list(rows.select_related("recall").order_by("-at")[:SHOWN_LIMIT])
