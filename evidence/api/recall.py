"""`POST recall` and `GET records/{id}`: what an agent may rely on, each record with its label (doors "Recall")."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from ninja import Router

from evidence.api.auth import AgentToken, token_of
from evidence.api.shapes import NOT_FOUND, RECALL_ERRORS
from evidence.backends.registry import backends
from evidence.rules.vocab import Right
from evidence.selectors.answer_shapes import RecallAnswer, RecordAnswer
from evidence.selectors.answers import found_json, recalled_json
from evidence.services.compiling import read_record
from evidence.services.recall_log import answer_recall
from evidence.services.request_shapes import RecallShape

router = Router(tags=["Recall"])


@router.post(
    "recall",
    auth=AgentToken(Right.RECALL),
    response={200: RecallAnswer, **RECALL_ERRORS},
    operation_id="recall",
    summary="Ask what is known",
)
def post_recall(request: HttpRequest, body: RecallShape) -> HttpResponse:
    """Search what your agent may read. Every result is a record of the desk's own with its label; a stale one says so. Results
    that contradict each other name each other. A source that failed gave no evidence, which is not "nothing is known".
    """
    ask = body.to_ask(lambda: {backend.name for backend in backends()})
    return JsonResponse(recalled_json(answer_recall(token=token_of(request), ask=ask, now=timezone.now())))


@router.get(
    "records/{record_id}",
    auth=AgentToken(Right.RECALL),
    response={200: RecordAnswer, **NOT_FOUND},
    operation_id="read_record",
    summary="One record",
)
def get_record(request: HttpRequest, record_id: str) -> HttpResponse:
    """One record by its id, by the same rules as recall: held, rejected, superseded or unreadable ones do not exist."""
    found = read_record(token=token_of(request), record_id=record_id, now=timezone.now())
    return JsonResponse(found_json(found) | {"grants": []})
