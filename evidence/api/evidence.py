"""`POST evidence`: an agent files what it saw (doors "POST evidence")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router

from evidence.api.auth import AgentToken, token_of
from evidence.api.once import answered_once
from evidence.api.shapes import EVIDENCE_ERRORS
from evidence.models import Token
from evidence.rules.vocab import Door, Right
from evidence.selectors.answer_shapes import EvidenceFiled
from evidence.selectors.answers import evidence_json, finding_json, may_read
from evidence.selectors.proposals import stored_record
from evidence.services.errors import Refused
from evidence.services.filing import FiledEvidence, file_evidence
from evidence.services.idempotency import Outcome
from evidence.services.request_shapes import EvidenceShape
from evidence.services.tokens import filer_of

router = Router(tags=["Filing"])


@router.post(
    "evidence",
    auth=AgentToken(Right.FILE),
    response={201: EvidenceFiled, 200: EvidenceFiled, **EVIDENCE_ERRORS},
    operation_id="file_evidence",
    summary="File evidence",
)
def post_evidence(request: HttpRequest, body: EvidenceShape) -> HttpResponse:
    """Store one piece of evidence. From outside (`external`) it is held until a person has looked at it. With a claim that
    others are about, the answer says what that means for the current record, which filing itself never changes.
    The same source version again: 200, `created: false`, nothing changed.
    """
    token = token_of(request)
    filer = filer_of(token, Door.API)

    def work() -> Outcome:
        filed = file_evidence(filer=filer, draft=body.to_draft(filer))
        return Outcome(201 if filed.created else 200, _ids(filed))

    return answered_once(request, work, lambda ids: _answer(token, ids))


def _ids(filed: FiledEvidence) -> dict[str, Any]:
    finding = filed.finding
    return {
        "record": str(filed.record.pk),
        "held": str(filed.held.pk) if filed.held else None,
        "created": filed.created,
        "finding": {
            "outcome": str(finding.outcome), "reason": finding.reason, "current": finding.current,
            "inquiry": str(finding.inquiry_id) if finding.inquiry_id else None,
            "held_id": str(finding.held_id) if finding.held_id else None,
        } if finding else None,
    }  # fmt: skip


def _answer(token: Token, ids: Mapping[str, Any]) -> dict[str, Any]:
    row = stored_record(ids["record"])
    if row is None or not may_read(token, row):
        raise Refused("not_found", "There is no such record.")
    return evidence_json(row, held_id=ids["held"], created=ids["created"], finding=finding_json(token, ids["finding"]))
