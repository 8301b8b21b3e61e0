"""What a client may read without calling a tool: a record, the open questions, the compiled views for a start and for a task."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

import mcp_types as types

from evidence.mcp.caller import Call, at_the_desk
from evidence.mcp.errors import as_protocol_error
from evidence.rules.vocab import Right
from evidence.selectors.answers import found_json, question_json
from evidence.selectors.context import BUDGET
from evidence.selectors.questions import open_questions_of, sides_named
from evidence.services.compiling import compile_context, read_record
from evidence.services.errors import Refused

JSON, MARKDOWN = "application/json", "text/markdown"
RECORD, QUESTIONS = "evidence://record/", "evidence://questions"
STARTUP, TASK = "evidence://context/startup", "evidence://context/task/"
LONGEST_URI = 4_000

LISTED = [
    types.Resource(
        uri=STARTUP, name="startup-context", title="What to know at the start", mime_type=MARKDOWN,
        description="Facts and articles that you may read, each with its id and label.",
    ),
    types.Resource(
        uri=QUESTIONS, name="open-questions", title="Questions to you", mime_type=JSON,
        description="What owners want evidence for from you.",
    ),
]  # fmt: skip
TEMPLATES = [
    types.ResourceTemplate(
        uri_template=f"{RECORD}{{id}}", name="record", title="A record", mime_type=JSON,
        description="One record with its label, by the rules of recall.",
    ),
    types.ResourceTemplate(
        uri_template=f"{TASK}{{query}}", name="task-context", title="What there is for a task", mime_type=MARKDOWN,
        description="What a recall for the task finds, each with its id and label. The task is percent-encoded.",
    ),
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Reading:
    right: Right
    mime_type: str
    work: Callable[[Call], str]


async def read(uri: str) -> types.ReadResourceResult:
    """Raises an error of the protocol that carries the code."""
    try:
        reading = _reading(uri)
        text = await at_the_desk(reading.right, reading.work)
    except Exception as error:  # noqa: BLE001 - the last place where an error can still be answered
        raise as_protocol_error(error) from None
    content = types.TextResourceContents(uri=uri, mime_type=reading.mime_type, text=text)
    return types.ReadResourceResult(contents=[content])


def _reading(uri: str) -> _Reading:
    if len(uri) > LONGEST_URI:
        raise Refused("too_large", f"The address is longer than {LONGEST_URI:,} characters.", longest=LONGEST_URI)
    if uri == STARTUP:
        return _Reading(Right.RECALL, MARKDOWN, lambda call: _context(call, "startup", ""))
    if uri == QUESTIONS:
        return _Reading(Right.FILE, JSON, _questions)
    if uri.startswith(TASK):
        return _Reading(Right.RECALL, MARKDOWN, lambda call: _context(call, "task", unquote(uri.removeprefix(TASK))))
    if uri.startswith(RECORD):
        return _Reading(Right.RECALL, JSON, lambda call: _record(call, unquote(uri.removeprefix(RECORD))))
    raise Refused("not_found", "There is no such resource.")


def _context(call: Call, kind: str, query: str) -> str:
    return compile_context(token=call.token, kind=kind, query=query, budget=BUDGET, now=call.now).markdown


def _record(call: Call, record_id: str) -> str:
    if not record_id.isascii() or not record_id.isprintable():
        raise Refused("not_found", "There is no such record.")
    found = read_record(token=call.token, record_id=record_id, now=call.now)
    return _json(found_json(found) | {"grants": []})


def _questions(call: Call) -> str:
    rows = open_questions_of(call.token)
    sides = sides_named(call.token.namespace, rows)
    return _json({"items": [question_json(row, call.token, sides) for row in rows], "grants": []})


def _json(body: dict[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False, indent=2)
