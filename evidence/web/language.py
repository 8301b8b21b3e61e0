"""In which language a request is answered: the person's own, else the browser's; machines are always answered in English."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

MACHINES = ("/api/", "/mcp", "/health/", "/metrics")
"""Doors for programs: their words are part of an interface, and no header of a client may change them."""


class LanguageMiddleware:
    """Stands behind the one that knows the person. The language is given back afterwards: threads serve several people."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        code = language_of(request)
        with translation.override(code):
            request.LANGUAGE_CODE = code  # type: ignore[attr-defined]
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", code)
        return response


def language_of(request: HttpRequest) -> str:
    if request.path_info.startswith(MACHINES):
        return "en"
    chosen = str(getattr(request.user, "language", "") or "")
    if chosen in dict(settings.LANGUAGES):
        return chosen
    return translation.get_language_from_request(request)
