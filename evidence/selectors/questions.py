"""Reading for an agent's door: the questions that were put to it, never more than the credential may. Reads only."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Q

from evidence.models import Evidence, Inquiry, Token

MOST = 100


def open_questions_of(token: Token) -> list[Inquiry]:
    """Those that wait for evidence from this agent, oldest first."""
    rows = Inquiry.objects.for_agent(token.agent_id or "", token.namespace)
    return list(rows.order_by("asked_at", "id")[:MOST])


def own_question(token: Token, inquiry_id: UUID) -> Inquiry | None:
    """A question that was put to this agent, open or not."""
    put = Q(evidence_asked_at__isnull=False) | Q(evidence_came_at__isnull=False)
    return Inquiry.objects.concerning(token.agent_id or "", token.namespace).filter(put, pk=inquiry_id).first()


def sides_named(namespace: str, rows: Sequence[Inquiry]) -> dict[str, Evidence]:
    """The records behind the sides, by contract id; whether the caller may read them is the door's question."""
    ids = {one for row in rows for one in (row.current_record, row.incoming_record) if one}
    return {row.record_id: row for row in Evidence.objects.in_namespace(namespace).filter(record_id__in=ids)}
