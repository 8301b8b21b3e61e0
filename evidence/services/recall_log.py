"""Answering a recall and remembering that it was answered: which records were shown, under which label (DESIGN "RecallLog").

The request writes nothing: the log is written in batches a moment later, and what a killed process had not written is lost. The
query is kept as a keyed hash; its text only where the policy says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.crypto import salted_hmac

from evidence.models import RecallItem, RecallLog, Token
from evidence.models.base import new_id
from evidence.rules.echo import runs_of
from evidence.rules.receipts import token_hash
from evidence.rules.text import norm
from evidence.rules.vocab import Kind
from evidence.selectors.policy import current_policy
from evidence.selectors.recall import Ask, Recalled, recall
from evidence.selectors.tokens import reader_of
from evidence.services.batching import Queue
from evidence.services.counters import HITS_DROPPED, SOURCES
from evidence.services.errors import Refused
from evidence.services.receipts import receipt_for
from evidence.services.texts import check_text

_SALT = "evidence.recall.query"
QUERY_KEPT = 1_000
LONGEST_QUERY = 64 * 1024


@dataclass(frozen=True, slots=True)
class Entry:
    """One answered recall, waiting to be written. `shown`: record ids with their labels, best first."""

    id: UUID
    at: datetime
    namespace: str
    agent: str
    query: str
    mode: str
    shown: tuple[tuple[str, str], ...]
    receipt_hash: str
    # Of text that a backend wrote, which is kept nowhere: by its id the runs of words by which it is known again.
    derived: tuple[tuple[str, tuple[str, ...]], ...] = ()


def answer_recall(*, token: Token, ask: Ask, now: datetime) -> Recalled:
    """Recall for an agent's token, and have it logged. Raises `Refused` secret_detected, before anything is searched or kept.

    A text query gets a receipt of what it was shown, also of nothing. Only its hash is kept.
    """
    check_text("query", ask.query, longest=LONGEST_QUERY)
    if ask.claim is not None:
        for name in ("subject", "attribute"):
            check_text(f"claim.{name}", getattr(ask.claim, name), longest=LONGEST_QUERY)
    if not ask.query.strip() and ask.claim is None:
        raise Refused("invalid_value", "A recall needs a query, or a claim to look up.", field="query")
    recalled = recall(reader=reader_of(token), namespace=token.namespace, ask=ask, now=now)
    for reason, count in recalled.dropped.items():
        HITS_DROPPED.labels(str(reason)).inc(count)
    for source in recalled.sources:
        SOURCES.labels(source.backend, str(source.status)).inc()
    shown = tuple((found.record.id, str(found.label)) for found in recalled.results)
    if ask.query.strip():
        records = [found.record for found in recalled.results]
        receipt = receipt_for(
            namespace=token.namespace, query_hash=query_hash(ask.query), mode=ask.mode, shown=records, now=now
        )
        recalled = replace(recalled, receipt=receipt)
    kept = token_hash(recalled.receipt) if recalled.receipt else ""
    own = (
        (found.record.id, runs_of(found.record.content))
        for found in recalled.results
        if found.record.kind == Kind.DERIVED
    )
    _entries.put(
        Entry(new_id(), now, token.namespace, token.agent_id or "", ask.query, ask.mode, shown, kept, tuple(own))
    )
    return recalled


def note_shown(*, token: Token, mode: str, shown: Sequence[tuple[str, str]], now: datetime) -> None:
    """Remember what was shown otherwise than by a recall (record ids with their labels): who asks what an agent was given, be it
    an undo or a plan, finds it among the recalls.
    """
    if shown:
        _entries.put(Entry(new_id(), now, token.namespace, token.agent_id or "", "", mode, tuple(shown), ""))


def query_hash(query: str) -> str:
    """A keyed hash: queries are short enough to be guessed from a bare one."""
    return salted_hmac(_SALT, norm(query), algorithm="sha256").hexdigest()


def _write(entries: Sequence[Entry]) -> None:
    keeps_text = current_policy().store_query_text
    logs = [
        RecallLog(
            id=entry.id, at=entry.at, namespace=entry.namespace, agent=entry.agent, query_hash=query_hash(entry.query),
            query_text=entry.query[:QUERY_KEPT] if keeps_text else "", mode=entry.mode, results=len(entry.shown),
            receipt_hash=entry.receipt_hash,
        )
        for entry in entries
    ]  # fmt: skip
    items = [
        RecallItem(
            recall_id=entry.id,
            namespace=entry.namespace,
            record_id=record_id,
            label=label,
            rank=rank,
            at=entry.at,
            runs=list(dict(entry.derived).get(record_id, ())),
        )
        for entry in entries
        for rank, (record_id, label) in enumerate(entry.shown, start=1)
    ]
    with transaction.atomic():
        RecallLog.objects.bulk_create(logs)
        RecallItem.objects.bulk_create(items)


_entries: Queue[Entry] = Queue("recall_log", _write)
