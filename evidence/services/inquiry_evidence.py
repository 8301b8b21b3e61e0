"""The agent's answer to “need evidence”: filed as ever, put to the question, which goes back to its owner."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from evidence.models import Evidence, Inquiry
from evidence.rules.escalation import Level, due_at
from evidence.rules.vocab import AuditAction, InquiryStatus
from evidence.services import audit
from evidence.services.actors import Filer
from evidence.services.attaching import attach
from evidence.services.drafts import EvidenceDraft
from evidence.services.errors import Refused
from evidence.services.filing import FiledEvidence, do_file_evidence
from evidence.services.filing_checks import build_evidence
from evidence.services.inquiry_events import tell_evidence_came
from evidence.services.locks import lock_claims, lock_inquiry


@dataclass(frozen=True, slots=True)
class CameToQuestion:
    inquiry: Inquiry
    filed: FiledEvidence
    # False: this very evidence had come to the question before.
    attached: bool


def bring_evidence(*, filer: Filer, inquiry_id: UUID | str, draft: EvidenceDraft) -> CameToQuestion:
    """File evidence as ever and attach it to a question that waits for it; the question goes back to its owner.

    Raises `Refused`: not_found for a question that was not put to this agent in this namespace, 409 `closed` once it is
    answered, and whatever filing refuses. From outside (`external`) it is held like any other; a person may read it here.
    """
    row = build_evidence(filer, draft)
    with transaction.atomic():
        lock_claims(filer.namespace, [row.claim_key])
        asked = _asked(filer, inquiry_id)
        # About the claim of the question no second one is asked: this evidence is part of the one that is open.
        filed = do_file_evidence(filer, row, proposed=_claim_of(asked))
        inquiry = lock_inquiry(inquiry_id)
        if inquiry.status != InquiryStatus.OPEN:
            raise Refused("closed", f"This question is {inquiry.status} by now.", current_version=inquiry.version)
        attached = attach(inquiry, filed.record, filed_by=filer.actor.name)
        if attached:
            _back_to_owner(inquiry, filed.record, filer)
    return CameToQuestion(inquiry, filed, attached)


def _asked(filer: Filer, inquiry_id: UUID | str) -> Inquiry:
    """A question that was put to the agent, open or closed; others do not exist for it."""
    own = Inquiry.objects.concerning(filer.agent.id, filer.namespace).filter(pk=inquiry_id).first()
    if own is None or (own.evidence_asked_at is None and own.evidence_came_at is None):
        raise Refused("not_found", "There is no such question.")
    if own.status != InquiryStatus.OPEN:
        raise Refused("closed", f"This question is {own.status} by now.", current_version=own.version)
    return own


def _claim_of(inquiry: Inquiry) -> str:
    ids = [one for one in (inquiry.current_record, inquiry.incoming_record) if one]
    rows = Evidence.objects.in_namespace(inquiry.namespace).filter(record_id__in=ids).exclude(claim_key="")
    return str(rows.values_list("claim_key", flat=True).first() or "")


def _back_to_owner(inquiry: Inquiry, record: Evidence, filer: Filer) -> None:
    """Whoever had the question open sees that something came: its version rises. It is due anew, and nobody lets it lie."""
    now = timezone.now()
    before = inquiry.version
    inquiry.evidence_asked_at, inquiry.evidence_came_at = None, now
    inquiry.due_at, inquiry.escalation, inquiry.escalated_at = due_at(inquiry.severity, now), Level.OWNER, None
    inquiry.version += 1
    inquiry.save(
        update_fields=["evidence_asked_at", "evidence_came_at", "due_at", "escalation", "escalated_at", "version"]
    )
    audit.append(
        namespace=inquiry.namespace, actor=filer.actor, action=AuditAction.EVIDENCE_CAME, target_kind="inquiry",
        target_id=str(inquiry.pk), target_version=before, agent=inquiry.agent_id,
        effects=[{"kind": "attached", "target_kind": "record", "target_id": record.record_id}],
        touches=[
            audit.Touch("inquiry", str(inquiry.pk), inquiry.version), audit.Touch("record", str(record.pk), record.version),
        ],
    )  # fmt: skip
    tell_evidence_came(inquiry, record.pk)
