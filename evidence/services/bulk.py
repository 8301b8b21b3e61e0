"""Bulk decisions: a selection becomes a frozen preview, which its owner may carry out, and nothing else does (S9, S10).

The preview is a job whose rows name ids, versions and plans. Afterwards each row is decided on its own, by `decide`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from evidence.models import HeldRecord, Job, JobItem, Membership, User
from evidence.rules.bulk import (
    ACTIONS,
    CHECKED_AT,
    MOST_ITEMS,
    WORKING,
    ItemOutcome,
    JobKind,
    JobStatus,
)
from evidence.rules.times import to_iso
from evidence.rules.vocab import Action, Door, ReasonCode, Role, VerificationStatus
from evidence.services.bulk_freezing import STRETCH, Frozen, freeze, mark
from evidence.services.bulk_jobs import end, lock_job, lock_own, pending, rows_of, wake
from evidence.services.bulk_selecting import chosen_differently
from evidence.services.errors import Refused
from evidence.services.texts import REASON_MAX, check_text, check_word

# Rejecting and snoozing look at little: their plans are made while the person waits, however many.
FROZEN_AT_ONCE = {Action.APPROVE: STRETCH, Action.REJECT: MOST_ITEMS, Action.SNOOZE: MOST_ITEMS}


def preview_bulk(
    *,
    user: User,
    action: Action | str,
    held_ids: Sequence[UUID | str],
    checked_at: str = "",
    reason_code: str = "",
    reason: str = "",
    until: datetime | None = None,
    seen: Mapping[str, int] | None = None,
    found: Mapping[str, Any] | None = None,
    door: Door = Door.WEB,
) -> Job:
    """Freeze a selection. Raises `Refused`: 422 `empty_selection`, 403 for who reviews nothing, what a choice cannot be.

    `found` says how the ids were found (a search, an origin, whether there were more) and is only shown again. `seen`:
    versions that the caller saw, by id; without it the preview is what the person sees first.
    """
    word = Action(check_word("action", str(action), [one.value for one in ACTIONS]))
    check_choices(checked_at=checked_at, reason_code=reason_code, reason=reason)
    ids = list(dict.fromkeys(str(one) for one in held_ids))
    if not ids:
        raise Refused("empty_selection", "Nothing is selected.", field="pick")
    if len(ids) > MOST_ITEMS:
        raise Refused("too_large", f"More than {MOST_ITEMS:,} items.", field="pick", longest=MOST_ITEMS)
    if not Membership.objects.of(user, Role.REVIEWER).exists():
        raise Refused("not_reviewer", "You review no agent, so there is nothing that you could decide.")
    detail = {
        "action": word.value, "checked_at": checked_at, "reason_code": reason_code, "reason": reason,
        "until": to_iso(until) if until else None, "door": door.value, **(found or {}),
    }  # fmt: skip
    job = Job(kind=JobKind.BULK, created_by=user.get_username(), owner=user, detail=detail)
    if len(ids) <= FROZEN_AT_ONCE[word] and _unverified(ids) <= STRETCH:
        return _store_frozen(job, freeze(ids, user=user, action=word, checked_at=checked_at, seen=seen or {}))
    return _store_to_prepare(job, ids, seen or {})


def _unverified(ids: Sequence[str]) -> int:
    rows = HeldRecord.objects.waiting().filter(pk__in=ids, verification_status=VerificationStatus.PENDING)
    return len(rows.values_list("pk")[: STRETCH + 1])


def _store_frozen(job: Job, frozen: Sequence[Frozen]) -> Job:
    items = [
        JobItem(
            job=job, position=position, subject=one.held_id, version=one.version, plan_digest=one.digest,
            code=one.code, detail=one.detail,
        )
        for position, one in enumerate(frozen)
    ]  # fmt: skip
    mark(items, {one.held_id: one.held for one in frozen if one.held is not None}, job)
    job.status = JobStatus.PREVIEW
    with transaction.atomic():
        job.save(force_insert=True)
        JobItem.objects.bulk_create(items, batch_size=200)
    return job


def _store_to_prepare(job: Job, ids: Sequence[str], seen: Mapping[str, int]) -> Job:
    job.status = JobStatus.PREPARING
    with transaction.atomic():
        job.save(force_insert=True)
        JobItem.objects.bulk_create(
            [
                JobItem(job=job, position=position, subject=key, version=seen.get(key), selected=False)
                for position, key in enumerate(ids)
            ],
            batch_size=200,
        )
        wake(job, "prepare")
    return job


def check_choices(*, checked_at: str = "", reason_code: str = "", reason: str = "") -> None:
    """The choices that are made once for all items."""
    check_word("checked_at", checked_at, sorted(CHECKED_AT))
    if reason_code:
        check_word("reason_code", reason_code, list(ReasonCode))
    check_text("reason", reason, longest=REASON_MAX)


def preview_again(*, job_id: UUID | str, user: User, checked_at: str | None = None) -> Job:
    """A new preview: of a preview's items as they are now, or of what a finished job left undone.

    `checked_at`: another choice for all. What was taken in and out by hand stays so.
    """
    check_choices(checked_at=checked_at or "")
    with transaction.atomic():
        job = lock_own(job_id, user)
        if job.kind != JobKind.BULK or job.status in WORKING:
            raise Refused("in_progress", "It is still being carried out.")
        ids, detail = _left_undone(job), job.detail
        kept = {name: detail[name] for name in _KEPT if name in detail}
        if job.status in (JobStatus.PREPARING, JobStatus.PREVIEW):
            kept["chosen"] = chosen_differently(job) if job.status == JobStatus.PREVIEW else detail.get("chosen", {})
            end(job, JobStatus.CANCELLED)
    return preview_bulk(
        user=user, action=detail["action"], held_ids=ids, reason_code=detail["reason_code"], found=kept,
        checked_at=detail["checked_at"] if checked_at is None else checked_at, reason=detail.get("reason", ""),
    )  # fmt: skip


# How the items were found, shown again.
_KEPT = ("query", "scope", "origin", "more", "stopped_after")


def _left_undone(job: Job) -> list[str]:
    rows = rows_of(job)
    if job.status in (JobStatus.DONE, JobStatus.CANCELLED, JobStatus.FAILED) and job.detail.get("ran"):
        undone = (ItemOutcome.CHANGED, ItemOutcome.REFUSED, ItemOutcome.SKIPPED)
        rows = rows.filter(selected=True, outcome__in=undone)
    return list(rows.values_list("subject", flat=True))


def discard_forgotten(*, before: datetime) -> int:
    """Previews that nobody carried out since then are discarded, with their rows; how many, at most a few hundred at a time."""
    left = Job.objects.filter(
        kind=JobKind.BULK, status__in=(JobStatus.PREPARING, JobStatus.PREVIEW), created_at__lt=before
    )
    gone = 0
    for job_id in list(left.order_by("created_at").values_list("pk", flat=True)[:200]):
        with transaction.atomic():
            job = lock_job(job_id)
            if job.status in (JobStatus.PREPARING, JobStatus.PREVIEW):
                rows_of(job).delete()
                end(job, JobStatus.CANCELLED)
                gone += 1
    return gone


def cancel_job(*, job_id: UUID | str, user: User) -> Job:
    """Discard a preview, or stop a job: what was done stays done, the rest is left alone. A finished job stays as it is."""
    with transaction.atomic():
        job = lock_own(job_id, user)
        if job.status in (JobStatus.PREPARING, JobStatus.PREVIEW):
            end(job, JobStatus.CANCELLED)
        elif job.status in WORKING:
            # A row that a worker holds right now is waited for, and keeps its own outcome.
            pending(job).update(outcome=ItemOutcome.SKIPPED, code="cancelled", detail="Cancelled before its turn.")
            end(job, JobStatus.CANCELLED)
    return job
