"""What the services of bulk work share: a job locked for its owner, its rows, and how a worker is told of it."""

from __future__ import annotations

from uuid import UUID

from django.db import models
from django.utils import timezone

from evidence.models import Job, JobItem, User
from evidence.rules.bulk import ENDED, JobKind, JobStatus
from evidence.services.errors import Refused
from evidence.services.outbox import enqueue
from evidence.services.work_news import tell_job_ended

TOPIC = "bulk"
KINDS = (JobKind.BULK, JobKind.UNDO)
DETAIL_MAX = 600


def lock_job(job_id: UUID | str) -> Job:
    """The job, locked: before its rows, and those before all that decisions lock."""
    job = Job.objects.select_for_update(of=("self",)).filter(pk=job_id, kind__in=KINDS).first()
    if job is None:
        raise Refused("not_found", "There is no such job.")
    return job


def lock_own(job_id: UUID | str, user: User) -> Job:
    """As `lock_job`, for whom it belongs to; another's is answered like one that does not exist."""
    job = lock_job(job_id)
    if job.owner_id != user.pk:
        raise Refused("not_found", "There is no such job.")
    return job


def in_preview(job: Job) -> None:
    """Refuses what only a finished preview that was not carried out allows."""
    if job.status == JobStatus.PREPARING:
        raise Refused("in_progress", "The preview is still being prepared.")
    if job.status != JobStatus.PREVIEW:
        raise Refused("closed", "This preview was carried out or discarded already.")


def rows_of(job: Job) -> models.QuerySet[JobItem]:
    return JobItem.objects.filter(job=job).order_by("position")


def pending(job: Job) -> models.QuerySet[JobItem]:
    """Selected rows without an outcome."""
    return rows_of(job).filter(selected=True, outcome="")


def wake(job: Job, stage: str) -> None:
    """Have a worker carry the job on, in the caller's transaction: one message a stage, due again until the stage is over."""
    enqueue(topic=TOPIC, subject=str(job.id), key=f"{job.id}:{stage}")


def end(job: Job, status: JobStatus) -> None:
    """Close the job. The reason's text is kept by the decisions, where a purge finds it, and no longer here."""
    assert status in ENDED
    job.status, job.finished_at = status, timezone.now()
    job.detail = {name: value for name, value in job.detail.items() if name != "reason"}
    job.save(update_fields=["status", "finished_at", "detail"])
    tell_job_ended(job)
