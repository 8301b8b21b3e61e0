"""Reading for an agent's door: its own proposals and the records it names, never more than the credential may. Reads only."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from evidence.models import Evidence, HeldRecord, Token


def own_proposal(token: Token, held_id: UUID) -> HeldRecord | None:
    """The token's own proposal with its details; none for another's, exactly as for one that does not exist."""
    rows = HeldRecord.objects.filter(pk=held_id, agent=token.agent_id, namespace=token.namespace)
    details = ("fact_proposal__result", "promotion__result", "held_evidence__evidence", "replaced_by")
    return rows.select_related(*details).first()


def records_named(namespace: str, record_ids: Iterable[str]) -> list[Evidence]:
    """Records by contract id; whether the caller may read them is the gate's question."""
    return list(Evidence.objects.in_namespace(namespace).filter(record_id__in=list(record_ids)))


def stored_record(record_pk: str) -> Evidence | None:
    return Evidence.objects.filter(pk=record_pk).first()
