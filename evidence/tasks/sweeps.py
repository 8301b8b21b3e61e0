"""The sweeps as tasks: one task per name of `services.sweeps.SWEEPS`."""

from __future__ import annotations

from celery import shared_task

from evidence.services.sweeps import SWEEPS

SWEEP_TASK = "evidence.sweep"


@shared_task(name=SWEEP_TASK, ignore_result=True, acks_late=True)
def sweep(name: str) -> int:
    return SWEEPS[name]()
