"""Importing: the items of a reader, stored in chunks, each chunk one transaction with its own audit row.

An item that was stored from the same entry before is left alone, so a run can be repeated, and resumed after a kill, without
changing anything twice. A source that cannot be read as a whole stores nothing. A dry run does the same work and takes it back.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from django.db import connection, transaction

from evidence.exchange.files import shown
from evidence.exchange.items import AnyItem, Note, Place, Problem, Read
from evidence.exchange.registry import FORMATS
from evidence.models import Job
from evidence.models.inserting import many_inserts
from evidence.rules.vocab import AuditAction
from evidence.services import audit
from evidence.services.actors import Actor
from evidence.services.errors import Refused
from evidence.services.import_arrival import Arrival
from evidence.services.import_bulk import store_plain
from evidence.services.import_items import look_up, prepare, store_item
from evidence.services.import_report import (
    Line,
    Report,
    finish_job,
    refused_line,
    shown_place,
    start_job,
    store_lines,
    stored_report,
)
from evidence.services.import_waiting import Readied, ready, store_waiting
from evidence.services.rehearsal import on_a_copy

CHUNK = 500
FIRST_CHUNK = 50
# A chunk holds the claim keys it meets, and on SQLite the one writer: agents and reviewers wait that long.
HOLD_SECONDS = 0.25

DEFAULT_NAMESPACE = "default"
# What a report says where each entry went to the namespace that it names.
OWN_NAMESPACES = "their own namespaces"

OnLine = Callable[[Line], None]
OnChunk = Callable[[int], None]


class _TakeBack(Exception):
    """Ends the transaction of a dry run."""


def run_import(
    *,
    format_name: str,
    path: Path,
    namespace: str = "",
    dry_run: bool = False,
    actor: Actor | None = None,
    on_line: OnLine | None = None,
    source: str = "",
    job: Job | None = None,
    on_chunk: OnChunk | None = None,
) -> Report:
    """Import what lies at `path`, into `namespace`; without one, each entry goes where it says it belongs, else to `default`.

    Raises `CorruptSource` (nothing is stored then) and `Refused` for an unknown format.
    `on_line` gets every line of the report as it is known; the report itself holds counts only, whatever the size.
    """
    known = FORMATS.get(format_name)
    if known is None:
        raise Refused("invalid_value", f"The format has to be one of: {', '.join(FORMATS)}.", field="format")
    items = known.read(path)
    if known.own_namespaces and namespace:
        items = _moved(items, namespace)
    name = source or shown_place(Place(shown(path.resolve().name)))
    return store_items(
        items=items,
        format_name=known.name,
        source=name,
        namespace=namespace or DEFAULT_NAMESPACE,
        dry_run=dry_run,
        actor=actor,
        on_line=on_line,
        spread=known.own_namespaces and not namespace,
        job=job,
        on_chunk=on_chunk,
    )


def _moved(items: Iterator[Read], namespace: str) -> Iterator[Read]:
    """Entries whose operator says whose claims they are; where that is not what they say themselves, the report says so."""
    for item in items:
        if isinstance(item, Problem) or item.namespace in ("", namespace):
            yield item
        else:
            note = Note("namespace_renamed", "it belongs to another namespace there")
            yield replace(
                item, namespace=namespace, notes=(*item.notes, note), extra={**item.extra, "namespace": item.namespace}
            )


def store_items(
    *,
    items: Iterable[Read],
    format_name: str,
    source: str,
    namespace: str,
    dry_run: bool = False,
    actor: Actor | None = None,
    on_line: OnLine | None = None,
    spread: bool = False,
    job: Job | None = None,
    on_chunk: OnChunk | None = None,
) -> Report:
    """Store what a reader gives. `source` names it in the report; `actor` defaults to the import itself.

    `job`: one that its caller began and will end; as many entries as it has lines are passed over, since a killed worker stored
    them. `on_chunk` is told after each transaction how many entries are through.

    `spread`: entries go to the namespaces that they name, and only those that name none to `namespace`.
    """
    report = Report(format_name, source, OWN_NAMESPACES if spread else namespace, dry_run)
    arrivals = _Arrivals(format_name, namespace, actor or Actor.importer(format_name), spread)
    if dry_run:
        with on_a_copy(), many_inserts(), suppress(_TakeBack), transaction.atomic():
            for chunk in _chunks(items, _Pace(), arrivals):
                arrival = arrivals.of(chunk)
                _tell(report, _store_chunk(arrival, chunk, None, _ready(arrival, chunk)), on_line)
                if on_chunk is not None:
                    on_chunk(report.read)
            raise _TakeBack
        return report
    if job is not None:
        items = islice(items, stored_report(job, report), None)
        _store_all(items, arrivals, job, report, on_line, on_chunk)
        return report
    job = start_job(report, created_by=arrivals.actor.name)
    try:
        _store_all(items, arrivals, job, report, on_line, on_chunk)
    except BaseException as error:
        finish_job(job, report, status="failed", error=type(error).__name__)
        raise
    finish_job(job, report)
    return report


def _store_all(
    items: Iterable[Read], arrivals: _Arrivals, job: Job, report: Report, on_line: OnLine | None, on_chunk: OnChunk | None
) -> None:  # fmt: skip
    pace = _Pace()
    with many_inserts():
        for chunk in _chunks(items, pace, arrivals):
            arrival = arrivals.of(chunk)
            readied = _ready(arrival, chunk)
            with pace.measured(len(chunk)):
                lines = _store_chunk(arrival, chunk, job, readied, report.read)
            _tell(report, lines, on_line)
            if on_chunk is not None:
                on_chunk(report.read)


class _Pace:
    """How many entries the next transaction takes: as many as the ones before did in the time that others may have to wait."""

    def __init__(self) -> None:
        self.size = min(FIRST_CHUNK, CHUNK)
        self.took = self.ended = 0.0

    @contextmanager
    def measured(self, entries: int) -> Iterator[None]:
        self._let_others_in()
        began = time.monotonic()
        yield
        self.ended = time.monotonic()
        self.took = self.ended - began
        self.size = max(1, min(CHUNK, self.size * 4, int(entries * HOLD_SECONDS / max(self.took, 0.001))))

    def _let_others_in(self) -> None:
        """Whoever waits for SQLite's writer looks for it every 0.1 seconds; taken up again at once, it is never free.

        What was read and made of the next entries meanwhile counts as time in which it was.
        """
        if connection.vendor == "sqlite" and self.took:
            time.sleep(max(0.0, min(0.12, self.took / 2) - (time.monotonic() - self.ended)))


@dataclass(slots=True)
class _Arrivals:
    """One arrival for each namespace that this run meets: claims, locks and the audit chain are a namespace's own."""

    system: str
    namespace: str
    actor: Actor
    spread: bool
    met: dict[str, Arrival] = field(default_factory=dict)

    def namespace_of(self, entry: Read) -> str | None:
        """Where an entry goes; none where that is all the same, as for a problem."""
        if isinstance(entry, Problem):
            return None
        return (entry.namespace if self.spread else "") or self.namespace

    def of(self, chunk: list[Read]) -> Arrival:
        """The arrival of a chunk, all of whose entries go to one namespace."""
        name = next((found for entry in chunk if (found := self.namespace_of(entry))), self.namespace)
        if name not in self.met:
            self.met[name] = Arrival(system=self.system, namespace=name, actor=self.actor)
        return self.met[name]


def _chunks(items: Iterable[Read], pace: _Pace, arrivals: _Arrivals) -> Iterator[list[Read]]:
    """Entries in order, as many as the pace allows and of one namespace."""
    chunk: list[Read] = []
    current: str | None = None
    for entry in items:
        name = arrivals.namespace_of(entry)
        if chunk and (len(chunk) >= pace.size or (name and current and name != current)):
            yield chunk
            chunk, current = [], None
        chunk.append(entry)
        current = current or name
    if chunk:
        yield chunk


def _tell(report: Report, lines: list[Line], on_line: OnLine | None) -> None:
    for line in lines:
        report.add(line)
        if on_line is not None:
            on_line(line)


def _ready(arrival: Arrival, chunk: list[Read]) -> Readied:
    """What can be made of a chunk before anybody has to wait for it."""
    items = _items_of(chunk)
    look_up(arrival, items)
    return ready(arrival, items)


def _items_of(chunk: list[Read]) -> list[AnyItem]:
    return [entry for entry in chunk if not isinstance(entry, Problem)]


def _store_chunk(
    arrival: Arrival, chunk: list[Read], job: Job | None, readied: Readied, position: int = 0
) -> list[Line]:
    """One transaction: the items, the report's lines, and an audit row if anything changed."""
    with transaction.atomic():
        lines = _lines_of(arrival, chunk, readied)
        if job is not None:
            store_lines(job, position, lines)
        if arrival.touches:
            _record(arrival, lines, job)
    return lines


def _lines_of(arrival: Arrival, chunk: list[Read], readied: Readied) -> list[Line]:
    """One line an entry, in order. What is plainly new goes first and together, the rest one by one."""
    items = _items_of(chunk)
    prepare(arrival, items)
    plain = store_plain(arrival, items) | store_waiting(arrival, items, readied)
    lines = iter([plain.get(at) or store_item(arrival, item) for at, item in enumerate(items)])
    return [
        refused_line(entry.place, entry.code, entry.detail, serious=entry.serious)
        if isinstance(entry, Problem)
        else next(lines)
        for entry in chunk
    ]


def _record(arrival: Arrival, lines: list[Line], job: Job | None) -> None:
    """What this transaction brought in, as one row of the namespace's chain."""
    counts: dict[str, int] = {}
    for line in lines:
        counts[line.outcome.value] = counts.get(line.outcome.value, 0) + 1
    audit.append(
        namespace=arrival.namespace, actor=arrival.actor, action=AuditAction.IMPORT, target_kind="import",
        target_id=str(job.id) if job else "", effects=[{"kind": "import", "format": arrival.system, **counts}],
        touches=arrival.take_touches(),
    )  # fmt: skip
