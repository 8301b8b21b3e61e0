"""`bulk` and `jobs`: one decision for many items, carried out by a worker (doors "Queue and decisions")."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from ninja import Query, Router

from evidence.api.auth import PersonToken, person_of
from evidence.api.held_schemas import DECIDE_ERRORS, READ_ERRORS, JobQuery, JobReadOut, JobStartedOut
from evidence.api.once import answered_once
from evidence.models import Job, JobItem, User
from evidence.rules.bulk import ItemOutcome
from evidence.rules.times import read_time
from evidence.rules.vocab import Door
from evidence.selectors.answers import instant
from evidence.selectors.job_rows import all_rows
from evidence.selectors.jobs import tally, visible_job
from evidence.services.bulk_at_once import bulk_at_once
from evidence.services.bulk_undoing import undo_bulk
from evidence.services.decision_shapes import BulkShape, BulkUndoShape
from evidence.services.errors import Refused
from evidence.services.idempotency import Outcome
from evidence.services.rate_limits import Lane

router = Router(tags=["Queue and decisions"])


@router.post(
    "bulk",
    auth=PersonToken(Lane.BULK),
    response={202: JobStartedOut, **DECIDE_ERRORS},
    operation_id="decide_many",
    summary="Decide many items",
)
def post_bulk(request: HttpRequest, body: BulkShape) -> HttpResponse:
    """Have one decision taken for each of the items, on its own and only as you saw it. High risk, repeats of each other and
    claims that exclude each other are left out: decide these one by one. `GET jobs/{id}` says what became of each.
    """
    user = person_of(request)
    seen = body.seen()

    def work() -> Outcome:
        job = bulk_at_once(
            user=user, action=body.action, seen=seen, checked_at=body.checked_at, reason_code=body.reason_code,
            reason=body.reason, until=read_time(body.until), door=Door.API,
        )  # fmt: skip
        return Outcome(202, {"job": str(job.pk)})

    return answered_once(request, work, lambda ids: _started(user, str(ids["job"])))


@router.get(
    "jobs/{job_id}",
    auth=PersonToken(),
    response={200: JobReadOut, **READ_ERRORS},
    operation_id="read_job",
    summary="How far a job is",
)
def get_job(request: HttpRequest, job_id: str, asked: Annotated[JobQuery, Query()]) -> HttpResponse:
    """What became of each item, in the order in which they were given; what was not there for you comes last."""
    job = visible(person_of(request), job_id)
    rows = all_rows(job, after=asked.after, limit=asked.limit)
    items = [_item(row) for row in rows.rows]
    if rows.after is None:
        # They have no rows of their own: whether they are there at all is not told.
        items += [_unseen(one) for one in job.detail.get("unseen", [])]
    return JsonResponse({"job": job_json(job), "items": items, "next": rows.after, "grants": []})


@router.post(
    "bulk/{job_id}/undo",
    auth=PersonToken(Lane.BULK),
    response={202: JobStartedOut, **DECIDE_ERRORS},
    operation_id="undo_bulk",
    summary="Take a bulk back",
)
def post_undo(request: HttpRequest, job_id: str, body: BulkUndoShape | None = None) -> HttpResponse:
    """Take back what the bulk decided, item by item; what was decided again since stays. The answer is the job that does it."""
    user = person_of(request)
    job = visible(user, job_id)

    def work() -> Outcome:
        made = undo_bulk(job_id=job.pk, user=user, reason=body.reason if body else "", door=Door.API)
        return Outcome(202, {"job": str(made.pk)})

    return answered_once(request, work, lambda ids: _started(user, str(ids["job"])))


def visible(user: User, job_id: str) -> Job:
    """One's own job; another's is answered exactly like one that does not exist."""
    try:
        job = visible_job(user, UUID(job_id))
    except ValueError:
        job = None
    if job is None:
        raise Refused("not_found", "There is no such job.")
    return job


def job_json(job: Job) -> dict[str, Any]:
    numbers = tally(job)
    return {
        "id": str(job.pk), "kind": job.kind, "action": job.detail.get("action", ""), "status": job.status,
        "created_at": instant(job.created_at), "finished_at": instant(job.finished_at), "items": numbers.all,
        "selected": numbers.selected, "waiting": numbers.waiting, "done": numbers.done,
        "undone_by": job.detail.get("undone_by"), "url": f"{settings.PUBLIC_URL}/jobs/{job.pk}/",
    }  # fmt: skip


def _started(user: User, job_id: str) -> dict[str, Any]:
    return {"job": job_json(visible(user, job_id)), "grants": []}


def _item(row: JobItem) -> dict[str, Any]:
    left_out = bool(row.plan_digest) and not row.selected
    return {
        "id": row.subject, "version": row.version,
        "outcome": row.outcome or ("left_out" if left_out else ""), "code": row.code or None,
        "detail": row.detail or None,
        "decision": row.result_id if row.result_id and row.outcome == ItemOutcome.DONE else None,
    }  # fmt: skip


def _unseen(key: str) -> dict[str, Any]:
    return {
        "id": key, "version": None, "outcome": ItemOutcome.GONE.value, "code": "not_found",
        "detail": "There is no such item.", "decision": None,
    }  # fmt: skip
