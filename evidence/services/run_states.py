"""Where runs and work items stand: kept with every write, held against the ledger before the next one, made again from it.

The look before a write is cheap: the newest event, the newest outcome and the last move of the work item that is written to.
The whole of a run is looked at when it ends, when it is shown, and by `manage.py runs_check`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction

from evidence.models import Run, RunEvent, RunOutcome, RunState, RunWorkItem, WorkItemState
from evidence.rules.run_vocab import RunEventType, WorkItemStatus
from evidence.rules.runs import ENDED, MOVES, run_status
from evidence.services.errors import Refused

log = structlog.get_logger(__name__)

_OPEN = [status.value for status in WorkItemStatus if status not in ENDED]


@dataclass(frozen=True, slots=True)
class Standing:
    """A work item's state as its events leave it."""

    status: WorkItemStatus = WorkItemStatus.ACTIVE
    moved_by: int = 0
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Computed:
    """What the ledger says of a run."""

    run: dict[str, Any]
    items: dict[UUID, Standing]


def computed(run_id: UUID) -> Computed:
    """Everything that can be known of a run's state, from its ledger alone."""
    items = dict.fromkeys(
        RunWorkItem.objects.filter(run_id=run_id).order_by("number").values_list("pk", flat=True), Standing()
    )
    moves = RunEvent.objects.filter(run_id=run_id).moving().order_by("sequence")
    for item, word, sequence, at in moves.values_list("work_item_id", "type", "sequence", "at"):
        status = MOVES[RunEventType(word)].to
        items[item] = Standing(status, sequence, at if status in ENDED else None)
    last = _last_event(run_id)
    outcomes = RunOutcome.objects.line(run_id)
    head = outcomes[-1] if outcomes else None
    began = Run.objects.values_list("at", flat=True).get(pk=run_id)
    standings = list(items.values())
    return Computed(
        run={
            "status": run_status(head.outcome if head else None).value,
            "last_sequence": last[0] if last else 0,
            "generation": 1 + (last[0] if last else 0) + len(outcomes),
            "open_items": sum(one.status not in ENDED for one in standings),
            "blocked_items": sum(one.status == WorkItemStatus.BLOCKED for one in standings),
            "open_gaps": open_gaps(run_id),
            "outcome_id": head.pk if head else None,
            "ended_at": outcomes[0].at if outcomes else None,
            "last_at": head.at if head else last[1] if last else began,
        },
        items=items,
    )


def drift_of(run_id: UUID) -> list[str]:
    """Where the kept state of a run differs from its ledger: names of columns, ids of work items. Empty: nowhere."""
    wanted = computed(run_id)
    state = RunState.objects.filter(pk=run_id).first()
    if state is None:
        return ["the run's state is missing"]
    found = [f"run.{name}" for name, value in wanted.run.items() if getattr(state, name) != value]
    kept = {row.pk: row for row in WorkItemState.objects.filter(run_id=run_id)}
    found += [f"work_item.{item}" for item, standing in wanted.items.items() if _differs(kept.get(item), standing)]
    return found + [f"work_item.{item}" for item in kept if item not in wanted.items]


def repair(run_id: UUID) -> list[str]:
    """Make a run's state again from its ledger; returns what had drifted."""
    with transaction.atomic():
        RunState.objects.get_or_create(pk=run_id)
        RunState.objects.select_for_update(of=("self",)).get(pk=run_id)
        found = drift_of(run_id)
        if not found:
            return []
        rebuild(run_id)
    log.warning("run_state_repaired", run=str(run_id), drifted=found[:20])
    return found


def rebuild(run_id: UUID) -> None:
    """The state of a run from its ledger, in the caller's transaction."""
    wanted = computed(run_id)
    RunState.objects.update_or_create(pk=run_id, defaults=wanted.run)
    WorkItemState.objects.filter(run_id=run_id).delete()
    WorkItemState.objects.bulk_create(
        WorkItemState(work_item_id=item, run_id=run_id, status=one.status, moved_by=one.moved_by, ended_at=one.ended_at)
        for item, one in wanted.items.items()
    )


def drifted_runs() -> Iterator[tuple[UUID, list[str]]]:
    """Every run whose kept state is not what its ledger says, oldest first."""
    for run_id in Run.objects.order_by("pk").values_list("pk", flat=True).iterator(chunk_size=500):
        if found := drift_of(run_id):
            yield run_id, found


def check_in_step(state: RunState, item: WorkItemState | None = None) -> None:
    """Raises `Refused` projection_drift where what is kept is not what the ledger says; nothing is written on top of that."""
    ends = RunEvent.objects.ends(state.pk, item.pk if item is not None else None)
    in_step = (state.last_sequence, state.outcome_id) == (ends.last_sequence, ends.outcome)
    in_step = in_step and (ends.outcome is not None or state.generation == 1 + state.last_sequence)
    if in_step and item is not None:
        moved_to = MOVES[RunEventType(ends.moved_to)].to if ends.moved_to else WorkItemStatus.ACTIVE
        in_step = (item.status, item.moved_by) == (moved_to, ends.moved_by)
    if not in_step:
        raise drifted(state.pk)


def check_whole(state: RunState) -> None:
    """As `check_in_step`, of every work item."""
    if drift_of(state.pk):
        raise drifted(state.pk)


def drifted(run_id: UUID) -> Refused:
    log.error("run_state_drifted", run=str(run_id))
    detail = "What is kept of this run does not follow from its ledger; it takes no writes until it was repaired."
    return Refused("projection_drift", detail)


def open_gaps(run_id: UUID) -> int:
    """Gaps of information that no later event of the run closed."""
    gaps = RunEvent.objects.filter(run_id=run_id, type=RunEventType.INFORMATION_GAP)
    return gaps.filter(closed_by__isnull=True).count()


def open_items(run_id: UUID, most: int = 20) -> list[str]:
    rows = WorkItemState.objects.filter(run_id=run_id, status__in=_OPEN).order_by("pk")
    return [str(pk) for pk in rows.values_list("pk", flat=True)[:most]]


def _differs(row: WorkItemState | None, wanted: Standing) -> bool:
    return row is None or (row.status, row.moved_by, row.ended_at) != (wanted.status, wanted.moved_by, wanted.ended_at)


def _last_event(run_id: UUID) -> tuple[int, datetime] | None:
    return RunEvent.objects.filter(run_id=run_id).order_by("-sequence").values_list("sequence", "at").first()
