"""Counting what was refused because of a secret: kind, door and agent, by quarters of an hour; of the text nothing is kept.

The refusal itself takes its transaction back, so the count is written by the door that answers, after it.
"""

from __future__ import annotations

from collections.abc import Iterable

import structlog
from django.db import DatabaseError, transaction
from django.utils import timezone

from evidence.models import Tally
from evidence.models.tallies import Figure, slot_of
from evidence.rules.vocab import Door, SecretKind

log = structlog.get_logger(__name__)
_KINDS = frozenset(SecretKind)


def count_refused(*, kinds: Iterable[str], door: Door | str, agent: str = "") -> None:
    """One refusal of each kind. `agent` is empty for a person's text. Never fails: the refusal has to be answered."""
    slot = slot_of(timezone.now())
    rows = [
        Tally(figure=Figure.REFUSED, agent=agent, word=kind, detail=str(door), slot=slot, number=1)
        for kind in dict.fromkeys(kinds)
        if kind in _KINDS
    ]
    try:
        with transaction.atomic():
            Tally.objects.bulk_create(rows)
    except DatabaseError as error:
        log.warning("refusal_not_counted", error=type(error).__name__)
