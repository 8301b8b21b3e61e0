"""Errors as problem details (RFC 9457) with a stable code; the codes are the services', only their HTTP form is made here."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, JsonResponse
from pydantic import BaseModel, ConfigDict

from evidence.rules.errors import BadInput
from evidence.services.errors import Refused

MEDIA_TYPE = "application/problem+json"
_TYPE = "urn:evidence-desk:problem:"
# Members that tell of a decision; an answer with one says that it permits nothing (contract 1).
_OF_A_DECISION = frozenset({"decided_by", "decided_at", "action", "reason_code", "approvals"})
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
    """The answer. `extra` goes beside the standard members; the status of an item, which has their name, as `item_status`."""
    body: dict[str, Any] = {
        "type": f"{_TYPE}{code}",
        "title": code.replace("_", " ").capitalize(),
        "status": status,
        "code": code,
        "detail": detail,
    }
    for name, value in extra.items():
        if value is not None:
            body.setdefault("item_status" if name == "status" else name, value)
    if _OF_A_DECISION & set(body):
        body["grants"] = []
    response = JsonResponse(body, status=status, content_type=MEDIA_TYPE)
    if status == 401:
        response["WWW-Authenticate"] = CHALLENGE
    if code == "in_progress":
        response["Retry-After"] = "1"
    return response


def of_refused(refused: Refused) -> HttpResponse:
    return problem(refused.status, refused.code, refused.detail, **refused.extra)


def of_bad_input(bad: BadInput) -> HttpResponse:
    """The same, met inside a pure rule."""
    refused = Refused.of(bad)
    if bad.kinds:
        refused.extra.setdefault("kinds", list(bad.kinds))
    return of_refused(refused)
