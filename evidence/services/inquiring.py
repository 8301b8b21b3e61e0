"""Opening questions: from a match that needs a person, from a finding, from a reviewer, for a re-check (contract 10).

An open twin is touched, never doubled; a closed one does not block a new one. Both sides are kept as snapshots.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from django.utils import timezone

from evidence.models import Agent, Evidence, HeldRecord, Inquiry, Snapshot, User
from evidence.rules.escalation import due_at
from evidence.rules.labels import label_of_window
from evidence.rules.text import norm, sha256_hex
from evidence.rules.times import to_iso
from evidence.rules.vocab import InquiryKind, InquiryStatus, MatchKind, Risk
from evidence.selectors.matching import Matching
from evidence.selectors.owners import owner_of
from evidence.selectors.planning import window_of
from evidence.services import audit
from evidence.services.attaching import attach
from evidence.services.inquiry_events import tell_opened

_OF_MATCH: dict[MatchKind, tuple[InquiryKind, Risk]] = {
    MatchKind.POTENTIAL_CONFLICT: (InquiryKind.CONFLICT, Risk.HIGH),
    MatchKind.SUPERSEDES: (InquiryKind.SUPERSESSION, Risk.HIGH),
    MatchKind.AMBIGUOUS: (InquiryKind.AMBIGUOUS, Risk.MEDIUM),
}
MATCH_KINDS = frozenset(kind for kind, _ in _OF_MATCH.values())


def open_match_inquiry(held: HeldRecord, matching: Matching) -> Inquiry | None:
    """The question that this match asks, or none."""
    asked = _OF_MATCH.get(matching.match.kind)
    matched = matching.matched()
    if asked is None or not matched:
        return None
    known = Inquiry.objects.open().filter(held=held, kind=asked[0], current_record=matched[0].record_id).first()
    if known is not None:
        return known  # verifying an item again is not asking again
    kind, severity = asked
    return open_inquiry(
        kind=kind, severity=severity, agent_id=whom_to_ask(matched[0], held.agent_id), namespace=held.namespace,
        question=_conflict_question(held, matched[0]), current=matched[0], incoming=held.fact_proposal.observation,
        held=held,
    )  # fmt: skip


def whom_to_ask(current: Evidence, otherwise: str) -> str:
    """The agent whose owner is asked: of a reviewed article its own (contract 3), else the one that says something else."""
    if current.approval is not None and Agent.objects.filter(pk=current.scope_owner).exists():
        return current.scope_owner
    return otherwise


def withdraw_outdated_inquiries(held: HeldRecord, matching: Matching) -> int:
    """Close the questions of earlier matches that no longer hold: nobody is asked what is not asked any more.

    One that came with an import was asked by another matcher and stays.
    Where only its current side went and no other took its place, a question stays: its owner answers for what is left (S27).
    """
    still = [row.record_id for row in matching.matched()] if matching.match.kind in _OF_MATCH else []
    gone = (
        Inquiry.objects.open()
        .filter(held=held, kind__in=MATCH_KINDS, origin_system="")
        .exclude(current_record__in=still)
    )
    if not still:
        standing = Evidence.objects.in_namespace(held.namespace).active()
        gone = gone.filter(current_record__in=standing.values("record_id"))
    now = timezone.now()
    count = 0
    for inquiry in gone.select_for_update(of=("self",)).order_by("pk"):
        inquiry.status, inquiry.answered_at, inquiry.answered_by = InquiryStatus.WITHDRAWN, now, "system"
        inquiry.version += 1
        inquiry.save(update_fields=["status", "answered_at", "answered_by", "version"])
        count += 1
    return count


def open_inquiry(
    *,
    kind: InquiryKind,
    severity: Risk,
    agent_id: str,
    namespace: str,
    question: str,
    current: Evidence | None,
    incoming: Evidence | None,
    held: HeldRecord | None = None,
    origin: tuple[str, str] = ("", ""),
    asked_by: User | None = None,
) -> Inquiry:
    """Open a question, or touch its open twin. Runs inside the caller's transaction. Who asks it is not told of it."""
    sides = [row.record_id if row else "" for row in (current, incoming)]
    twin_key = sha256_hex(norm(question), namespace, *sides)
    twin = Inquiry.objects.select_for_update(of=("self",)).filter(
        namespace=namespace, twin_key=twin_key, status=InquiryStatus.OPEN
    ).first()  # fmt: skip
    now = timezone.now()
    if twin is not None:
        twin.touches, twin.touched_at = twin.touches + 1, now
        twin.save(update_fields=["touches", "touched_at"])
        return twin
    made = Inquiry.objects.create(
        kind=kind, severity=severity, agent_id=agent_id, namespace=namespace, question=question, twin_key=twin_key,
        held=held, current_record=sides[0], incoming_record=sides[1], current_snapshot=_snapshot(current),
        incoming_snapshot=_snapshot(incoming), incoming_first=bool(secrets.randbelow(2)),
        due_at=due_at(severity, now), assigned_to=owner_of(agent_id), origin_system=origin[0], origin_id=origin[1],
    )  # fmt: skip
    tell_opened(made, by=asked_by)
    return made


def touch_with_report(*, agent_id: str, current: Evidence, row: Evidence, filed_by: str) -> Inquiry | None:
    """The open question that asks this already because of another report of the same value: touched, the report put to it.

    None where there is no such question. Precondition: the claim key is locked.
    """
    same = Evidence.objects.on_claim(row.namespace, row.claim_key).filter(
        value_key=row.value_key, scope_key=row.scope_key, valid_key=row.valid_key
    )  # fmt: skip
    twin = Inquiry.objects.open().select_for_update(of=("self",)).filter(
        namespace=row.namespace, agent_id=agent_id, kind=InquiryKind.CONFLICT, held=None,
        current_record=current.record_id, incoming_record__in=same.values("record_id"),
    ).order_by("pk").first()  # fmt: skip
    if twin is None or not attach(twin, row, filed_by=filed_by, is_report=True):
        return None
    twin.touches, twin.touched_at = twin.touches + 1, timezone.now()
    twin.save(update_fields=["touches", "touched_at"])
    return twin


def side_of(row: Evidence) -> Mapping[str, object]:
    """One side as a person reads it, kept so that the question stays readable when the record goes."""
    return {
        "record_id": row.record_id,
        "kind": row.kind,
        "claim": [row.claim_subject, row.claim_attribute, row.claim_value] if row.claim_key else None,
        "content": row.content,
        "source": row.source_id,
        "label": str(label_of_window(window_of(row), timezone.now())),
        "check": {
            "at": to_iso(row.check_at) if row.check_at else row.check_at_text,
            "by": row.check_by,
            "confirmed_by": row.check_confirmed_by,
        },
        "event_at": to_iso(row.event_at) if row.event_at else row.event_at_text,
        "scope": {"owner": row.scope_owner, "access": row.scope_access, "shared_with": list(row.scope_shared_with)},
        "summary": row.summary,
        "excerpt": row.excerpt,
    }


def _snapshot(row: Evidence | None) -> Snapshot | None:
    return audit.keep(side_of(row)) if row is not None else None


def _conflict_question(held: HeldRecord, current: Evidence) -> str:
    about, value = "", held.statement
    if held.claim_key:
        about, value = f"{held.claim_subject} · {held.claim_attribute}: ", held.claim_value
    stood = (current.claim_value if held.claim_key else "") or current.content
    if not stood:  # deleted, redacted or revoked: its text is nowhere any more
        return f"{about}{'what' if about else 'What'} stood is gone, “{value}” is proposed. Is it true?"
    return f"{about}“{stood}” stands, “{value}” is proposed. Which is true?"
