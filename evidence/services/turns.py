"""Turns at SQLite's one writer, for callers that come again and again: first come, first served, within this process.

SQLite lets whoever asks at the right moment write; the others sleep and ask again, so that one busy caller can do all the work of
many. PostgreSQL needs none of this. Whoever waits too long goes without a turn, as everybody would otherwise: no queue forms
behind a database that another process holds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock

from django.db import connection

PATIENCE = 5.0


class Turns:
    """A lock that is given in the order in which it was asked for."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: deque[Event] = deque()
        self._is_taken = False

    @contextmanager
    def one(self, patience: float = PATIENCE) -> Iterator[None]:
        mine = self._arrive(patience)
        try:
            yield
        finally:
            if mine:
                self._leave()

    def _arrive(self, patience: float) -> bool:
        with self._lock:
            if not self._is_taken:
                self._is_taken = True
                return True
            called = Event()
            self._waiting.append(called)
        called.wait(patience)
        with self._lock:
            if not called.is_set():
                self._waiting.remove(called)
            return called.is_set()

    def _leave(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._is_taken = False


_writers = Turns()


@contextmanager
def turn_to_write() -> Iterator[None]:
    """Around a transaction. Inside one there is nothing to wait for: who writes already must not wait for who wants to."""
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    with _writers.one():
        yield
