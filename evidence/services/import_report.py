"""The report of an import: one line per item with its outcome, counts, and their storage as a job (doors "Files").

Lines hold places, codes and plain words; never text of the file, which may be a secret.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from evidence.exchange.files import CorruptSource
from evidence.exchange.items import Note, Place
from evidence.models import Job, JobItem
from evidence.models.inserting import insert_many, new_row
from evidence.rules.secrets import secret_kinds
from evidence.rules.text import sha256_hex
from evidence.selectors.imports import IMPORT
from evidence.services.work_news import tell_import_finished

DETAIL_MAX = 600


class ImportOutcome(StrEnum):
    """What became of one item. `held` was stored and waits for a person; `changed` is a new version of a known one."""

    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    HELD = "held"
    REFUSED = "refused"


STORED = frozenset({ImportOutcome.CREATED, ImportOutcome.CHANGED, ImportOutcome.HELD})


@dataclass(frozen=True, slots=True)
class Line:
    """`result` is `record:<id>`, `held:<id>` or `inquiry:<id>`. `serious` makes the run end with status 3."""

    place: str
    outcome: ImportOutcome
    code: str = ""
    detail: str = ""
    result: str = ""
    serious: bool = False

    def as_dict(self) -> dict[str, object]:
        return {
            "place": self.place,
            "outcome": self.outcome.value,
            "code": self.code,
            "detail": self.detail,
            "result": self.result,
        }


def line_for(place: Place, outcome: ImportOutcome, *, notes: Iterable[Note] = (), result: str = "") -> Line:
    """A line for something that was taken, with what the reader or the store had to say about it."""
    said = list(notes)
    return Line(
        shown_place(place),
        outcome,
        code=next((note.code for note in said if note.serious), said[0].code if said else ""),
        detail="; ".join(note.detail for note in said)[:DETAIL_MAX],
        result=result,
        serious=any(note.serious for note in said),
    )


def refused_line(place: Place, code: str, detail: str, *, serious: bool = True) -> Line:
    return Line(shown_place(place), ImportOutcome.REFUSED, code, detail[:DETAIL_MAX], serious=serious)


def shown_place(place: Place) -> str:
    """The place, unless a file's own name is shaped like a secret (contract 12.5)."""
    text = str(place)[:DETAIL_MAX]
    plain = _is_plain(place.file) and (not place.part or not secret_kinds(text))
    return text if plain else "(a file whose name looks like a secret)"


def shown_corrupt(corrupt: CorruptSource) -> str:
    """Where a source that cannot be read breaks off, and why."""
    return f"{shown_place(Place(corrupt.where))}: {corrupt.detail}"


@lru_cache(maxsize=256)
def _is_plain(name: str) -> bool:
    """Of a file's name; it comes again with every line."""
    return not secret_kinds(f"{name}:1")


@dataclass(slots=True)
class Report:
    """What one run did. `job_id` names the stored report, none where nothing was stored."""

    format: str
    source: str
    namespace: str
    dry_run: bool
    read: int = 0
    counts: dict[ImportOutcome, int] = field(default_factory=lambda: dict.fromkeys(ImportOutcome, 0))
    serious: bool = False
    job_id: str = ""
    problems_digest: str = ""

    def add(self, line: Line) -> None:
        self.read += 1
        self.counts[line.outcome] += 1
        self.serious = self.serious or line.serious
        if line.serious:
            self.problems_digest = sha256_hex(self.problems_digest, line.place, line.code)

    @property
    def stored_any(self) -> bool:
        return any(self.counts[outcome] for outcome in STORED)

    @property
    def exit_status(self) -> int:
        """0: all well; 3: something was reported and the rest went in (doors "Files")."""
        return 3 if self.serious else 0

    def as_dict(self) -> dict[str, object]:
        counts: Mapping[str, int] = {outcome.value: number for outcome, number in self.counts.items()}
        return {
            "format": self.format, "source": self.source, "namespace": self.namespace, "dry_run": self.dry_run,
            "read": self.read, **counts, "job": self.job_id or None,
        }  # fmt: skip


# -- the stored report --


def start_job(report: Report, *, created_by: str) -> Job:
    detail = {"format": report.format, "source": report.source, "namespace": report.namespace}
    # One that was killed cannot say so itself; one that still runs says how it ended when it does.
    killed = Job.objects.filter(kind=IMPORT, status="running", owner=None, detail__source=report.source)
    killed.filter(detail__format=report.format).update(status="failed", finished_at=timezone.now())
    return Job.objects.create(kind=IMPORT, status="running", created_by=created_by, detail=detail)


def stored_report(job: Job, report: Report) -> int:
    """Take into a report what a job's lines say already; returns how many entries they are."""
    rows = JobItem.objects.filter(job=job)
    for outcome, number in rows.order_by().values_list("outcome").annotate(number=Count("pk")):
        report.counts[ImportOutcome(outcome)] = number
        report.read += number
    return report.read


def store_lines(job: Job, first_position: int, lines: list[Line]) -> None:
    insert_many([
        new_row(
            JobItem, job_id=job.pk, position=first_position + offset, subject=line.place, outcome=line.outcome.value,
            code=line.code[:40], detail=line.detail, result_id=line.result,
        )
        for offset, line in enumerate(lines)
    ])  # fmt: skip


def finish_job(job: Job, report: Report, *, status: str = "done", error: str = "") -> None:
    """Close the job. A run that changed nothing and has nothing new to say leaves no trace."""
    if status == "done" and job.owner_id is None and not report.stored_any and _said_before(job, report):
        JobItem.objects.filter(job=job)._raw_delete(using=job._state.db)
        job.delete()
        return
    job.status, job.finished_at = status, timezone.now()
    job.detail = job.detail | report.as_dict() | {"problems_digest": report.problems_digest, "error": error}
    job.detail["job"] = str(job.id)
    with transaction.atomic():
        job.save(update_fields=["status", "finished_at", "detail"])
        tell_import_finished(job)
    report.job_id = str(job.id)


def _said_before(job: Job, report: Report) -> bool:
    """No problem at all, or the very same problems as in the last stored report of this source."""
    if not report.problems_digest:
        return True
    earlier = Job.objects.filter(kind=IMPORT, status="done", detail__source=report.source).exclude(pk=job.pk)
    last = (
        earlier.filter(detail__format=report.format, detail__namespace=report.namespace).order_by("-created_at").first()
    )
    return last is not None and last.detail.get("problems_digest") == report.problems_digest
