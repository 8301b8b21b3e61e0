"""`POST /mcp`: streamable HTTP, without sessions, each request answered with JSON.

A thin view in front of the SDK: it looks at the address, the origin, the credential and the body, hands the request over on a
loop of its own, and gives back what comes. Work of the desk runs in the request's own thread, with its own connection.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import anyio
import structlog
from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import INVALID_REQUEST, PARSE_ERROR

from evidence.mcp.caller import Caller, caller
from evidence.mcp.errors import error_members
from evidence.mcp.server import server
from evidence.rules.text import NUL
from evidence.selectors.tokens import token_for
from evidence.services.bodies import LONGEST_BODY, take_body
from evidence.services.errors import Refused, problem_members
from evidence.services.incoming import read_json

log = structlog.get_logger(__name__)
CHALLENGE = 'Bearer realm="Evidence Desk"'
_BEARER = "bearer "
# Headers that belong to the connection, which is the WSGI server's.
_NOT_OURS = frozenset({"connection", "keep-alive", "transfer-encoding", "content-length"})


def endpoint(request: HttpRequest) -> HttpResponse:
    """One request of a client."""
    if request.method != "POST":
        # There is no stream to open and no session to end.
        answer = _refused(problem_members(405, "method_not_allowed", "This address takes: POST."))
        answer["Allow"] = "POST"
        return answer
    try:
        _check_origin(request)
        secret = _secret_of(request)
        take_body(request)
        _check_envelope(read_json(request.body))
        return _answered(async_to_sync(_exchange)(request, secret))
    except (Refused, OperationalError, InterfaceError) as error:
        return _refused(error_members(error))


def _check_origin(request: HttpRequest) -> None:
    """A browser names the page that asks. Programs name none; pages of the desk itself may ask, others may not."""
    host = request.get_host()  # Django refuses a host that is not the desk's
    origin = request.headers.get("Origin", "")
    if not origin:
        return
    known = {*settings.CSRF_TRUSTED_ORIGINS, *([settings.PUBLIC_URL] if settings.PUBLIC_URL else [])}
    if urlsplit(origin).netloc != host and origin not in known:
        raise Refused("right_missing", "Pages of other origins may not ask here.")


def _secret_of(request: HttpRequest) -> str:
    """The secret of a live token of an agent. Raises `Refused`: unauthenticated, right_missing for a person's."""
    given = request.headers.get("Authorization", "")
    secret = given[len(_BEARER) :].strip() if given[: len(_BEARER)].lower() == _BEARER else ""
    token = token_for(secret) if secret else None
    if token is None:
        raise Refused("unauthenticated", "A valid bearer token of an agent is needed.")
    if token.agent_id is None:
        raise Refused("right_missing", "This needs the token of an agent; people's tokens decide and read.")
    return secret


def _check_envelope(message: Any) -> None:
    """What surrounds a tool's arguments: no text of it may be one that cannot be sent back. The arguments are the tool's."""
    waiting, arguments = [message], None
    if isinstance(message, dict) and isinstance(message.get("params"), dict):
        arguments = message["params"].get("arguments")
    while waiting:
        item = waiting.pop()
        if item is arguments and item is not None:
            continue
        if isinstance(item, str) and (NUL in item or any("\ud800" <= letter <= "\udfff" for letter in item)):
            raise Refused("invalid_text", "The message contains a NUL character or half of a character.")
        if isinstance(item, dict):
            waiting += [*item, *item.values()]
        elif isinstance(item, list):
            waiting += item


@dataclass(slots=True)
class _Sent:
    """What the SDK answered."""

    status: int = 500
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""

    async def take(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = [
                (name.decode("latin-1"), value.decode("latin-1")) for name, value in message.get("headers", [])
            ]
        elif message["type"] == "http.response.body":
            self.body += message.get("body", b"")


async def _exchange(request: HttpRequest, secret: str) -> _Sent:
    """One request through the SDK, which keeps nothing of it. `caller` holds for this coroutine and what it starts."""
    caller.set(Caller(secret))
    sent, unread = _Sent(), [{"type": "http.request", "body": request.body, "more_body": False}]

    async def receive() -> Any:
        if not unread:
            await anyio.sleep_forever()  # the caller stays connected until it is answered
        return unread.pop()

    manager = StreamableHTTPSessionManager(
        server, json_response=True, stateless=True, max_request_body_size=LONGEST_BODY
    )
    async with manager.run():
        await manager.handle_request(_scope(request), receive, sent.take)
    return sent


def _scope(request: HttpRequest) -> dict[str, Any]:
    """The request as ASGI has it; without the credential, which nothing further down needs to see."""
    headers = [
        (name.lower().encode("latin-1"), value.encode("latin-1", "replace"))
        for name, value in request.headers.items()
        if name.lower() not in ("authorization", "cookie")
    ]
    return {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": request.scheme,
        "path": request.path, "raw_path": request.path.encode(), "query_string": b"", "root_path": "", "headers": headers,
        "client": None, "server": None,
    }  # fmt: skip


def _answered(sent: _Sent) -> HttpResponse:
    answer = HttpResponse(sent.body, status=sent.status)
    del answer.headers["Content-Type"]
    for name, value in sent.headers:
        if name.lower() not in _NOT_OURS:
            answer.headers[name] = value
    return answer


def _refused(members: dict[str, Any]) -> HttpResponse:
    """A refusal before there is a request to answer: an error of JSON-RPC without an id, with the members of a problem."""
    code = PARSE_ERROR if members["code"] == "malformed" else INVALID_REQUEST
    error = {"code": code, "message": f"{members['code']}: {members['detail']}", "data": members}
    answer = JsonResponse({"jsonrpc": "2.0", "id": None, "error": error}, status=members["status"])
    if members["status"] == 401:
        answer["WWW-Authenticate"] = CHALLENGE
    return answer
