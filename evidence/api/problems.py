"""Errors as problem details (RFC 9457) with a stable code; codes and members are the services', only HTTP's part is made here."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, JsonResponse
from pydantic import BaseModel, ConfigDict

from evidence.rules.errors import BadInput
from evidence.services.errors import Refused, problem_members

MEDIA_TYPE = "application/problem+json"
CHALLENGE = 'Bearer realm="Evidence Desk"'


class Problem(BaseModel):
    """What went wrong: `code` is stable, `detail` is for people; what else helps is beside them."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    code: str
    detail: str
    field: str | None = None


def problem(status: int, code: str, detail: str, /, **extra: Any) -> HttpResponse:
    """The answer; `extra` goes beside the standard members."""
    body = problem_members(status, code, detail, **extra)
    response = JsonResponse(body, status=status, content_type=MEDIA_TYPE)
    if status == 401:
        response["WWW-Authenticate"] = CHALLENGE
    if code == "in_progress":
        response["Retry-After"] = "1"
    if "retry_after" in body:
        response["Retry-After"] = str(body["retry_after"])
    return response


def of_refused(refused: Refused) -> HttpResponse:
    return problem(refused.status, refused.code, refused.detail, **refused.extra)


def of_bad_input(bad: BadInput) -> HttpResponse:
    """The same, met inside a pure rule."""
    return of_refused(Refused.of(bad))
