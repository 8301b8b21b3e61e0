"""What is known of the copies at a backend that keeps no row in this database: which records, in which partitions.

A copy is noted before it is sent, so that it is known also when the sender dies on the way; its digest is noted when the
backend said that it has it. An adapter that must name the places of what it deletes finds them here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeVar

from django.db import transaction
from django.utils import timezone

from evidence.backends.port import Document, digest
from evidence.models import IndexEntry

T = TypeVar("T")
CHUNK = 500


def announce(backend: str, documents: Collection[Document]) -> None:
    """Note that these are about to be sent: where copies were, and where they will be."""
    with transaction.atomic():
        held = places(backend, documents, locked=True)
        _write(
            backend, documents, {key_of(document): held.get(key_of(document), frozenset()) for document in documents}, sent=False
        )  # fmt: skip


def settle(backend: str, documents: Collection[Document]) -> None:
    """Note that the backend has exactly these."""
    _write(backend, documents, {}, sent=True)


def forget(backend: str, namespace: str, record_ids: Collection[str]) -> None:
    for chunk in chunks(sorted(record_ids)):
        IndexEntry.objects.filter(backend=backend, namespace=namespace, record_id__in=chunk).delete()


def places(
    backend: str, documents: Collection[Document], *, locked: bool = False
) -> dict[tuple[str, str], frozenset[str]]:
    """Where copies of these may be."""
    found: dict[tuple[str, str], frozenset[str]] = {}
    for namespace in sorted({document.namespace for document in documents}):
        ids = [document.record_id for document in documents if document.namespace == namespace]
        found |= {(namespace, one): there for one, there in places_of(backend, namespace, ids, locked=locked).items()}
    return found


def places_of(
    backend: str, namespace: str, record_ids: Collection[str], *, locked: bool = False
) -> dict[str, frozenset[str]]:
    """As `places`, for ids of one namespace; records that were never sent are not in it."""
    found: dict[str, frozenset[str]] = {}
    for chunk in chunks(sorted(record_ids)):
        rows = IndexEntry.objects.filter(backend=backend, namespace=namespace, record_id__in=chunk).order_by("id")
        rows = rows.select_for_update() if locked else rows
        found |= {record_id: frozenset(there) for record_id, there in rows.values_list("record_id", "partitions")}
    return found


def digests(backend: str, documents: Collection[Document]) -> dict[tuple[str, str], str]:
    """What the copies of these were made of, where one is known of."""
    ids = [document.record_id for document in documents]
    # Without the namespaces no index would help, and each question would read all entries.
    spaces = sorted({document.namespace for document in documents})
    rows = IndexEntry.objects.filter(backend=backend, namespace__in=spaces, record_id__in=ids)
    return {(space, one): held for space, one, held in rows.values_list("namespace", "record_id", "digest")}


def key_of(document: Document) -> tuple[str, str]:
    return document.namespace, document.record_id


def chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), CHUNK):
        yield items[start : start + CHUNK]


def _write(
    backend: str, documents: Collection[Document], beside: Mapping[tuple[str, str], frozenset[str]], *, sent: bool
) -> None:
    now = timezone.now()
    latest = {key_of(document): document for document in documents}
    rows = [
        IndexEntry(
            backend=backend, namespace=document.namespace, record_id=document.record_id,
            source_version=document.source_version, indexed_at=now, digest=digest(document) if sent else "",
            partitions=sorted(document.partitions | beside.get(key, frozenset())),
        )
        for key, document in sorted(latest.items())
    ]  # fmt: skip
    for chunk in chunks(rows):
        IndexEntry.objects.bulk_create(
            chunk, update_conflicts=True, unique_fields=["backend", "namespace", "record_id"],
            update_fields=["source_version", "partitions", "digest", "indexed_at"],
        )  # fmt: skip
