"""Putting rows back as a decision found them, from its before-images, under higher versions (contract 10 "Undo").

Refuses when something that the decision touched was decided since. What it had made steps back: a record is revoked, a
question or a proposal that it opened is withdrawn, and what closed against its record waits again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from evidence.models import (
    Decision,
    DecisionTouch,
    Evidence,
    FactProposal,
    HeldLink,
    HeldRecord,
    Inquiry,
    PromotionProposal,
    RecheckItem,
    Snapshot,
)
from evidence.rules.times import to_iso
from evidence.rules.vocab import AuditAction, HeldKind, HeldStatus, InquiryStatus
from evidence.selectors.matching import links_of
from evidence.services.actors import Actor
from evidence.services.closing import close_question, close_questions
from evidence.services.errors import Refused
from evidence.services.facts import revoke_record
from evidence.services.journal import LINK_OF, MODEL_OF, Journal, restored

# More decisions about one object than these are not looked through: the undo is refused.
LATER_LOOKED_AT = 500


def restore_all(first: Decision, actor: Actor, journal: Journal) -> None:
    """Everything that the decision changed, newest change first. Precondition: all of it is locked."""
    if first.action == AuditAction.SNOOZE:
        _wake(first)
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
            _uncreate(row, actor, journal)
        else:
            _restore(row, entry["before"], journal)


def closed_against(record: Evidence) -> list[HeldRecord]:
    """Proposals that were closed by `system` because this record said the same: without it they are not equal to anything."""
    rows = HeldRecord.objects.filter(
        status=HeldStatus.SUPERSEDED, replaced_by=None, namespace=record.namespace,
        fact_proposal__observation__superseded_by=record.record_id,
    )  # fmt: skip
    closings = Decision.objects.filter(action=AuditAction.CLOSE_EQUAL).values("id")
    return list(rows.filter(decision_id__in=closings).order_by("pk"))


def blocked(later: Decision | None, detail: str) -> Refused:
    if later is None:
        return Refused("undo_blocked", detail)
    return Refused(
        "undo_blocked", f"{detail} ({later.action} by {later.actor_name})", decision=str(later.id),
        decided_by=later.actor_name, decided_at=to_iso(later.at), action=str(later.action),
    )  # fmt: skip


def _wake(first: Decision) -> None:
    """End this snooze; one that somebody set since is theirs."""
    undone = Decision.objects.filter(undoes__isnull=False, target_id=first.target_id).values("undoes")
    since = Decision.objects.about(first.target_kind, first.target_id).filter(
        action=AuditAction.SNOOZE, seq__gt=first.seq
    )
    later = since.filter(namespace=first.namespace).exclude(id__in=undone).order_by("seq").first()
    if later is not None:
        raise blocked(later, "The item was snoozed again since.")
    if first.target_kind == "record":
        RecheckItem.objects.of([first.target_id]).open().update(snoozed_until=None, snoozed_by="")
        return
    HeldRecord.objects.filter(pk=first.target_id).update(snoozed_until=None, snoozed_by="")


def _take_back_first_approval(first: Decision) -> None:
    held = HeldRecord.objects.get(pk=first.target_id)
    if not held.is_waiting or str(held.first_approver_id) != first.actor_id:
        raise blocked(_since(first, "held", first.target_id)[0], "The item was decided since.")
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
    """The row of a journal entry. When first met it must stand as the decision left it.

    A question or proposal that the decision opened may have been verified since; that alone decides nothing. Nor does what
    was decided since and taken back again: it left the row as it found it, under a higher version.
    """
    kind, pk = entry["kind"], entry["pk"]
    row: Any = MODEL_OF[kind]._default_manager.filter(pk=pk).first()
    if (kind, pk) in checked:
        return row
    checked.add((kind, pk))
    later, left = _since(first, kind, pk)
    opened = entry["what"] == "created" and kind != "record"
    if row is None or later is not None or (row.version != left and not opened):
        raise blocked(later, "Something it touched was decided since.")
    return row


def _restore(row: Any, before: Mapping[str, Any], journal: Journal) -> None:
    values = restored(type(row), dict(before))
    if isinstance(row, HeldRecord) and values.get("status") == HeldStatus.WAITING:
        # Back in the queue, to be verified under its new version; nobody holds it.
        values |= {"verification_status": "pending", "lease_holder_id": None, "lease_until": None, "decided_at": None}
        values |= {"decision_id": None, "replaced_by_id": None}
        FactProposal.objects.filter(held=row).update(result=None)
        PromotionProposal.objects.filter(held=row).update(result=None)
    if isinstance(row, Inquiry) and values.get("status", row.status) == InquiryStatus.OPEN:
        values |= {"answer_value": "", "decision_id": None}
    journal.change(row, **values)


def _uncreate(row: Evidence | Inquiry | HeldRecord, actor: Actor, journal: Journal) -> None:
    """A record is revoked, its texts emptied (the audit's snapshot keeps what it said); what was opened is withdrawn."""
    now = timezone.now()
    if isinstance(row, Evidence):
        equals = closed_against(row)
        revoke_record(row, journal)
        for held in equals:
            _reopen(held, actor, journal)
    elif isinstance(row, HeldRecord):
        if not row.is_waiting:
            return
        journal.change(
            row, status=HeldStatus.WITHDRAWN, decided_at=now, updated_at=now, lease_holder_id=None, lease_until=None
        )
        if row.kind == HeldKind.FACT_PROPOSAL:
            revoke_record(row.fact_proposal.observation, journal)
        close_questions(row, answer="", actor=actor, journal=journal, now=now, withdrawn=True)
    elif row.status == InquiryStatus.OPEN:
        close_question(row, answer="", actor=actor, journal=journal, now=now, withdrawn=True)


def _reopen(held: HeldRecord, actor: Actor, journal: Journal) -> None:
    """What `system` closed against the record waits again, or strengthens its agent's own item that does."""
    same = HeldRecord.objects.equal_to(held).filter(agent=held.agent_id).order_by("id").first()
    if same is None:
        restore_all(Decision.objects.get(pk=str(held.decision_id)), actor, journal)
        return
    for link in links_of(held):
        row, fresh = HeldLink.objects.get_or_create(
            held=same, evidence=link.evidence, defaults={"polarity": link.polarity, "credited_from": held.id}
        )
        if fresh:
            journal.linked(row)
    HeldRecord.objects.filter(pk=held.pk).update(replaced_by=same)


def _since(first: Decision, kind: str, target_id: str) -> tuple[Decision | None, int]:
    """What was decided about the object after this decision and still stands, and the version that it should be at else."""
    about = DecisionTouch.objects.filter(target_kind=kind, target_id=target_id).select_related("decision")
    own = about.filter(decision=first).first()
    later = about.filter(decision__namespace=first.namespace, decision__seq__gt=first.seq)
    touches = list(later.order_by("decision__seq")[: LATER_LOOKED_AT + 1])
    decisions = {str(touch.decision_id): touch.decision for touch in touches}
    undone = {str(one) for one in Decision.objects.filter(undoes__in=list(decisions)).values_list("undoes", flat=True)}
    passed = undone | {name for name, one in decisions.items() if str(one.undoes) in undone}
    standing = next((one for name, one in decisions.items() if name not in passed), None)
    if standing is None and len(touches) > LATER_LOOKED_AT:
        standing = touches[-1].decision
    left = touches[-1] if touches else own
    return standing, left.version if left is not None else 0
