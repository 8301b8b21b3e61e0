"""Decisions about records that stand: still true, no longer true, asked about, put off (DESIGN "Who may what": owners).

The same locks, audit and search copies as for held items; one transaction each. The agent's owner decides and nobody else: a
reviewer's way is a proposal, an administrator's a correction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from evidence.models import Agent, Decision, Evidence, Inquiry, RecheckItem
from evidence.models.base import new_id
from evidence.rules.rechecks import method_kept
from evidence.rules.records import Validity
from evidence.rules.resolving import validity_overlaps
from evidence.rules.times import to_iso
from evidence.rules.vocab import Answer, AuditAction, InquiryKind, Kind, Risk, State
from evidence.selectors.people import recheck_verdict
from evidence.services import audit
from evidence.services.actors import Actor
from evidence.services.afterwards import settle
from evidence.services.closing import close_question
from evidence.services.errors import Refused
from evidence.services.facts import Checked, refresh_record_check, retime_record
from evidence.services.facts import revoke_record as empty_record
from evidence.services.inquiring import open_inquiry, side_of
from evidence.services.journal import Journal
from evidence.services.locks import lock_claims
from evidence.services.texts import REASON_MAX, SUMMARY_MAX, check_text


@dataclass(slots=True)
class _Deed:
    """A decision about one record while it is carried out. `asked`: the question that it opened; `until`: put off till then."""

    row: Evidence
    actor: Actor
    now: datetime
    journal: Journal = field(default_factory=Journal)
    asked: Inquiry | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Request:
    """What every decision about a record is asked with."""

    record_pk: UUID | str
    seen_version: int | None
    actor: Actor
    reason: str
    idempotency_key: str | None
    bulk_id: UUID | None


def recheck_record(
    *, record_pk: UUID | str, seen_version: int | None, actor: Actor, reason: str = "", method: str = "",
    idempotency_key: str | None = None, bulk_id: UUID | None = None,
) -> Decision:  # fmt: skip
    """“Still true, checked now”: the check becomes now, confirmed by the person; an end that has passed is taken away.

    `method` says where they looked; without it the place that was known stays. Closes its re-check questions.
    """
    check_text("method", method, longest=SUMMARY_MAX)
    request = _Request(record_pk, seen_version, actor, reason, idempotency_key, bulk_id)
    return _decide_record(request, AuditAction.REFRESH_CHECK, lambda deed: _confirm(deed, method))


def revoke_record(
    *, record_pk: UUID | str, seen_version: int | None, actor: Actor, reason: str, idempotency_key: str | None = None,
    bulk_id: UUID | None = None,
) -> Decision:  # fmt: skip
    """“No longer true”: revoked, texts emptied, removed from every backend. It may become true again, so no tombstone."""
    if not reason.strip():
        raise Refused("reason_required", "Say why this is no longer true.", field="reason")
    return _decide_record(
        _Request(record_pk, seen_version, actor, reason, idempotency_key, bulk_id), AuditAction.REVOKE, _revoke
    )


def ask_agent_about(
    *, record_pk: UUID | str, seen_version: int | None, actor: Actor, note: str = "",
    idempotency_key: str | None = None, bulk_id: UUID | None = None,
) -> Decision:  # fmt: skip
    """“Ask the agent”: a question of kind re-check that waits for its evidence; an open one is touched, not doubled."""
    request = _Request(record_pk, seen_version, actor, note, idempotency_key, bulk_id)
    return _decide_record(request, AuditAction.ANSWER, lambda deed: _ask(deed, note))


def snooze_recheck(
    *, record_pk: UUID | str, seen_version: int | None, actor: Actor, until: datetime | None,
    idempotency_key: str | None = None, bulk_id: UUID | None = None,
) -> Decision:  # fmt: skip
    """“Later”, for all of its owners: not asked before `until`, about this turn. The record itself stays as it is."""
    if until is None or until <= timezone.now():
        raise Refused("invalid_value", "Say until when, with a date in the future.", field="until")
    request = _Request(record_pk, seen_version, actor, "", idempotency_key, bulk_id)
    return _decide_record(request, AuditAction.SNOOZE, lambda deed: _put_off(deed, until))


def _decide_record(request: _Request, action: AuditAction, carry_out: Callable[[_Deed], None]) -> Decision:
    if request.seen_version is None:
        raise Refused("version_required", "Say which version you saw; the latest is never assumed.", field="version")
    check_text("reason", request.reason, longest=REASON_MAX)
    key = audit.key_for(request.actor, request.idempotency_key)
    known = _replayed(key, action, request.record_pk)
    if known is not None:
        return known
    try:
        with transaction.atomic():
            deed = _Deed(_locked(request), request.actor, timezone.now())
            return _carry_out(deed, request, action, carry_out, key)
    except (IntegrityError, Refused) as error:
        # The same request may have been carried out while its lock was waited for.
        known = _replayed(key, action, request.record_pk)
        if known is not None:
            return known
        if isinstance(error, Refused):
            raise
        raise Refused("version_conflict", "Something this touches was decided at the same moment.") from None


def _carry_out(
    deed: _Deed, request: _Request, action: AuditAction, carry_out: Callable[[_Deed], None], key: str | None
) -> Decision:
    row, journal = deed.row, deed.journal
    before = side_of(row)
    carry_out(deed)
    snapshots = {"shown": audit.keep(before), "journal": audit.keep({"journal": journal.entries})}
    if request.reason:
        snapshots["reason"] = audit.keep(request.reason)
    target = ("inquiry", str(deed.asked.pk)) if deed.asked is not None else ("record", str(row.pk))
    word = Answer.NEED_EVIDENCE if deed.asked is not None else action
    decision = audit.append(
        namespace=row.namespace, actor=request.actor, action=action, target_kind=target[0], target_id=target[1],
        target_version=request.seen_version or 0, decision_id=new_id(), agent=row.scope_owner, idempotency_key=key,
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


def record_of(decision: Decision) -> str:
    """The key of the record that a decision of this module is about."""
    if decision.target_kind == "record":
        return decision.target_id
    return str(decision.effects[0].get("record", "")) if decision.effects else ""


def _locked(request: _Request) -> Evidence:
    """The record, active, at the version that was seen, of an agent that this person owns."""
    user = request.actor.user
    if user is None:
        raise Refused("not_reviewer", "A person decides.")
    rows = Evidence.objects.visible_to(user).filter(pk=request.record_pk)
    seen = rows.values_list("namespace", "claim_key").first()
    if seen is None:
        raise Refused("not_found", "There is no such record.")
    lock_claims(seen[0], [seen[1]])
    row = Evidence.objects.select_for_update(of=("self",)).get(pk=request.record_pk)
    refusal = recheck_verdict(user, row.scope_owner).refusal
    if refusal is not None:
        raise Refused(refusal.code, refusal.detail)
    if row.state != State.ACTIVE:
        raise Refused("closed", f"The record is {row.state}.")
    if row.version != request.seen_version:
        raise Refused(
            "version_conflict", "The record changed since you opened it.", seen_version=request.seen_version,
            current_version=row.version,
        )  # fmt: skip
    return row


def _confirm(deed: _Deed, method: str) -> None:
    row, name = deed.row, deed.actor.name
    _only_facts(row)
    if row.valid_until is not None and row.valid_until <= deed.now:
        _lasts_longer(deed)
    refresh_record_check(row, Checked(deed.now, name, method_kept(row.check_method, method), name), deed.journal)
    _close(deed, Answer.CURRENT)


def _lasts_longer(deed: _Deed) -> None:
    """Its time was over and it still holds: the end goes, unless another fact about the same has begun since."""
    row = deed.row
    others = Evidence.objects.on_claim(row.namespace, row.claim_key).active().filter(
        kind=Kind.FACT, scope_key=row.scope_key
    ).exclude(pk=row.pk)  # fmt: skip
    longer = Validity(row.valid_from, None)
    if any(validity_overlaps(longer, one.validity or Validity()) for one in others.order_by("pk_uuid")[:50]):
        raise Refused("invalid_value", "Another fact about the same holds since: only one of the two can go on.")
    retime_record(row, (row.valid_from, None), deed.journal)


def _revoke(deed: _Deed) -> None:
    empty_record(deed.row, deed.journal)
    _close(deed, Answer.NEITHER)


def _ask(deed: _Deed, note: str) -> None:
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


def _put_off(deed: _Deed, until: datetime) -> None:
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


def _close(deed: _Deed, answer: Answer) -> None:
    """What asked whether it is still true is answered: questions to its owner or agent, and the open re-check."""
    row = deed.row
    asked = Inquiry.objects.open().filter(
        namespace=row.namespace, current_record=row.record_id, kind=InquiryKind.RECHECK
    )
    for inquiry in asked.select_for_update(of=("self",)).order_by("pk"):
        close_question(inquiry, answer=answer, actor=deed.actor, journal=deed.journal, now=deed.now)
    RecheckItem.objects.of([row.pk]).open().update(closed_at=deed.now)
