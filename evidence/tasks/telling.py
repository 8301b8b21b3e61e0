"""Mails and calls: one at a time, on a queue where it holds up nothing quick when the other side lets us wait."""

from __future__ import annotations

from celery import shared_task

from evidence.services import sending  # noqa: F401 - its handler registers when the module is imported
from evidence.services.outbox import DELIVER_OUTSIDE_TASK, OUTSIDE, deliver_due, poke


@shared_task(name=DELIVER_OUTSIDE_TASK, ignore_result=True, acks_late=True)
def deliver_outside() -> int:
    """One message; where there was one there may be another."""
    taken = deliver_due(limit=1, lane=OUTSIDE)
    if taken:
        poke(OUTSIDE)
    return taken
