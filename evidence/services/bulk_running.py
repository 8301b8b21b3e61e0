"""Carrying a bulk out: row by row through `decide`, in stretches, by a worker that may be killed at any point (S9, S24, S25).

A row's decision and its outcome are one transaction, so what the rows say is what the database holds. Whoever works on a row
has it locked; a second worker passes it over. Rights are looked at again for each row.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import structlog
from django.db import InterfaceError, OperationalError, connection, transaction
from django.utils import timezone

from evidence.models import Decision, Job, JobItem, User
from evidence.rules.bulk import CLOSED_EQUAL, ENDED, WORKING, ItemOutcome, JobKind, JobStatus
from evidence.rules.joining import FIRST
from evidence.rules.times import read_time, to_iso
from evidence.rules.vocab import Action, AuditAction, Door
from evidence.services import undoing
from evidence.services.actors import Actor
from evidence.services.breathing import Breath
from evidence.services.bulk import check_choices
from evidence.services.bulk_jobs import DETAIL_MAX, end, in_preview, lock_job, lock_own, pending, wake
from evidence.services.bulk_selecting import same_selection
from evidence.services.cluster_joining import as_it_was_seen
from evidence.services.deciding import decide
from evidence.services.errors import Refused

log = structlog.get_logger(__name__)

CHUNK = 100
# Well under the time after which the outbox takes the worker for dead.
CHUNK_SECONDS = 5.0


def run_bulk(
    *,
    job_id: UUID | str,
    user: User,
    number: int | None,
    selection: str,
    reason_code: str = "",
    reason: str = "",
    until: datetime | None = None,
) -> Job:
    """Have the previewed selection carried out. `number` and `selection` are what the button said; pressing twice is once.

    Raises `Refused`: 409 when another selection is in, 422 `empty_selection`, `reason_required`, a snooze without a date.
    """
    check_choices(reason_code=reason_code, reason=reason)
    with transaction.atomic():
        job = lock_own(job_id, user)
        if job.status in WORKING or (job.status in ENDED and job.detail.get("ran")):
            return job
        in_preview(job)
        same_selection(job, number=number, selection=selection)
        action = job.detail["action"]
        if action == Action.REJECT and not reason_code:
            raise Refused("reason_required", "Say why, with one of the reason codes.", field="reason_code")
        if action == Action.SNOOZE and (until is None or until <= timezone.now()):
            raise Refused("invalid_value", "A snooze needs a date in the future.", field="until")
        job.detail = job.detail | {
            "reason_code": reason_code, "reason": reason, "until": to_iso(until) if until else None, "ran": True,
        }  # fmt: skip
        job.status = JobStatus.WAITING
        job.save(update_fields=["status", "detail"])
        wake(job, "run")
    return job


def carry_on(job_id: UUID | str) -> bool:
    """One stretch; True while rows are left. Only when every selected row has its outcome is the job done."""
    Job.objects.filter(pk=job_id, status=JobStatus.WAITING).update(status=JobStatus.RUNNING)
    until = time.monotonic() + CHUNK_SECONDS
    breath = Breath()
    for _ in range(CHUNK):
        if time.monotonic() > until or not _next_row(job_id):
            break
        breath.let_others_in()
    return _goes_on(job_id)


def _goes_on(job_id: UUID | str) -> bool:
    with transaction.atomic():
        job = lock_job(job_id)
        if job.status not in WORKING:
            return False
        if pending(job).exists():
            return True
        end(job, JobStatus.DONE)
    return False


def _next_row(job_id: UUID | str) -> bool:
    """Do one row, whole or not at all; False when none is free."""
    with transaction.atomic():
        job = Job.objects.select_related("owner").get(pk=job_id)
        if _one_by_one(job):
            lock_job(job_id)
            job.refresh_from_db(fields=["status"])
        if job.status not in WORKING:
            return False
        skip = connection.features.has_select_for_update_skip_locked
        rows = pending(job).order_by(_ORDER[job.kind]).select_for_update(skip_locked=skip)
        row = rows.first()
        if row is None:
            return False
        ended = _attempt(job, row)
        row.outcome, row.code, row.result_id = ended.outcome, ended.code[:40], ended.result_id
        row.detail = ended.detail[:DETAIL_MAX]
        row.save(update_fields=["outcome", "code", "detail", "result_id"])
    return True


def _one_by_one(job: Job) -> bool:
    """Whether its rows touch the same records, so that two runners at once would be in each other's way."""
    return job.kind == JobKind.UNDO or FIRST in job.detail


# What was done last is taken back first: rows of one bulk may have touched the same record.
_ORDER: dict[str, str] = {JobKind.BULK: "position", JobKind.UNDO: "-position"}


@dataclass(frozen=True, slots=True)
class Ended:
    outcome: ItemOutcome
    code: str = ""
    detail: str = ""
    result_id: str = ""


def _attempt(job: Job, row: JobItem) -> Ended:
    if job.owner is None or not job.owner.is_active:
        return Ended(ItemOutcome.REFUSED, "right_missing", "The account that asked for this is closed.")
    try:
        with transaction.atomic():
            return _DO[job.kind](job, row, job.owner)
    except Refused as refused:
        return _refused(job, row, refused)
    except (OperationalError, InterfaceError):
        raise  # the database, not the item: the outbox tries again
    except Exception as error:
        # One item must not hold up the others for ever.
        log.exception("bulk_item_failed", job=str(job.pk), position=row.position)
        return Ended(
            ItemOutcome.REFUSED, "internal", f"This item failed ({type(error).__name__}); nothing was written."
        )


def _decide(job: Job, row: JobItem, user: User) -> Ended:
    asked = job.detail
    done = decide(
        held_id=row.subject,
        action=asked["action"],
        actor=Actor.person(user, Door(asked.get("door", Door.WEB))),
        idempotency_key=f"bulk:{job.pk}:{row.position}",
        reason_code=asked.get("reason_code", ""),
        reason=asked.get("reason", ""),
        checked_at=asked.get("checked_at", ""),
        until=read_time(asked.get("until")),
        bulk_id=job.pk,
        **as_it_was_seen(job, row),
    )
    return Ended(ItemOutcome.DONE, str(done.decision.action), result_id=str(done.decision.id))


def _undo(job: Job, row: JobItem, user: User) -> Ended:
    first = JobItem.objects.get(job_id=job.detail["of"], position=row.position)
    done = undoing.undo(
        decision_id=first.result_id,
        actor=Actor.person(user, Door(job.detail.get("door", Door.WEB))),
        reason=job.detail.get("reason", ""),
        idempotency_key=f"bulk:{job.pk}:{row.position}",
        bulk_id=job.pk,
    )
    shown = len(done.shown)
    words = f"{shown} recall{'s' if shown > 1 else ''} showed it meanwhile." if shown else ""
    return Ended(ItemOutcome.DONE, AuditAction.UNDO, words, str(done.decision.id))


_DO: dict[str, Callable[[Job, JobItem, User], Ended]] = {JobKind.BULK: _decide, JobKind.UNDO: _undo}


def _refused(job: Job, row: JobItem, refused: Refused) -> Ended:
    """What a refusal makes of the row: somebody was first, it is gone, or this person may not."""
    if refused.code == "not_found":
        return Ended(ItemOutcome.GONE, refused.code, "It is gone, or you may not see it any more.")
    if refused.status != 409:
        return Ended(ItemOutcome.REFUSED, refused.code, refused.detail)
    other = str(refused.extra.get("decision") or "")
    mine = Decision.objects.filter(pk=other, bulk_id=job.pk, action=AuditAction.CLOSE_EQUAL).first() if other else None
    if mine is not None:
        return Ended(ItemOutcome.DONE, CLOSED_EQUAL, "Closed with an equal item of this selection.", str(mine.id))
    return Ended(ItemOutcome.CHANGED, refused.code, refused.detail, other)
