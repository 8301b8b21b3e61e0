"""How a decision about a record is carried out, whoever makes it: locked, checked against what was seen, written to the audit.

Owners say what became of it (`records`), administrators correct it (`correcting`): they differ in who may and in what is done,
and in nothing else. One transaction each; the same key gives the same answer again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from evidence.models import Decision, Evidence, Inquiry, RecheckItem, User
from evidence.models.base import new_id
from evidence.rules.times import to_iso
from evidence.rules.vocab import Answer, AuditAction, InquiryKind, State
from evidence.services import audit
from evidence.services.actors import Actor
from evidence.services.afterwards import settle
from evidence.services.closing import close_question
from evidence.services.conflicts import named_version, record_as_seen
from evidence.services.errors import Refused
from evidence.services.inquiring import side_of
from evidence.services.journal import Journal
from evidence.services.locks import lock_claims
from evidence.services.texts import REASON_MAX, check_text


@dataclass(slots=True)
class Deed:
    """A decision about one record while it is carried out. `asked`: the question that it opened; `until`: put off till then."""

    row: Evidence
    actor: Actor
    now: datetime
    decision_id: UUID = field(default_factory=new_id)
    journal: Journal = field(default_factory=Journal)
    asked: Inquiry | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """What every decision about a record is asked with."""

    record_pk: UUID | str
    seen_version: int | None
    actor: Actor
    reason: str
    idempotency_key: str | None = None
    bulk_id: UUID | None = None


# Raises `Refused` where this person may not decide so about this record.
Permit = Callable[[User, Evidence], None]
CarryOut = Callable[[Deed], None]


def decide_record(
    request: Request, action: AuditAction, carry_out: CarryOut, *, permit: Permit, keeps_before: bool = True
) -> Decision:
    """Carry it out once. `keeps_before`: what the record said is kept for the audit and for undo; a deletion keeps nothing."""
    named_version(request.seen_version)
    check_text("reason", request.reason, longest=REASON_MAX)
    key = audit.key_for(request.actor, request.idempotency_key)
    known = _replayed(key, action, request.record_pk)
    if known is not None:
        return known
    try:
        with transaction.atomic():
            deed = Deed(_locked(request, permit), request.actor, timezone.now())
            return _carried_out(deed, request, action, carry_out, key, keeps_before=keeps_before)
    except (IntegrityError, Refused) as error:
        # The same request may have been carried out while its lock was waited for.
        known = _replayed(key, action, request.record_pk)
        if known is not None:
            return known
        if isinstance(error, Refused):
            raise
        raise Refused("version_conflict", "Something this touches was decided at the same moment.") from None


def record_of(decision: Decision) -> str:
    """The key of the record that such a decision is about."""
    if decision.target_kind == "record":
        return decision.target_id
    return str(decision.effects[0].get("record", "")) if decision.effects else ""


def close_rechecks(deed: Deed, answer: Answer) -> None:
    """What asked whether it is still true is answered: questions to its owner or agent, and the open re-check."""
    row = deed.row
    asked = Inquiry.objects.open().filter(
        namespace=row.namespace, current_record=row.record_id, kind=InquiryKind.RECHECK
    )
    for inquiry in asked.select_for_update(of=("self",)).order_by("pk"):
        close_question(inquiry, answer=answer, actor=deed.actor, journal=deed.journal, now=deed.now)
    RecheckItem.objects.of([row.pk]).open().update(closed_at=deed.now)


def _carried_out(
    deed: Deed, request: Request, action: AuditAction, carry_out: CarryOut, key: str | None, *, keeps_before: bool
) -> Decision:
    row, journal = deed.row, deed.journal
    before = side_of(row)
    carry_out(deed)
    snapshots = {"reason": audit.keep(request.reason)} if request.reason else {}
    if keeps_before:
        snapshots |= {"shown": audit.keep(before), "journal": audit.keep({"journal": journal.entries})}
    target = ("inquiry", str(deed.asked.pk)) if deed.asked is not None else ("record", str(row.pk))
    word = Answer.NEED_EVIDENCE if deed.asked is not None else action
    decision = audit.append(
        namespace=row.namespace, actor=request.actor, action=action, target_kind=target[0], target_id=target[1],
        target_version=request.seen_version or 0, decision_id=deed.decision_id, agent=row.scope_owner, idempotency_key=key,
        effects=[
            {"kind": str(word), "target_kind": "record", "target_id": row.record_id, "record": str(row.pk)}
            | ({"until": to_iso(deed.until)} if deed.until else {})
        ],
        snapshots=snapshots, touches=journal.touches(), bulk_id=request.bulk_id,
    )  # fmt: skip
    settle(decision, None, journal)
    return decision


def _replayed(key: str | None, action: AuditAction, record_pk: UUID | str) -> Decision | None:
    known = Decision.objects.filter(idempotency_key=key).first() if key else None
    if known is None:
        return None
    if (known.action, record_of(known)) != (action, str(record_pk)):
        raise Refused("idempotency_conflict", "This idempotency key was used for another request.")
    return known


def _locked(request: Request, permit: Permit) -> Evidence:
    """The record, active, at the version that was seen, about which this person may decide."""
    user = request.actor.user
    if user is None:
        raise Refused("not_reviewer", "A person decides.")
    rows = Evidence.objects.visible_to(user).filter(pk=request.record_pk)
    seen = rows.values_list("namespace", "claim_key").first()
    if seen is None:
        raise Refused("not_found", "There is no such record.")
    lock_claims(seen[0], [seen[1]])
    row = Evidence.objects.select_for_update(of=("self",)).get(pk=request.record_pk)
    permit(user, row)
    if row.state != State.ACTIVE:
        raise Refused("closed", f"The record is {row.state}.")
    record_as_seen(row, request.seen_version)
    return row
