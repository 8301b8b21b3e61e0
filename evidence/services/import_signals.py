"""Signals of another system: what waits there waits here, what is done there is done here, and nothing is done twice for it."""

from __future__ import annotations

from datetime import datetime

from evidence.exchange.items import SignalItem
from evidence.models import AgentSignal, ImportedItem
from evidence.rules.signal_vocab import AgentSignalStatus
from evidence.rules.text import sha256_hex
from evidence.rules.times import read_time
from evidence.rules.vocab import ActorKind
from evidence.services.errors import Refused
from evidence.services.import_arrival import Arrival, require_agent
from evidence.services.import_report import ImportOutcome
from evidence.services.import_stored import Stored
from evidence.services.signal_publishing import Origin, check_draft, store_signal
from evidence.services.signal_shapes import SignalDraft
from evidence.services.texts import NAME_MAX, check_text


def store_imported_signal(arrival: Arrival, item: SignalItem, known: ImportedItem | None) -> Stored:
    """Published once, with its own time. Where it was done there since, it is done here; what is done here stays done."""
    created = read_time(item.created_at)
    if created is None or not item.content:
        raise Refused("invalid_value", "It has no text, or no time.", field="content")
    draft = SignalDraft(
        content=item.content, title=item.title, tags=item.tags, correlation_id=item.correlation_id,
        expires_at=read_time(item.expires_at),
    )  # fmt: skip
    check_draft(draft)
    check_text("claimed_by", item.acknowledged_by, longest=NAME_MAX)
    row = _known(known)
    outcome = ImportOutcome.CHANGED if known else ImportOutcome.CREATED
    if row is None:
        if known is not None:
            # It was over, and its time is past.
            return Stored(outcome, "signal", known.target_id)
        publisher = require_agent(arrival, item.agent).agent.id
        origin = Origin(
            ActorKind.IMPORT, publisher, sha256_hex("import", arrival.system, item.foreign_id), arrival.system,
            item.foreign_id,
        )  # fmt: skip
        row = store_signal(namespace=arrival.namespace, draft=draft, origin=origin, now=created)
    acked = read_time(item.acknowledged_at)
    if acked is not None and row.status != AgentSignalStatus.ACKED:
        _finish(row, acked, item.acknowledged_by)
    return Stored(outcome, "signal", str(row.pk))


def _known(known: ImportedItem | None) -> AgentSignal | None:
    if known is None:
        return None
    return AgentSignal.objects.select_for_update(of=("self",)).filter(pk=known.target_id).first()


def _finish(row: AgentSignal, at: datetime, by: str) -> None:
    row.status, row.lease_until, row.claimed_at = AgentSignalStatus.ACKED, None, None
    row.acked_at = row.ended_at = at
    row.holder_agent, row.holder_worker = by, ""
    row.save(
        update_fields=["status", "lease_until", "claimed_at", "acked_at", "ended_at", "holder_agent", "holder_worker"]
    )
