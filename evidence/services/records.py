"""Decisions about records that stand: still true, no longer true (DESIGN "Who may what": owners re-check and revoke).

The same locks, audit and search copies as for held items; one transaction each.
"""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from evidence.models import Decision, Evidence, Inquiry
from evidence.models.base import new_id
from evidence.rules.vocab import AuditAction, InquiryKind, Kind, State
from evidence.selectors.people import is_administrator, is_owner, is_reviewer
from evidence.services import audit
from evidence.services.actors import Actor
from evidence.services.afterwards import settle
from evidence.services.closing import close_question
from evidence.services.errors import Refused
from evidence.services.facts import Checked, refresh_record_check
from evidence.services.facts import revoke_record as empty_record
from evidence.services.inquiring import side_of
from evidence.services.journal import Journal
from evidence.services.locks import lock_claims
from evidence.services.texts import REASON_MAX, check_text


def recheck_record(
    *,
    record_pk: UUID | str,
    seen_version: int | None,
    actor: Actor,
    reason: str = "",
    idempotency_key: str | None = None,
) -> Decision:
    """“Still true, checked now”: the check becomes now, confirmed by the person. Closes its re-check question."""
    return _decide_record(record_pk, seen_version, actor, reason, idempotency_key, AuditAction.REFRESH_CHECK)


def revoke_record(
    *, record_pk: UUID | str, seen_version: int | None, actor: Actor, reason: str, idempotency_key: str | None = None
) -> Decision:
    """“No longer true”: revoked, texts emptied, removed from every backend. It may become true again, so no tombstone."""
    if not reason.strip():
        raise Refused("reason_required", "Say why this is no longer true.", field="reason")
    return _decide_record(record_pk, seen_version, actor, reason, idempotency_key, AuditAction.REVOKE)


def _decide_record(
    record_pk: UUID | str, seen_version: int | None, actor: Actor, reason: str, idempotency_key: str | None,
    action: AuditAction,
) -> Decision:  # fmt: skip
    if seen_version is None:
        raise Refused("version_required", "Say which version you saw; the latest is never assumed.", field="version")
    check_text("reason", reason, longest=REASON_MAX)
    key = audit.key_for(actor, idempotency_key)
    known = Decision.objects.filter(idempotency_key=key).first() if key else None
    if known is not None:
        if (known.action, known.target_id) != (action, str(record_pk)):
            raise Refused("idempotency_conflict", "This idempotency key was used for another request.")
        return known
    with transaction.atomic():
        row = _locked(record_pk, seen_version, actor)
        before = side_of(row)
        journal = Journal()
        if action == AuditAction.REVOKE:
            empty_record(row, journal)
        else:
            _confirm(row, actor, journal)
        _close_rechecks(row, actor, journal, "current" if action == AuditAction.REFRESH_CHECK else "neither")
        snapshots = {"shown": audit.keep(before), "journal": audit.keep({"journal": journal.entries})}
        if reason:
            snapshots["reason"] = audit.keep(reason)
        decision = audit.append(
            namespace=row.namespace, actor=actor, action=action, target_kind="record", target_id=str(row.pk),
            target_version=seen_version, decision_id=new_id(), agent=row.scope_owner, idempotency_key=key,
            effects=[{"kind": str(action), "target_kind": "record", "target_id": row.record_id}],
            snapshots=snapshots, touches=journal.touches(),
        )  # fmt: skip
        settle(decision, None, journal)
        return decision


def _locked(record_pk: UUID | str, seen_version: int, actor: Actor) -> Evidence:
    """The record, active, at the version that was seen, of an agent that this person reviews, owns or administers."""
    if actor.user is None:
        raise Refused("not_reviewer", "A person decides.")
    seen = Evidence.objects.visible_to(actor.user).filter(pk=record_pk).values_list("namespace", "claim_key").first()
    if seen is None:
        raise Refused("not_found", "There is no such record.")
    lock_claims(seen[0], [seen[1]])
    row = Evidence.objects.select_for_update(of=("self",)).get(pk=record_pk)
    owner, user = row.scope_owner, actor.user
    if not (is_owner(user, owner) or is_reviewer(user, owner) or is_administrator(user)):
        raise Refused("not_reviewer", "Only an owner or a reviewer of this agent may do that.")
    if row.state != State.ACTIVE:
        raise Refused("closed", f"The record is {row.state}.")
    if row.version != seen_version:
        raise Refused(
            "version_conflict", "The record changed since you opened it.", seen_version=seen_version,
            current_version=row.version,
        )  # fmt: skip
    return row


def _confirm(row: Evidence, actor: Actor, journal: Journal) -> None:
    if row.kind != Kind.FACT:
        raise Refused("invalid_value", "Only facts are re-checked; an article's text changes through its review.")
    checked = Checked(timezone.now(), actor.name, "still true, checked now", actor.name)
    refresh_record_check(row, checked, journal)


def _close_rechecks(row: Evidence, actor: Actor, journal: Journal, answer: str) -> None:
    asked = Inquiry.objects.open().filter(
        namespace=row.namespace, current_record=row.record_id, kind=InquiryKind.RECHECK
    )
    for inquiry in asked.select_for_update(of=("self",)).order_by("pk"):
        close_question(inquiry, answer=answer, actor=actor, journal=journal, now=timezone.now())
