"""The quick way for what is plainly new: records that meet nothing that stands, stored many at a time.

Only records for which the slow way (`import_records`) would do nothing but insert: nobody knows them, nothing stands on their
claim, no older version of their source is active, and they wait for nobody. Everything else is left to the slow way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from django.db import DataError, IntegrityError, transaction

from evidence.exchange.items import DECISION_FIELD, AnyItem, EvidenceItem, FactItem
from evidence.models import Evidence, Tombstone
from evidence.models.inserting import insert_many
from evidence.rules.errors import BadInput
from evidence.rules.vocab import Kind, Review, State, Trust
from evidence.services.errors import Refused
from evidence.services.import_arrival import Arrival, agent_named, check_item, is_new, memory_of, require_agent
from evidence.services.import_report import ImportOutcome, Line, line_for
from evidence.services.import_rows import build_row
from evidence.services.import_stored import stored_record
from evidence.services.indexing import sync_new

K = TypeVar("K")
_KINDS = (Kind.OBSERVATION, Kind.FACT)


def store_plain(arrival: Arrival, items: Sequence[AnyItem]) -> dict[int, Line]:
    """Store what is plainly new; returns the lines of those, by the item's place in `items`."""
    built = _only_alone(_built(arrival, items))
    rows = only_new(arrival.namespace, built)
    if not rows:
        return {}
    arrival.met.clear()
    try:
        with transaction.atomic():
            for name in sorted({items[at].agent for at in rows}):
                require_agent(arrival, name)
            insert_many(list(rows.values()))
            made = [memory_of(arrival, items[at], "record", row.record_id) for at, row in rows.items()]
            insert_many(made)
            sync_new(rows=list(rows.values()))
    except (DataError, IntegrityError):
        arrival.forget_met()
        return {}  # one does not fit, or somebody filed one of them just now: one by one, then
    arrival.known |= {(one.kind, one.foreign_id): one for one in made}
    return {at: _line(arrival, items[at], row) for at, row in rows.items()}


def _built(arrival: Arrival, items: Sequence[AnyItem]) -> dict[int, Evidence]:
    """Rows of the candidates. What is refused is left out: the slow way says why."""
    found: dict[int, Evidence] = {}
    for at, item in enumerate(items):
        if not isinstance(item, EvidenceItem | FactItem) or not _is_candidate(item) or not is_new(arrival, item):
            continue
        try:
            check_item(arrival, item)
            thread = item.thread if isinstance(item, EvidenceItem) else ""
            filer = arrival.filer(agent_named(arrival, item.agent))
            row = build_row(filer, item.record, thread=thread, origin_id=item.foreign_id)
        except (Refused, BadInput):
            continue
        if row.review != Review.HELD:
            found[at] = row
    return found


def _is_candidate(item: EvidenceItem | FactItem) -> bool:
    record = item.record
    if isinstance(item, FactItem) and (item.history or record.claim is None):
        return False
    if DECISION_FIELD in item.extra:
        return False
    return (
        record.kind in _KINDS and record.state == State.ACTIVE and not record.review and record.approval is None
        and record.trust in (Trust.INTERNAL, Trust.OPERATOR)
    )  # fmt: skip


def _only_alone(built: dict[int, Evidence]) -> dict[int, Evidence]:
    """Without those that meet each other: two versions of one source, two records on one claim."""
    sources = Counter(row.source_id for row in built.values())
    claims = Counter(row.claim_key for row in built.values())
    return {
        at: row
        for at, row in built.items()
        if sources[row.source_id] == 1 and (not row.claim_key or claims[row.claim_key] == 1)
    }


def only_new(namespace: str, built: dict[K, Evidence]) -> dict[K, Evidence]:
    """Without those that meet anything stored. Precondition: the claim keys are locked."""
    there = Evidence.objects.filter(namespace=namespace)
    ids = [row.record_id for row in built.values()]
    sources = set(
        there.filter(source_id__in=[row.source_id for row in built.values()]).values_list("source_id", flat=True)
    )
    keys = [row.claim_key for row in built.values() if row.claim_key]
    claims = set(there.active().filter(claim_key__in=keys).values_list("claim_key", flat=True))
    gone = set(Tombstone.objects.filter(namespace=namespace, record_id__in=ids).values_list("record_id", flat=True))
    return {
        at: row
        for at, row in built.items()
        if row.source_id not in sources and row.claim_key not in claims and row.record_id not in gone
    }


def _line(arrival: Arrival, item: AnyItem, row: Evidence) -> Line:
    stored = stored_record(row, ImportOutcome.CREATED)
    arrival.touches += stored.touches
    return line_for(item.place, stored.outcome, notes=item.notes, result=f"record:{row.record_id}")
