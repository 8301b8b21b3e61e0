"""What an agent's door shows without being asked a question: lists, exports, compiled context. Remembered like a recall."""

from __future__ import annotations

from datetime import datetime

from evidence.models import Token
from evidence.selectors.browsing import Listed, Look, listed
from evidence.selectors.context import Compiled, startup_context, task_context
from evidence.selectors.recall import Ask, Found, record_for
from evidence.selectors.tokens import reader_of
from evidence.services.errors import Refused
from evidence.services.recall_log import answer_recall, note_shown

_ASKED = 50
"""More lines than that no budget of a task needs; the best come first."""


def look_around(*, token: Token, look: Look, mode: str, now: datetime) -> Listed:
    """A page of what the agent may read. `mode`: what it is for, `browse` or `export`."""
    page = listed(reader=reader_of(token), namespace=token.namespace, look=look, now=now)
    note_shown(token=token, mode=mode, shown=[(one.record.id, str(one.label)) for one in page.found], now=now)
    return page


def read_record(*, token: Token, record_id: str, now: datetime) -> Found:
    """One record by its id, by the rules of recall. Raises `Refused` not_found for unknown and unreadable ones alike."""
    found = record_for(reader=reader_of(token), namespace=token.namespace, record_id=record_id, now=now)
    if found is None:
        raise Refused("not_found", "There is no such record.")
    note_shown(token=token, mode="record", shown=[(found.record.id, str(found.label))], now=now)
    return found


def compile_context(*, token: Token, kind: str, query: str, budget: int, now: datetime) -> Compiled:
    """Raises `Refused`: invalid_value where a task is not named, and what a recall refuses."""
    if kind == "startup":
        if query:
            raise Refused("invalid_value", "Only the context of a task takes a query.", field="query")
        compiled = startup_context(token=token, budget=budget, now=now)
        note_shown(token=token, mode="context", shown=[(line.id, line.label) for line in compiled.lines], now=now)
        return compiled
    recalled = answer_recall(token=token, ask=Ask(query=query, limit=_ASKED), now=now)
    return task_context(found=recalled.results, budget=budget, now=now)
