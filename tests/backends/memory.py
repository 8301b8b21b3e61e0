"""A small adapter as another package would write it; with a `fault` it breaks one promise, with `broken` it has no store."""

from __future__ import annotations

from collections.abc import Collection

from evidence.backends.port import BackendFailed, BackendHealth, Deadline, Document, Search
from evidence.rules.records import Hit


class MemoryBackend:
    """Finds what shares a word with the query."""

    name = "memory"
    modes = frozenset({"lexical"})
    keeps_text_in_partition = True
    is_local = False

    def __init__(self, *, broken: bool = False, fault: str = "") -> None:
        self.kept: dict[tuple[str, str], Document] = {}
        self.broken, self.fault = broken, fault

    def _reach(self, deadline: Deadline) -> None:
        if self.fault != "dawdles":
            deadline.check()
        if self.broken:
            raise BackendFailed("no store")

    def upsert(self, documents: Collection[Document], *, deadline: Deadline) -> None:
        self._reach(deadline)
        for document in documents:
            key = (document.namespace, document.record_id)
            if key in self.kept and (
                self.fault == "ages" or (self.fault == "sticks" and self.kept[key].text == document.text)
            ):
                continue
            self.kept[key] = document

    def retrieve(self, search: Search, *, deadline: Deadline) -> tuple[Hit, ...]:
        self._reach(deadline)
        asked = set(search.text.casefold().split())
        found = []
        for document in self.kept.values():
            share = len(asked & set(document.text.casefold().split())) / max(1, len(asked))
            if share and self._is_asked_for(document, search):
                found.append(Hit(document.record_id, document.source_version, share))
        found.sort(key=lambda hit: -hit.score)
        return tuple((self._lies(found, search) + found * (1 + (self.fault == "doubles")))[: search.limit])

    def _is_asked_for(self, document: Document, search: Search) -> bool:
        if document.namespace != search.namespace or (search.kinds and document.kind not in search.kinds):
            return False
        if search.claim_key and document.claim_key != search.claim_key:
            return False
        return self.fault == "leaks" or bool(document.partitions.intersection(search.partitions))

    def _lies(self, found: list[Hit], search: Search) -> list[Hit]:
        ids = tuple(hit.id for hit in found)
        if self.fault == "forges" and found:
            return [Hit("e-7", "9", 1.0)]
        if self.fault == "mixes" and len(ids) > 1:
            return [Hit("h-1", "1", 1.0, "a summary", ids)]
        if self.fault == "derives" and found:
            return [Hit("h-1", "1", 1.0, "a summary", ("e-1", *ids))]
        return []

    def delete(self, namespace: str, record_ids: Collection[str], *, deadline: Deadline) -> None:
        self._reach(deadline)
        for record_id in record_ids:
            if self.fault != "keeps":
                self.kept.pop((namespace, record_id), None)

    def health(self, *, deadline: Deadline) -> BackendHealth:
        return BackendHealth(not self.broken and not deadline.over, "memory", len(self.kept))
