"""Beside a running import: says that its worker is alive, how far it is, and hears whether somebody cancelled it.

A thread of its own, with a connection of its own: a rehearsal works on a copy of the database for minutes, and nobody would
hear of it. Where no threads are wanted (tests) each chunk does it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

import structlog
from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection
from django.utils import timezone

from evidence.models import Job, Outbox
from evidence.rules.bulk import JobStatus
from evidence.selectors.imports import IMPORT

log = structlog.get_logger(__name__)

BEAT_SECONDS = 2.0
# Longer than several beats: then another worker takes the message up.
CLAIM = timedelta(seconds=45)


class Cancelled(Exception):
    """Somebody stopped this import; what was stored until then stays, and is told."""


class Watch:
    """What one run and its watcher share."""

    def __init__(self, job_id: UUID, topic: str) -> None:
        self.job_id = job_id
        self.topic = topic
        self.read = 0
        self.stopped = threading.Event()
        self.threaded = bool(getattr(settings, "BACKGROUND_WRITES", True))

    def chunk_done(self, read: int) -> None:
        """After each chunk. Raises `Cancelled`."""
        self.read = read
        if not self.threaded:
            self.beat()
        if self.stopped.is_set():
            raise Cancelled

    def beat(self) -> None:
        """The message stays this worker's; the page sees how far it is; a cancelled job is noticed."""
        due = timezone.now() + CLAIM
        Outbox.objects.filter(topic=self.topic, subject=str(self.job_id), done_at__isnull=True).update(available_at=due)
        job = Job.objects.filter(pk=self.job_id, kind=IMPORT).first()
        if job is None or job.status != JobStatus.RUNNING:
            self.stopped.set()
            return
        if job.detail.get("at") != self.read:
            still = Job.objects.filter(pk=self.job_id, status=JobStatus.RUNNING)
            still.update(detail=job.detail | {"at": self.read})


@contextmanager
def watching(job_id: UUID, topic: str) -> Iterator[Watch]:
    watch = Watch(job_id, topic)
    if not watch.threaded:
        yield watch
        return
    over = threading.Event()
    thread = threading.Thread(target=_keep, args=(watch, over), name="import-watch", daemon=True)
    thread.start()
    try:
        yield watch
    finally:
        over.set()
        thread.join()


def _keep(watch: Watch, over: Any) -> None:
    try:
        while not over.wait(BEAT_SECONDS):
            try:
                close_old_connections()
                watch.beat()
            except DatabaseError as error:
                log.warning("import_watch_failed", error=type(error).__name__)
    finally:
        connection.close()
