"""Deciding near-duplicates at once: one item as ever, those that were ticked after it, all under one bulk id.

The first decision and the list of what follows are one transaction; every other row is decided on its own, by the runner of bulk
jobs: right away where they are few, by a worker where they are many or this process dies. What changed since it was seen, or says
something else by now, is left alone and named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction
from django.utils import timezone

from evidence.models import HeldRecord, Job, JobItem, Outbox, User
from evidence.models.base import new_id
from evidence.rules.bulk import ItemOutcome, JobKind, JobStatus
from evidence.rules.joining import FIRST, SEEN, TOGETHER, Part
from evidence.rules.times import to_iso
from evidence.rules.vocab import Action
from evidence.selectors.bulk import Planner, rows_to_plan
from evidence.selectors.cluster_mates import seals_of
from evidence.selectors.clusters import around
from evidence.services import bulk_undoing
from evidence.services.actors import Actor
from evidence.services.bulk_jobs import TOPIC, rows_of, wake
from evidence.services.bulk_running import carry_on
from evidence.services.cluster_joining import look_of
from evidence.services.clustering import place_quietly
from evidence.services.deciding import Decided, decide, keep_findings
from evidence.services.errors import Refused

log = structlog.get_logger(__name__)

# Decided while the person waits; more are done by a worker, and the page of the job shows how far it is.
AT_ONCE = 20
# If this process dies, a worker takes the rest over after so long.
GRACE = timedelta(seconds=15)


@dataclass(frozen=True, slots=True)
class Shown:
    """A member as the page showed it. `seal` names its open questions and that it waited (`cluster_mates`)."""

    held_id: UUID
    version: int
    seal: str
    part: Part


@dataclass(frozen=True, slots=True)
class _Row:
    """A member that is decided too; with a code it is left alone from the start."""

    held_id: UUID
    version: int
    seal: str
    code: str = ""
    detail: str = ""
    seen: dict[str, Any] | None = None


def decide_together(
    *, held_id: UUID, action: Action | str, actor: Actor, shown: Sequence[Shown], picked: Collection[UUID],
    number: int | None, **choices: Any,
) -> Decided:  # fmt: skip
    """Decide an item and the picked ones of those shown with it. `choices` are those of `decide`, for the first one.

    Raises what `decide` raises for the first one, and then nothing was done; 409 where `number`, the one on the button, is
    not how many would be decided. With nobody picked it is an ordinary decision.
    """
    if action not in TOGETHER:
        raise Refused("invalid_value", "These can be approved, rejected or snoozed together.", field="action")
    taken = taken_of(Action(action), shown, picked)
    if shown and number != 1 + len(taken):
        raise Refused(
            "version_conflict",
            f"What is ticked changed: look at the button again, it says {1 + len(taken)}. Nothing was decided yet.",
        )
    if not taken:
        return decide(held_id=held_id, action=action, actor=actor, **choices)
    try:
        with transaction.atomic():
            job_id = new_id()
            rows = _rows(held_id, actor, shown, taken)
            done = decide(held_id=held_id, action=action, actor=actor, bulk_id=job_id, **choices)
            if done.replay:
                job_id = done.decision.bulk_id or job_id
            else:
                _note_down(job_id, done, rows, actor, action, choices)
    except Refused as refused:
        keep_findings(held_id, refused)
        raise
    if len(taken) < AT_ONCE:
        carry_on_quietly(job_id)
    return done


def taken_of(action: Action, shown: Iterable[Shown], picked: Collection[UUID]) -> list[Shown]:
    """Those that are decided too. An approval closes equal ones in any case, and leaves alone what needs a word of its own."""
    if action != Action.APPROVE:
        return [one for one in shown if one.held_id in picked]
    return [one for one in shown if one.part is Part.CLOSES or (one.part is Part.JOINS and one.held_id in picked)]


def undo_together(*, job_id: UUID, user: User) -> Job:
    """Take all of it back, the last one first; what was decided since stays as it is and is named by the job's rows."""
    with transaction.atomic():
        undo = bulk_undoing.undo_bulk(job_id=job_id, user=user)
        few = rows_of(undo).count() < AT_ONCE
        if few:
            _let_workers_wait(undo)
    if few:
        carry_on_quietly(undo.pk)
    for held_id in JobItem.objects.filter(job=job_id).values_list("subject", flat=True)[:AT_ONCE]:
        place_quietly(held_id=held_id)
    return undo


def carry_on_quietly(job_id: UUID) -> None:
    """The rest, here and now. The first decision stands whatever happens here: a worker takes over what is left."""
    if not Job.objects.filter(pk=job_id).exists():
        return  # the same request was an ordinary decision before
    try:
        carry_on(job_id)
    except Exception:
        log.exception("cluster_not_finished", job=str(job_id))


def _rows(held_id: UUID, actor: Actor, shown: Sequence[Shown], taken: Sequence[Shown]) -> list[_Row]:
    """Each member as it is now, before anything is decided: whether it is what the page showed, and still belongs here."""
    assert actor.user is not None
    first = HeldRecord.objects.filter(pk=held_id).first()
    seen = HeldRecord.objects.visible_to(actor.user).filter(pk__in=[one.held_id for one in shown])
    held = {key: row for key, row in rows_to_plan(list(seen.values_list("pk", flat=True))).items() if row.is_waiting}
    near = around(first, held.values()) if first is not None else {}
    rejecting = Planner(actor.user, Action.REJECT, timezone.now())
    seals = seals_of([held[key] for one in taken if (key := str(one.held_id)) in held], rejecting)
    return [_row(one, held.get(str(one.held_id)), near, seals) for one in taken]


def _row(one: Shown, held: HeldRecord | None, near: Collection[str], seals: dict[str, str]) -> _Row:
    plain = (one.held_id, one.version, one.seal)
    if held is None:
        return _Row(*plain, "already_decided", "It waits no more.")
    if held.version != one.version or seals[str(held.pk)] != one.seal:
        return _Row(*plain, "version_conflict", "It was changed since you saw it.")
    if one.part is not Part.CLOSES and str(held.pk) not in near:
        return _Row(*plain, "version_conflict", "It does not say nearly the same any more.")
    return _Row(*plain, seen=look_of(held))


def _note_down(
    job_id: UUID, done: Decided, rows: Sequence[_Row], actor: Actor, action: Action | str, choices: dict[str, Any]
) -> None:
    """The job of this decision: the first row is done, the others are to be, or were left alone."""
    assert actor.user is not None
    until: datetime | None = choices.get("until")
    detail = {
        "action": str(action), "checked_at": choices.get("checked_at", ""), "reason": choices.get("reason", ""),
        "reason_code": choices.get("reason_code", ""), "until": to_iso(until) if until else None, "ran": True,
        "door": actor.door.value, FIRST: done.decision.target_id,
        SEEN: {str(row.held_id): row.seen for row in rows if row.seen is not None},
    }  # fmt: skip
    job = Job.objects.create(
        pk=job_id, kind=JobKind.BULK, status=JobStatus.WAITING, created_by=actor.user.get_username(), owner=actor.user,
        detail=detail,
    )  # fmt: skip
    first = JobItem(
        job=job, position=0, subject=done.decision.target_id, version=done.decision.target_version,
        plan_digest=choices.get("plan_digest") or "", outcome=ItemOutcome.DONE, code=str(done.decision.action),
        result_id=str(done.decision.pk),
    )  # fmt: skip
    half = done.approvals is not None
    JobItem.objects.bulk_create(
        [first, *(_item(job, place, row, half=half) for place, row in enumerate(rows, start=1))]
    )
    wake(job, "run")
    if len(rows) < AT_ONCE:
        _let_workers_wait(job)


def _item(job: Job, place: int, row: _Row, *, half: bool) -> JobItem:
    item = JobItem(
        job=job, position=place, subject=str(row.held_id), version=row.version,
        plan_digest=row.seal if job.detail["action"] == Action.REJECT else "", code=row.code, detail=row.detail,
        outcome=ItemOutcome.CHANGED if row.code else "",
    )  # fmt: skip
    if half and not row.code:
        item.outcome, item.code = ItemOutcome.SKIPPED, "first_approval"
        item.detail = "Only the first of two approvals was given: there is nothing to add to yet."
    return item


def _let_workers_wait(job: Job) -> None:
    """The message stays for the case that this process dies; until then it would only get in the way."""
    Outbox.objects.filter(topic=TOPIC, subject=str(job.pk)).update(available_at=timezone.now() + GRACE)
