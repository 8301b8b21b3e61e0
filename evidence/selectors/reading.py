"""What the reading operations of the doors answer, as JSON and as Markdown: nothing but what the gate let through."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from evidence.models import Token
from evidence.selectors.answers import found_json, instant
from evidence.selectors.browsing import Listed, counts
from evidence.selectors.context import Compiled, lines_of
from evidence.selectors.paging import COUNT_LIMIT, Capped
from evidence.selectors.questions import open_questions_of
from evidence.selectors.tokens import reader_of


def browse_json(page: Listed) -> dict[str, Any]:
    return {"items": [found_json(found) for found in page.found], "next": page.after or None, "grants": []}


def stats_json(token: Token, now: datetime) -> dict[str, Any]:
    found = counts(reader=reader_of(token), namespace=token.namespace, now=now)
    return {
        "agent": token.agent_id, "namespace": token.namespace, "counted_at": instant(now),
        "kinds": {kind: _count(number) for kind, number in found.kinds.items()},
        "labels": {label: _count(number) for label, number in found.labels.items()},
        "open_questions": len(open_questions_of(token)),
    }  # fmt: skip


def export_json(token: Token, page: Listed, now: datetime, *, markdown: bool) -> dict[str, Any]:
    """A page of everything that the agent may read. It cites ids, says when it was made, and is no authority."""
    body: dict[str, Any] = {
        "made_at": instant(now), "namespace": token.namespace, "next": page.after or None, "grants": [],
        "items": [] if markdown else [found_json(found) for found in page.found],
    }  # fmt: skip
    if markdown:
        head = [f"# Records of {token.namespace} that {token.agent_id} may read, exported {instant(now)}", ""]
        body["markdown"] = "\n".join([*head, *(line.markdown for line in lines_of(page.found))]) + "\n"
    return body


def context_json(compiled: Compiled) -> dict[str, Any]:
    lines = [
        {"id": line.id, "label": line.label, "text": line.text}
        | ({"advice": line.advice} if line.advice else {})
        | ({"conflicts_with": list(line.conflicts_with)} if line.conflicts_with else {})
        for line in compiled.lines
    ]
    return {
        "kind": compiled.kind, "made_at": instant(compiled.made_at), "budget": compiled.budget, "lines": lines,
        "open_questions": compiled.questions, "left_out": compiled.left_out, "grants": [],
    }  # fmt: skip


def _count(number: Capped) -> dict[str, Any]:
    """Counted to a thousand; `more`: there are further ones."""
    return {"count": min(number.number, COUNT_LIMIT), "more": number.more}
