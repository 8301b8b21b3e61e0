"""Asking several backends one question at once, each with its deadline, and believing nothing of what comes back.

Backends of this database answer on the caller's connection; the others on threads of their own, meanwhile. Whoever is not back in
time is cancelled and counts as failed, whatever the adapter does about it; its thread is given back when it returns.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotInTime

import structlog
from django.db import DatabaseError, connections

from evidence.backends.port import Backend, BackendFailed, Deadline, DeadlineExceeded, Search
from evidence.rules.records import Hit

log = structlog.get_logger(__name__)

THREADS = 16
"""Of one process. While all of them wait for backends that hang, further searches there fail at once."""
LONGEST_ID = 200

Answer = tuple[Hit, ...] | BackendFailed


def ask_all(backends: Sequence[Backend], searches: Mapping[str, Search], *, seconds: float) -> dict[str, Answer]:
    """Per backend's name its hits, or why there are none. Raises nothing that a backend raises."""
    deadlines = {backend.name: Deadline(seconds) for backend in backends}
    waiting = {
        backend.name: _elsewhere.submit(backend, searches[backend.name], deadlines[backend.name])
        for backend in backends
        if not backend.is_local
    }
    answers: dict[str, Answer] = {}
    for backend in backends:
        name, deadline = backend.name, deadlines[backend.name]
        if backend.is_local:
            answers[name] = _asked(backend, searches[name], deadline)
    for name, future in waiting.items():
        answers[name] = _awaited(future, deadlines[name])
    for name, answer in answers.items():
        if isinstance(answer, BackendFailed):
            log.warning("backend_failed", backend=name, error=type(answer).__name__)
    return answers


def _asked(backend: Backend, search: Search, deadline: Deadline) -> Answer:
    try:
        return believable(backend.retrieve(search, deadline=deadline), search.limit)
    except BackendFailed as error:
        return error
    except DatabaseError:
        # Of this request's own connection: its transaction is broken, and the answer is not a backend's to give.
        if backend.is_local:
            raise
        return BackendFailed("DatabaseError")
    except Exception as error:  # noqa: BLE001 - an adapter may raise anything; it is one source that failed
        return BackendFailed(type(error).__name__)


def _awaited(future: Future[Answer] | None, deadline: Deadline) -> Answer:
    if future is None:
        return BackendFailed("every thread for backends elsewhere is waiting")
    try:
        return future.result(timeout=deadline.remaining)
    except NotInTime:
        deadline.cancel()
        future.cancel()
        return DeadlineExceeded("the time for this source is up")


def believable(hits: object, limit: int) -> tuple[Hit, ...]:
    """The hits, no more than were asked for. Raises `BackendFailed` where an answer has another shape: ids go into questions to
    the database, texts into answers.
    """
    if not isinstance(hits, tuple | list):
        raise BackendFailed("an answer that is no list of hits")
    kept = tuple(hits)[:limit]
    if not all(_is_hit(hit) for hit in kept):
        raise BackendFailed("a hit of another shape")
    return kept


def _is_hit(hit: object) -> bool:
    if not isinstance(hit, Hit) or isinstance(hit.score, bool) or not isinstance(hit.score, int | float):
        return False
    sources = hit.derived_from if hit.derived_from is not None else ()
    if not isinstance(sources, tuple | list) or not all(_is_name(one) for one in (hit.id, *sources)):
        return False
    texts = (hit.source_version, hit.derived_content or "")
    return hit.score == hit.score and all(isinstance(text, str) and _is_text(text) for text in texts)


def _is_name(word: object) -> bool:
    return isinstance(word, str) and 0 < len(word) <= LONGEST_ID and _is_text(word)


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text


class _Elsewhere:
    """The threads; made when they are first needed, so that a forked server's child has its own."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._making = threading.Lock()
        self._free = threading.BoundedSemaphore(THREADS)

    def submit(self, backend: Backend, search: Search, deadline: Deadline) -> Future[Answer] | None:
        if not self._free.acquire(blocking=False):
            return None
        with self._making:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="backends-elsewhere")
        return self._pool.submit(self._run, backend, search, deadline)

    def _run(self, backend: Backend, search: Search, deadline: Deadline) -> Answer:
        try:
            return _asked(backend, search, deadline)
        finally:
            # An adapter that reads this database did it on this thread's connection, which nobody else would close.
            connections.close_all()
            self._free.release()


_elsewhere = _Elsewhere()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_elsewhere.__init__)  # type: ignore[misc]
