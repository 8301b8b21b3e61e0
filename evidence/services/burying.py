"""Deleting a record: its texts go; its id and fingerprints of what it said stay, so that it cannot come back (contract 8.7)."""

from __future__ import annotations

from uuid import UUID

from evidence.models import Evidence, Tombstone
from evidence.rules.identity import claim_fingerprint, statement_fingerprint
from evidence.rules.vocab import State
from evidence.services.indexing import sync_index
from evidence.services.rows import label_columns
from evidence.services.run_news import tell_who_used

_TEXTS = ("content", "summary", "excerpt", "claim_value", "value_key")


def bury(row: Evidence, decision_id: UUID | None = None) -> Tombstone:
    """Deleted, in the caller's transaction; the row is locked. Its tombstone, also one that stood already."""
    text = row.content or row.summary or row.excerpt
    stone, _ = Tombstone.objects.get_or_create(
        namespace=row.namespace, record_id=row.record_id,
        defaults={
            "source_id": row.source_id, "decision_id": decision_id,
            "statement_fingerprint": statement_fingerprint(text) if text.strip() else "",
            "claim_fingerprint": claim_fingerprint(row.claim) if row.claim and row.claim_value else "",
        },
    )  # fmt: skip
    emptied(row, state=State.DELETED)
    tell_who_used(row)
    return stone


def emptied(row: Evidence, **columns: str) -> None:
    """Without any text, under a new version, and out of every index."""
    for name, value in (columns | dict.fromkeys(_TEXTS, "")).items():
        setattr(row, name, value)
    for name, value in label_columns(row).items():
        setattr(row, name, value)
    row.version += 1
    row.save()
    sync_index(record_pk=row.pk)
