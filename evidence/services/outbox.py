"""The outbox: a message written with the change it tells of, delivered at least once, harmless when delivered twice.

`enqueue` runs inside the caller's transaction; after commit a poke asks a worker to look. A poke that is lost (broker down,
process killed) costs time only: a sweep delivers what is due. Handlers are registered by topic and must be idempotent.

Long work has a lane of its own: it is delivered by another task, one stretch at a time, so that nothing quick waits behind it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
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
DELIVER_BULK_TASK = "evidence.deliver_bulk"
DELIVER_OUTSIDE_TASK = "evidence.deliver_outside"
DELIVER_IMPORTS_TASK = "evidence.deliver_imports"
DELIVER_INDEX_TASK = "evidence.deliver_index"
BATCH = 20
MAX_DELAY = timedelta(minutes=10)
QUIET_AFTER_FAILURE = 5.0

# A handler that gives True did a stretch of its work: the message is due again at once, behind the others.
Handler = Callable[[str], bool | None]


@dataclass(frozen=True, slots=True)
class Lane:
    """The task that delivers a lane's messages, the queue on which it is asked for (none: the default one), its topics."""

    task: str
    queue: str | None = None
    topics: frozenset[str] = frozenset()
    # Longer than any of its handlers runs: a message taken by a killed worker is due again after this.
    claim: timedelta = timedelta(seconds=15)


QUICK = "quick"
BULK = "bulk"
# Mail servers and webhooks, which may let us wait.
OUTSIDE = "outside"
# Memory backends elsewhere, which may let us wait too.
INDEX = "index"
# Whole imports; their workers say every few seconds that they live (`import_watch`).
IMPORTS = "imports"
# Topics that stand nowhere are quick.
LANES: dict[str, Lane] = {
    QUICK: Lane(DELIVER_TASK),
    BULK: Lane(DELIVER_BULK_TASK, "bulk", frozenset({"bulk", "verify_waiting"})),
    OUTSIDE: Lane(DELIVER_OUTSIDE_TASK, "bulk", frozenset({"deliver", "audit-anchor-call"}), timedelta(seconds=120)),
    INDEX: Lane(DELIVER_INDEX_TASK, "bulk", frozenset({"index"}), timedelta(seconds=120)),
    IMPORTS: Lane(DELIVER_IMPORTS_TASK, "import", frozenset({"import", "write_back"}), timedelta(seconds=45)),
}
_SLOW = frozenset().union(*(lane.topics for lane in LANES.values()))
_handlers: dict[str, Handler] = {}
_quiet = {"until": 0.0}


def handles(topic: str) -> Callable[[Handler], Handler]:
    """Register the handler of a topic; it gets the message's subject (an id)."""

    def register(handler: Handler) -> Handler:
        _handlers[topic] = handler
        return handler

    return register


def enqueue(*, topic: str, subject: str, key: str, at: datetime | None = None) -> None:
    """Write a message in the current transaction; the same key twice is one message. Pokes a worker on commit.

    `at`: not before then; the sweep finds it when its time has come.
    """
    due = {} if at is None else {"available_at": at}
    Outbox.objects.bulk_create(
        [Outbox(topic=topic, subject=subject, key=sha256_hex(topic, key), **due)], ignore_conflicts=True
    )
    if at is not None and at > timezone.now():
        return
    # One poke a transaction and lane is enough, also for an import of five hundred lines.
    ask = _pokes[next((name for name, lane in LANES.items() if topic in lane.topics), QUICK)]
    if not any(entry[1] is ask for entry in connection.run_on_commit):
        transaction.on_commit(ask, robust=True)


def poke(lane: str = QUICK) -> None:
    """Ask a worker to look now. Never fails: without a broker the sweep does it later."""
    if time.monotonic() < _quiet["until"]:
        return
    began = time.monotonic()
    try:
        current_app.send_task(LANES[lane].task, queue=LANES[lane].queue, ignore_result=True, retry=False)
    except Exception as error:  # noqa: BLE001 - any broker error means the same here: the sweep will deliver
        now = time.monotonic()
        # A broker that is gone costs a small part of anybody's time, however long it lets itself be asked.
        _quiet["until"] = now + max(QUIET_AFTER_FAILURE, 20 * (now - began))
        log.warning("outbox_poke_failed", error=type(error).__name__)


_pokes = {lane: partial(poke, lane) for lane in LANES}


def poke_long_work() -> None:
    """Ask for the lanes that a sweep does not deliver itself, where something is due: their workers may have been killed."""
    due = Outbox.objects.due(timezone.now())
    for name, lane in LANES.items():
        if name != QUICK and due.filter(topic__in=lane.topics).exists():
            poke(name)


def deliver_due(*, limit: int = BATCH, lane: str = QUICK) -> int:
    """Deliver up to `limit` due messages; returns how many were taken. Safe when several run at once."""
    taken = _take(limit, lane)
    for message in taken:
        _deliver(message)
    return len(taken)


def _take(limit: int, lane: str) -> list[Outbox]:
    """Claim messages by moving their due time, so that a second worker passes them over while this one works."""
    with transaction.atomic():
        now = timezone.now()
        due = Outbox.objects.due(now)
        due = due.exclude(topic__in=_SLOW) if lane == QUICK else due.filter(topic__in=LANES[lane].topics)
        if connection.features.has_select_for_update_skip_locked:
            due = due.select_for_update(skip_locked=True)
        rows = list(due[:limit])
        Outbox.objects.filter(pk__in=[row.pk for row in rows]).update(
            available_at=now + LANES[lane].claim, attempts=F("attempts") + 1
        )
    return rows


def _deliver(message: Outbox) -> None:
    handler = _handlers.get(message.topic)
    try:
        if handler is None:
            raise LookupError(f"no handler for topic {message.topic}")
        more = handler(message.subject)
    except Exception as error:
        log.exception("outbox_handler_failed", topic=message.topic, message_id=str(message.pk))
        _postpone(message.pk, message.attempts + 1, error)
        return
    now = timezone.now()
    ends = {"available_at": now, "attempts": 0} if more else {"done_at": now}
    Outbox.objects.filter(pk=message.pk).update(last_error="", **ends)


def _postpone(pk: UUID, attempts: int, error: Exception) -> None:
    """Back off: 2, 4, 8 … seconds. The error's type is kept, never its text (it may quote what agents wrote)."""
    delay = min(MAX_DELAY, timedelta(seconds=2 ** min(attempts, 10)))
    Outbox.objects.filter(pk=pk).update(available_at=timezone.now() + delay, last_error=type(error).__name__)


def forget_delivered(*, before: datetime) -> int:
    """Drop delivered messages older than `before`; their keys may then be used again."""
    deleted, _ = Outbox.objects.filter(done_at__lt=before).delete()
    return deleted
