"""What an administrator corrects, with a reason and into the audit (DESIGN "Who may what"): words of a record, a whole record,
an excerpt that should not be there, a tombstone that stands in the way.

A correction is a new version that supersedes; nothing becomes checked, approved or fresher by it. Deleting takes the texts and
leaves a tombstone: it cannot be undone, only the tombstone can be lifted, by two administrators where there are two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction

from evidence.models import Decision, Evidence, HeldLink, HeldRecord, Membership, Snapshot, Tombstone, User
from evidence.models.base import new_id
from evidence.rules.records import Claim
from evidence.rules.vocab import AuditAction, HeldStatus, Kind, Redaction, Role, State, VerificationStatus
from evidence.selectors.people import is_administrator, same_person
from evidence.services import audit
from evidence.services.actors import Actor
from evidence.services.afterwards import settle
from evidence.services.burying import bury
from evidence.services.errors import Refused
from evidence.services.facts import Checked, create_fact_from, name_predecessors
from evidence.services.facts import revoke_record as empty_record
from evidence.services.filing_checks import check_claim
from evidence.services.inquiring import side_of
from evidence.services.journal import Journal
from evidence.services.locks import lock_claims, lock_deciding, lock_held
from evidence.services.texts import REASON_MAX, STATEMENT_MAX, check_text
from evidence.services.verification import enqueue_verification

LONGEST_STATEMENT = STATEMENT_MAX
_REOPENED = frozenset({HeldStatus.EXPIRED, HeldStatus.WITHDRAWN, HeldStatus.REJECTED})


@dataclass(slots=True)
class _Deed:
    """A correction while it is carried out. `undoable`: its before-images are kept; a deletion keeps none."""

    row: Evidence
    actor: Actor
    reason: str
    journal: Journal
    decision_id: UUID


def correct_record(
    *, record_pk: UUID | str, seen_version: int | None, actor: Actor, reason: str, statement: str, value: str = ""
) -> Decision:
    """Other words, and another value of its claim where one is given, as a new version that supersedes. Facts only.

    The new version keeps check, readers, validity and trust of the old one: saying it rightly does not make it newer.
    """
    check_text("statement", statement, longest=LONGEST_STATEMENT)
    if not statement.strip():
        raise Refused("invalid_value", "Say how it should read.", field="statement")

    def carry_out(deed: _Deed) -> None:
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
        name_predecessors(made, deed.journal)

    return _correct(record_pk, seen_version, actor, reason, AuditAction.CORRECT, carry_out)


def revoke_for_correction(*, record_pk: UUID | str, seen_version: int | None, actor: Actor, reason: str) -> Decision:
    """No longer true, said by an administrator: revoked, texts emptied; it may become true again, so no tombstone."""
    return _correct(
        record_pk, seen_version, actor, reason, AuditAction.REVOKE, lambda deed: empty_record(deed.row, deed.journal)
    )


def redact_record(*, record_pk: UUID | str, seen_version: int | None, actor: Actor, reason: str) -> Decision:
    """Take excerpt and summary out of reported evidence; what rests on it is verified again, and rejected by rule 6."""

    def carry_out(deed: _Deed) -> None:
        row = deed.row
        if row.kind == Kind.FACT:
            raise Refused("invalid_value", "A fact has no excerpt; correct or delete it.")
        deed.journal.change(row, excerpt="", summary="", content="", redaction=Redaction.REDACTED)

    return _correct(record_pk, seen_version, actor, reason, AuditAction.REDACT, carry_out, keeps_before=False)


def delete_record(*, record_pk: UUID | str, seen_version: int | None, actor: Actor, reason: str) -> Decision:
    """Deleted for good: texts gone, tombstone left, what waits on it verified again. No undo."""

    def carry_out(deed: _Deed) -> None:
        bury(deed.row, deed.decision_id)
        deed.journal.touched["record", str(deed.row.pk)] = deed.row.version

    return _correct(record_pk, seen_version, actor, reason, AuditAction.DELETE, carry_out, keeps_before=False)


def lift_tombstone(*, tombstone_id: int, actor: Actor, reason: str) -> Decision | None:
    """Allow again what was deleted. Two administrators, one after the other; where there is only one, alone and said so.

    None: this was the first of the two. The lifted tombstone is gone, the audit keeps who wanted it and why.
    """
    user = _administrator(actor, reason)
    with transaction.atomic():
        stone = Tombstone.objects.select_for_update(of=("self",)).filter(pk=tombstone_id).first()
        if stone is None:
            raise Refused("not_found", "There is no such tombstone.")
        first = stone.lift_asked_by
        alone = not _other_administrator(user)
        if not alone and (first is None or same_person(first, user)):
            if first is not None:
                raise Refused("four_eyes", "Another administrator has to agree; you asked for it.")
            stone.lift_asked_by = user
            stone.save(update_fields=["lift_asked_by"])
            _note_stone(stone, actor, reason, AuditAction.FIRST_APPROVAL, solo=False)
            return None
        decision = _note_stone(stone, actor, reason, AuditAction.LIFT_TOMBSTONE, solo=alone)
        stone.delete()
    return decision


def reopen_item(*, held_id: UUID | str, seen_version: int | None, actor: Actor, reason: str) -> HeldRecord:
    """An item that ended without anything coming of it (expired, withdrawn, rejected) waits again, and is verified again."""
    _administrator(actor, reason)
    if seen_version is None:
        raise Refused("version_required", "Say which version you saw; the latest is never assumed.", field="version")
    with transaction.atomic():
        lock_deciding(held_id)
        held = lock_held(held_id)
        if held.status not in _REOPENED:
            raise Refused("closed", f"An item that is {held.status} is not opened again.")
        if held.version != seen_version:
            raise Refused(
                "version_conflict", "The item changed since you opened it.", seen_version=seen_version,
                current_version=held.version,
            )  # fmt: skip
        journal, was = Journal(), str(held.status)
        journal.change(
            held, status=HeldStatus.WAITING, decided_at=None, decision_id=None, reason_code="", first_approver=None,
            first_approval_version=None, first_approval_hash="", verification_status=VerificationStatus.PENDING,
        )  # fmt: skip
        audit.append(
            namespace=held.namespace, actor=actor, action=AuditAction.REOPEN, target_kind="held", target_id=str(held.pk),
            target_version=seen_version, agent=held.agent_id, snapshots={"reason": audit.keep(reason)},
            effects=[{"kind": "reopen", "target_kind": "held", "target_id": str(held.pk), "was": was}],
            touches=journal.touches(),
        )  # fmt: skip
        enqueue_verification(held)
    return held


def reverify_item(*, held_id: UUID | str, actor: Actor, reason: str) -> HeldRecord:
    """Have the checks run again on a waiting item, whatever they found before."""
    _administrator(actor, reason)
    with transaction.atomic():
        held = lock_held(held_id)
        if held.status != HeldStatus.WAITING:
            raise Refused("closed", f"The item is {held.status}.")
        held.verification_status = VerificationStatus.PENDING
        held.save(update_fields=["verification_status"])
        audit.append(
            namespace=held.namespace, actor=actor, action=AuditAction.REVERIFY, target_kind="held", target_id=str(held.pk),
            target_version=held.version, agent=held.agent_id, snapshots={"reason": audit.keep(reason)},
        )  # fmt: skip
        enqueue_verification(held)
    return held


def _correct(
    record_pk: UUID | str, seen_version: int | None, actor: Actor, reason: str, action: AuditAction,
    carry_out: Callable[[_Deed], None], *, keeps_before: bool = True,
) -> Decision:  # fmt: skip
    _administrator(actor, reason)
    if seen_version is None:
        raise Refused("version_required", "Say which version you saw; the latest is never assumed.", field="version")
    with transaction.atomic():
        deed = _Deed(_locked(record_pk, seen_version), actor, reason, Journal(), new_id())
        row, before = deed.row, side_of(deed.row)
        carry_out(deed)
        kept: dict[str, Snapshot] = {"reason": audit.keep(reason)}
        if keeps_before:
            kept |= {"shown": audit.keep(before), "journal": audit.keep({"journal": deed.journal.entries})}
        decision = audit.append(
            namespace=row.namespace, actor=actor, action=action, target_kind="record", target_id=str(row.pk),
            target_version=seen_version, decision_id=deed.decision_id, agent=row.scope_owner,
            effects=[{"kind": str(action), "target_kind": "record", "target_id": row.record_id, "record": str(row.pk)}],
            snapshots=kept, touches=deed.journal.touches(),
        )  # fmt: skip
        settle(decision, None, deed.journal)
        _verify_what_rests_on(row)
    return decision


def _locked(record_pk: UUID | str, seen_version: int) -> Evidence:
    seen = Evidence.objects.filter(pk=record_pk).values_list("namespace", "claim_key").first()
    if seen is None:
        raise Refused("not_found", "There is no such record.")
    lock_claims(seen[0], [seen[1]])
    row = Evidence.objects.select_for_update(of=("self",)).get(pk=record_pk)
    if row.state != State.ACTIVE:
        raise Refused("closed", f"The record is {row.state}.")
    if row.version != seen_version:
        raise Refused(
            "version_conflict", "The record changed since you opened it.", seen_version=seen_version,
            current_version=row.version,
        )  # fmt: skip
    return row


def _verify_what_rests_on(row: Evidence) -> None:
    linked = HeldLink.objects.linked().filter(evidence=row).values_list("held_id", flat=True)
    for held in HeldRecord.objects.waiting().filter(pk__in=list(linked)).order_by("pk"):
        enqueue_verification(held)


def _administrator(actor: Actor, reason: str) -> User:
    check_text("reason", reason, longest=REASON_MAX)
    if not reason.strip():
        raise Refused("reason_required", "Say why.", field="reason")
    if actor.user is None or not is_administrator(actor.user):
        raise Refused("right_missing", "Only an administrator corrects what is stored.")
    return actor.user


def _other_administrator(user: User) -> bool:
    others = Membership.objects.active().filter(role=Role.ADMINISTRATOR).select_related("user")
    return any(not same_person(user, one.user) for one in others)


def _note_stone(stone: Tombstone, actor: Actor, reason: str, action: AuditAction, *, solo: bool) -> Decision:
    effects: Sequence[Mapping[str, Any]] = [
        {"kind": "lift_tombstone", "target_kind": "tombstone", "target_id": stone.record_id}
    ]
    return audit.append(
        namespace=stone.namespace, actor=actor, action=action, target_kind="tombstone", target_id=str(stone.pk),
        effects=effects, snapshots={"reason": audit.keep(reason)}, solo=solo,
    )  # fmt: skip
