"""A request's body, before anything believes it: its size, its type, one reading of its JSON, storable texts, no secrets.

Runs before any schema looks at the members, so that nothing with a secret in it is ever validated, stored, logged or repeated.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import structlog
from django.http import HttpRequest
from ninja.parser import Parser

from evidence.exchange.strict_json import parse
from evidence.rules.errors import BadInput
from evidence.rules.secrets import secret_kinds
from evidence.rules.vocab import Door
from evidence.services.counters import SECRETS_REFUSED
from evidence.services.errors import Refused
from evidence.services.refusals import count_refused
from evidence.services.request_errors import path_of, safe_name

log = structlog.get_logger(__name__)

LONGEST_BODY = 256 * 1024
LONGEST_DISCARDED = 8 * 1024 * 1024
MOST_VALUES = 5_000
_SHORTEST_SECRET = 8
_WITH_BODY = frozenset({"POST", "PUT", "PATCH", "DELETE"})

Path = tuple[str | int, ...]


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
    request._body = body  # type: ignore[attr-defined]


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


class StrictParser(Parser):
    """ninja's way to the body's members. What it refuses arrives at the error handlers as the cause of ninja's own error."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        value = read_object(request.body, agent=_agent_of(request))
        request.parsed_body = value  # type: ignore[attr-defined]
        return value


def _agent_of(request: HttpRequest) -> str:
    """Whose token let the request in; a body is only read behind one."""
    return str(getattr(getattr(request, "auth", None), "agent_id", None) or "")


def read_object(body: bytes, *, agent: str = "") -> dict[str, Any]:
    """The one JSON object of a body. Raises `Refused`: malformed, invalid_text, too_large, secret_detected."""
    try:
        value = parse(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        # A lone surrogate that was written as bytes is no UTF-8 either.
        raise Refused("malformed", "The body is not UTF-8.") from error
    except BadInput as error:
        raise Refused("malformed", f"The body cannot be read: {error.detail}.") from error
    if not isinstance(value, dict):
        raise Refused("malformed", "The body has to be one JSON object.")
    texts = list(_texts(value))
    _refuse_secrets(texts, agent)
    return value


def _texts(value: dict[str, Any]) -> Iterator[tuple[Path, str]]:
    """Every text of the body with its path, names of members too; refuses what no member may hold."""
    waiting: list[tuple[Path, Any]] = [((), value)]
    count = 0
    while waiting:
        path, item = waiting.pop()
        count += 1
        if count > MOST_VALUES:
            raise Refused("too_large", f"The body holds more than {MOST_VALUES:,} values.", longest=MOST_VALUES)
        if isinstance(item, str):
            yield path, _storable(path, item)
        elif isinstance(item, dict):
            for name, member in item.items():
                yield (*path, name), _storable((*path, name), name)
                waiting.append(((*path, name), member))
        elif isinstance(item, list):
            waiting.extend(((*path, number), member) for number, member in enumerate(item))


def _storable(path: Path, text: str) -> str:
    if "\0" in text:
        raise Refused("invalid_text", f"{_named(path)} contains a NUL character.", field=path_of(path))
    if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        detail = f"{_named(path)} contains half of a character (a lone surrogate)."
        raise Refused("invalid_text", detail, field=path_of(path))
    return text


def _refuse_secrets(texts: list[tuple[Path, str]], agent: str) -> None:
    found = [(path, kinds) for path, text in texts if len(text) >= _SHORTEST_SECRET and (kinds := secret_kinds(text))]
    if not found:
        return
    kinds = list(dict.fromkeys(str(kind) for _, each in found for kind in each))
    for kind in kinds:
        SECRETS_REFUSED.labels("api", kind).inc()
    count_refused(kinds=kinds, door=Door.API, agent=agent)
    log.warning("secret_refused", door="api", kinds=kinds)
    field = path_of(found[0][0])
    detail = f"{_named(found[0][0])} holds something shaped like a secret; nothing was stored."
    raise Refused("secret_detected", detail, field=field, kinds=kinds)


def _named(path: Path) -> str:
    return path_of(path) or safe_name("body")


def _too_large() -> Refused:
    return Refused("too_large", f"The body is longer than {LONGEST_BODY // 1024} KiB.", longest=LONGEST_BODY)
