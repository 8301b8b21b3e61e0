"""Delivering the outbox: the poke after a commit and the sweep both end here. Loads nothing itself."""

from __future__ import annotations

from celery import shared_task

from evidence.services.outbox import BATCH, DELIVER_TASK, deliver_due, poke

# The handlers of every topic register when their modules are imported.
from evidence.services import afterwards, notices, signal_announcing, verification  # noqa: F401  isort: skip


@shared_task(name=DELIVER_TASK, ignore_result=True, acks_late=True)
def deliver_outbox() -> int:
    """Deliver one batch; a full batch means there may be more, so the next one is asked for at once."""
    taken = deliver_due(limit=BATCH)
    if taken == BATCH:
        poke()
    return taken
