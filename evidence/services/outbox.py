"""The outbox: a message written with the change it tells of, delivered at least once, harmless when delivered twice.

`enqueue` runs inside the caller's transaction; after commit a poke asks a worker to look. A poke that is lost (broker down,
process killed) costs time only: a sweep delivers what is due. Handlers are registered by topic and must be idempotent.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from celery import current_app
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from evidence.models import Outbox
from evidence.rules.text import sha256_hex

log = structlog.get_logger(__name__)

DELIVER_TASK = "evidence.deliver_outbox"
BATCH = 20
# Longer than any handler runs: a message taken by a killed worker is due again after this.
CLAIM = timedelta(seconds=15)
MAX_DELAY = timedelta(minutes=10)
QUIET_AFTER_FAILURE = 5.0

Handler = Callable[[str], None]
_handlers: dict[str, Handler] = {}
_quiet = {"until": 0.0}


def handles(topic: str) -> Callable[[Handler], Handler]:
    """Register the handler of a topic; it gets the message's subject (an id)."""

    def register(handler: Handler) -> Handler:
        _handlers[topic] = handler
        return handler

    return register


def enqueue(*, topic: str, subject: str, key: str) -> None:
    """Write a message in the current transaction; the same key twice is one message. Pokes a worker on commit."""
    Outbox.objects.bulk_create(
        [Outbox(topic=topic, subject=subject, key=sha256_hex(topic, key))], ignore_conflicts=True
    )
    # One poke a transaction is enough, also for an import of five hundred lines.
    if not any(entry[1] is poke for entry in connection.run_on_commit):
        transaction.on_commit(poke, robust=True)


def poke() -> None:
    """Ask a worker to look now. Never fails: without a broker the sweep does it later."""
    if time.monotonic() < _quiet["until"]:
        return
    try:
        current_app.send_task(DELIVER_TASK, ignore_result=True, retry=False)
    except Exception as error:  # noqa: BLE001 - any broker error means the same here: the sweep will deliver
        _quiet["until"] = time.monotonic() + QUIET_AFTER_FAILURE
        log.warning("outbox_poke_failed", error=type(error).__name__)


def deliver_due(*, limit: int = BATCH) -> int:
    """Deliver up to `limit` due messages; returns how many were taken. Safe when several run at once."""
    taken = _take(limit)
    for message in taken:
        _deliver(message)
    return len(taken)


def _take(limit: int) -> list[Outbox]:
    """Claim messages by moving their due time, so that a second worker passes them over while this one works."""
    with transaction.atomic():
        now = timezone.now()
        due = Outbox.objects.due(now)
        if connection.features.has_select_for_update_skip_locked:
            due = due.select_for_update(skip_locked=True)
        rows = list(due[:limit])
        Outbox.objects.filter(pk__in=[row.pk for row in rows]).update(
            available_at=now + CLAIM, attempts=F("attempts") + 1
        )
    return rows


def _deliver(message: Outbox) -> None:
    handler = _handlers.get(message.topic)
    try:
        if handler is None:
            raise LookupError(f"no handler for topic {message.topic}")
        handler(message.subject)
    except Exception as error:
        log.exception("outbox_handler_failed", topic=message.topic, message_id=str(message.pk))
        _postpone(message.pk, message.attempts + 1, error)
        return
    Outbox.objects.filter(pk=message.pk).update(done_at=timezone.now(), last_error="")


def _postpone(pk: UUID, attempts: int, error: Exception) -> None:
    """Back off: 2, 4, 8 … seconds. The error's type is kept, never its text (it may quote what agents wrote)."""
    delay = min(MAX_DELAY, timedelta(seconds=2 ** min(attempts, 10)))
    Outbox.objects.filter(pk=pk).update(available_at=timezone.now() + delay, last_error=type(error).__name__)


def forget_delivered(*, before: datetime) -> int:
    """Drop delivered messages older than `before`; their keys may then be used again."""
    deleted, _ = Outbox.objects.filter(done_at__lt=before).delete()
    return deleted
