"""What an administrator corrects, with a reason and into the audit (DESIGN "Who may what"): words of a record, a whole record,
an excerpt that should not be there, a tombstone that stands in the way.

A correction is a new version that supersedes; nothing becomes checked, approved or fresher by it. Deleting takes the texts and
leaves a tombstone: it cannot be undone, only the tombstone can be lifted, by two administrators where there are two.
"""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from evidence.models import Decision, Evidence, HeldLink, HeldRecord, Membership, Tombstone, User
from evidence.rules.records import Claim
from evidence.rules.vocab import Answer, AuditAction, HeldStatus, Kind, Redaction, Role, VerificationStatus
from evidence.selectors.people import administers, administers_all, same_person
from evidence.services import audit
from evidence.services.actors import Actor
from evidence.services.burying import bury
from evidence.services.conflicts import named_version, version_conflict
from evidence.services.errors import Refused
from evidence.services.facts import Checked, create_fact_from, name_predecessors, supersede_record
from evidence.services.filing_checks import check_claim
from evidence.services.journal import Journal
from evidence.services.locks import lock_deciding, lock_held
from evidence.services.record_deciding import CarryOut, Deed, Request, close_rechecks, decide_record
from evidence.services.records import no_longer_true
from evidence.services.texts import REASON_MAX, STATEMENT_MAX, check_text
from evidence.services.verification import enqueue_verification

_REOPENED = frozenset({HeldStatus.EXPIRED, HeldStatus.WITHDRAWN, HeldStatus.REJECTED})


def correct_record(
    *, record_pk: UUID | str, seen_version: int | None, actor: Actor, reason: str, statement: str, value: str = "",
    idempotency_key: str | None = None,
) -> Decision:  # fmt: skip
    """Other words, and another value of its claim where one is given, as a new version that supersedes. Facts only.

    The new version keeps check, readers, validity and trust of the old one: saying it rightly does not make it newer.
    """
    check_text("statement", statement, longest=STATEMENT_MAX)
    if not statement.strip():
        raise Refused("invalid_value", "Say how it should read.", field="statement")
    request = Request(record_pk, seen_version, actor, reason, idempotency_key)
    return _correct(request, AuditAction.CORRECT, lambda deed: _reword(deed, statement, value))


def revoke_for_correction(
    *, record_pk: UUID | str, seen_version: int | None, actor: Actor, reason: str, idempotency_key: str | None = None
) -> Decision:
    """No longer true, said by an administrator: what the owner's "no longer true" does."""
    return _correct(
        Request(record_pk, seen_version, actor, reason, idempotency_key), AuditAction.REVOKE, no_longer_true
    )


def redact_record(
    *, record_pk: UUID | str, seen_version: int | None, actor: Actor, reason: str, idempotency_key: str | None = None
) -> Decision:
    """Take excerpt and summary out of reported evidence; what rests on it is verified again, and rejected by rule 6."""
    request = Request(record_pk, seen_version, actor, reason, idempotency_key)
    return _correct(request, AuditAction.REDACT, _redact, keeps_before=False)


def delete_record(
    *, record_pk: UUID | str, seen_version: int | None, actor: Actor, reason: str, idempotency_key: str | None = None
) -> Decision:
    """Deleted for good: texts gone, tombstone left, what waits on it verified again. No undo."""
    request = Request(record_pk, seen_version, actor, reason, idempotency_key)
    return _correct(request, AuditAction.DELETE, _delete, keeps_before=False)


def lift_tombstone(*, tombstone_id: int, actor: Actor, reason: str) -> Decision | None:
    """Allow again what was deleted. Two administrators, one after the other; where there is only one, alone and said so.

    None: this was the first of the two. The lifted tombstone is gone, the audit keeps who wanted it and why.
    """
    user = _administrator_of_all(actor, reason)
    with transaction.atomic():
        stone = Tombstone.objects.select_for_update(of=("self",)).filter(pk=tombstone_id).first()
        if stone is None:
            raise Refused("not_found", "There is no such tombstone.")
        alone = not _other_administrator(user)
        if not alone and stone.lift_asked_by is None:
            stone.lift_asked_by = user
            stone.save(update_fields=["lift_asked_by"])
            _note_stone(stone, actor, reason, AuditAction.FIRST_APPROVAL, solo=False)
            return None
        if not alone and same_person(stone.lift_asked_by, user):
            raise Refused("four_eyes", "Another administrator has to agree; you asked for it.")
        decision = _note_stone(stone, actor, reason, AuditAction.LIFT_TOMBSTONE, solo=alone)
        stone.delete()
    return decision


def reopen_item(*, held_id: UUID | str, seen_version: int | None, actor: Actor, reason: str) -> HeldRecord:
    """An item that ended without anything coming of it (expired, withdrawn, rejected) waits again, and is verified again."""
    seen_version = named_version(seen_version)
    check_reason(reason)
    with transaction.atomic():
        held = _locked_item(held_id, actor)
        if held.status not in _REOPENED:
            raise Refused("closed", f"An item that is {held.status} is not opened again.")
        if held.version != seen_version:
            raise version_conflict(held, seen_version)
        journal, was = Journal(), str(held.status)
        journal.change(
            held, status=HeldStatus.WAITING, decided_at=None, decision_id=None, reason_code="", first_approver=None,
            first_approval_version=None, first_approval_hash="", verification_status=VerificationStatus.PENDING,
        )  # fmt: skip
        _note_item(held, seen_version, actor, reason, AuditAction.REOPEN, journal, was=was)
    return held


def reverify_item(*, held_id: UUID | str, actor: Actor, reason: str) -> HeldRecord:
    """Have the checks run again on a waiting item, whatever they found before."""
    check_reason(reason)
    with transaction.atomic():
        held = _locked_item(held_id, actor)
        if held.status != HeldStatus.WAITING:
            raise Refused("closed", f"The item is {held.status}.")
        held.verification_status = VerificationStatus.PENDING
        held.save(update_fields=["verification_status"])
        _note_item(held, held.version, actor, reason, AuditAction.REVERIFY, Journal())
    return held


def check_reason(reason: str) -> None:
    check_text("reason", reason, longest=REASON_MAX)
    if not reason.strip():
        raise Refused("reason_required", "Say why.", field="reason")


def _correct(request: Request, action: AuditAction, carry_out: CarryOut, *, keeps_before: bool = True) -> Decision:
    check_reason(request.reason)

    def and_verify(deed: Deed) -> None:
        carry_out(deed)
        _verify_what_rests_on(deed.row)

    return decide_record(request, action, and_verify, permit=_administrator, keeps_before=keeps_before)


def _reword(deed: Deed, statement: str, value: str) -> None:
    row = deed.row
    if row.kind != Kind.FACT or not row.has_check or row.check_at is None:
        raise Refused(
            "invalid_value", "Only a fact that was checked is corrected; what was reported stays as reported."
        )
    claim = Claim(row.claim_subject, row.claim_attribute, value or row.claim_value) if row.claim_key else None
    if claim is not None:
        check_claim(claim)
    if statement == row.content and (claim is None or claim.value == row.claim_value):
        raise Refused("invalid_value", "That is what it says already.", field="statement")
    checked = Checked(row.check_at, row.check_by, row.check_method, row.check_confirmed_by)
    made = create_fact_from(
        row, decision_id=deed.decision_id, checked=checked, journal=deed.journal, claim=claim, statement=statement,
        replacing=True,
    )  # fmt: skip
    # A fact without a claim has its place by its words: under other words it did not stand in the way of the new one.
    still = Evidence.objects.active().select_for_update(of=("self",)).filter(pk=row.pk).first()
    if still is not None:
        supersede_record(still, by=made.record_id, journal=deed.journal)
    name_predecessors(made, deed.journal)


def _redact(deed: Deed) -> None:
    if deed.row.kind == Kind.FACT:
        raise Refused("invalid_value", "A fact has no excerpt; correct or delete it.")
    deed.journal.change(deed.row, excerpt="", summary="", content="", redaction=Redaction.REDACTED)


def _delete(deed: Deed) -> None:
    bury(deed.row, deed.decision_id)
    deed.journal.left(deed.row)
    close_rechecks(deed, Answer.NEITHER)


def _verify_what_rests_on(row: Evidence) -> None:
    linked = HeldLink.objects.linked().filter(evidence=row).values_list("held_id", flat=True)
    for held in HeldRecord.objects.waiting().filter(pk__in=list(linked)).order_by("pk"):
        enqueue_verification(held)


def _administrator(user: User, row: Evidence) -> None:
    if not administers(user, row.scope_owner):
        raise Refused("right_missing", "Only an administrator corrects what is stored.")


def _administrator_of_all(actor: Actor, reason: str) -> User:
    check_reason(reason)
    if actor.user is None or not administers_all(actor.user):
        raise Refused("right_missing", "Only an administrator of all agents does this.")
    return actor.user


def _locked_item(held_id: UUID | str, actor: Actor) -> HeldRecord:
    """The item, locked, of an agent that this person administers; one that they may not see is not there."""
    user = actor.user
    if user is None or not HeldRecord.objects.visible_to(user).filter(pk=held_id).exists():
        raise Refused("not_found", "There is no such item.")
    lock_deciding(held_id)
    held = lock_held(held_id)
    if not administers(user, held.agent_id):
        raise Refused("right_missing", "Only an administrator corrects what is stored.")
    return held


def _other_administrator(user: User) -> bool:
    others = Membership.objects.active().filter(role=Role.ADMINISTRATOR, agent=None).select_related("user")
    return any(not same_person(user, one.user) for one in others)


def _note_item(
    held: HeldRecord, version: int, actor: Actor, reason: str, action: AuditAction, journal: Journal, **more: str
) -> None:
    """The audit row, and the checks that follow."""
    audit.append(
        namespace=held.namespace, actor=actor, action=action, target_kind="held", target_id=str(held.pk),
        target_version=version, agent=held.agent_id, snapshots={"reason": audit.keep(reason)},
        effects=[{"kind": str(action), "target_kind": "held", "target_id": str(held.pk)} | more],
        touches=journal.touches(),
    )  # fmt: skip
    enqueue_verification(held)


def _note_stone(stone: Tombstone, actor: Actor, reason: str, action: AuditAction, *, solo: bool) -> Decision:
    return audit.append(
        namespace=stone.namespace, actor=actor, action=action, target_kind="tombstone", target_id=str(stone.pk),
        effects=[{"kind": "lift_tombstone", "target_kind": "tombstone", "target_id": stone.record_id}],
        snapshots={"reason": audit.keep(reason)}, solo=solo,
    )  # fmt: skip
