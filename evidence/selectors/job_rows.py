"""The rows of a bulk job as pages show them: its preview, what became of each item, which recalls showed it. Reads only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from evidence.models import Decision, DecisionTouch, Evidence, HeldRecord, Job, JobItem, RecallItem, User
from evidence.models.visibility import agents_of
from evidence.rules.bulk import ItemOutcome, JobKind, Mark, can_be_done
from evidence.rules.permissions import Verdict
from evidence.rules.planning import Effect, LabelPreview, Plan
from evidence.rules.vocab import Action
from evidence.selectors.bulk import Planner, rows_to_plan
from evidence.selectors.paging import Capped

PREVIEW_PAGE = 25
RESULT_PAGE = 50
RECALLS_LISTED = 20
IN, OUT, CANNOT = "in", "out", "cannot"


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """One item as it stands now. `moved`: it is not what was frozen any more, so that it would not be done."""

    item: JobItem
    held: HeldRecord | None
    effects: tuple[Effect, ...] = ()
    takeable: bool = False
    moved: bool = False
    solo: bool = False
    # The label that an approval gives under the date that was chosen for all (contract 10: never stale by surprise).
    label: LabelPreview | None = None

    @property
    def number(self) -> int:
        return self.item.position + 1


@dataclass(frozen=True, slots=True)
class Rows:
    """A page of a job's rows; `after` is the position behind which the next one starts, none on the last page."""

    rows: Sequence[Any]
    after: int | None = None


def _window(rows: QuerySet[JobItem], after: int | None, limit: int) -> tuple[list[JobItem], int | None]:
    ordered = rows.order_by("position")
    if after is not None:
        ordered = ordered.filter(position__gt=after)
    found = list(ordered[: limit + 1])
    return found[:limit], found[limit - 1].position if len(found) > limit else None


def preview_rows(job: Job, user: User, now: datetime, *, show: str = "", after: int | None = None) -> Rows:
    """A page of the preview: what each item says, and what the decision would do to it as things are now."""
    items, more = _window(_shown(job, show), after, PREVIEW_PAGE)
    held = _seen(items, user)
    planner = Planner(job.owner or user, Action(job.detail["action"]), now)
    looked = planner.look(one for one in held.values() if one.is_waiting)
    date = "now" if job.detail["checked_at"] == "now" else "source"
    return Rows([_preview_row(item, held.get(item.subject), looked.get(item.subject), date) for item in items], more)


def _shown(job: Job, show: str) -> QuerySet[JobItem]:
    rows = JobItem.objects.filter(job=job)
    takeable = Q(code__in=["", *Mark])
    narrowed = {IN: Q(selected=True), OUT: Q(selected=False) & takeable, CANNOT: ~takeable}.get(show)
    return rows.filter(narrowed) if narrowed is not None else rows


def _seen(items: Iterable[JobItem], user: User) -> dict[str, HeldRecord]:
    """The items that this person may still see, with what a row shows of them."""
    ids = [item.subject for item in items]
    seen = {str(pk) for pk in HeldRecord.objects.visible_to(user).filter(pk__in=ids).values_list("pk", flat=True)}
    return {key: row for key, row in rows_to_plan(ids).items() if key in seen}


def _preview_row(item: JobItem, held: HeldRecord | None, looked: tuple[Plan, Verdict] | None, date: str) -> PreviewRow:
    takeable = can_be_done(item.code)
    if held is None or looked is None:
        return PreviewRow(item, held, takeable=takeable, moved=takeable)
    made, verdict = looked
    moved = held.version != item.version or made.digest != item.plan_digest
    if not takeable:
        return PreviewRow(item, held, moved=moved)
    return PreviewRow(item, held, made.effects, takeable, moved, verdict.solo, made.labels.get(date))


@dataclass(frozen=True, slots=True)
class ResultRow:
    """What became of one item. `other`: the decision that was first, or that stands against taking this one back."""

    item: JobItem
    held: HeldRecord | None
    other: Decision | None = None

    @property
    def number(self) -> int:
        return self.item.position + 1


def result_rows(job: Job, user: User, *, show: str = "", after: int | None = None) -> Rows:
    """Rows that were selected, by outcome."""
    rows = JobItem.objects.filter(job=job, selected=True)
    if show:
        rows = rows.filter(outcome=show)
    return _results(job, user, *_window(rows, after, RESULT_PAGE))


def troubles(job: Job, user: User) -> Rows:
    """What was not done although it was selected: the first page of it."""
    rows = JobItem.objects.filter(job=job, selected=True).exclude(outcome__in=["", ItemOutcome.DONE])
    return _results(job, user, *_window(rows, None, RESULT_PAGE))


def _results(job: Job, user: User, items: list[JobItem], more: int | None) -> Rows:
    held = _seen(items, user)
    ids = [item.result_id for item in items if item.result_id and item.outcome == ItemOutcome.CHANGED]
    others = {str(one.pk): one for one in Decision.objects.visible_to(user).filter(pk__in=ids)}
    return Rows([ResultRow(item, held.get(item.subject), others.get(item.result_id)) for item in items], more)


def handled_ids(job: Job) -> list[str]:
    """Items that the job is through with: a list need not keep them selected."""
    return list(JobItem.objects.filter(job=job, outcome=ItemOutcome.DONE).values_list("subject", flat=True))


@dataclass(frozen=True, slots=True)
class Shown:
    """Recalls that showed what a bulk made or changed, between its decisions and its being taken back."""

    number: Capped
    newest: Sequence[RecallItem] = ()


def recalls_that_showed(job: Job, user: User, now: datetime) -> Shown:
    """For a bulk, or for the job that took one back. Only recalls of agents that the person may see are listed."""
    of = job.detail.get("of") if job.kind == JobKind.UNDO else str(job.pk)
    made = Decision.objects.filter(bulk_id=of).visible_to(user)
    first = made.order_by("at").values_list("at", flat=True).first()
    if first is None:
        return Shown(Capped(0))
    touched = DecisionTouch.objects.filter(decision__in=made, target_kind="record").values("target_id")
    records = list(
        Evidence.objects.filter(pk__in=[one["target_id"] for one in touched]).values_list("namespace", "record_id")
    )
    until = job.finished_at if job.kind == JobKind.UNDO and job.finished_at else now
    rows = RecallItem.objects.filter(record_id__in={record for _, record in records}, at__gte=first, at__lte=until)
    rows = rows.filter(namespace__in={namespace for namespace, _ in records})
    seen = agents_of(user)
    rows = rows if seen is None else rows.filter(recall__agent__in=seen)
    recalls = list(rows.order_by("-at").select_related("recall")[:1_001])
    distinct = {row.recall_id: row for row in reversed(recalls)}
    return Shown(Capped(len(distinct)), list(reversed(distinct.values()))[:RECALLS_LISTED])


def all_rows(job: Job, *, after: int | None = None, limit: int = RESULT_PAGE) -> Rows:
    """Every row of the job in its order, as it is stored."""
    return Rows(*_window(JobItem.objects.filter(job=job), after, limit))
