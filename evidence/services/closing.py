"""Ending questions together with the item or answer that settles them (contract 10: one transaction either way)."""

from __future__ import annotations

from datetime import datetime

from evidence.models import HeldRecord, Inquiry
from evidence.rules.vocab import InquiryStatus
from evidence.services.actors import Actor
from evidence.services.journal import Journal


def close_questions(
    held: HeldRecord, *, answer: str, actor: Actor, journal: Journal, now: datetime, withdrawn: bool = False
) -> list[Inquiry]:
    """Close every open question of this item: answered, or withdrawn when its filer took it back."""
    rows = list(Inquiry.objects.open().select_for_update(of=("self",)).filter(held=held).order_by("pk"))
    for row in rows:
        close_question(row, answer=answer, actor=actor, journal=journal, now=now, withdrawn=withdrawn)
    return rows


def close_question(
    row: Inquiry, *, answer: str, actor: Actor, journal: Journal, now: datetime, withdrawn: bool = False
) -> None:
    """Precondition: the row is locked and open."""
    status = InquiryStatus.WITHDRAWN if withdrawn else InquiryStatus.ANSWERED
    journal.change(row, status=status, answer=answer, answered_by=actor.name, answered_at=now)
