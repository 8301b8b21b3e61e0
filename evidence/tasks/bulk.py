"""Long work: one stretch of one job per task, on a queue of its own, so that jobs take turns and nothing quick waits."""

from __future__ import annotations

from celery import shared_task

from evidence.services import bulk_work, verifying  # noqa: F401 - their handlers register when the modules are imported
from evidence.services.outbox import BULK, DELIVER_BULK_TASK, deliver_due, poke


@shared_task(name=DELIVER_BULK_TASK, ignore_result=True, acks_late=True)
def deliver_bulk() -> int:
    """One message; where there was one there may be another, or the rest of this one."""
    taken = deliver_due(limit=1, lane=BULK)
    if taken:
        poke(BULK)
    return taken
