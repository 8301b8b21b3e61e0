"""Runs for people: the list, one run with its work, events, artifacts and what it knew, and the runs that used a record.

A page costs the same however long a run is: a page of events, a bounded number of work items and of records. Reads only.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import Sum

from evidence.models import (
    Evidence,
    MemoryUtility,
    Run,
    RunArtifact,
    RunEvent,
    RunMemoryLink,
    RunOutcome,
    RunState,
    RunWorkItem,
    User,
)
from evidence.models.runs import RunQuerySet
from evidence.models.visibility import agents_of
from evidence.rules.labels import label_of_window
from evidence.rules.run_vocab import MemoryRelation, RunOutcomeWord, RunStatus
from evidence.rules.vocab import Review, State
from evidence.selectors.filters import AddressFilter
from evidence.selectors.paging import Keyset, Page, read_cursor, write_cursor
from evidence.selectors.planning import window_of
from evidence.selectors.run_answers import artifacts_of, events_after, links_of, state_of, work_items_of
from evidence.services.run_states import drift_of

PAGE_SIZE = 50
SCAN_LIMIT = 20_000
EVENTS_SHOWN = 100
ITEMS_SHOWN = 200
MEMORY_SHOWN = 100
RUNS_SHOWN = 8
TEXT_SHOWN = 2_000
NEWEST = Keyset("runs", ("-at", "-id"))


@dataclass(frozen=True, slots=True)
class RunFilter(AddressFilter):
    """What the list of runs shows."""

    WORDS: ClassVar[Mapping[str, frozenset[str]]] = {
        "status": frozenset(RunStatus),
        "outcome": frozenset(RunOutcomeWord),
    }

    q: str = ""
    agent: str = ""
    ns: str = ""
    status: str = ""
    outcome: str = ""


def listing(user: User, wanted: RunFilter, *, after: str = "", limit: int = PAGE_SIZE) -> Page[Run]:
    """One page, newest first. Filters without an index of their own look at a bounded stretch and say so."""
    base = Run.objects.visible_to(user)
    base = base.filter(agent=wanted.agent) if wanted.agent else base
    ordered = NEWEST.order(base)
    stretch = NEWEST.after(ordered, read_cursor(NEWEST, after)) if after else ordered
    rows = stretch.select_related("state", "state__outcome")
    narrows = any((wanted.q, wanted.ns, wanted.status, wanted.outcome))
    if narrows:
        rows = _narrowed(Run.objects.filter(pk__in=stretch.values("pk")[:SCAN_LIMIT]), wanted)
        rows = NEWEST.order(rows.select_related("state", "state__outcome"))
    found = list(rows[: limit + 1])
    if len(found) > limit:
        return Page(found[:limit], write_cursor(NEWEST, NEWEST.position(found[limit - 1])))
    last = list(stretch[SCAN_LIMIT - 1 : SCAN_LIMIT]) if narrows else []
    cursor = write_cursor(NEWEST, NEWEST.position(last[0])) if last else ""
    return Page(found, cursor, SCAN_LIMIT if last else None)


def _narrowed(rows: RunQuerySet, wanted: RunFilter) -> RunQuerySet:
    exact = {"namespace": wanted.ns, "state__status": wanted.status, "state__outcome__outcome": wanted.outcome}
    rows = rows.filter(**{column: word for column, word in exact.items() if word})
    for word in wanted.words:
        rows = rows.filter(goal__icontains=word) | rows.filter(workspace_key__icontains=word)
    return rows


# -- one run --


@dataclass(frozen=True, slots=True)
class ItemRow:
    """A work item in its place of the tree, and its stretch of the run's time in percent (texts, for attributes)."""

    item: RunWorkItem
    status: str
    ended_at: datetime | None
    depth: int
    x: str
    width: str


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """What a run did with a record, the label of then, and how the record stands now. `row` none: not for this person."""

    link: RunMemoryLink
    row: Evidence | None
    label: str
    gone: str

    @property
    def turned(self) -> bool:
        return bool(self.label) and self.link.label != self.label


@dataclass(frozen=True, slots=True)
class EventRow:
    """`part`: the work item, where it is not the whole. `more`: payload and evidence as text."""

    event: RunEvent
    part: RunWorkItem | None
    artifact: RunArtifact | None
    memory: list[MemoryRow]
    more: str
    cut: bool


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    outcome: RunOutcome
    is_head: bool
    more: str


@dataclass(frozen=True, slots=True)
class RunView:
    run: Run
    state: RunState
    outcomes: list[OutcomeRow]
    items: list[ItemRow]
    more_items: bool
    events: list[EventRow]
    next: int | None
    memory: list[MemoryRow]
    more_memory: bool
    is_drifted: bool

    @property
    def head(self) -> OutcomeRow | None:
        return self.outcomes[0] if self.outcomes else None

    @property
    def gone(self) -> list[MemoryRow]:
        """What it rested on and does not stand any more."""
        return [one for one in self.memory if one.gone and one.link.relation != MemoryRelation.REJECTED]


def find_run(user: User, run_id: UUID) -> Run | None:
    return Run.objects.visible_to(user).filter(pk=run_id).first()


def run_view(run: Run, user: User, now: datetime, *, since: int = 0) -> RunView:
    state = state_of(run)
    items, more_items = work_items_of(run, ITEMS_SHOWN)
    events, more = events_after(run, since, EVENTS_SHOWN)
    used = list(RunMemoryLink.objects.filter(run=run).select_related("feedback").order_by("pk")[: MEMORY_SHOWN + 1])
    line = RunOutcome.objects.line(run.pk)
    memory = _memory(run, used[:MEMORY_SHOWN], user, now)
    return RunView(
        run=run,
        state=state,
        outcomes=[OutcomeRow(one, one is line[-1], _written(one.evidence, one.metrics)[0]) for one in reversed(line)],
        items=_tree(run, state, items),
        more_items=more_items,
        events=_events(run, events, user, now),
        next=events[-1].sequence if more else None,
        memory=memory,
        more_memory=len(used) > MEMORY_SHOWN,
        is_drifted=bool(drift_of(run.pk)),
    )


def _events(run: Run, events: list[RunEvent], user: User, now: datetime) -> list[EventRow]:
    artifacts = {one.event_id: one for one in artifacts_of(events)}
    parts = RunWorkItem.objects.filter(parent__isnull=False).in_bulk({event.work_item_id for event in events})
    links = links_of(events)
    flat = [link for event in events for link in links.get(event.pk, ())]
    memory: dict[UUID, list[MemoryRow]] = {}
    for one in _memory(run, flat, user, now):
        memory.setdefault(one.link.event_id, []).append(one)
    rows = []
    for event in events:
        artifact = artifacts.get(event.pk)
        more, cut = _written(event.payload if artifact is None else {}, event.evidence)
        rows.append(EventRow(event, parts.get(event.work_item_id), artifact, memory.get(event.pk, []), more, cut))
    return rows


def _written(*values: Any) -> tuple[str, bool]:
    """What is in it as text, bounded; whether something was left out."""
    text = "\n".join(json.dumps(value, ensure_ascii=False, indent=2) for value in values if value)
    return text[:TEXT_SHOWN], len(text) > TEXT_SHOWN


def _memory(run: Run, links: Sequence[RunMemoryLink], user: User, now: datetime) -> list[MemoryRow]:
    rows = Evidence.objects.in_namespace(run.namespace).visible_to(user)
    by_id = {row.record_id: row for row in rows.filter(record_id__in={link.record_id for link in links})}
    found = []
    for link in links:
        row = by_id.get(link.record_id)
        found.append(MemoryRow(link, row, label_of_window(window_of(row), now) if row else "", gone_of(row)))
    return found


def gone_of(row: Evidence | None) -> str:
    """Why a record does not stand any more; empty where it does, or where that is not to be known."""
    if row is None:
        return ""
    if row.review == Review.REJECTED:
        return str(Review.REJECTED)
    return row.state if row.state != State.ACTIVE else ""


def used_something_gone(run: Run) -> bool:
    """Whether something that the run rested on does not stand any more."""
    links = RunMemoryLink.objects.filter(run=run).exclude(relation=MemoryRelation.REJECTED)
    used = links.order_by("pk").values_list("record_id", flat=True)[:MEMORY_SHOWN]
    rows = Evidence.objects.in_namespace(run.namespace).filter(record_id__in=set(used))
    return any(gone_of(row) for row in rows)


def _tree(run: Run, state: RunState, items: list[RunWorkItem]) -> list[ItemRow]:
    """Parents before their parts, in the order of their declaration."""
    below: dict[UUID | None, list[RunWorkItem]] = {}
    for item in items:
        below.setdefault(item.parent_id, []).append(item)
    end = max(state.ended_at or state.last_at, run.at)
    rows: list[ItemRow] = []
    waiting = [(item, 0) for item in reversed(below.get(None, []))]
    while waiting:
        item, depth = waiting.pop()
        kept = getattr(item, "state", None)
        ended = kept.ended_at if kept else None
        x, width = _stretch(run.at, end, item.at, ended or end)
        rows.append(ItemRow(item, kept.status if kept else "active", ended, min(depth, 6), x, width))
        waiting.extend((child, depth + 1) for child in reversed(below.get(item.pk, [])))
    return rows


def _stretch(start: datetime, end: datetime, begun: datetime, over: datetime) -> tuple[str, str]:
    whole = max((end - start) / timedelta(seconds=1), 0.001)
    x = min(max((begun - start) / timedelta(seconds=1) / whole * 100, 0), 99)
    width = min(max((over - begun) / timedelta(seconds=1) / whole * 100, 1), 100 - x)
    return f"{x:.2f}", f"{width:.2f}"


# -- from a record, from an agent --


@dataclass(frozen=True, slots=True)
class UsedBy:
    """A run and what it did with a record, in the order of doing."""

    run: Run
    relations: tuple[str, ...]
    review_required: bool


@dataclass(frozen=True, slots=True)
class Uses:
    """Runs that used a record, newest first, and what became of it there, counted; nothing is ranked by that."""

    runs: list[UsedBy]
    more: bool
    supporting: int
    contradicting: int


def uses_of(row: Evidence, user: User) -> Uses:
    seen = agents_of(user)
    links = RunMemoryLink.objects.about(row.namespace, row.record_id)
    links = links if seen is None else links.filter(run__agent__in=seen)
    newest = links.select_related("run", "run__state", "run__state__outcome").order_by("-at")[:PAGE_SIZE]
    by_run: dict[UUID, list[RunMemoryLink]] = {}
    for link in newest:
        by_run.setdefault(link.run_id, []).append(link)
    runs = [_used_by(found) for found in by_run.values()]
    counted = MemoryUtility.objects.filter(namespace=row.namespace, record_id=row.record_id)
    numbers = counted.aggregate(Sum("supporting"), Sum("contradicting")) if runs else {}
    return Uses(
        runs[:RUNS_SHOWN], len(runs) > RUNS_SHOWN, numbers.get("supporting__sum") or 0,
        numbers.get("contradicting__sum") or 0,
    )  # fmt: skip


def _used_by(links: Iterable[RunMemoryLink]) -> UsedBy:
    found = sorted(links, key=lambda link: link.pk)
    words = tuple(dict.fromkeys(link.relation for link in found))
    return UsedBy(found[0].run, words, any(link.review_required for link in found))


def runs_of_agent(user: User, agent_id: str, limit: int = RUNS_SHOWN) -> list[Run]:
    rows = Run.objects.visible_to(user).filter(agent=agent_id)
    return list(NEWEST.order(rows.select_related("state", "state__outcome"))[:limit])
