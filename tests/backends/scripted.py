"""A backend that answers what a test tells it to, whatever that is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from evidence.backends.port import Deadline, Search
from tests.backends.memory import MemoryBackend


class ScriptedBackend(MemoryBackend):
    """`answer`: what `retrieve` gives, a function that makes it, or an exception that it raises."""

    name = "scripted"
    modes = frozenset({"lexical", "semantic"})
    answer: Any = ()
    asked: list[Search] = []
    released = threading.Event()

    def retrieve(self, search: Search, *, deadline: Deadline) -> Any:
        self.asked.append(search)
        answer = type(self).answer
        if isinstance(answer, BaseException):
            raise answer
        return answer(search, deadline) if isinstance(answer, Callable) else answer  # type: ignore[arg-type]


SCRIPTED = f"{__name__}.ScriptedBackend"
