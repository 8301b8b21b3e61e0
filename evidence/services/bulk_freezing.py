"""Freezing what a bulk would do: version, plan and obstacle of every item, before anything is shown or done (scenario S10).

A few items are frozen while the person waits; more by a worker, in stretches. Nothing is written here but the job's own rows
and what verifying finds out: an item that was never verified has no plan worth freezing.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from evidence.models import HeldRecord, Job, JobItem, User
from evidence.rules.bulk import ItemOutcome, JobStatus, Mark, marks_of, obstacle
from evidence.rules.vocab import Action, VerificationStatus
from evidence.selectors.bulk import Planner, members_of, rows_to_plan
from evidence.services.bulk_jobs import DETAIL_MAX, end, lock_job, pending, rows_of, wake
from evidence.services.errors import Refused
from evidence.services.verification import verify_held

STRETCH = 25
STRETCH_SECONDS = 4.0
# Stands for the plan of an item that is not there (any more): prepared, and nothing to compare with.
NO_PLAN = "-"
# A job's detail: nobody looks at its preview, it is carried out once it is frozen.
AT_ONCE = "at_once"

_WORDS: dict[Mark, str] = {
    Mark.EQUAL: "Says the same as item {other} here, and closes with it, credited.",
    Mark.RIVAL: "Item {other} here says something else about the same thing: only one of them can go through.",
    Mark.HIGH_RISK: "High risk is never chosen by default.",
}


@dataclass(frozen=True, slots=True)
class Frozen:
    """One item as the preview keeps it. `code`: why it cannot be done in bulk; empty when it can."""

    held_id: str
    version: int | None
    digest: str
    code: str = ""
    detail: str = ""
    held: HeldRecord | None = None


def freeze(ids: Sequence[str], *, user: User, action: Action, checked_at: str, seen: Mapping[str, int]) -> list[Frozen]:
    """The items as they are now, in order. `seen`: versions that a caller says it saw; another one is an obstacle."""
    _verify_pending(ids)
    rows = rows_to_plan(ids)
    looked = Planner(user, action, timezone.now()).look(rows.values())
    found: list[Frozen] = []
    for key in ids:
        held = rows.get(key)
        if held is None:
            found.append(Frozen(key, None, NO_PLAN, ItemOutcome.GONE, "It is not there any more."))
            continue
        made, verdict = looked[key]
        why = obstacle(made, verdict, checked_at=checked_at)
        code, detail = (why.code, why.detail) if why else ("", "")
        if seen.get(key, held.version) != held.version:
            code, detail = "version_conflict", "It was changed since you saw it."
        found.append(Frozen(key, seen.get(key, held.version), made.digest, code, detail[:DETAIL_MAX], held))
    return found


def _verify_pending(ids: Sequence[str]) -> None:
    rows = HeldRecord.objects.waiting().filter(pk__in=ids, verification_status=VerificationStatus.PENDING)
    for pk in rows.order_by("pk").values_list("pk", flat=True):
        try:
            verify_held(held_id=pk)
        except Refused:
            continue  # it went meanwhile: the plan says so


def prepare_stretch(job_id: UUID | str) -> bool:
    """A worker's part of the preview; True while there is more. Two at once agree: the first to freeze an item wins."""
    job = Job.objects.select_related("owner").get(pk=job_id)
    if job.owner is None:
        with transaction.atomic():
            end(lock_job(job_id), JobStatus.FAILED)
        return False
    until = time.monotonic() + STRETCH_SECONDS
    while time.monotonic() < until:
        if not _prepare_some(job, job.owner):
            return _show(job_id)
    return True


def _prepare_some(job: Job, user: User) -> bool:
    rows = list(rows_of(job).filter(plan_digest="")[:STRETCH])
    if not rows:
        return False
    seen = {row.subject: row.version for row in rows if row.version is not None}
    asked = job.detail
    made = freeze(
        [row.subject for row in rows],
        user=user,
        action=Action(asked["action"]),
        checked_at=asked["checked_at"],
        seen=seen,
    )
    frozen = {one.held_id: one for one in made}
    with transaction.atomic():
        if lock_job(job.pk).status != JobStatus.PREPARING:
            return False
        for row in rows:
            one = frozen[row.subject]
            JobItem.objects.filter(pk=row.pk, plan_digest="").update(
                version=one.version, plan_digest=one.digest, code=one.code, detail=one.detail
            )
    return True


def _show(job_id: UUID | str) -> bool:
    """All items are frozen: say which are left out at first. From here on nothing of it changes but what is chosen."""
    with transaction.atomic():
        job = lock_job(job_id)
        if job.status != JobStatus.PREPARING:
            return False
        items = list(rows_of(job))
        if any(not item.plan_digest for item in items):
            return True
        mark(items, rows_to_plan([item.subject for item in items]), job)
        JobItem.objects.bulk_update(items, ["selected", "code", "detail"], batch_size=200)
        job.status = JobStatus.PREVIEW
        job.save(update_fields=["status"])
        if job.detail.get(AT_ONCE):
            start_frozen(job)
    return False


def start_frozen(job: Job) -> None:
    """Carry out a preview that nobody has to look at, in the caller's transaction. Precondition: locked, frozen."""
    job.detail = job.detail | {"ran": True}
    if pending(job).exists():
        job.status = JobStatus.WAITING
        job.save(update_fields=["status", "detail"])
        wake(job, "run")
    else:
        end(job, JobStatus.DONE)


def mark(items: Sequence[JobItem], held: Mapping[str, HeldRecord], job: Job) -> None:
    """Choose what is in at first: all that can be done, but high risk, repeats, and claims that exclude each other.

    What the person chose differently in the preview that this one takes the place of stays so.
    """
    doable = [item for item in items if not item.code and item.subject in held]
    members = members_of([(item.position, held[item.subject]) for item in doable], Action(job.detail["action"]))
    marks = marks_of(members)
    for item in items:
        item.selected = False
    for item in doable:
        found = marks.get(item.position)
        item.selected = found is None
        if found is not None:
            item.code, item.detail = found[0].value, _WORDS[found[0]].format(other=found[1] + 1)
        item.selected = job.detail.get("chosen", {}).get(item.subject, item.selected)
