"""Compiled context for an agent's door. What is compiled for a task is a recall, and is remembered as one."""

from __future__ import annotations

from datetime import datetime

from evidence.models import Token
from evidence.selectors.context import Compiled, startup_context, task_context
from evidence.selectors.recall import Ask
from evidence.services.errors import Refused
from evidence.services.recall_log import answer_recall

_ASKED = 50
"""More lines than that no budget of a task needs; the best come first."""


def compile_context(*, token: Token, kind: str, query: str, budget: int, now: datetime) -> Compiled:
    """Raises `Refused`: invalid_value where a task is not named, and what a recall refuses."""
    if kind == "startup":
        if query:
            raise Refused("invalid_value", "Only the context of a task takes a query.", field="query")
        return startup_context(token=token, budget=budget, now=now)
    recalled = answer_recall(token=token, ask=Ask(query=query, limit=_ASKED), now=now)
    return task_context(found=recalled.results, budget=budget, now=now)
