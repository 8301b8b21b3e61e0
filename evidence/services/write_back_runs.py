"""Carrying decisions back from a page: a worker shows the plan, a person presses, a worker carries out just that plan.

Only stores that the desk's settings name can be written to: a page never takes a path. What was carried out is logged by
`writing_back` as ever; the run says which log that is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from evidence.exchange.files import CorruptSource
from evidence.models import Job, JobItem, User
from evidence.rules.bulk import WORKING, JobStatus
from evidence.rules.text import sha256_hex
from evidence.selectors.imports import WRITE_BACK_RUN, may_import
from evidence.services.errors import Refused
from evidence.services.import_report import shown_corrupt
from evidence.services.outbox import enqueue, handles
from evidence.services.writing_back import WRITE_BACKS

TOPIC = "write_back"


@dataclass(frozen=True, slots=True)
class Store:
    """A store of another system that decisions may be carried back to."""

    name: str
    format: str
    path: Path


def stores() -> Mapping[str, Store]:
    """Those that the settings name; of unknown formats none."""
    found = (Store(name, form, Path(path)) for name, (form, path) in settings.WRITE_BACK_STORES.items())
    return {one.name: one for one in found if one.format in WRITE_BACKS}


def plan_write_back(*, user: User, store: str) -> Job:
    """Have a worker look at what would be written there."""
    _allowed(user)
    known = stores().get(store)
    if known is None:
        raise Refused("not_found", "The settings name no such store.")
    with transaction.atomic():
        detail = {"store": known.name, "format": known.format, "source": known.name, "dry_run": True}
        job = Job.objects.create(
            kind=WRITE_BACK_RUN, status=JobStatus.WAITING, owner=user, created_by=user.get_username(), detail=detail
        )
        enqueue(topic=TOPIC, subject=str(job.id), key=f"{job.id}:plan")
    return job


def carry_out_write_back(*, job_id: UUID, user: User) -> Job:
    """Have the plan carried out. Pressing twice is once."""
    _allowed(user)
    with transaction.atomic():
        job = Job.objects.select_for_update(of=("self",)).filter(pk=job_id, kind=WRITE_BACK_RUN).first()
        if job is None:
            raise Refused("not_found", "There is no such plan.")
        if job.status in WORKING and not job.detail["dry_run"]:
            return job
        if job.status != JobStatus.PREVIEW or not job.detail.get("planned"):
            raise Refused("closed", "There is nothing to carry out, or it was carried out already.")
        job.status, job.owner, job.detail = JobStatus.WAITING, user, job.detail | {"dry_run": False}
        job.save(update_fields=["status", "owner", "detail"])
        enqueue(topic=TOPIC, subject=str(job.id), key=f"{job.id}:carry")
    return job


@handles(TOPIC)
def work_on_write_back(subject: str) -> bool:
    """Harmless when repeated: what was written is planned no more."""
    job = Job.objects.filter(pk=subject, kind=WRITE_BACK_RUN, status__in=WORKING).first()
    if job is None:
        return False
    store = stores().get(str(job.detail["store"]))
    try:
        if store is None:
            raise Refused("not_found", "The settings name no such store.")
        planned = WRITE_BACKS[store.format](path=store.path).planned
        if job.detail["dry_run"]:
            _planned(job, planned)
        else:
            _carry_out(job, store, planned)
    except CorruptSource as corrupt:
        _end(job, JobStatus.FAILED, error=shown_corrupt(corrupt))
    except Refused as refused:
        _end(job, JobStatus.FAILED, error=refused.detail)
    except OSError as error:
        _end(job, JobStatus.FAILED, error=f"The store cannot be read or written ({error.strerror}).")
    return False


def _planned(job: Job, planned: Sequence[str]) -> None:
    with transaction.atomic():
        JobItem.objects.filter(job=job).delete()
        JobItem.objects.bulk_create(
            JobItem(job=job, position=at, subject=line[:600], outcome="planned") for at, line in enumerate(planned)
        )
        job.status = JobStatus.PREVIEW
        job.detail = job.detail | {"planned": len(planned), "digest": sha256_hex(*planned)}
        job.save(update_fields=["status", "detail"])


def _carry_out(job: Job, store: Store, planned: Sequence[str]) -> None:
    """What was looked at and nothing else; a worker that died in the middle is gone on from."""
    if not job.detail.get("began") and sha256_hex(*planned) != job.detail["digest"]:
        raise Refused("version_conflict", "What would be written is not what was shown any more: look at it again.")
    job.status, job.detail = JobStatus.RUNNING, job.detail | {"began": True}
    job.save(update_fields=["status", "detail"])
    done = WRITE_BACKS[store.format](path=store.path, apply=True)
    _end(job, JobStatus.DONE, written=done.written or 0, log=done.job_id)


def _end(job: Job, status: JobStatus, **members: object) -> None:
    job.status, job.finished_at, job.detail = status, timezone.now(), job.detail | members
    job.save(update_fields=["status", "finished_at", "detail"])


def _allowed(user: User) -> None:
    if not may_import(user):
        raise Refused("right_missing", "Only an administrator of all agents carries decisions back.")
