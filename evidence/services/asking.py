"""A reviewer asks the owner of the agent about an item; the item goes on waiting (action `ask_owner`)."""

from __future__ import annotations

from evidence.models import HeldRecord, Inquiry
from evidence.rules.vocab import HeldKind, InquiryKind, Risk
from evidence.services.actors import Actor
from evidence.services.findings import standing_against
from evidence.services.inquiring import open_inquiry
from evidence.services.locks import lock_records


def ask_owner_about(held: HeldRecord, question: str, actor: Actor) -> Inquiry:
    """Open a question to the owner, with the item and what it matches as its two sides."""
    matched = list(lock_records(held.namespace, held.matched).values())
    current, incoming = (matched[0] if matched else None), None
    if held.kind == HeldKind.FACT_PROPOSAL:
        incoming = held.fact_proposal.observation
    elif held.kind == HeldKind.HELD_EVIDENCE:
        incoming = held.held_evidence.evidence
        # A capture is not matched; what it speaks against is what stands on its claim.
        current = current or standing_against(incoming)
    asked = question.strip() or f"{actor.name} asks: is this true? “{held.statement[:300]}”"
    return open_inquiry(
        kind=InquiryKind.QUESTION, severity=Risk.MEDIUM, agent_id=held.agent_id, namespace=held.namespace,
        question=asked, current=current, incoming=incoming, held=held, asked_by=actor.user,
    )  # fmt: skip
