"""The gate: what may be shown of a backend's answer (contract 5, 12.16).

A backend finds; it never decides. What is shown is our record with our label, or backend text under the weakest of its
sources. Pure: the store is a mapping of the records that the hits name, fetched by the caller.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations

from evidence.rules.access import partitions_of, partitions_searched, readable
from evidence.rules.errors import BadInput
from evidence.rules.identity import BACKEND, record_id
from evidence.rules.labels import label
from evidence.rules.reasons import DropReason
from evidence.rules.records import Hit, Reader, Record, Scope, Source
from evidence.rules.resolving import about_same_thing, same_value
from evidence.rules.times import read_time, to_iso
from evidence.rules.usability import usable
from evidence.rules.vocab import TRUST_ORDER, Access, Kind, Label, Review, Trust, Volatility


@dataclass(frozen=True, slots=True)
class GateResult:
    """One record that may be shown; `conflicts_with` names the others here that answer the same question differently."""

    record: Record
    label: Label
    conflicts_with: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Dropped:
    """A hit that is not shown, by the id that the backend gave; for the operator's count, never for the agent."""

    id: str
    reason: DropReason


@dataclass(frozen=True, slots=True)
class GateAnswer:
    """Results in the backend's order."""

    results: tuple[GateResult, ...]
    dropped: tuple[Dropped, ...]


def gate(
    store: Mapping[str, Record],
    hits: Sequence[Hit],
    reader: Reader,
    now: datetime,
    *,
    own_text_partitioned: bool = True,
    scan_secrets: bool = True,
) -> GateAnswer:
    """What of `hits` (in rank order) the reader may see at `now`, and what was dropped (contract 5).

    `store` has every record that a hit or its from-list names and that we hold. `own_text_partitioned` is the adapter's
    promise. `scan_secrets=False` skips our records' texts where the boundary scanned them; backend text always is scanned.
    """
    watch = _Watch(store, reader, own_text_partitioned, scan_secrets)
    # An id may come as a record and as text; only the same thing twice is "returned twice" (12.16).
    shown: dict[tuple[str, bool], tuple[Record, float]] = {}
    dropped: dict[tuple[str, bool], Dropped] = {}
    for hit in hits:
        key = (hit.id, hit.derived_from is not None)
        if key in shown:
            continue
        verdict = watch.own_record(hit) if hit.derived_from is None else watch.backend_text(hit, hit.derived_from)
        if isinstance(verdict, Record):
            shown[key] = (verdict, hit.score)
        else:
            dropped.setdefault(key, Dropped(hit.id, verdict))
    conflicts = conflicts_among([record for record, _ in shown.values()])
    results = (
        GateResult(record, label(record, now), conflicts.get(record.id, ()), score) for record, score in shown.values()
    )
    return GateAnswer(tuple(results), tuple(dropped.values()))


def conflicts_among(records: Sequence[Record]) -> dict[str, tuple[str, ...]]:
    """Per record id, the ids of those that share its claim key but not its value (contract 5); only where there are any."""
    by_key: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        if record.claim is not None:
            by_key.setdefault((record.namespace, record.claim.key), []).append(record)
    found: dict[str, list[str]] = {}
    for group in by_key.values():
        for one, other in combinations(group, 2):
            if about_same_thing(one, other) and not same_value(one, other):
                found.setdefault(one.id, []).append(other.id)
                found.setdefault(other.id, []).append(one.id)
    return {record: tuple(others) for record, others in found.items()}


class _Watch:
    """One call's constants, and each record's usability looked up once: sources repeat across a backend's texts."""

    def __init__(self, store: Mapping[str, Record], reader: Reader, partitioned: bool, scan_secrets: bool) -> None:
        self._store = store
        self._reader = reader
        self._partitioned = partitioned
        self._scan_secrets = scan_secrets
        self._searched = frozenset(partitions_searched(reader))
        self._usable: dict[str, bool] = {}

    def own_record(self, hit: Hit) -> Record | DropReason:
        record = self._store.get(hit.id)
        if record is None:
            return DropReason.UNKNOWN_ID
        if not self._is_usable(record):
            return DropReason.NOT_USABLE
        if not readable(record.scope, self._reader):
            return DropReason.NOT_READABLE
        return record if record.source.version == hit.source_version else DropReason.OTHER_VERSION

    def backend_text(self, hit: Hit, source_ids: tuple[str, ...]) -> Record | DropReason:
        source = Source(f"{BACKEND}{hit.id}", hit.source_version)
        try:
            derived_id = record_id(source)
        except BadInput:
            return DropReason.INVALID_ID
        if hit.id in self._store or derived_id in self._store:
            return DropReason.ISSUED_ID
        if not self._partitioned:
            return DropReason.UNPARTITIONED_TEXT
        sources = self._sources(source_ids)
        if isinstance(sources, DropReason):
            return sources
        record = _derived(derived_id, source, hit, sources, self._reader)
        return record if usable(record).usable else DropReason.NOT_USABLE

    def _sources(self, ids: tuple[str, ...]) -> list[Record] | DropReason:
        """The records that a text was made of, if the reader may have every one of them, from one place."""
        if not ids:
            return DropReason.NO_SOURCES
        found: list[Record] = []
        common = self._searched
        for record_id_ in ids:
            record = self._store.get(record_id_)
            if record is None:
                return DropReason.UNKNOWN_SOURCE
            if not self._is_usable(record):
                return DropReason.SOURCE_NOT_USABLE
            if not readable(record.scope, self._reader):
                return DropReason.SOURCE_NOT_READABLE
            found.append(record)
            common &= partitions_of(record.scope)
        return found if common else DropReason.NO_COMMON_PARTITION

    def _is_usable(self, record: Record) -> bool:
        known = self._usable.get(record.id)
        if known is None:
            known = self._usable[record.id] = usable(record, scan_secrets=self._scan_secrets).usable
        return known


def _derived(derived_id: str, source: Source, hit: Hit, sources: Sequence[Record], reader: Reader) -> Record:
    """The derived record of backend text: never better than the weakest of its sources (contract 5, 12.16)."""
    first = sources[0]
    trust = min((_trust(record) for record in sources), key=TRUST_ORDER.index)
    return Record(
        id=derived_id,
        kind=Kind.DERIVED,
        source=source,
        content=hit.derived_content or "",
        namespace=first.namespace,
        event_at=_latest_event(sources),
        volatility=next(
            (r.volatility for r in sources if r.volatility not in ("", Volatility.STABLE)), Volatility.STABLE
        ),
        scope=_derived_scope(first, reader),
        trust=trust,
        # Only an approved external is usable, so an external source has been approved, and so is what was made of it.
        review=Review.APPROVED if trust == Trust.EXTERNAL else None,
        derived_from=tuple(record.id for record in sources),
    )


def _derived_scope(first: Record, reader: Reader) -> Scope:
    """Private to the reader; a reader without an id gets a public text in the first source's name."""
    if reader.agent:
        return Scope(owner=reader.agent, access=Access.PRIVATE, project=first.scope.project)
    return Scope(owner=first.scope.owner, access=Access.PUBLIC, project=first.scope.project)


def _latest_event(sources: Sequence[Record]) -> str | None:
    times = [found for found in (read_time(record.event_at) for record in sources) if found is not None]
    return to_iso(max(times)) if times else None


def _trust(record: Record) -> Trust:
    """A missing trust counts as external (contract 1)."""
    return Trust(record.trust) if record.trust else Trust.EXTERNAL
