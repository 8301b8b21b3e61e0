"""The vector backend: one row per record with the point of its text, compared with the query's point in memory.

It follows a change inside the same transaction, like the full-text backend: a point costs a fraction of a millisecond. Every
search compares with all points of the namespace, which takes some 20 ms for 100,000 and a gigabyte of memory for a million.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Any

from django.db import DatabaseError, transaction

from evidence.backends.copies import chunks
from evidence.backends.port import RANKED, BackendFailed, BackendHealth, Deadline, Document, Search
from evidence.backends.vector.models import LONGEST, TextModel, text_model
from evidence.backends.vector.space import space
from evidence.models import VectorEntry
from evidence.rules.records import Hit
from evidence.rules.text import sha256_hex

_CHECKED = 200
_LISTED = 2_000


class VectorBackend:
    """`Backend` on the desk's own database and a model of a package. Stateless but for what is in memory to be compared."""

    name = "vector"
    modes = frozenset({"semantic"})
    keeps_text_in_partition = True
    is_local = True

    def upsert(self, documents: Collection[Document], *, deadline: Deadline) -> None:
        model = text_model()
        latest = {(document.namespace, document.record_id): document for document in documents}
        for chunk in chunks(list(latest.values())):
            deadline.check()
            try:
                with transaction.atomic():
                    self._upsert(model, chunk)
            except DatabaseError as error:
                raise BackendFailed(type(error).__name__) from error

    def _upsert(self, model: TextModel, documents: Sequence[Document]) -> None:
        hashes = {id(document): sha256_hex(model.name, document.text[:LONGEST]) for document in documents}
        held = _held(documents)
        points = _points_by_text(model, documents, hashes, held)
        rows = []
        for document in documents:
            text_hash = hashes[id(document)]
            row = VectorEntry(
                namespace=document.namespace, record_id=document.record_id, source_version=document.source_version,
                kind=document.kind, claim_key=document.claim_key, partitions=sorted(document.partitions), model=model.name,
                text_hash=text_hash, vector=points[text_hash],
            )  # fmt: skip
            if not _same(held.get((document.namespace, document.record_id)), row):
                rows.append(row)
        for namespace in {row.namespace for row in rows}:
            _remove(namespace, [row.record_id for row in rows if row.namespace == namespace])
        VectorEntry.objects.bulk_create(rows)

    def retrieve(self, search: Search, *, deadline: Deadline) -> tuple[Hit, ...]:
        """The nearest of what is still as it was when it was read into memory. Without a word that the model knows: nothing."""
        deadline.check()
        model = text_model()
        point = model.points([search.text])[0]
        if not search.partitions or not point.any():
            return ()
        try:
            near = space(search.namespace, model.name).nearest(point, search.partitions, model.nearest, deadline)
            return tuple(islice(self._standing(search, near, deadline), search.limit))
        except DatabaseError as error:
            raise BackendFailed(type(error).__name__) from error

    def _standing(self, search: Search, near: Iterator[tuple[int, float]], deadline: Deadline) -> Iterator[Hit]:
        """Those whose row is there, in the searched partitions, of the asked kind and claim."""
        looked, searched = 0, frozenset(search.partitions)
        while looked < RANKED and (chunk := dict(islice(near, _CHECKED))):
            deadline.check()
            looked += len(chunk)
            rows = VectorEntry.objects.filter(namespace=search.namespace, id__in=list(chunk))
            if search.kinds:
                rows = rows.filter(kind__in=search.kinds)
            if search.claim_key:
                rows = rows.filter(claim_key=search.claim_key)
            there = {row[0]: row[1:] for row in rows.values_list("id", "record_id", "source_version", "partitions")}
            for number, score in chunk.items():
                if number in there and searched.intersection(there[number][2]):
                    yield Hit(there[number][0], there[number][1], round(min(1.0, score), 6))

    def delete(self, namespace: str, record_ids: Collection[str], *, deadline: Deadline) -> None:
        for chunk in chunks(sorted(record_ids)):
            deadline.check()
            _remove(namespace, chunk)

    def held(self) -> Iterator[tuple[str, str]]:
        """As `Lists` says, by row numbers, so that rows may go meanwhile."""
        last = 0
        rows = VectorEntry.objects.order_by("id").values_list("id", "namespace", "record_id")
        while chunk := list(rows.filter(id__gt=last)[:_LISTED]):
            last = chunk[-1][0]
            yield from ((namespace, record_id) for _, namespace, record_id in chunk)

    def health(self, *, deadline: Deadline) -> BackendHealth:
        try:
            deadline.check()
            model = text_model()
            VectorEntry.objects.order_by("id").values_list("id").first()
        except (BackendFailed, DatabaseError) as error:
            return BackendHealth(False, str(error) or type(error).__name__)
        return BackendHealth(True, f"points of {model.name}")


def _held(documents: Sequence[Document]) -> dict[tuple[str, str], VectorEntry]:
    ids = [document.record_id for document in documents]
    spaces = sorted({document.namespace for document in documents})
    rows = VectorEntry.objects.filter(namespace__in=spaces, record_id__in=ids)
    return {(row.namespace, row.record_id): row for row in rows}


def _points_by_text(
    model: TextModel, documents: Sequence[Document], hashes: dict[int, str], held: dict[tuple[str, str], VectorEntry]
) -> dict[str, bytes]:
    """The point of each text: of one that is held already it is taken over, the others are computed."""
    import numpy

    points = {row.text_hash: bytes(row.vector) for row in held.values() if row.model == model.name}
    missing = {hashes[id(one)]: one.text for one in documents if hashes[id(one)] not in points}
    if missing:
        computed: Any = model.points(list(missing.values()))
        for text_hash, point in zip(missing, computed, strict=True):
            points[text_hash] = point.astype(numpy.float16).tobytes() if point.any() else b""
    return points


def _same(held: VectorEntry | None, row: VectorEntry) -> bool:
    return held is not None and all(
        getattr(held, name) == getattr(row, name)
        for name in ("source_version", "kind", "claim_key", "partitions", "model", "text_hash")
    )


def _remove(namespace: str, record_ids: Sequence[str]) -> None:
    VectorEntry.objects.filter(namespace=namespace, record_id__in=record_ids).delete()
