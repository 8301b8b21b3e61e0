"""Whose turn a question is: assigned to the owner, and on to deputies and administrators when it lies (contract 10 "Sweeps").

Each step happens once, also when two sweeps run at once: it is a column of the question, compared under its lock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from evidence.models import Inquiry, Membership
from evidence.rules.escalation import DEFAULT_DUE, Level, level_at
from evidence.rules.vocab import AuditAction, HeldStatus, InquiryStatus, Role
from evidence.selectors.owners import administrators, deputies_of, owner_of
from evidence.services import audit
from evidence.services.actors import Actor
from evidence.services.inquiry_events import tell_assigned, tell_escalated
from evidence.services.locks import lock_inquiry

CHUNK = 500


def close_ended(now: datetime) -> int:
    """Questions whose item is decided or gone are stale: nobody has to answer them any more."""
    ended = Inquiry.objects.open().filter(held__isnull=False).exclude(held__status=HeldStatus.WAITING)
    return sum(_make_stale(pk, now) for pk in list(ended.order_by("pk").values_list("pk", flat=True)[:CHUNK]))


def assign_open() -> int:
    """Open questions of which the assigned person is gone, or never was: to whoever owns the agent now."""
    owner = Membership.objects.active().filter(role=Role.OWNER, user=OuterRef("assigned_to"))
    still = Exists(owner.filter(Q(agent__isnull=True) | Q(agent=OuterRef("agent"))))
    anybody = Exists(
        Membership.objects.active().filter(Q(agent__isnull=True) | Q(agent=OuterRef("agent")), role=Role.OWNER)
    )
    rows = Inquiry.objects.open().filter(anybody).exclude(still)
    return sum(_assign(pk) for pk in list(rows.order_by("pk").values_list("pk", flat=True)[:CHUNK]))


def escalate_overdue(now: datetime) -> int:
    """One step further for each question that lies longer than its step allows."""
    # Administrators are the last step: nobody comes after them.
    rows = Inquiry.objects.overdue(now).filter(escalation__lt=Level.ADMINISTRATORS)
    later = Q(escalation=Level.OWNER) | Q(due_at__lte=now - timedelta(days=DEFAULT_DUE.deputies_have))
    return sum(
        _escalate(pk, now)
        for pk in list(rows.filter(later).order_by("due_at", "pk").values_list("pk", flat=True)[:CHUNK])
    )


def _make_stale(pk: UUID, now: datetime) -> int:
    with transaction.atomic():
        row = lock_inquiry(pk)
        if row.status != InquiryStatus.OPEN:
            return 0
        row.status, row.answered_at, row.answered_by = InquiryStatus.STALE, now, "system"
        row.version += 1
        row.save(update_fields=["status", "answered_at", "answered_by", "version"])
        _note(row, AuditAction.EXPIRE, [])
        return 1


def _assign(pk: UUID) -> int:
    with transaction.atomic():
        row = lock_inquiry(pk)
        person = owner_of(row.agent_id)
        if row.status != InquiryStatus.OPEN or person is None or row.assigned_to_id == person.pk:
            return 0
        row.assigned_to = person
        row.save(update_fields=["assigned_to"])
        _note(row, AuditAction.ASSIGN, [{"kind": "assigned", "target_kind": "user", "target_id": str(person.pk)}])
        tell_assigned(row)
        return 1


def _escalate(pk: UUID, now: datetime) -> int:
    with transaction.atomic():
        row = lock_inquiry(pk)
        others = [one for one in deputies_of(row.agent_id) if one.pk != row.assigned_to_id]
        level = level_at(row.due_at, now, has_deputies=bool(others))
        if row.status != InquiryStatus.OPEN or row.evidence_asked_at is not None or level <= row.escalation:
            return 0
        row.escalation, row.escalated_at = level, now
        row.save(update_fields=["escalation", "escalated_at"])
        people = others if level == Level.DEPUTIES else administrators()
        told = [{"kind": level.name.lower(), "target_kind": "user", "target_id": str(one.pk)} for one in people]
        _note(row, AuditAction.ESCALATE, told)
        tell_escalated(row, people)
        return 1


def _note(row: Inquiry, action: AuditAction, effects: Sequence[Mapping[str, object]]) -> None:
    """An event of the system: who has the turn decides nothing about the question, so its version stays, unless it ended."""
    ended = row.status != InquiryStatus.OPEN
    audit.append(
        namespace=row.namespace, actor=Actor.system(), action=action, target_kind="inquiry", target_id=str(row.pk),
        target_version=row.version - 1 if ended else row.version, agent=row.agent_id, effects=effects,
        touches=[audit.Touch("inquiry", str(row.pk), row.version)] if ended else (),
    )  # fmt: skip
