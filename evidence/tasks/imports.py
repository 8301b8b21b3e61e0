"""Imports of files that people sent: one whole import a task, on a queue of its own."""

from __future__ import annotations

from celery import shared_task

from evidence.services import import_running, write_back_runs  # noqa: F401 - their handlers register with the modules
from evidence.services.outbox import DELIVER_IMPORTS_TASK, IMPORTS, deliver_due, poke


@shared_task(name=DELIVER_IMPORTS_TASK, ignore_result=True, acks_late=True)
def deliver_imports() -> int:
    """One message; where there was one there may be another."""
    taken = deliver_due(limit=1, lane=IMPORTS)
    if taken:
        poke(IMPORTS)
    return taken
