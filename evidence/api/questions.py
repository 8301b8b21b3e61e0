"""`questions`: what an agent is asked for by the owners of what it said, and the evidence that it brings (doors)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from ninja import Router

from evidence.api.auth import AgentToken, token_of
from evidence.api.inquiry_schemas import BROUGHT_ERRORS
from evidence.api.once import answered_once
from evidence.api.shapes import errors
from evidence.models import Token
from evidence.rules.vocab import Door, Right
from evidence.selectors.answer_shapes import BroughtOut, QuestionsOut
from evidence.selectors.answers import evidence_json, may_read, question_json
from evidence.selectors.proposals import stored_record
from evidence.selectors.questions import open_questions_of, own_question, sides_named
from evidence.services.errors import Refused
from evidence.services.idempotency import Outcome
from evidence.services.inquiry_evidence import bring_evidence
from evidence.services.request_shapes import EvidenceShape
from evidence.services.tokens import filer_of

router = Router(tags=["Questions to agents"])


@router.get(
    "questions",
    auth=AgentToken(Right.FILE),
    response={200: QuestionsOut, **errors(401, 403)},
    operation_id="open_questions",
    summary="What you are asked for",
)
def get_questions(request: HttpRequest) -> HttpResponse:
    """Your own open questions: an owner wants evidence before answering what is true. Oldest first, at most 100."""
    token = token_of(request)
    rows = open_questions_of(token)
    sides = sides_named(token.namespace, rows)
    return JsonResponse({"items": [question_json(row, token, sides) for row in rows], "grants": []})


@router.post(
    "questions/{question_id}/evidence",
    auth=AgentToken(Right.FILE),
    response={201: BroughtOut, 200: BroughtOut, **BROUGHT_ERRORS},
    operation_id="bring_evidence",
    summary="Bring evidence to a question",
)
def post_evidence(request: HttpRequest, question_id: str, body: EvidenceShape) -> HttpResponse:
    """File evidence as with `POST evidence` and put it to the question, which goes back to its owner. The same evidence again:
    200, nothing changed.
    """
    token = token_of(request)
    filer = filer_of(token, Door.API)

    def work() -> Outcome:
        came = bring_evidence(filer=filer, inquiry_id=_uuid(question_id), draft=body.to_draft(filer))
        ids = {
            "record": str(came.filed.record.pk), "question": str(came.inquiry.pk), "created": came.filed.created,
            "held": str(came.filed.held.pk) if came.filed.held else None, "attached": came.attached,
        }  # fmt: skip
        return Outcome(201 if came.attached else 200, ids)

    return answered_once(request, work, lambda ids: _brought(token, ids))


def _brought(token: Token, ids: Mapping[str, Any]) -> dict[str, Any]:
    row = stored_record(str(ids["record"]))
    question = own_question(token, _uuid(str(ids["question"])))
    if row is None or question is None or not may_read(token, row):
        raise _no_such()
    filed = evidence_json(
        row, held_id=str(ids["held"]) if ids["held"] else None, created=bool(ids["created"]), finding=None
    )
    return {
        "evidence": filed, "attached": bool(ids["attached"]),
        "question": question_json(question, token, sides_named(token.namespace, [question])), "grants": [],
    }  # fmt: skip


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as error:
        raise _no_such() from error


def _no_such() -> Refused:
    return Refused("not_found", "There is no such question.")
