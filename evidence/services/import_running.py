"""What a worker does with a file that was sent: rehearse it, or import it, or go on where a killed worker stopped.

An import stores entries and their lines of the report together, chunk by chunk; whoever goes on passes over as many entries as
there are lines. A rehearsal stores nothing, so it begins anew; its lines lie in a file until they are known.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import structlog
from django.db import transaction
from django.utils import timezone

from evidence.exchange.archives import is_archive, root_in, unpack
from evidence.exchange.files import CorruptSource
from evidence.models import Job
from evidence.rules.bulk import WORKING, JobStatus
from evidence.rules.vocab import Door
from evidence.services.actors import Actor
from evidence.services.errors import Refused
from evidence.services.import_report import ImportOutcome, Line, Report, finish_job, shown_corrupt, store_lines
from evidence.services.import_uploads import TOPIC, clear_lines, folder_of, remove_files
from evidence.services.import_watch import Cancelled, Watch, watching
from evidence.services.importing import CHUNK, run_import
from evidence.services.outbox import handles
from evidence.services.work_news import tell_import_finished

log = structlog.get_logger(__name__)

TRIES = 3
_LINES, _UNPACKED = "lines.jsonl", "unpacked"


@handles(TOPIC)
def work_on_import(subject: str) -> bool:
    """Harmless when repeated: a job that is over, or that a person has to look at, is left alone."""
    job = Job.objects.filter(pk=subject).select_related("owner").first()
    if job is None or job.status not in WORKING:
        if job is not None and job.status == JobStatus.CANCELLED:
            remove_files(job.id)
        return False
    started = Job.objects.filter(pk=job.pk, status__in=WORKING).update(status=JobStatus.RUNNING)
    if not started:
        return False
    job.status = JobStatus.RUNNING
    try:
        with watching(job.id, TOPIC) as watch:
            _run(job, watch)
    except Cancelled:
        _closed_by_cancelling(job)
    except (CorruptSource, Refused, OSError) as error:
        _fail(job, _why(error))
    except Exception as error:
        if _tried(job) >= TRIES:
            log.exception("import_failed", job=str(job.id))
            _fail(job, f"It stopped ({type(error).__name__}). What was stored until then is in the report.")
            return False
        raise  # delivered again in a while, and gone on with
    return False


def _run(job: Job, watch: Watch) -> None:
    path, name = _source(job), str(job.detail["source"])
    if job.detail["dry_run"]:
        _rehearse(job, path, name, watch)
        return
    if job.detail.get("rehearsed") is not None and not job.detail.get("cleared"):
        clear_lines(job)
        _save(job, cleared=True)
    report = run_import(
        format_name=job.detail["format"], path=path, namespace=job.detail["namespace"], source=name, job=job,
        actor=_actor(job), on_chunk=watch.chunk_done,
    )  # fmt: skip
    job.refresh_from_db()
    finish_job(job, report)
    remove_files(job.id)


def _rehearse(job: Job, path: Path, name: str, watch: Watch) -> None:
    clear_lines(job)
    kept = folder_of(job.id) / _LINES
    with kept.open("w", encoding="utf-8") as file:

        def keep(line: Line) -> None:
            file.write(json.dumps(asdict(line)) + "\n")

        report = run_import(
            format_name=job.detail["format"], path=path, namespace=job.detail["namespace"], source=name, dry_run=True,
            actor=_actor(job), on_line=keep, on_chunk=watch.chunk_done,
        )  # fmt: skip
    _store_kept(job, kept, watch, report)
    kept.unlink(missing_ok=True)
    with transaction.atomic():
        still = Job.objects.select_for_update(of=("self",)).get(pk=job.pk)
        if still.status != JobStatus.RUNNING:
            raise Cancelled
        still.status = JobStatus.PREVIEW
        still.detail = (
            still.detail | report.as_dict() | {"source": name, "namespace": job.detail["namespace"], "at": report.read}
        )
        still.detail |= {"goes_to": report.namespace, "job": str(job.id)}
        still.save(update_fields=["status", "detail"])


def _store_kept(job: Job, kept: Path, watch: Watch, report: Report) -> None:
    """The lines of the rehearsal, in order, a chunk a transaction."""
    for position, lines in _chunks(kept):
        with transaction.atomic():
            store_lines(job, position, lines)
        watch.chunk_done(report.read)


def _chunks(kept: Path) -> Iterator[tuple[int, list[Line]]]:
    position, lines = 0, []
    with kept.open(encoding="utf-8") as file:
        for text in file:
            members = json.loads(text)
            lines.append(Line(**members | {"outcome": ImportOutcome(members["outcome"])}))
            if len(lines) == CHUNK:
                yield position, lines
                position, lines = position + len(lines), []
    if lines:
        yield position, lines


def _source(job: Job) -> Path:
    """What was sent, unpacked where it is an archive."""
    folder = folder_of(job.id)
    file = folder / str(job.detail["file"])
    if not file.is_file():
        raise CorruptSource(str(job.detail["source"]), "the file is gone; send it again")
    if not is_archive(file):
        return file
    unpacked = folder / _UNPACKED
    if not unpacked.is_dir():
        # Unpacked beside and moved: what a killed worker left half is not taken for the whole.
        making = folder / f"{_UNPACKED}.part"
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(mode=0o700)
        unpack(file, making, name=str(job.detail["source"]))
        making.rename(unpacked)
    return root_in(unpacked)


def _actor(job: Job) -> Actor | None:
    return Actor.person(job.owner, Door.IMPORT) if job.owner else None


def _why(error: Exception) -> str:
    if isinstance(error, CorruptSource):
        return shown_corrupt(error)
    if isinstance(error, Refused):
        return error.detail
    return "The file could not be read further."


def _save(job: Job, **members: object) -> None:
    with transaction.atomic():
        row = Job.objects.select_for_update(of=("self",)).get(pk=job.pk)
        row.detail = row.detail | members
        row.save(update_fields=["detail"])
    job.detail = row.detail


def _tried(job: Job) -> int:
    tries = int(job.detail.get("tries") or 0) + 1
    _save(job, tries=tries)
    return tries


def _fail(job: Job, why: str) -> None:
    with transaction.atomic():
        row = Job.objects.select_for_update(of=("self",)).get(pk=job.pk)
        if row.status == JobStatus.RUNNING:
            row.status, row.finished_at = JobStatus.FAILED, timezone.now()
            row.detail = row.detail | {"error": why}
            row.save(update_fields=["status", "finished_at", "detail"])
            if not row.detail["dry_run"]:  # of a rehearsal its page tells
                tell_import_finished(row)
    remove_files(job.id)


def _closed_by_cancelling(job: Job) -> None:
    if job.detail["dry_run"]:
        clear_lines(job)
    remove_files(job.id)
