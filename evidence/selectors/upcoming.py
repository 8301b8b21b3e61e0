"""What most likely comes after the item that is on the screen, to be fetched ahead. A guess: the claim that follows decides."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from evidence.models import HeldRecord, User
from evidence.selectors.picking import next_pick, unskipped
from evidence.selectors.queue import QueueFilter, reviewable


def upcoming(
    user: User, wanted: QueueFilter, now: datetime, *, after: UUID, beside: Collection[UUID] = ()
) -> HeldRecord | None:
    """What a claim would give beside the one they are at; none where only skipped ones are left.

    `beside`: items that will most likely be decided together with that one.
    """
    rows = unskipped(user, reviewable(user, wanted, now))
    return next_pick(user, rows.exclude(pk__in=beside) if beside else rows, now, leaving=after)
