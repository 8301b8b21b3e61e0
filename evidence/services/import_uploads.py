"""Importing what a person sent: first a rehearsal that stores nothing, then, when they say so, the import itself.

The file lies in a folder of its own until the import is over, cancelled or forgotten; then it is removed. Only administrators of
everything import: what a file says of trust, checks and owners is taken as it stands.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from evidence.exchange.files import shown
from evidence.exchange.items import Place
from evidence.exchange.registry import FORMATS
from evidence.models import Job, JobItem, User
from evidence.models.base import new_id
from evidence.rules.bulk import ENDED, WORKING, JobStatus
from evidence.selectors.imports import IMPORT, OUTCOMES, may_import
from evidence.services.errors import Refused
from evidence.services.import_report import shown_place
from evidence.services.outbox import enqueue
from evidence.services.texts import NAME_MAX, check_text

TOPIC = "import"
SOURCE = "source"
KEEP_FOR = timedelta(hours=24)
_NAME_BYTES = 120


def receive(*, user: User, name: str, blocks: Iterable[bytes], format_name: str, namespace: str = "") -> Job:
    """Keep what was sent and have it rehearsed. Raises `Refused`; then nothing of it is left."""
    _allowed(user)
    if format_name not in FORMATS:
        raise Refused("invalid_value", f"The format has to be one of: {', '.join(FORMATS)}.", field="format")
    namespace = check_text("namespace", namespace.strip(), longest=NAME_MAX)
    job_id = new_id()
    folder = folder_of(job_id)
    try:
        _keep(folder, _file_name(name), blocks)
        detail = {
            "format": format_name, "source": shown_place(Place(shown(name)[:NAME_MAX] or "a file")), "namespace": namespace,
            "dry_run": True, "file": _file_name(name),
        }  # fmt: skip
        with transaction.atomic():
            job = Job.objects.create(
                id=job_id,
                kind=IMPORT,
                status=JobStatus.WAITING,
                owner=user,
                created_by=user.get_username(),
                detail=detail,
            )
            wake(job)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise Refused("invalid_value", "The file could not be kept; is there room for it?", field="file") from error
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return job


def carry_out(*, job_id: UUID | str, user: User) -> Job:
    """Import what was rehearsed. Pressing twice is once."""
    with transaction.atomic():
        job = lock_import(job_id, user)
        if job.status in WORKING and not job.detail["dry_run"]:
            return job
        if job.status != JobStatus.PREVIEW:
            raise Refused("closed", "This import was carried out or cancelled already, or is still being looked at.")
        job.status, job.owner = JobStatus.WAITING, user
        job.detail = job.detail | {"dry_run": False, "at": 0, "rehearsed": _counts(job)}
        job.save(update_fields=["status", "owner", "detail"])
        wake(job)
    return job


def cancel_import(*, job_id: UUID | str, user: User) -> Job:
    """Stop it where it is. A rehearsal leaves nothing; of an import what was stored by then stays, entry by entry whole."""
    with transaction.atomic():
        job = lock_import(job_id, user)
        if job.status in ENDED:
            raise Refused("closed", "This import is over already.")
        works = job.status == JobStatus.RUNNING
        job.status, job.finished_at = JobStatus.CANCELLED, timezone.now()
        job.save(update_fields=["status", "finished_at"])
    if not works:  # else its worker removes them when it has let go
        remove_files(job.id)
    return job


def too_large() -> Refused:
    most = settings.IMPORT_UPLOAD_MAX // 1024**2
    return Refused("too_large", f"A file may have at most {most:,} MiB.", field="file")


def lock_import(job_id: UUID | str, user: User) -> Job:
    """An import of a file that was sent, locked; whoever carries it out is who did it."""
    _allowed(user)
    job = Job.objects.select_for_update(of=("self",)).filter(pk=job_id, kind=IMPORT).first()
    if job is None or "file" not in job.detail:
        raise Refused("not_found", "There is no such import.")
    return job


def wake(job: Job) -> None:
    """Have a worker do it, in the caller's transaction."""
    stage = "rehearse" if job.detail["dry_run"] else "carry"
    enqueue(topic=TOPIC, subject=str(job.id), key=f"{job.id}:{stage}")


def forget_uploads(*, now: datetime | None = None) -> int:
    """Files of imports that are over, or that nobody carried out within a day. Returns how many were removed."""
    moment = now or timezone.now()
    old = Job.objects.filter(kind=IMPORT, status=JobStatus.PREVIEW, created_at__lt=moment - KEEP_FOR)
    old.update(status=JobStatus.CANCELLED, finished_at=moment)
    root = Path(settings.IMPORT_FOLDER)
    found = {entry.name: entry for entry in root.iterdir()} if root.is_dir() else {}
    wanted = Job.objects.filter(kind=IMPORT, status__in=[*WORKING, JobStatus.PREVIEW])
    kept = {pk.hex for pk in wanted.values_list("pk", flat=True)}
    removed = 0
    for name, entry in found.items():
        # One that was just received has no job yet.
        if name not in kept and entry.stat().st_mtime < (moment - timedelta(minutes=30)).timestamp():
            shutil.rmtree(entry, ignore_errors=True)
            removed += 1
    return removed


def folder_of(job_id: UUID) -> Path:
    return Path(settings.IMPORT_FOLDER) / job_id.hex


def remove_files(job_id: UUID) -> None:
    shutil.rmtree(folder_of(job_id), ignore_errors=True)


def _allowed(user: User) -> None:
    if not may_import(user):
        raise Refused("right_missing", "Only an administrator of all agents imports.")


def _keep(folder: Path, name: str, blocks: Iterable[bytes]) -> None:
    folder.mkdir(parents=True, mode=0o700)
    handle = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    size = 0
    with os.fdopen(handle, "wb") as file:
        for block in blocks:
            size += len(block)
            if size > settings.IMPORT_UPLOAD_MAX:
                raise too_large()
            file.write(block)
    if not size:
        raise Refused("invalid_value", "Choose a file that is not empty.", field="file")


def _file_name(name: str) -> str:
    """The name under which it lies here and in the report: its own, without what no file name should hold."""
    safe = "".join(
        letter if letter.isprintable() and letter not in "/\\" else "_" for letter in name.rsplit("/", 1)[-1]
    )
    return safe.encode("utf-8", "ignore")[-_NAME_BYTES:].decode("utf-8", "ignore").lstrip(".-") or "file"


def _counts(job: Job) -> dict[str, int]:
    """What the rehearsal found; its lines give way to those of the import."""
    return {name: int(job.detail.get(name) or 0) for name in ("read", *OUTCOMES)}


def clear_lines(job: Job) -> None:
    while ids := list(JobItem.objects.filter(job=job).order_by("position").values_list("pk", flat=True)[:20_000]):
        JobItem.objects.filter(pk__in=ids)._raw_delete(using=job._state.db)
