"""Walks over all records: building backends anew, filling what one lacks, comparing. Records are only read.

Each backend has one walk (`IndexWalk`), kept after every stretch, so that whoever goes on goes on where it was: a command that
was interrupted, or the sweep, which walks a stretch of each backend elsewhere every minute and so brings in what a new backend
lacks and mends what nobody noticed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import QuerySet

from evidence.backends import copies
from evidence.backends.port import Backend, Deadline, Lists, digest
from evidence.backends.registry import all_backends, backends
from evidence.models import Evidence, IndexEntry, IndexWalk
from evidence.rules.vocab import State
from evidence.services.indexing import (
    CHUNK_SECONDS,
    SECONDS,
    bring_up_to_date,
    document_for,
    drop_local,
    is_full_text,
    send,
    send_documents,
    sorted_out,
    take_back,
)

log = structlog.get_logger(__name__)

CHUNK = 500
SWEEP_SECONDS = 10.0
"""How long the sweep walks for one backend before it lets others at the worker."""
QUIET_STRETCHES = 4
"""After so many stretches in which nothing was behind it stops until the next time."""

Progress = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """How many records the backend now holds, and how many entries were left over and went."""

    backend: str
    kept: int
    removed: int


def rebuild_index(
    *, progress: Progress = lambda *_: None, only: Sequence[str] = (), restart: bool = False
) -> tuple[Rebuilt, ...]:
    """Build backends again from our records alone, oldest first; searches go on meanwhile.

    `progress` is told the backend and how many records were read. Interrupted, it leaves every backend usable, and the next run
    goes on where this one was, unless it is told to `restart`. Raises what a backend raises that does not answer.
    """
    chosen = [backend for backend in all_backends() if not only or backend.name in only]
    return tuple(_rebuild(backend, progress, restart) for backend in chosen)


def _rebuild(backend: Backend, progress: Progress, restart: bool) -> Rebuilt:
    walk, _ = IndexWalk.objects.get_or_create(backend=backend.name)
    if restart or not walk.rebuilding:
        walk.after, walk.kept, walk.rebuilding = None, 0, True
        walk.save()
    read = 0
    while pks := _next_keys(walk.after):
        read += len(pks)
        progress(backend.name, read)
        walk.kept += _send_anew(backend, pks)
        walk.after = pks[-1]
        walk.save(update_fields=["after", "kept"])
    removed = _remove_leftovers(backend)
    kept = walk.kept
    walk.after, walk.kept, walk.rebuilding = None, 0, False
    walk.save()
    return Rebuilt(backend.name, kept, removed)


def _send_anew(backend: Backend, pks: Sequence[UUID]) -> int:
    """Every one of these, whatever is known of its copy."""
    if not backend.is_local:
        return _send(backend, list(Evidence.objects.filter(pk__in=pks).order_by("pk_uuid")))
    with transaction.atomic():
        # Read under the lock, so that an older state cannot come back.
        rows = list(_locked(pks))
        ids = [row.record_id for row in rows]
        for namespace in sorted({row.namespace for row in rows}):
            if is_full_text(backend):
                # Without its digest every row counts as old; each keeps its place in the order.
                held = IndexEntry.objects.filter(backend=backend.name, namespace=namespace, record_id__in=ids)
                held.update(digest="")
            else:
                drop_local(backend, namespace, ids, seconds=CHUNK_SECONDS)
        return bring_up_to_date(backend, rows, seconds=CHUNK_SECONDS)


def _locked(pks: Sequence[UUID]) -> Iterable[Evidence]:
    return Evidence.objects.select_for_update(of=("self",)).filter(pk__in=pks).order_by("pk_uuid")


def _send(backend: Backend, rows: Sequence[Evidence]) -> int:
    """Send a backend elsewhere what these say, and take back what may not be found; returns how many it has then.

    Nothing is locked while it is sent: what changed meanwhile is sent again by itself.
    """
    documents, gone = sorted_out(rows)
    if documents:
        send_documents(backend, documents, seconds=CHUNK_SECONDS)
    for namespace, record_ids in gone.items():
        take_back(backend, namespace, record_ids, seconds=CHUNK_SECONDS)
    _send_what_changed(backend, rows, {document.record_id for document in documents})
    return len(documents)


def _send_what_changed(backend: Backend, rows: Sequence[Evidence], sent: set[str]) -> None:
    before = {row.pk: document_for(row) for row in rows if row.record_id in sent}
    for row in Evidence.objects.filter(pk__in=list(before)):
        if document_for(row) != before[row.pk]:
            send(backend, row.pk)


def sweep_index() -> int:
    """A stretch of the walk for each backend but the full-text one, which cannot be behind. Returns how many rows were read.

    While a rebuild is under way the walk is its own.
    """
    return sum(_sweep(backend) for backend in backends() if not is_full_text(backend))


def _sweep(backend: Backend) -> int:
    walk, _ = IndexWalk.objects.get_or_create(backend=backend.name)
    if walk.rebuilding:
        return 0
    read = quiet = 0
    end = time.monotonic() + SWEEP_SECONDS
    # Where much is missing it goes on; where nothing is, a look at a part now and then is enough.
    while quiet < QUIET_STRETCHES and time.monotonic() < end:
        rows = _next_rows(walk.after)
        read += len(rows)
        try:
            quiet = 0 if _catch_up(backend, rows) else quiet + 1
            if not rows:
                _remove_leftovers(backend)
        except Exception as error:  # noqa: BLE001 - the next sweep goes on here; other backends must not wait for this one
            log.warning("index_sweep_failed", backend=backend.name, error=type(error).__name__)
            return read
        walk.after = rows[-1].pk_uuid if rows else None
        IndexWalk.objects.filter(pk=walk.pk, rebuilding=False).update(after=walk.after)
        if not rows:
            return read
    return read


def _catch_up(backend: Backend, rows: Sequence[Evidence]) -> int:
    """Mend what is behind of these; returns how many were."""
    documents, gone = sorted_out(rows)
    held = copies.digests(backend.name, documents)
    late = {one.record_id for one in documents if held.get(copies.key_of(one)) != digest(one)}
    for namespace, record_ids in gone.items():
        late.update(copies.places_of(backend.name, namespace, record_ids))
    behind = [row for row in rows if row.record_id in late]
    if behind and backend.is_local:
        with transaction.atomic():
            bring_up_to_date(backend, list(_locked([row.pk for row in behind])), seconds=CHUNK_SECONDS)
    elif behind:
        _send(backend, behind)
    return len(behind)


def _next_keys(after: UUID | None) -> list[UUID]:
    return list(_next(after).values_list("pk_uuid", flat=True)[:CHUNK])


def _next_rows(after: UUID | None) -> list[Evidence]:
    return list(_next(after)[:CHUNK])


def _next(after: UUID | None) -> QuerySet[Evidence]:
    """Records in the order of their key, which is the order in which they came: the newest is indexed last."""
    rows = Evidence.objects.order_by("pk_uuid")
    return rows if after is None else rows.filter(pk_uuid__gt=after)


def _in_chunks() -> Iterator[list[Evidence]]:
    after: UUID | None = None
    while chunk := _next_rows(after):
        yield chunk
        after = chunk[-1].pk_uuid


@dataclass(frozen=True, slots=True)
class IndexReport:
    """How one backend compares with the records. `missing`: to be found, not there; `orphaned`: there, not to be found;
    `stale`: there as something else than what the record says now."""

    backend: str
    answers: bool
    detail: str
    entries: int
    missing: int
    orphaned: int
    stale: int

    @property
    def ok(self) -> bool:
        return self.answers and not (self.missing or self.orphaned or self.stale)

    def as_dict(self) -> dict[str, object]:
        return {"ok": self.ok, **asdict(self)}


def index_health() -> tuple[IndexReport, ...]:
    """Compare what each backend has with the records, which are read once for all of them. Reads only."""
    chosen = all_backends()
    held = {backend.name: _entries(backend) for backend in chosen}
    totals = {name: len(entries) for name, entries in held.items()}
    missing = dict.fromkeys(held, 0)
    stale = dict.fromkeys(held, 0)
    for rows in _in_chunks():
        for row in rows:
            _compare(row, held, missing, stale)
    return tuple(
        IndexReport(
            backend.name, *_answers(backend, totals[backend.name]), totals[backend.name], missing[backend.name],
            len(held[backend.name]), stale[backend.name],
        )
        for backend in chosen
    )  # fmt: skip


def _compare(
    row: Evidence, held: dict[str, dict[tuple[str, str], str]], missing: dict[str, int], stale: dict[str, int]
) -> None:
    """Take the row's entries off `held` and count what does not fit. What is left over at the end is there and should not be."""
    document = document_for(row, scan_secrets=False)
    if document is None:
        return
    key, expected = copies.key_of(document), digest(document)
    if any(entries.get(key) != expected for entries in held.values()) and document_for(row) is None:
        return
    for name, entries in held.items():
        known = entries.pop(key, None)
        missing[name] += known is None
        stale[name] += known is not None and known != expected


def _answers(backend: Backend, noted: int) -> tuple[bool, str]:
    """Whether it answers; where it says itself how many it holds, that must be as many as were noted."""
    health = backend.health(deadline=Deadline(SECONDS))
    if health.ok and health.records >= 0 and health.records != noted:
        return False, f"{health.detail}; it holds {health.records} records, {noted} were sent: rebuild it"
    return health.ok, health.detail


def _entries(backend: Backend) -> dict[tuple[str, str], str]:
    """What is there, each with the digest of what it was made of. A backend that can list what it holds is believed more than
    what was noted of it.
    """
    entries = IndexEntry.objects.filter(backend=backend.name).values_list("namespace", "record_id", "digest")
    noted = {(row[0], row[1]): row[2] for row in entries.iterator(chunk_size=5_000)}
    if isinstance(backend, Lists):
        return {key: noted.get(key, "") for key in backend.held()}
    return noted


def _remove_leftovers(backend: Backend) -> int:
    """Entries of records that are not there any more, or that must not be found."""
    removed = 0
    for namespace, record_ids in _leftovers(backend):
        if backend.is_local:
            drop_local(backend, namespace, record_ids, seconds=CHUNK_SECONDS)
        else:
            take_back(backend, namespace, record_ids, seconds=CHUNK_SECONDS)
        removed += len(record_ids)
    return removed


def _leftovers(backend: Backend) -> Iterator[tuple[str, list[str]]]:
    for chunk in _keys_in_chunks(backend):
        known = Evidence.objects.filter(state=State.ACTIVE, record_id__in=[record_id for _, record_id in chunk])
        there = set(known.values_list("namespace", "record_id"))
        gone: dict[str, list[str]] = {}
        for namespace, record_id in chunk:
            if (namespace, record_id) not in there:
                gone.setdefault(namespace, []).append(record_id)
        yield from gone.items()


def _keys_in_chunks(backend: Backend) -> Iterator[list[tuple[str, str]]]:
    if isinstance(backend, Lists):
        held = iter(backend.held())
        while chunk := list(islice(held, CHUNK)):
            yield chunk
        return
    after = 0
    entries = IndexEntry.objects.filter(backend=backend.name).order_by("id")
    while rows := list(entries.filter(id__gt=after).values_list("id", "namespace", "record_id")[:CHUNK]):
        after = rows[-1][0]
        yield [(namespace, record_id) for _, namespace, record_id in rows]
