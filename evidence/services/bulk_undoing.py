"""Taking a bulk back: a job of its own, one compensating decision a row; what was decided later stays as it is (contract 10)."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from evidence.models import Job, JobItem, User
from evidence.rules.bulk import CLOSED_EQUAL, ENDED, ItemOutcome, JobKind, JobStatus
from evidence.rules.vocab import Door
from evidence.services.bulk_jobs import lock_own, rows_of, wake
from evidence.services.errors import Refused
from evidence.services.texts import REASON_MAX, check_text


def undo_bulk(*, job_id: UUID | str, user: User, reason: str = "", door: Door = Door.WEB) -> Job:
    """Start taking back what the job did; asked for twice it is the same job. Raises `Refused` while it still runs."""
    check_text("reason", reason, longest=REASON_MAX)
    with transaction.atomic():
        job = lock_own(job_id, user)
        known = Job.objects.filter(pk=job.detail.get("undone_by")).first() if job.detail.get("undone_by") else None
        if known is not None:
            return known
        if job.kind != JobKind.BULK:
            raise Refused("invalid_value", "Only a bulk decision can be taken back as one.")
        if job.status not in ENDED:
            raise Refused("in_progress", "It is still being carried out: cancel it first.")
        rows = list(rows_of(job).filter(outcome=ItemOutcome.DONE).exclude(code=CLOSED_EQUAL))
        if not rows:
            raise Refused("empty_selection", "Nothing was done, so there is nothing to take back.")
        asked = {"action": "undo", "undoes": job.detail["action"], "of": str(job.pk), "reason": reason, "ran": True}
        undo = Job.objects.create(
            kind=JobKind.UNDO, status=JobStatus.WAITING, created_by=user.get_username(), owner=user,
            detail=asked | {"door": door.value},
        )  # fmt: skip
        JobItem.objects.bulk_create(
            [JobItem(job=undo, position=row.position, subject=row.subject, version=row.version) for row in rows],
            batch_size=200,
        )
        job.detail = job.detail | {"undone_by": str(undo.pk)}
        job.save(update_fields=["detail"])
        wake(undo, "run")
    return undo
