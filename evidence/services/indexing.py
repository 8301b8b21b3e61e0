"""Keeping backends in step with our records (contract 5). An index is derived: nothing here changes what is true.

`sync_index` follows a change inside its own transaction, in the desk's own database only; `index_record` brings every backend
up to date afterwards (outbox topic `index`). Both look at the row as it is now, so that repeats and late deliveries are harmless.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from uuid import UUID

from django.db import transaction

from evidence.backends.port import Backend, Deadline, Document, digest
from evidence.backends.registry import backends, default_backend
from evidence.models import Evidence, IndexEntry
from evidence.rules.access import partitions_of
from evidence.rules.records import Record
from evidence.rules.usability import usable
from evidence.rules.vocab import State
from evidence.services.outbox import enqueue, handles

TOPIC = "index"
SECONDS = 20.0
"""For one record, at a backend that is far away."""
CHUNK = 500
_CHUNK_SECONDS = 120.0


def sync_index(*, record_pk: UUID) -> None:
    """Make the desk's own index agree with the row, in the caller's transaction; backends elsewhere are told after commit."""
    with transaction.atomic():
        row = Evidence.objects.select_for_update(of=("self",)).filter(pk=record_pk).first()
        if row is None:
            return
        _bring_up_to_date(default_backend(), [row], seconds=SECONDS)
        if any(not backend.is_local for backend in backends()):
            enqueue(topic=TOPIC, subject=str(row.pk), key=f"{row.pk}:{row.version}")


def sync_new(*, rows: Sequence[Evidence]) -> None:
    """As `sync_index`, for many rows that the caller's transaction has just inserted: nobody else can hold them yet."""
    _bring_up_to_date(default_backend(), rows, seconds=_CHUNK_SECONDS)
    if any(not backend.is_local for backend in backends()):
        for row in rows:
            enqueue(topic=TOPIC, subject=str(row.pk), key=f"{row.pk}:{row.version}")


@handles(TOPIC)
def index_record_by_id(subject: str) -> None:
    index_record(record_pk=UUID(subject))


def index_record(*, record_pk: UUID) -> None:
    """Make every backend agree with the row. The row stays locked meanwhile, so that an older state cannot arrive last.

    Raises `BackendFailed` when one of them does not answer; the others are up to date then.
    """
    failed: Exception | None = None
    with transaction.atomic():
        row = Evidence.objects.select_for_update(of=("self",)).filter(pk=record_pk).first()
        if row is None:
            return
        for backend in backends():
            try:
                _bring_up_to_date(backend, [row], seconds=SECONDS)
            except Exception as error:  # noqa: BLE001 - one backend's failure must not keep the others behind
                failed = failed or error
    if failed is not None:
        raise failed


def drop_record(*, namespace: str, record_id: str) -> None:
    """Take a record out of every backend, with whatever was derived from it there."""
    for backend in backends():
        backend.delete(namespace, [record_id], deadline=Deadline(SECONDS))


def document_of(record: Record, *, claim_key: str) -> Document | None:
    """What a backend is sent of a record; none when it must not be found: not usable, or with a secret in its text."""
    if not usable(record).usable:
        return None
    partitions = partitions_of(record.scope)
    if not partitions:
        return None
    return Document(
        namespace=record.namespace, record_id=record.id, source_version=record.source.version,
        text=searchable_text(record), kind=record.kind, claim_key=claim_key, partitions=partitions,
    )  # fmt: skip


def searchable_text(record: Record) -> str:
    """What a search may find a record by: its claim, its texts, its tags."""
    claim = record.claim
    parts = [claim.subject, claim.attribute, claim.value] if claim else []
    parts += [record.content, record.summary, record.excerpt, *record.tags]
    # An excerpt that repeats the content would only make the text look longer than it is.
    return "\n".join(dict.fromkeys(part for part in parts if part))


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """How many records every backend now holds, and how many entries were left over and went."""

    kept: int
    removed: int


def rebuild_index(progress: Callable[[int], None] = lambda _: None) -> Rebuilt:
    """Build every backend again from our records alone, oldest first; searches go on meanwhile. Records are only read.

    `progress` is told how many records were read so far. Interrupted, it leaves every backend usable, and the next run does
    what was left undone.
    """
    if not IndexEntry.objects.filter(digest="").exists():
        # Without its digest every copy counts as old, so that each one is made anew.
        IndexEntry.objects.update(digest="")
    kept = read = 0
    for rows in _in_chunks():
        read += len(rows)
        progress(read)
        kept += max(_bring_up_to_date(backend, rows, seconds=_CHUNK_SECONDS) for backend in backends())
    return Rebuilt(kept, sum(_remove_leftovers(backend) for backend in backends()))


def _in_chunks() -> Iterator[list[Evidence]]:
    """Every record in the order of its key, which is the order in which records came: the newest is indexed last."""
    after: UUID | None = None
    while True:
        rows = Evidence.objects.order_by("pk_uuid")
        chunk = list((rows if after is None else rows.filter(pk_uuid__gt=after))[:CHUNK])
        if not chunk:
            return
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
    """Compare each backend's entries with the records, each of both read once. Reads only."""
    return tuple(_compared(backend) for backend in backends())


def _compared(backend: Backend) -> IndexReport:
    health = backend.health(deadline=Deadline(SECONDS))
    entries = {
        (namespace, record_id): held
        for namespace, record_id, held in IndexEntry.objects.filter(backend=backend.name)
        .values_list("namespace", "record_id", "digest")
        .iterator(chunk_size=5_000)
    }
    total = len(entries)
    missing = stale = 0
    for rows in _in_chunks():
        for row in rows:
            document = _document(row)
            held = entries.pop((row.namespace, row.record_id), None) if document else None
            missing += document is not None and held is None
            stale += document is not None and held is not None and held != digest(document)
    return IndexReport(backend.name, health.ok, health.detail, total, missing, len(entries), stale)


def _document(row: Evidence) -> Document | None:
    return document_of(row.to_record(), claim_key=row.claim_key) if row.state == State.ACTIVE else None


def _bring_up_to_date(backend: Backend, rows: Sequence[Evidence], *, seconds: float) -> int:
    """Upsert what may be found, delete what may not. Returns how many are kept."""
    documents: list[Document] = []
    gone: dict[str, list[str]] = {}
    for row in rows:
        document = _document(row)
        if document is None:
            gone.setdefault(row.namespace, []).append(row.record_id)
        else:
            documents.append(document)
    deadline = Deadline(seconds)
    for namespace, record_ids in gone.items():
        backend.delete(namespace, record_ids, deadline=deadline)
    if documents:
        backend.upsert(documents, deadline=deadline)
    return len(documents)


def _remove_leftovers(backend: Backend) -> int:
    """Entries of records that are not there any more, or that must not be found."""
    removed = 0
    for namespace, record_ids in _leftovers(backend.name):
        backend.delete(namespace, record_ids, deadline=Deadline(_CHUNK_SECONDS))
        removed += len(record_ids)
    return removed


def _leftovers(name: str) -> Iterable[tuple[str, list[str]]]:
    after = 0
    while True:
        entries = IndexEntry.objects.filter(backend=name, id__gt=after).order_by("id")
        chunk = list(entries.values_list("id", "namespace", "record_id")[:CHUNK])
        if not chunk:
            return
        after = chunk[-1][0]
        known = Evidence.objects.active().filter(record_id__in=[record_id for _, _, record_id in chunk])
        there = set(known.values_list("namespace", "record_id"))
        for _, namespace, record_id in chunk:
            if (namespace, record_id) not in there:
                yield namespace, [record_id]
