"""The memory-backend port (contract 5): `upsert`, `retrieve`, `delete`, `health`, and no more. A backend finds; it never decides.

An adapter knows documents, partitions and searches. It never sees a reader, a label or a database row, and nothing that it
answers is believed: every hit goes through the gate.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from evidence.rules.records import Hit
from evidence.rules.text import sha256_hex

RANKED = 2_000
"""At most so many of the newest matches inside the searched partitions are ranked."""


INDEX_VERSION = 1
"""Part of every digest: raise it when texts are cut into terms in another way, and every copy counts as old."""


class BackendFailed(Exception):
    """The backend gave no answer; a search then says that this source gave no evidence, never that nothing is known."""


class DeadlineExceeded(BackendFailed):
    """The time was up, or the caller no longer wants the answer."""


class Deadline:
    """How long a call may take. Cancellable: `cancel` may be called from another thread and ends the call like a time-out.

    Adapters ask `over` between steps and give `remaining` (seconds, never negative) to whatever waits for them. An ended
    call leaves the backend as before it, or as after it: every operation can be repeated without harm.
    """

    def __init__(self, seconds: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = clock() + seconds
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        self._cancelled.set()

    @property
    def remaining(self) -> float:
        return 0.0 if self._cancelled.is_set() else max(0.0, self._end - self._clock())

    @property
    def over(self) -> bool:
        return self.remaining <= 0.0

    def check(self) -> None:
        if self.over:
            raise DeadlineExceeded("the time for this source is up")


@dataclass(frozen=True, slots=True)
class Document:
    """One record as a backend keeps it: searchable text, and where it may be found. `claim_key` is a hash or ""."""

    namespace: str
    record_id: str
    source_version: str
    text: str
    kind: str
    claim_key: str
    partitions: frozenset[str]


def digest(document: Document) -> str:
    """Everything that a backend is told of a document, as 64 hex digits: equal ones need not be sent again."""
    return sha256_hex(
        str(INDEX_VERSION), document.namespace, document.record_id, document.source_version, document.kind, document.claim_key,
        ",".join(sorted(document.partitions)), document.text,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Search:
    """What to look for, and where. Empty `kinds`: any kind. With a `claim_key` the text may be empty."""

    namespace: str
    text: str
    partitions: tuple[str, ...]
    limit: int
    kinds: tuple[str, ...] = ()
    claim_key: str = ""


@dataclass(frozen=True, slots=True)
class BackendHealth:
    """Whether the backend answers, and how many records it holds (-1: it cannot say)."""

    ok: bool
    detail: str
    records: int = -1


@runtime_checkable
class Backend(Protocol):
    """An adapter. Every operation is idempotent, ends by its deadline, and raises `BackendFailed` or nothing."""

    name: str
    modes: frozenset[str]
    """Which of `lexical`, `semantic`, `hybrid` it can search in."""
    keeps_text_in_partition: bool
    """Whether its own text stays inside one partition; without that promise its text is dropped (contract 5)."""
    is_local: bool
    """Whether it lives in this database, so that it can follow a change inside the same transaction."""

    def upsert(self, documents: Collection[Document], *, deadline: Deadline) -> None:
        """Keep each document in exactly its partitions; copies in others go, and so does an older version's text."""
        ...

    def retrieve(self, search: Search, *, deadline: Deadline) -> tuple[Hit, ...]:
        """At most `search.limit` hits, best first, from the named partitions of the namespace only. Any text is a query."""
        ...

    def delete(self, namespace: str, record_ids: Collection[str], *, deadline: Deadline) -> None:
        """Forget these records in every partition, and whatever was derived from them. Unknown ids are no error."""
        ...

    def health(self, *, deadline: Deadline) -> BackendHealth:
        """Whether it works right now. Never raises."""
        ...


@runtime_checkable
class Lists(Protocol):
    """A backend of this database may say what it holds: then that is compared with the records, and not what was noted of it."""

    def held(self) -> Iterable[tuple[str, str]]:
        """Namespace and id of every record, a part at a time."""
        ...
