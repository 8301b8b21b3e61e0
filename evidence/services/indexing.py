"""Keeping backends in step with our records (contract 5). An index is derived: nothing here changes what is true.

`sync_index` follows a change inside its own transaction, in backends that live in the desk's own database; `index_record` brings
the others up to date after the commit (outbox topic `index`). Both look at the row as it is now, so that repeats and late
deliveries are harmless. What walks over all records is in `index_upkeep`.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import structlog
from django.db import transaction

from evidence.backends import copies
from evidence.backends.port import Backend, BackendFailed, Deadline, Document, digest
from evidence.backends.registry import all_backends, backends, default_backend
from evidence.models import Evidence
from evidence.rules.access import partitions_of
from evidence.rules.records import Record
from evidence.rules.usability import usable
from evidence.rules.vocab import State
from evidence.services.outbox import enqueue, handles

log = structlog.get_logger(__name__)

TOPIC = "index"
SECONDS = 10.0
"""For one record, at a backend that is far away."""
CHUNK_SECONDS = 120.0
# A record that changes more often than it can be sent is sent again later.
_TURNS = 5


def sync_index(*, record_pk: UUID) -> None:
    """Make the desk's own indexes agree with the row, in the caller's transaction; backends elsewhere are told after commit."""
    with transaction.atomic():
        row = Evidence.objects.select_for_update(of=("self",)).filter(pk=record_pk).first()
        if row is not None:
            _follow([row], seconds=SECONDS)


def sync_new(*, rows: Sequence[Evidence]) -> None:
    """As `sync_index`, for many rows that the caller's transaction has just inserted: nobody else can hold them yet."""
    _follow(rows, seconds=CHUNK_SECONDS)


def _follow(rows: Sequence[Evidence], *, seconds: float) -> None:
    bring_up_to_date(default_backend(), rows, seconds=seconds)
    later = any(not backend.is_local for backend in backends())
    for backend in local_backends():
        try:
            with transaction.atomic():
                bring_up_to_date(backend, rows, seconds=seconds)
        except BackendFailed as error:
            # Filing and deciding go on without it; the outbox tries until it can.
            log.warning("index_behind", backend=backend.name, error=type(error).__name__)
            later = True
    if later:
        for row in rows:
            enqueue(topic=TOPIC, subject=str(row.pk), key=f"{row.pk}:{row.version}")


def local_backends() -> tuple[Backend, ...]:
    """Those beside the full-text index that can follow inside a transaction."""
    return tuple(backend for backend in backends() if backend.is_local and not is_full_text(backend))


@handles(TOPIC)
def index_record_by_id(subject: str) -> None:
    index_record(record_pk=UUID(subject))


def index_record(*, record_pk: UUID) -> None:
    """Make every backend agree with the row as it is when the last word was sent.

    Raises what the first of them raised that did not answer; the others are up to date then.
    """
    failed: Exception | None = None
    for backend in all_backends():
        try:
            if backend.is_local:
                _sync_local(backend, record_pk)
            else:
                send(backend, record_pk)
        except Exception as error:  # noqa: BLE001 - one backend's failure must not keep the others behind
            failed = failed or error
    if failed is not None:
        raise failed


def _sync_local(backend: Backend, record_pk: UUID) -> None:
    with transaction.atomic():
        row = Evidence.objects.select_for_update(of=("self",)).filter(pk=record_pk).first()
        if row is not None:
            bring_up_to_date(backend, [row], seconds=SECONDS)


def send(backend: Backend, record_pk: UUID) -> None:
    """Send the row's state, or have it deleted, until what was sent last is what the row still says. No lock is held meanwhile.

    Two senders of one record may overtake each other; whoever finishes last looks again, so that an older state never stays.
    """
    sent: str | None = None
    for _ in range(_TURNS):
        row = Evidence.objects.filter(pk=record_pk).first()
        if row is None:
            return
        document = document_for(row)
        said = digest(document) if document else ""
        if said == sent:
            return
        if document is not None:
            send_documents(backend, [document], seconds=SECONDS)
        else:
            take_back(backend, row.namespace, [row.record_id], seconds=SECONDS)
        sent = said
    raise BackendFailed("the record changes faster than it can be sent")


def send_documents(backend: Backend, documents: Sequence[Document], *, seconds: float) -> None:
    """To a backend elsewhere. Where copies may be is noted before, that it has them afterwards."""
    copies.announce(backend.name, documents)
    backend.upsert(documents, deadline=Deadline(seconds))
    copies.settle(backend.name, documents)


def take_back(backend: Backend, namespace: str, record_ids: Sequence[str], *, seconds: float) -> None:
    """Have deleted what may be at a backend elsewhere; what was never sent is not asked for."""
    known = sorted(copies.places_of(backend.name, namespace, record_ids))
    if known:
        backend.delete(namespace, known, deadline=Deadline(seconds))
        copies.forget(backend.name, namespace, known)


def drop_record(*, namespace: str, record_id: str) -> None:
    """Take a record out of every backend, with whatever was derived from it there."""
    for backend in all_backends():
        if backend.is_local:
            drop_local(backend, namespace, [record_id], seconds=SECONDS)
        else:
            take_back(backend, namespace, [record_id], seconds=SECONDS)


def document_for(row: Evidence, *, scan_secrets: bool = True) -> Document | None:
    """What a backend is sent of a row; none when it must not be found. Secrets are looked for again here.

    Without `scan_secrets` it is only good for comparing: whoever holds the same digest was sent it after a look.
    """
    if row.state != State.ACTIVE:
        return None
    return document_of(row.to_record(), claim_key=row.claim_key, scan_secrets=scan_secrets)


def document_of(record: Record, *, claim_key: str, scan_secrets: bool = True) -> Document | None:
    """As `document_for`: none when the record is not usable, or with a secret in its text."""
    if not usable(record, scan_secrets=scan_secrets).usable:
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


def bring_up_to_date(backend: Backend, rows: Sequence[Evidence], *, seconds: float) -> int:
    """In a backend of this database: upsert what may be found, delete what may not. Returns how many are kept."""
    documents, gone = sorted_out(rows)
    for namespace, record_ids in gone.items():
        drop_local(backend, namespace, record_ids, seconds=seconds)
    if documents:
        backend.upsert(documents, deadline=Deadline(seconds))
        if not is_full_text(backend):
            copies.settle(backend.name, documents)
    return len(documents)


def drop_local(backend: Backend, namespace: str, record_ids: Sequence[str], *, seconds: float) -> None:
    backend.delete(namespace, record_ids, deadline=Deadline(seconds))
    if not is_full_text(backend):
        copies.forget(backend.name, namespace, record_ids)


def is_full_text(backend: Backend) -> bool:
    """The desk's own index, whose rows are its copies: nothing needs to be noted beside them."""
    return backend.name == default_backend().name


def sorted_out(rows: Sequence[Evidence]) -> tuple[list[Document], dict[str, list[str]]]:
    """What may be found, and by namespace the ids of what may not."""
    documents: list[Document] = []
    gone: dict[str, list[str]] = {}
    for row in rows:
        document = document_for(row)
        if document is None:
            gone.setdefault(row.namespace, []).append(row.record_id)
        else:
            documents.append(document)
    return documents, gone
