"""Recalls that a person may be told of: those of agents that they may see. Reads only."""

from __future__ import annotations

from collections.abc import Sequence

from evidence.models import RecallItem, User
from evidence.models.visibility import agents_of


def recalls_among(user: User, ids: Sequence[int]) -> list[RecallItem]:
    """Those of the shown records, newest first."""
    seen = agents_of(user)
    rows = RecallItem.objects.filter(pk__in=list(ids)).select_related("recall").order_by("-at", "-id")
    return list(rows if seen is None else rows.filter(recall__agent__in=seen))
