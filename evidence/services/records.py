"""Decisions about records that stand: still true, no longer true, asked about, put off (DESIGN "Who may what": owners).

The same locks, audit and search copies as for held items; one transaction each. The agent's owner decides and nobody else: a
reviewer's way is a proposal, an administrator's a correction.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.utils import timezone

from evidence.models import Agent, Decision, Evidence, RecheckItem, User
from evidence.rules.rechecks import method_kept
from evidence.rules.records import Validity
from evidence.rules.resolving import validity_overlaps
from evidence.rules.vocab import Answer, AuditAction, InquiryKind, Kind, Risk
from evidence.selectors.people import recheck_verdict
from evidence.services.actors import Actor
from evidence.services.errors import Refused
from evidence.services.facts import Checked, refresh_record_check, retime_record
from evidence.services.facts import revoke_record as empty_record
from evidence.services.inquiring import open_inquiry
from evidence.services.record_deciding import Deed, Request, close_rechecks, decide_record
from evidence.services.texts import SUMMARY_MAX, check_text


def recheck_record(
    *, record_pk: UUID | str, seen_version: int | None, actor: Actor, reason: str = "", method: str = "",
    idempotency_key: str | None = None, bulk_id: UUID | None = None,
) -> Decision:  # fmt: skip
    """“Still true, checked now”: the check becomes now, confirmed by the person; an end that has passed is taken away.

    `method` says where they looked; without it the place that was known stays. Closes its re-check questions.
    """
    check_text("method", method, longest=SUMMARY_MAX)
    request = Request(record_pk, seen_version, actor, reason, idempotency_key, bulk_id)
    return decide_record(request, AuditAction.REFRESH_CHECK, lambda deed: _confirm(deed, method), permit=owner)


def revoke_record(
    *, record_pk: UUID | str, seen_version: int | None, actor: Actor, reason: str, idempotency_key: str | None = None,
    bulk_id: UUID | None = None,
) -> Decision:  # fmt: skip
    """“No longer true”: revoked, texts emptied, removed from every backend. It may become true again, so no tombstone."""
    if not reason.strip():
        raise Refused("reason_required", "Say why this is no longer true.", field="reason")
    return decide_record(
        Request(record_pk, seen_version, actor, reason, idempotency_key, bulk_id),
        AuditAction.REVOKE,
        no_longer_true,
        permit=owner,
    )


def ask_agent_about(
    *, record_pk: UUID | str, seen_version: int | None, actor: Actor, note: str = "",
    idempotency_key: str | None = None, bulk_id: UUID | None = None,
) -> Decision:  # fmt: skip
    """“Ask the agent”: a question of kind re-check that waits for its evidence; an open one is touched, not doubled."""
    request = Request(record_pk, seen_version, actor, note, idempotency_key, bulk_id)
    return decide_record(request, AuditAction.ANSWER, lambda deed: _ask(deed, note), permit=owner)


def snooze_recheck(
    *, record_pk: UUID | str, seen_version: int | None, actor: Actor, until: datetime | None,
    idempotency_key: str | None = None, bulk_id: UUID | None = None,
) -> Decision:  # fmt: skip
    """“Later”, for all of its owners: not asked before `until`, about this turn. The record itself stays as it is."""
    if until is None or until <= timezone.now():
        raise Refused("invalid_value", "Say until when, with a date in the future.", field="until")
    request = Request(record_pk, seen_version, actor, "", idempotency_key, bulk_id)
    return decide_record(request, AuditAction.SNOOZE, lambda deed: _put_off(deed, until), permit=owner)


def owner(user: User, row: Evidence) -> None:
    """Refuses whoever does not own the record's agent."""
    refusal = recheck_verdict(user, row.scope_owner).refusal
    if refusal is not None:
        raise Refused(refusal.code, refusal.detail)


def _confirm(deed: Deed, method: str) -> None:
    row, name = deed.row, deed.actor.name
    _only_facts(row)
    if row.valid_until is not None and row.valid_until <= deed.now:
        _lasts_longer(deed)
    refresh_record_check(row, Checked(deed.now, name, method_kept(row.check_method, method), name), deed.journal)
    close_rechecks(deed, Answer.CURRENT)


def _lasts_longer(deed: Deed) -> None:
    """Its time was over and it still holds: the end goes, unless another fact about the same has begun since."""
    row = deed.row
    others = Evidence.objects.on_claim(row.namespace, row.claim_key).active().filter(
        kind=Kind.FACT, scope_key=row.scope_key
    ).exclude(pk=row.pk)  # fmt: skip
    longer = Validity(row.valid_from, None)
    if any(validity_overlaps(longer, one.validity or Validity()) for one in others.order_by("pk_uuid")[:50]):
        raise Refused("invalid_value", "Another fact about the same holds since: only one of the two can go on.")
    retime_record(row, (row.valid_from, None), deed.journal)


def no_longer_true(deed: Deed) -> None:
    """Revoked, and whoever asked whether it is still true is answered."""
    empty_record(deed.row, deed.journal)
    close_rechecks(deed, Answer.NEITHER)


def _ask(deed: Deed, note: str) -> None:
    row = deed.row
    _only_facts(row)
    if not Agent.objects.filter(pk=row.scope_owner).exists():
        raise Refused("invalid_value", "There is no agent of that name here that could be asked.")
    says = row.claim_value or row.content[:200]
    about = f"{row.claim_subject} · {row.claim_attribute}: “{says}”" if row.claim_key else f"“{says}”"
    inquiry = open_inquiry(
        kind=InquiryKind.RECHECK, severity=Risk.MEDIUM, agent_id=row.scope_owner, namespace=row.namespace,
        question=f"{about} — is this still true?", current=row, incoming=None,
    )  # fmt: skip
    if inquiry.touches == 0:
        deed.journal.created(inquiry)
    deed.journal.change(inquiry, evidence_asked_at=deed.now, evidence_wanted=note)
    deed.asked = inquiry


def _put_off(deed: Deed, until: datetime) -> None:
    row, deed.until = deed.row, until
    if row.recheck_at is None or row.recheck_at > deed.now or row.recheck_turns_at is None:
        raise Refused("invalid_value", "It is not due, so there is nothing to put off.")
    RecheckItem.objects.of([row.pk]).open().exclude(turns_at=row.recheck_turns_at).update(closed_at=deed.now)
    RecheckItem.objects.update_or_create(
        record=row, turns_at=row.recheck_turns_at,
        defaults={"snoozed_until": until, "snoozed_by": deed.actor.name, "closed_at": None},
        create_defaults={
            "agent": row.scope_owner, "namespace": row.namespace, "opened_at": deed.now, "told_at": deed.now,
            "snoozed_until": until, "snoozed_by": deed.actor.name,
        },
    )  # fmt: skip


def _only_facts(row: Evidence) -> None:
    if row.kind != Kind.FACT:
        raise Refused("invalid_value", "Only facts are re-checked; an article's text changes through its review.")
