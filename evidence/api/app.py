"""The REST door: its operations, its errors, its OpenAPI description. Knows services and selectors; no rule is written here."""

from __future__ import annotations

from typing import Any

import structlog
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema

from evidence.api import (
    bulk,
    evidence,
    feedback,
    held,
    inquiries,
    proposal_lines,
    proposals,
    questions,
    queue,
    reading,
    recall,
    runs,
    signals,
)
from evidence.api.body import StrictParser
from evidence.api.docs import Pages
from evidence.api.problems import MEDIA_TYPE, of_bad_input, of_refused, problem
from evidence.api.shapes import About
from evidence.rules.errors import BadInput
from evidence.services.errors import Refused
from evidence.services.request_errors import refusal

log = structlog.get_logger(__name__)

DESCRIPTION = """\
Agents file evidence and proposals, and recall what they may rely on. People decide.

* `Authorization: Bearer eda_…` (`manage.py agent_token AGENT`). The token fixes who you are and what you may read.
  People decide and answer questions with `edp_…` (`manage.py person_token USER`); their roles say which.
* Errors are `application/problem+json` with a stable `code`.
* Times are ISO 8601 with a zone. Unknown members are refused. Bodies up to 256 KiB.
* `Idempotency-Key` on a POST: the same request sent twice happens once (24 hours).
* Asked too often in a minute: 429 `rate_limited` with `Retry-After`. Recall, filing and bulk are counted apart, per token.
* An approval in an answer is history, never a permission: `"grants": []`.
"""


class DeskAPI(NinjaAPI):
    """ninja's API, with errors described as what they are."""

    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:
        schema = super().get_openapi_schema(**options)
        for operations in schema["paths"].values():
            for operation in operations.values():
                _describe_errors(operation)
                _describe_idempotency(operation)
        return schema


def _describe_errors(operation: dict[str, Any]) -> None:
    if "401" in operation["responses"] or 401 in operation["responses"]:
        _describe_limit(operation["responses"])
    for status, answer in operation["responses"].items():
        content = answer.get("content", {})
        if int(status) >= 400 and "application/json" in content:
            answer["content"] = {MEDIA_TYPE: content.pop("application/json")}
        if int(status) == 401:
            answer["headers"] = {"WWW-Authenticate": {"schema": {"type": "string"}}}


def _describe_limit(responses: dict[Any, Any]) -> None:
    """Whoever has a token can have asked too often."""
    like = responses.get(401) or responses["401"]
    limited = {name: dict(value) if isinstance(value, dict) else value for name, value in like.items()}
    after = {"schema": {"type": "integer"}, "description": "Seconds until it is worth asking again."}
    responses[429] = limited | {"description": "Too Many Requests", "headers": {"Retry-After": after}}


def _describe_idempotency(operation: dict[str, Any]) -> None:
    if operation["operationId"] not in _KEYED:
        return
    words = "Sent again with the same key and body, the request is not done again. Kept for 24 hours."
    key = {"type": "string", "minLength": 1, "maxLength": 200}
    operation["parameters"].append(
        {"name": "Idempotency-Key", "in": "header", "required": False, "description": words, "schema": key}
    )


_KEYED = frozenset(
    {
        "file_evidence", "file_proposal", "withdraw_proposal", "answer_inquiry", "bring_evidence", "decide_item",
        "edit_item", "undo_decision", "decide_many", "undo_bulk", "file_proposals",
        "give_feedback", "begin_run", "record_run_event", "complete_run", "publish_signal", "ack_signal",
    }
)  # fmt: skip

api = DeskAPI(
    title="Evidence Desk",
    version="1",
    description=DESCRIPTION,
    urls_namespace="api",
    docs=Pages(),
    parser=StrictParser(),
)
for module in (
    evidence,
    proposal_lines,
    proposals,
    recall,
    feedback,
    reading,
    questions,
    inquiries,
    queue,
    held,
    bulk,
    runs,
    signals,
):
    api.add_router("", module.router)


@api.get("", response=About, operation_id="about", summary="Where things are", tags=["About"], auth=None)
def about(request: HttpRequest) -> HttpResponse:
    """The doors of this desk. Needs no token."""
    return JsonResponse(
        {
            "name": "Evidence Desk",
            "api": "v1",
            "openapi": reverse("api:openapi-json"),
            "docs": reverse("api:openapi-view"),
        }
    )


@api.exception_handler(Refused)
def on_refused(request: HttpRequest, error: Refused) -> HttpResponse:
    return of_refused(error)


@api.exception_handler(BadInput)
def on_bad_input(request: HttpRequest, error: BadInput) -> HttpResponse:
    return of_bad_input(error)


@api.exception_handler(ValidationError)
def on_validation(request: HttpRequest, error: ValidationError) -> HttpResponse:
    # ninja puts "body" and the argument's name before the path of a member.
    found = [
        {**one, "loc": tuple(one["loc"])[2:] if one["loc"][0] == "body" else tuple(one["loc"])[1:]}
        for one in error.errors
    ]
    if any(not one["loc"] and one["type"] == "missing" for one in found):
        return problem(400, "malformed", "A JSON body is needed.")
    return of_refused(refusal(found))


@api.exception_handler(AuthenticationError)
def on_unauthenticated(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    return problem(401, "unauthenticated", "A valid bearer token is needed.")


@api.exception_handler(HttpError)
def on_http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    cause = error.__cause__
    if isinstance(cause, Refused):
        return of_refused(cause)
    return problem(400, "malformed", "The request cannot be read.")


@api.exception_handler(Http404)
def on_not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    return not_found(request)


@api.exception_handler(Exception)
def on_error(request: HttpRequest, error: Exception) -> HttpResponse:
    """Nothing should come here. The log has the error; the answer has nothing of it, since it may quote what was sent."""
    if isinstance(error, OperationalError | InterfaceError):
        return _without_database(request, error)
    log.error("api_error", path=request.path, exc_info=error)
    return problem(500, "internal", "Something went wrong here; it was logged.")


def _without_database(request: HttpRequest, error: Exception) -> HttpResponse:
    """The database is away, or too busy to take turns with. Whether a lost commit arrived nobody knows; the key tells."""
    log.error("api_without_database", path=request.path, error=type(error).__name__)
    detail = "The desk cannot reach its database just now. Try again, under the same Idempotency-Key."
    answer = problem(503, "unavailable", detail)
    answer["Retry-After"] = "2"
    return answer


def not_found(request: HttpRequest, **_: Any) -> HttpResponse:
    return problem(404, "not_found", "There is nothing at this address.")
