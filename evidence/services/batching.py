"""Writes that no request waits for: small facts (a recall was answered, a token was used) that go to the database in batches.

A process that is killed loses what its queues hold: at most `EVERY` seconds of it. Nothing that anybody was promised may go
this way. One daemon thread per process serves every queue, on a connection of its own.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import structlog
from django.conf import settings
from django.db import connection

log = structlog.get_logger(__name__)

T = TypeVar("T")
EVERY = 1.0
MOST_QUEUED = 20_000
BATCH = 500


class Queue(Generic[T]):
    """A bounded queue with the function that writes a batch of it. `put` never blocks and never fails."""

    def __init__(self, name: str, write: Callable[[Sequence[T]], None]) -> None:
        self.name = name
        self.lost = 0
        self._write = write
        self._items: deque[T] = deque()
        self._writing = threading.Lock()
        _queues.append(self)

    def put(self, item: T) -> None:
        """Have it written within a second or so. A full queue drops it and counts."""
        if len(self._items) >= MOST_QUEUED:
            self.lost += 1
            return
        self._items.append(item)
        _pump.start()

    def flush(self) -> int:
        """Write what is queued, now, on the caller's connection; returns how many. A batch that fails stays queued."""
        written = 0
        with self._writing:
            while batch := [self._items.popleft() for _ in range(min(BATCH, len(self._items)))]:
                try:
                    self._write(batch)
                except Exception:
                    self._items.extendleft(reversed(batch))
                    raise
                written += len(batch)
        return written


_queues: list[Queue[Any]] = []


class _Pump:
    """The thread. It starts with the first item and not with the import, so that a forked server's child has its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        if self._thread is not None or not getattr(settings, "BACKGROUND_WRITES", True):
            return
        with self._lock:
            if self._thread is None:
                self._stop.clear()
                self._thread = threading.Thread(target=self._run, name="batched-writes", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Write what is queued and end; the next item starts it again."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is not None:
            self._stop.set()
            thread.join(timeout=10)

    def forget(self) -> None:
        """In a forked child: the parent's thread did not come along, and what it had queued the parent will write."""
        self.__init__()  # type: ignore[misc]
        for queue in _queues:
            queue._items.clear()
            queue._writing = threading.Lock()

    def _run(self) -> None:
        stop = self._stop
        try:
            while not stop.wait(EVERY):
                flush_quietly()
                # The settings keep connections open for ever or for minutes; one that the server closed must not stay.
                connection.close_if_unusable_or_obsolete()
            flush_quietly()
        finally:
            connection.close()


_pump = _Pump()


def flush_all() -> None:
    """Write every queue now."""
    for queue in _queues:
        queue.flush()


def stop() -> None:
    """Write what is queued and end the thread."""
    _pump.stop()


def flush_quietly() -> None:
    """Write every queue now; what cannot be written stays queued for the next round."""
    for queue in _queues:
        try:
            queue.flush()
        except Exception as error:  # noqa: BLE001 - the next round tries again; the thread must live on
            log.warning("batched_write_failed", queue=queue.name, error=type(error).__name__, queued=len(queue._items))


atexit.register(stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pump.forget)
