"""A request's body as a door takes it: its size, its type, read to its end. What stands in it is looked at by `incoming`."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.http import HttpRequest

from evidence.services.errors import Refused

LONGEST_BODY = 256 * 1024
LONGEST_DISCARDED = 8 * 1024 * 1024
_WITH_BODY = frozenset({"POST", "PUT", "PATCH", "DELETE"})


def take_body(request: HttpRequest) -> None:
    """Read the whole body, or refuse it: too_large, malformed. Afterwards `request.body` holds it, whatever it came as."""
    if request.method not in _WITH_BODY:
        return
    length = request.headers.get("Content-Length", "").strip()
    if length.isdecimal() and int(length[:12]) > LONGEST_BODY:
        _read_away(request)
        raise _too_large()
    if length not in ("", "0") or request.headers.get("Transfer-Encoding"):
        _require_json(request)
    body = _read(request)
    if len(body) > LONGEST_BODY:
        _read_away(request)
        raise _too_large()
    request._body = body


def _stream(request: HttpRequest) -> Any:
    if request.headers.get("Transfer-Encoding") and not request.headers.get("Content-Length"):
        # Django takes a body without a length for an empty one; the server has put it together all the same.
        return getattr(request, "environ", {}).get("wsgi.input", request)
    return request


def _read_away(request: HttpRequest) -> None:
    """Take the rest of a body that is refused, within reason: a server drops the connection under what was left unread, and
    the caller's next request on it would be lost without an answer.
    """
    stream, left = _stream(request), LONGEST_DISCARDED
    with suppress(OSError):
        while left > 0 and (piece := stream.read(min(left, LONGEST_BODY))):
            left -= len(piece)


def _read(request: HttpRequest) -> bytes:
    if hasattr(request, "_body"):
        return bytes(request.body)
    stream = _stream(request)
    pieces: list[bytes] = []
    left = LONGEST_BODY + 1
    try:
        while left > 0 and (piece := stream.read(left)):
            pieces.append(piece)
            left -= len(piece)
    except OSError as error:
        raise Refused("malformed", "The body ended too early.") from error
    return b"".join(pieces)


def _require_json(request: HttpRequest) -> None:
    kind = (request.content_type or "").lower()
    if kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json")):
        raise Refused(
            "malformed", "The body has to be JSON: send Content-Type: application/json.", field="Content-Type"
        )
    if (request.content_params or {}).get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
        raise Refused("malformed", "The body has to be UTF-8.", field="Content-Type")


def _too_large() -> Refused:
    return Refused("too_large", f"The body is longer than {LONGEST_BODY // 1024} KiB.", longest=LONGEST_BODY)
