"""`inquiries`: what people are asked, with every answer's plan, and their answers (doors "Queue and decisions")."""

from __future__ import annotations

import uuid
from typing import Annotated
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from ninja import Query, Router

from evidence.api.auth import PersonToken, person_of
from evidence.api.inquiry_answers import answered_json, inquiry_json, inquiry_row
from evidence.api.inquiry_schemas import ANSWER_ERRORS, LIST_ERRORS, AnsweredOut, InquiriesOut, InquiryOut, ListQuery
from evidence.api.once import answered_once
from evidence.api.shapes import NOT_FOUND
from evidence.models import Inquiry, User
from evidence.rules.vocab import Door
from evidence.selectors import inquiries
from evidence.selectors.audit_list import visible_decision
from evidence.services.actors import Actor
from evidence.services.answering import answer_inquiry
from evidence.services.errors import Refused
from evidence.services.idempotency import Outcome
from evidence.services.inquiry_shapes import AnswerShape

router = Router(tags=["Questions to people"])


@router.get(
    "inquiries",
    auth=PersonToken(),
    response={200: InquiriesOut, **LIST_ERRORS},
    operation_id="list_inquiries",
    summary="Questions to owners",
)
def get_inquiries(request: HttpRequest, asked: Annotated[ListQuery, Query()]) -> HttpResponse:
    """Questions about the agents that you may see, newest first. `show=mine`: those that wait for you."""
    now = timezone.now()
    page = inquiries.listing(
        person_of(request), "" if asked.status == "any" else asked.status, asked.kind, show=asked.show,
        after=asked.after, limit=asked.limit, now=now,
    )  # fmt: skip
    return JsonResponse({"items": [inquiry_row(row, now) for row in page.rows], "next": page.after or None})


@router.get(
    "inquiries/{inquiry_id}",
    auth=PersonToken(),
    response={200: InquiryOut, **NOT_FOUND},
    operation_id="read_inquiry",
    summary="One question",
)
def get_inquiry(request: HttpRequest, inquiry_id: str) -> HttpResponse:
    """Both sides as they were and as they are, and what each answer would do."""
    user, now = person_of(request), timezone.now()
    return JsonResponse(inquiry_json(inquiries.inquiry_view(visible(user, inquiry_id), user, now), now))


@router.post(
    "inquiries/{inquiry_id}/answer",
    auth=PersonToken(),
    response={200: AnsweredOut, **ANSWER_ERRORS},
    operation_id="answer_inquiry",
    summary="Answer a question",
)
def post_answer(request: HttpRequest, inquiry_id: str, body: AnswerShape) -> HttpResponse:
    """Answer as an owner of the agent. It is a decision: it confirms what it says is true, supersedes or revokes what it says
    is not, and decides the item that the question came from.
    """
    user = person_of(request)
    row = visible(user, inquiry_id)

    def work() -> Outcome:
        key = request.headers.get("Idempotency-Key") or uuid.uuid4().hex
        done = answer_inquiry(
            inquiry_id=row.pk, actor=Actor.person(user, Door.API), idempotency_key=key, **body.to_arguments(row)
        )
        return Outcome(200, {"decision": str(done.decision.pk), "inquiry": str(row.pk)})

    return answered_once(request, work, lambda ids: _answered(user, ids["decision"], ids["inquiry"]))


def visible(user: User, inquiry_id: str) -> Inquiry:
    """A question that the person may see; another is answered exactly like one that does not exist."""
    try:
        row = inquiries.visible_inquiry(user, UUID(inquiry_id))
    except ValueError:
        row = None
    if row is None:
        raise Refused("not_found", "There is no such question.")
    return row


def _answered(user: User, decision_id: str, inquiry_id: str) -> dict[str, object]:
    row = visible(user, inquiry_id)
    decision = visible_decision(user, UUID(decision_id))
    if decision is None:
        raise Refused("not_found", "There is no such decision.")
    return answered_json(decision, row, inquiries.next_for(user, after=row), timezone.now())
