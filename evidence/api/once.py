"""A POST of this door under its `Idempotency-Key`: done once, answered each time from the ids that it came to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse

from evidence.api.auth import token_of
from evidence.services.idempotency import Outcome, Request, once

Answer = Callable[[Mapping[str, Any]], dict[str, Any]]


def answered_once(request: HttpRequest, work: Callable[[], Outcome], answer: Answer) -> HttpResponse:
    """Do the work at most once and answer from its ids, under the permissions that the token has now."""
    key = request.headers.get("Idempotency-Key", "")
    asked = Request(
        credential=str(token_of(request).pk), method=request.method or "", path=request.path, key=key,
        body=getattr(request, "parsed_body", {}),
    )  # fmt: skip
    outcome = once(request=asked, work=work)
    body = answer(outcome.ids)
    if outcome.replay:
        body["idempotent_replay"] = True
    return JsonResponse(body, status=outcome.status)
