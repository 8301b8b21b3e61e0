"""Reading the reports of imports: who may, the list, one report by pages, and what of a foreign entry was kept for display."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from evidence.models import HeldRecord, ImportedItem, Job, JobItem, Membership, User
from evidence.rules.bulk import WORKING
from evidence.rules.vocab import Role
from evidence.selectors.paging import Capped, Keyset, Page, capped_count, page
from evidence.selectors.people import administers_all

LIST_PAGE = 30
LINES_PAGE = 100
NEWEST = Keyset("imports", ("-created_at", "-id"))
OUTCOMES = ("created", "changed", "unchanged", "held", "refused")
# Kinds of jobs: an import; a log of what was written back, and a plan with its run.
IMPORT = "import"
WRITE_BACK, WRITE_BACK_RUN = "write_back", "write_back_run"
_IN_ORDER = Keyset("import-lines", ("position",))


def may_import(user: User) -> bool:
    """An import fixes trust, checks and owners: administrators of all agents, and they alone."""
    return administers_all(user)


def may_read_imports(user: User) -> bool:
    roles = (Role.ADMINISTRATOR, Role.AUDITOR)
    return user.is_active and Membership.objects.of(user, *roles).filter(agent__isnull=True).exists()


def imports(*, after: str = "") -> Page[Job]:
    return page(Job.objects.filter(kind=IMPORT).select_related("owner"), NEWEST, after=after, limit=LIST_PAGE)


def write_backs(*, after: str = "") -> Page[Job]:
    rows = Job.objects.filter(kind__in=[WRITE_BACK, WRITE_BACK_RUN]).select_related("owner")
    return page(rows, NEWEST, after=after, limit=LIST_PAGE)


def write_back_job(job_id: UUID) -> Job | None:
    return Job.objects.filter(pk=job_id, kind__in=[WRITE_BACK, WRITE_BACK_RUN]).select_related("owner").first()


def import_job(job_id: UUID) -> Job | None:
    return Job.objects.filter(pk=job_id, kind=IMPORT).select_related("owner").first()


def lines(job: Job, *, outcome: str = "", after: str = "") -> Page[JobItem]:
    """One page of a report. `outcome` narrows it down; `said` are those with something to say."""
    rows = JobItem.objects.filter(job=job)
    if outcome == "said":
        rows = rows.exclude(code="")
    elif outcome:
        rows = rows.filter(outcome=outcome)
    return page(rows, _IN_ORDER, after=after, limit=LINES_PAGE)


def every_line(job: Job) -> Iterator[JobItem]:
    """The whole report, in order, a part at a time."""
    at = -1
    while rows := list(JobItem.objects.filter(job=job, position__gt=at).order_by("position")[:1_000]):
        yield from rows
        at = rows[-1].position


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an import is: entries that are through, what became of them, and what is still to be verified on the desk."""

    read: int
    counts: Mapping[str, int] = field(default_factory=dict)
    unverified: Capped = field(default_factory=lambda: Capped(0))


def progress(job: Job) -> Progress:
    """While it runs the number of its lines, or for a rehearsal what its worker told; afterwards what its report says."""
    if job.status in WORKING:
        last = JobItem.objects.filter(job=job).order_by("-position").values_list("position", flat=True).first()
        stored = 0 if last is None or job.detail.get("dry_run") else last + 1
        return Progress(max(stored, int(job.detail.get("at") or 0) if job.detail.get("dry_run") else stored))
    counts = {name: int(job.detail.get(name) or 0) for name in OUTCOMES}
    return Progress(
        int(job.detail.get("read") or 0), counts, capped_count(HeldRecord.objects.needing_verification().order_by("id"))
    )


@dataclass(frozen=True, slots=True)
class Foreign:
    """An entry of another system: what it decided there, and what nobody here interprets, as names with texts."""

    system: str
    foreign_id: str
    decided: list[tuple[str, str]]
    extra: list[tuple[str, str]]
    first_seen_at: Any
    changed_at: Any


def foreign_of(namespace: str, kind: str, target_id: str) -> list[Foreign]:
    """What was kept of the entries that became this record, item or question."""
    rows = (
        ImportedItem.objects.of_target(kind, target_id).filter(namespace=namespace).order_by("first_seen_at", "id")[:20]
    )
    return [
        Foreign(
            row.system,
            row.foreign_id,
            list(_texts(row.decided)),
            list(_texts(row.extra)),
            row.first_seen_at,
            row.changed_at,
        )
        for row in rows
    ]


def _texts(members: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """Members in reading order, nested ones under their path; empty ones are left out."""
    for name, value in members.items():
        path = f"{above}{name}"
        if isinstance(value, Mapping):
            yield from _texts(value, f"{path}.")
        elif isinstance(value, list):
            plain = [str(one) for one in value if not isinstance(one, Mapping | list)]
            if plain:
                yield path, ", ".join(plain)
            for number, one in enumerate(value, start=1):
                if isinstance(one, Mapping):
                    yield from _texts(one, f"{path} {number}.")
        elif value not in ("", None):
            yield path, str(value)
