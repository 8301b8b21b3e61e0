"""One item of an import: known already, new, or changed at its source; and whom it makes known.

Each item is stored in a savepoint of its own: one that is refused harms no other. What a file says of decisions is kept beside
the row as history (`ImportedItem`), never as a decision of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from django.db import DataError, IntegrityError, transaction

from evidence.exchange.items import (
    AnyItem,
    EvidenceItem,
    FactItem,
    HistoryItem,
    ProposalItem,
    QuestionItem,
    RunItem,
    SignalItem,
    TombstoneItem,
)
from evidence.models import Agent, ImportedItem
from evidence.rules.errors import BadInput
from evidence.rules.identity import claim_key_hash, statement_fingerprint
from evidence.rules.records import Claim
from evidence.services.errors import Refused
from evidence.services.import_arrival import Arrival, check_item, is_known, kind_of, memory_of, why
from evidence.services.import_curated import store_fact
from evidence.services.import_gone import store_history, store_tombstone, written_here
from evidence.services.import_proposals import store_proposal
from evidence.services.import_questions import store_question
from evidence.services.import_records import store_evidence
from evidence.services.import_report import STORED, ImportOutcome, Line, line_for, refused_line
from evidence.services.import_runs import store_imported_run
from evidence.services.import_signals import store_imported_signal
from evidence.services.import_stored import Stored
from evidence.services.locks import lock_claims


def prepare(arrival: Arrival, items: Sequence[AnyItem]) -> None:
    """For one chunk: take the locks in the house's order, look up what is known."""
    # The first key lets chunks of one system take turns: the second of two equal runs then finds everything known.
    keys = (key for item in items for key in _lock_keys(item))
    lock_claims(arrival.namespace, chain((f"import:{arrival.system}",), keys))
    look_up(arrival, items)


def look_up(arrival: Arrival, items: Sequence[AnyItem]) -> None:
    """What is known of these items and their agents; only a hint to whoever holds no lock."""
    rows = ImportedItem.objects.filter(
        namespace=arrival.namespace, system=arrival.system, foreign_id__in={item.foreign_id for item in items}
    )
    arrival.known = {(row.kind, row.foreign_id): row for row in rows}
    wanted = {item.agent for item in items} - set(arrival.agents)
    arrival.agents |= {agent.pk: agent for agent in Agent.objects.filter(pk__in=wanted)}


def store_item(arrival: Arrival, item: AnyItem) -> Line:
    """Store one item, or say why not. Precondition: `prepare` was called for its chunk."""
    if is_known(arrival, item):
        known = arrival.known[kind_of(item), item.foreign_id]
        return line_for(
            item.place, ImportOutcome.UNCHANGED, notes=item.notes, result=f"{known.target_kind}:{known.target_id}"
        )
    arrival.met.clear()
    try:
        with transaction.atomic():
            check_item(arrival, item)
            stored = _handler_of(item)(arrival, item, arrival.known.get((kind_of(item), item.foreign_id)))
            _remember(arrival, item, stored)
    except (Refused, BadInput, DataError, IntegrityError) as error:
        arrival.forget_met()
        return refused_line(item.place, *why(error))
    if stored.outcome in STORED:
        arrival.touches += stored.touches
    return line_for(item.place, stored.outcome, notes=(*item.notes, *stored.notes), result=f"{stored.kind}:{stored.id}")


def _remember(arrival: Arrival, item: AnyItem, stored: Stored) -> None:
    row = memory_of(arrival, item, stored.kind, stored.id)
    row.save()
    arrival.known[row.kind, row.foreign_id] = row


def _lock_keys(item: AnyItem) -> Iterator[str]:
    if isinstance(item, ProposalItem):
        yield from _claim_keys(item.claim)
        yield statement_fingerprint(item.statement)
        for linked in item.evidence:
            yield from _claim_keys(linked.record.claim)
    elif isinstance(item, QuestionItem):
        yield from _claim_keys(item.incoming.claim if item.incoming else None)
    elif isinstance(item, EvidenceItem | FactItem):
        yield from _claim_keys(item.record.claim)


def _claim_keys(claim: Claim | None) -> Iterable[str]:
    return (claim_key_hash(claim),) if claim else ()


def _handler_of(item: AnyItem) -> Callable[[Arrival, Any, ImportedItem | None], Stored]:
    if written_here(item):
        return store_history
    if isinstance(item, EvidenceItem):
        return store_evidence
    if isinstance(item, FactItem):
        return store_fact
    if isinstance(item, TombstoneItem):
        return store_tombstone
    if isinstance(item, HistoryItem):
        return store_history
    if isinstance(item, SignalItem):
        return store_imported_signal
    if isinstance(item, RunItem):
        return store_imported_run
    return store_question if isinstance(item, QuestionItem) else store_proposal
