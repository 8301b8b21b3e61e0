"""Words and meaning in one answer: the hits of several backends in one order, by reciprocal rank fusion.

A recall with `mode: hybrid` fuses whatever backends there are and says of each how it fared; this adapter is for a desk that
wants one source of the name `hybrid`. When a part fails, it fails: an order of half the votes would pose as the whole.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from evidence.backends.fusion import fused
from evidence.backends.port import Backend, BackendHealth, Deadline, Document, Search
from evidence.rules.records import Hit


class HybridBackend:
    """`Backend` over others: by default full text and vectors of the desk's own database, which follow it by themselves."""

    name = "hybrid"
    modes = frozenset({"hybrid"})

    def __init__(self, parts: Sequence[Backend] = ()) -> None:
        self.parts = tuple(parts) or _own_parts()
        self.keeps_text_in_partition = all(part.keeps_text_in_partition for part in self.parts)
        self.is_local = all(part.is_local for part in self.parts)

    def upsert(self, documents: Collection[Document], *, deadline: Deadline) -> None:
        for part in self.parts:
            part.upsert(documents, deadline=deadline)

    def retrieve(self, search: Search, *, deadline: Deadline) -> tuple[Hit, ...]:
        lists = [part.retrieve(search, deadline=deadline) for part in self.parts]
        order = fused(lists, key=lambda hit: (hit.id, hit.derived_from is None))
        return tuple(replace(hit, score=score) for score, hit in order[: search.limit])

    def delete(self, namespace: str, record_ids: Collection[str], *, deadline: Deadline) -> None:
        for part in self.parts:
            part.delete(namespace, record_ids, deadline=deadline)

    def health(self, *, deadline: Deadline) -> BackendHealth:
        reports = {part.name: part.health(deadline=deadline) for part in self.parts}
        told = "; ".join(f"{name}: {report.detail}" for name, report in reports.items())
        return BackendHealth(all(report.ok for report in reports.values()), told)


def _own_parts() -> tuple[Backend, ...]:
    from evidence.backends.sql import SqlBackend
    from evidence.backends.vector import VectorBackend

    return SqlBackend(), VectorBackend()
