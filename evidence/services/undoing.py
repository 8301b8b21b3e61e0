"""Undo: a compensating decision by the decider or an administrator (contract 10 "Undo").

Restores statuses and records under a higher version, from the before-images of the decision; refuses when anything it
touched was decided since; lists which recalls showed the first one meanwhile. Nothing is erased from the audit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import IntegrityError, models, transaction
from django.utils import timezone

from evidence.models import (
    Decision,
    DecisionTouch,
    Evidence,
    FactProposal,
    HeldRecord,
    PromotionProposal,
    RecallItem,
    Snapshot,
)
from evidence.rules.times import to_iso
from evidence.rules.vocab import AuditAction, HeldStatus, State
from evidence.selectors.people import is_administrator
from evidence.services import audit
from evidence.services.actors import Actor
from evidence.services.afterwards import settle
from evidence.services.errors import Refused
from evidence.services.journal import LINK_OF, MODEL_OF, Journal, restored
from evidence.services.locks import lock_claims, lock_many_held, lock_records
from evidence.services.texts import REASON_MAX, check_text
from evidence.services.verification import enqueue_verification

UNDOABLE = frozenset(
    {
        AuditAction.APPROVE, AuditAction.REJECT, AuditAction.SUPERSEDE, AuditAction.FIRST_APPROVAL, AuditAction.SNOOZE,
        AuditAction.ANSWER,
    }
)  # fmt: skip
SHOWN_LIMIT = 200


@dataclass(frozen=True, slots=True)
class Undone:
    """`shown`: recalls that showed what the undone decision had made or changed, newest first."""

    decision: Decision
    held: HeldRecord | None
    shown: list[RecallItem]


def undo(
    *, decision_id: UUID | str, actor: Actor, reason: str = "", idempotency_key: str | None = None,
    seen_version: int | None = None,
) -> Undone:  # fmt: skip
    """Take one decision back. 403 for who may not, 409 `undo_blocked` naming the later decision, 404 for what isn't seen."""
    check_text("reason", reason, longest=REASON_MAX)
    key = audit.key_for(actor, idempotency_key)
    known = Decision.objects.filter(idempotency_key=key, action=AuditAction.UNDO).first() if key else None
    if known is not None:
        return Undone(known, HeldRecord.objects.filter(pk=known.target_id).first(), [])
    try:
        with transaction.atomic():
            return do_undo(decision_id, actor, reason, key, seen_version)
    except IntegrityError:
        raise _blocked(None, "It was undone, or something it touched was filed again meanwhile.") from None


def do_undo(
    decision_id: UUID | str, actor: Actor, reason: str, key: str | None, seen_version: int | None = None
) -> Undone:
    """As `undo`, inside the caller's transaction; an amendment is this and a new decision (contract 10)."""
    first = _undoable(decision_id, actor)
    _lock_all(first)
    first_held = HeldRecord.objects.filter(pk=first.target_id).first() if first.target_kind == "held" else None
    if seen_version is not None and first_held is not None and first_held.version != seen_version:
        raise Refused(
            "version_conflict", "The item changed since.", seen_version=seen_version, current_version=first_held.version
        )
    if Decision.objects.filter(undoes=first.id).exists():
        raise _blocked(Decision.objects.get(undoes=first.id), "It was undone already.")
    journal = Journal()
    shown = _shown(first)
    _take_back(first, journal)
    target = first.target_id
    decision = audit.append(
        namespace=first.namespace, actor=actor, action=AuditAction.UNDO, target_kind=first.target_kind, target_id=target,
        target_version=first.target_version, agent=first.agent, undoes=first.id, idempotency_key=key,
        effects=[{"kind": "undo", "target_kind": "decision", "target_id": str(first.id)}],
        snapshots={"reason": audit.keep(reason)} if reason else None, touches=journal.touches(),
    )  # fmt: skip
    held = HeldRecord.objects.filter(pk=target).first() if first.target_kind == "held" else None
    settle(decision, held, journal)
    for pk in _held_ids(journal):
        enqueue_verification(HeldRecord.objects.get(pk=pk))
    return Undone(decision, held, shown)


def _undoable(decision_id: UUID | str, actor: Actor) -> Decision:
    first = Decision.objects.filter(pk=decision_id).first()
    if first is None or actor.user is None or not Decision.objects.filter(pk=first.pk).visible_to(actor.user).exists():
        raise Refused("not_found", "There is no such decision.")
    if first.action not in UNDOABLE:
        raise Refused("undo_blocked", f"A decision of kind {first.action} cannot be undone.")
    if first.actor_id != str(actor.user.pk) and not is_administrator(actor.user):
        raise Refused("not_reviewer", "Only who decided, or an administrator, may undo this.")
    return first


def _lock_all(first: Decision) -> None:
    """Locks in the house's order: claim keys, held rows, records. The chain head comes with the audit row."""
    touched = list(DecisionTouch.objects.filter(decision=first).values_list("target_kind", "target_id"))
    held_ids = {target for kind, target in touched if kind == "held"}
    if first.target_kind == "held":
        held_ids.add(first.target_id)
    seen = HeldRecord.objects.filter(pk__in=held_ids).values_list("claim_key", "statement_key")
    lock_claims(first.namespace, [claim or statement for claim, statement in seen])
    lock_many_held(held_ids)
    record_pks = [target for kind, target in touched if kind == "record"]
    lock_records(first.namespace, Evidence.objects.filter(pk__in=record_pks).values_list("record_id", flat=True))


def _take_back(first: Decision, journal: Journal) -> None:
    if first.action == AuditAction.SNOOZE:
        HeldRecord.objects.filter(pk=first.target_id).update(snoozed_until=None, snoozed_by="")
        return
    if first.action == AuditAction.FIRST_APPROVAL:
        _take_back_first_approval(first)
        return
    checked: set[tuple[str, str]] = set()
    for entry in reversed(_entries(first)):
        if entry["what"] == "linked":
            LINK_OF[entry["link"]]._default_manager.filter(pk=entry["pk"]).delete()
            continue
        row = _row_of(first, entry, checked)
        if entry["what"] == "created":
            _uncreate(row, journal)
        else:
            _restore(row, entry["before"], journal)


def _take_back_first_approval(first: Decision) -> None:
    held = HeldRecord.objects.get(pk=first.target_id)
    if not held.is_waiting or str(held.first_approver_id) != first.actor_id:
        raise _blocked(_later_than(first, "held", first.target_id), "The item was decided since.")
    held.first_approver_id, held.first_approval_hash, held.first_approval_version = None, "", None
    held.save(update_fields=["first_approver", "first_approval_hash", "first_approval_version"])


def _entries(first: Decision) -> list[dict[str, Any]]:
    promise = first.commitments.get("journal")
    kept = Snapshot.objects.filter(pk=promise["snapshot"]).first() if promise else None
    if kept is None or kept.body is None:
        raise Refused("undo_blocked", "What this decision changed was purged; it can only be corrected.")
    entries: list[dict[str, Any]] = json.loads(kept.body)["journal"]
    return entries


def _row_of(first: Decision, entry: Mapping[str, Any], checked: set[tuple[str, str]]) -> Any:
    """The row of a journal entry. When first met it must be at the version that the decision left it at."""
    kind, pk = entry["kind"], entry["pk"]
    row: Any = MODEL_OF[kind]._default_manager.filter(pk=pk).first()
    if (kind, pk) in checked:
        return row
    checked.add((kind, pk))
    left = DecisionTouch.objects.get(decision=first, target_kind=kind, target_id=pk).version
    later = _later_than(first, kind, pk)
    if row is None or row.version != left or later is not None:
        raise _blocked(later, "Something it touched was decided since.")
    return row


def _restore(row: Any, before: Mapping[str, Any], journal: Journal) -> None:
    values = restored(type(row), dict(before))
    if isinstance(row, HeldRecord) and values.get("status") == HeldStatus.WAITING:
        # Back in the queue, to be verified under its new version; nobody holds it.
        values |= {"verification_status": "pending", "lease_holder_id": None, "lease_until": None, "decided_at": None}
        values |= {"decision_id": None, "replaced_by_id": None}
        FactProposal.objects.filter(held=row).update(result=None)
        PromotionProposal.objects.filter(held=row).update(result=None)
    journal.change(row, **values)


def _uncreate(row: models.Model, journal: Journal) -> None:
    """A record that the decision made is revoked, its texts emptied; the audit's snapshot keeps what it said."""
    assert isinstance(row, Evidence)
    journal.change(
        row, state=State.REVOKED, content="", summary="", excerpt="", claim_value="", value_key="", superseded_by=""
    )


def _later_than(first: Decision, kind: str, target_id: str) -> Decision | None:
    """A decision after this one that touched the same object."""
    touch = (
        DecisionTouch.objects.filter(target_kind=kind, target_id=target_id, decision__namespace=first.namespace)
        .filter(decision__seq__gt=first.seq)
        .select_related("decision")
        .order_by("decision__seq")
        .first()
    )
    return touch.decision if touch else None


def _blocked(later: Decision | None, detail: str) -> Refused:
    if later is None:
        return Refused("undo_blocked", detail)
    return Refused(
        "undo_blocked", f"{detail} ({later.action} by {later.actor_name})", decision=str(later.id),
        decided_by=later.actor_name, decided_at=to_iso(later.at), action=str(later.action),
    )  # fmt: skip


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


def _held_ids(journal: Journal) -> list[str]:
    return sorted(target for kind, target in journal.touched if kind == "held")
