"""What holds for every request and answer: an id, security headers, no text that a database cannot store. Knows no page."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator
from urllib.parse import unquote_to_bytes

import structlog
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.request import UnreadablePostError

from evidence.rules.secrets import secret_kinds

GetResponse = Callable[[HttpRequest], HttpResponse]

# No inline script or style anywhere. Images may be data: for the QR code of a second factor.
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=(), interest-cohort=()"
SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Permissions-Policy": PERMISSIONS_POLICY,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    # Claims under review are nobody else's business, and a cached card would show live buttons on an old state.
    "Cache-Control": "private, no-store",
}


class SecurityHeadersMiddleware:
    """Adds each header that the answer does not carry already (static files keep their own caching)."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        for name, value in SECURITY_HEADERS.items():
            response.headers.setdefault(name, value)
        return response


KNOWN_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")


class RequestIdMiddleware:
    """Gives each request an id that stands in every log line and in the answer; a proxy's well-formed id is kept."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        # It is logged and sent back, so what is shaped like a secret is no id, however well formed.
        usable = KNOWN_ID.fullmatch(given) and not secret_kinds(given)
        request_id = given if usable else uuid.uuid4().hex
        request.request_id = request_id  # type: ignore[attr-defined]
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            response = self.get_response(request)
        response.headers["X-Request-ID"] = request_id
        return response


NUL = "\x00"
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# UTF-8 has no bytes for a surrogate; a client that sends one writes ED A0..BF xx, which decoding would quietly replace.
ENCODED_SURROGATE = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")
FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")
MESSAGE = (
    "The request holds a character that no text may hold (NUL or half of a surrogate pair). Remove it and try again."
)


def storable(text: str) -> bool:
    """Whether a database can keep the text: neither NUL (PostgreSQL) nor a lone surrogate (no UTF-8)."""
    return NUL not in text and not LONE_SURROGATE.search(text)


class RejectNulMiddleware:
    """400 `invalid_text` for a NUL or a lone surrogate in path, query, cookies or form: never a 500 deep inside.

    JSON bodies are checked by the API, which knows the member to name.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            accepted = _storable_address(request) and all(storable(text) for text in _form_texts(request))
        except UnreadablePostError:  # the client went away while sending
            accepted = False
        return self.get_response(request) if accepted else _refusal(request)


def _storable_address(request: HttpRequest) -> bool:
    raw = unquote_to_bytes(request.META.get("QUERY_STRING", ""))
    if b"\x00" in raw or ENCODED_SURROGATE.search(raw):
        return False
    if ENCODED_SURROGATE.search(unquote_to_bytes(request.path_info)) or NUL in request.path_info:
        return False
    return storable(request.path_info) and all(storable(value) for value in request.COOKIES.values())


def _form_texts(request: HttpRequest) -> Iterator[str]:
    """Names and values of a submitted form, and the names of its files."""
    if request.method in ("GET", "HEAD", "OPTIONS") or request.content_type not in FORM_TYPES:
        return
    if request.path_info.startswith("/api/"):
        return  # it takes no form, and says so without reading one of any size
    if request.content_type == FORM_TYPES[0] and ENCODED_SURROGATE.search(unquote_to_bytes(request.body)):
        yield NUL
    for name, values in request.POST.lists():
        yield name
        yield from values
    for name, files in request.FILES.lists():
        yield name
        yield from (file.name or "" for file in files)


def _refusal(request: HttpRequest) -> HttpResponse:
    if request.path_info.startswith("/api/"):
        problem = {
            "type": "about:blank",
            "title": "Invalid text",
            "status": 400,
            "code": "invalid_text",
            "detail": MESSAGE,
        }
        return JsonResponse(problem, status=400, content_type="application/problem+json")
    return HttpResponse(f"invalid_text: {MESSAGE}", status=400, content_type="text/plain; charset=utf-8")
