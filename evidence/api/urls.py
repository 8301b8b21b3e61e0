"""Addresses of the REST door. Every one of them, known or not, answers errors as problem details."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, re_path
from django.views.decorators.csrf import csrf_exempt

from evidence.api.app import api, not_found, on_error
from evidence.api.problems import of_refused, problem
from evidence.services.bodies import take_body
from evidence.services.errors import Refused

View = Callable[..., HttpResponse]
STREAMED = frozenset({"proposals/bulk"})


def guarded(view: View, *, streams: bool = False) -> View:
    """Reads the body within its limit, answers HEAD like GET without a body, makes problems of what ninja leaves to Django.

    `streams`: the view reads the body itself, line by line.
    """

    @wraps(view)
    def guard(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        is_head = request.method == "HEAD"
        if is_head:
            request.method = "GET"
        try:
            if not streams:
                take_body(request)
            response = view(request, *args, **kwargs)
        except Refused as refused:
            response = of_refused(refused)
        except Exception as error:  # noqa: BLE001 - the last place where an error can still be answered as a problem
            response = on_error(request, error)
        if response.status_code == 405:
            response = _not_allowed(response)
        if is_head:
            request.method = "HEAD"
            response.headers["Content-Length"] = str(len(response.content))
            response.content = b""
        return response

    return guard


def _not_allowed(response: HttpResponse) -> HttpResponse:
    allowed = response.headers.get("Allow", "")
    if "GET" in allowed:
        allowed += ", HEAD"
    answer = problem(405, "method_not_allowed", f"This address takes: {allowed}.")
    answer["Allow"] = allowed
    return answer


def _guarded_patterns() -> list[URLPattern | URLResolver]:
    patterns, _, _ = api.urls
    for pattern in patterns:
        assert isinstance(pattern, URLPattern)
        pattern.callback = guarded(pattern.callback, streams=str(pattern.pattern) in STREAMED)
    return [*patterns, re_path(r"^.*$", guarded(csrf_exempt(not_found)), name="not-found")]


app_name = "api"
urlpatterns = _guarded_patterns()
