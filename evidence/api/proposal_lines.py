"""`POST proposals/bulk`: a proposal a line in, a result a line out, in order, while both run (doors "Proposals")."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import structlog
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from ninja import Router
from pydantic import ValidationError

from evidence.api.auth import AgentToken, token_of
from evidence.api.proposals import own_proposal
from evidence.api.shapes import errors
from evidence.models import Token
from evidence.rules.errors import BadInput
from evidence.rules.vocab import Door, Right
from evidence.selectors.answers import proposal_json
from evidence.services.actors import Filer
from evidence.services.body_lines import LONGEST_LINE, lines_of
from evidence.services.errors import Refused, problem_members
from evidence.services.idempotency import Outcome, Request, check_key, once
from evidence.services.incoming import read_object
from evidence.services.proposing import file_proposal
from evidence.services.rate_limits import Lane
from evidence.services.request_errors import refusal
from evidence.services.request_shapes import ProposalShape
from evidence.services.tokens import filer_of

log = structlog.get_logger(__name__)
router = Router(tags=["Proposals"])

MOST_LINES = 10_000
NDJSON = "application/x-ndjson"
_TAKEN = frozenset({NDJSON, "application/ndjson", "application/jsonl"})
_TEXT = {"schema": {"type": "string"}}
_DESCRIBED = {
    "requestBody": {
        "required": True,
        "description": f"One proposal a line, as for `POST proposals`; a line has up to {LONGEST_LINE // 1024} KiB.",
        "content": {NDJSON: _TEXT},
    },
    "responses": {
        200: {
            "description": "One line for each: `{line, status, proposal}`, or `{line, status, error}` with a problem.",
            "content": {NDJSON: _TEXT},
        }
    },
}


@router.post(
    "proposals/bulk",
    auth=AgentToken(Right.FILE, Lane.BULK),
    response=errors(400, 401, 403, 422),
    operation_id="file_proposals",
    summary="File many proposals",
    openapi_extra=_DESCRIBED,
)
def post_lines(request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
    """File one proposal a line (NDJSON). Each is filed on its own: a bad line harms no other. Results come in the order of the
    lines, while later ones are still being read; blank lines count but have none. Under an `Idempotency-Key` a whole request
    that was cut off is sent again: lines that were filed are not filed twice.
    """
    if (request.content_type or "").lower() not in _TAKEN:
        raise Refused("malformed", f"Send one JSON object a line, as Content-Type: {NDJSON}.", field="Content-Type")
    key = request.headers.get("Idempotency-Key", "")
    if key:
        check_key(key)
    token = token_of(request)
    file = _filing(token, filer_of(token, Door.API), request.path, key)
    return StreamingHttpResponse(_results(request, file), content_type=NDJSON)


File = Callable[[int, bytes], dict[str, Any]]


def _filing(token: Token, filer: Filer, path: str, key: str) -> File:
    """What is done with a line, by its number."""

    def file(number: int, line: bytes) -> dict[str, Any]:
        value = read_object(line, agent=filer.agent.id)
        draft = ProposalShape.model_validate(value).to_draft(filer)

        def work() -> Outcome:
            filed = file_proposal(filer=filer, draft=draft)
            return Outcome(201 if filed.created else 200, {"held": str(filed.held.pk)})

        asked = Request(credential=str(token.pk), method="POST", path=f"{path}#{number}", key=key, body=value)
        outcome = once(request=asked, work=work)
        answer = proposal_json(own_proposal(token, outcome.ids["held"]), token)
        replay = {"idempotent_replay": True} if outcome.replay else {}
        return {"line": number, "status": outcome.status, "proposal": answer} | replay

    return file


def _results(request: HttpRequest, file: File) -> Iterator[bytes]:
    number = 0
    try:
        for number, line in enumerate(lines_of(_stream(request)), start=1):
            if number > MOST_LINES:
                yield _written(
                    number, _problem("too_large", f"More than {MOST_LINES:,} lines; send the rest on its own.")
                )
                return
            if line is None:
                yield _written(number, _problem("too_large", f"The line is longer than {LONGEST_LINE // 1024} KiB."))
            elif line.strip():
                yield _one(number, line, file)
    except OSError:
        yield _written(number + 1, _problem("malformed", "The body ended too early."))


def _one(number: int, line: bytes, file: File) -> bytes:
    """The result of a line, whatever is wrong with it: the answer has begun, and the lines behind it want theirs."""
    try:
        return _encoded(file(number, line))
    except Refused as refused:
        return _refused(number, refused)
    except BadInput as bad:
        return _refused(number, Refused.of(bad))
    except ValidationError as error:
        return _refused(number, refusal(error.errors(include_url=False)))
    except (OperationalError, InterfaceError) as error:
        log.error("api_without_database", line=number, error=type(error).__name__)
        return _written(number, problem_members(503, "unavailable", "The desk cannot reach its database just now."))
    except Exception:
        log.exception("api_line_failed", line=number)
        return _written(number, problem_members(500, "internal", "Something went wrong here; it was logged."))


def _refused(number: int, refused: Refused) -> bytes:
    return _written(number, problem_members(refused.status, refused.code, refused.detail, **refused.extra))


def _problem(code: str, detail: str) -> dict[str, Any]:
    return problem_members(Refused(code, detail).status, code, detail)


def _written(number: int, members: dict[str, Any]) -> bytes:
    return _encoded({"line": number, "status": members["status"], "error": members})


def _encoded(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def _stream(request: HttpRequest) -> Any:
    if request.headers.get("Transfer-Encoding") and not request.headers.get("Content-Length"):
        # Django takes a body without a length for an empty one; the server has put it together all the same.
        return getattr(request, "environ", {}).get("wsgi.input", request)
    return request
