"""Reading jobs of bulk work: who may see one, and its numbers, counted from its rows. Reads only.

A job has at most as many rows as a bulk may hold, so its rows are counted; nothing of the big tables is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import Count, Q

from evidence.models import Job, JobItem, Membership, Outbox, User
from evidence.rules.bulk import CLOSED_EQUAL, ENDED, ItemOutcome, JobKind, JobStatus, Mark, can_be_done
from evidence.rules.vocab import Role
from evidence.selectors.paging import Keyset, Page, page

LIST_PAGE = 30
NEWEST = Keyset("jobs", ("-created_at", "-id"))
KINDS = tuple(JobKind)


def visible_job(user: User, job_id: UUID) -> Job | None:
    """One's own; auditors and administrators of everything see all of them, and can do nothing with them."""
    job = Job.objects.filter(pk=job_id, kind__in=KINDS).select_related("owner").first()
    if job is None or (job.owner_id != user.pk and not _sees_all(user)):
        return None
    return job


def _sees_all(user: User) -> bool:
    return Membership.objects.of(user, Role.AUDITOR, Role.ADMINISTRATOR).filter(agent__isnull=True).exists()


def own_jobs(user: User, *, after: str = "") -> Page[Job]:
    return page(Job.objects.filter(owner=user, kind__in=KINDS), NEWEST, after=after, limit=LIST_PAGE)


@dataclass(frozen=True, slots=True)
class Tally:
    """The numbers of a job, counted from its rows just now."""

    all: int = 0
    selected: int = 0
    waiting: int = 0
    frozen: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    # Items that can be taken in and are out, and those that cannot be done here at all.
    out: int = 0
    cannot: int = 0
    plain_out: int = 0
    high_risk_out: int = 0

    @property
    def final(self) -> int:
        return self.selected - self.waiting

    @property
    def done(self) -> int:
        return self.outcomes[ItemOutcome.DONE]

    @property
    def undone(self) -> int:
        """Selected rows that ended otherwise."""
        return self.final - self.done

    @property
    def closed_equal(self) -> int:
        return self.codes[CLOSED_EQUAL]

    @property
    def percent(self) -> int:
        return 100 * self.final // self.selected if self.selected else 0


def tally(job: Job) -> Tally:
    return tallies([job])[job.pk]


def tallies(jobs: Iterable[Job]) -> dict[UUID, Tally]:
    """The numbers of several jobs, from one question."""
    rows: dict[UUID, list[tuple[bool, str, str, int, int]]] = {job.pk: [] for job in jobs}
    groups = JobItem.objects.filter(job__in=list(rows)).values_list("job_id", "selected", "outcome", "code").order_by()
    for pk, *group in groups.annotate(frozen=Count("pk", filter=~Q(plan_digest="")), number=Count("pk")):
        rows[pk].append(tuple(group))
    return {pk: _added_up(found) for pk, found in rows.items()}


def _added_up(rows: Iterable[tuple[bool, str, str, int, int]]) -> Tally:
    numbers: Counter[str] = Counter()
    outcomes: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    for selected, outcome, code, frozen, number in rows:
        numbers["all"] += number
        numbers["frozen"] += frozen
        if selected:
            numbers["selected"] += number
            numbers["waiting"] += 0 if outcome else number
            outcomes[outcome] += number
            codes[code] += number
        else:
            numbers["out" if can_be_done(code) else "cannot"] += number
            numbers["plain_out"] += 0 if code else number
            numbers["high_risk_out"] += number if code == Mark.HIGH_RISK else 0
    return Tally(**numbers, outcomes=outcomes, codes=codes)


def failing(job: Job) -> Outbox | None:
    """The message that keeps the job going, where its last delivery failed: it is tried again, and the page says when."""
    waiting = Outbox.objects.filter(done_at__isnull=True, topic="bulk", subject=str(job.pk))
    return waiting.exclude(last_error="").first()


def is_over(job: Job) -> bool:
    return job.status in ENDED


def is_preview(job: Job) -> bool:
    return job.status in (JobStatus.PREPARING, JobStatus.PREVIEW)


def own_job(user: User, job_id: UUID) -> Job | None:
    return Job.objects.filter(pk=job_id, owner=user).first()
