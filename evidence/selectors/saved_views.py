"""A person's saved views, with how much is in each. Reads only."""

from __future__ import annotations

from dataclasses import dataclass

from evidence.models import SavedView
from evidence.selectors.paging import Capped
from evidence.selectors.queue_filter import QueueFilter
from evidence.selectors.queue_pages import count_of
from evidence.selectors.queue_walks import walk_of
from evidence.selectors.search_terms import Asking

MOST_VIEWS = 20


@dataclass(frozen=True, slots=True)
class View:
    row: SavedView
    wanted: QueueFilter
    number: Capped


def views_of(asking: Asking) -> list[View]:
    rows = SavedView.objects.filter(user=asking.user).order_by("name")[:MOST_VIEWS]
    views = [(row, QueueFilter(row.query)) for row in rows]
    return [View(row, wanted, count_of(walk_of(wanted.search, asking))) for row, wanted in views]
