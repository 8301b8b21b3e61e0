"""Telling memory backends elsewhere what changed: a few records at a time, on a queue where it holds up nothing quick."""

from __future__ import annotations

from celery import shared_task

from evidence.services import indexing  # noqa: F401 - its handler registers when the module is imported
from evidence.services.outbox import DELIVER_INDEX_TASK, INDEX, deliver_due, poke

# Each may wait for a backend as long as one record may take; together they stay below the time that a message is claimed for.
FEW = 5


@shared_task(name=DELIVER_INDEX_TASK, ignore_result=True, acks_late=True)
def deliver_index() -> int:
    """A few messages; where there were as many there may be more."""
    taken = deliver_due(limit=FEW, lane=INDEX)
    if taken == FEW:
        poke(INDEX)
    return taken
