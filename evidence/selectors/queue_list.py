"""Everything that the page of the list shows, gathered with one look at what the person may see."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from evidence.models import HeldRecord, User
from evidence.selectors.paging import Page
from evidence.selectors.queue import PAGE_SIZE, QueueCounts, QueueFilter, counts_for
from evidence.selectors.queue_pages import page_of
from evidence.selectors.queue_rows import Row, rows_of
from evidence.selectors.queue_walks import walk_of
from evidence.selectors.saved_views import View, views_of
from evidence.selectors.search_terms import Asking


@dataclass(frozen=True, slots=True)
class ListView:
    page: Page[HeldRecord]
    rows: list[Row]
    counts: QueueCounts
    views: list[View]
    is_first: bool
    # How many rows of the page repeat an earlier one: nearly the same, or equal.
    repeats: int


def list_view(
    user: User, wanted: QueueFilter, now: datetime, *, after: str = "", before: str = "", fold: bool = False
) -> ListView:
    """One page. `fold` leaves rows out that repeat an earlier one of the page; the cursors are those of the whole page.

    Raises `BadInput` for a cursor of another list. Where nothing stands in front any more, the first page is what is left."""
    asking = Asking.of(user, now)
    walk = walk_of(wanted.search, asking)
    page = page_of(walk, after="" if before else after, before=before, limit=PAGE_SIZE)
    is_first = not (after or before)
    if before and not page.rows and not page.before:
        page, is_first = page_of(walk, limit=PAGE_SIZE), True
    rows = rows_of(asking, page.rows)
    kept = [row for row in rows if not (fold and row.repeats)]
    repeats = sum(row.repeats for row in rows)
    return ListView(page, kept, counts_for(asking), views_of(asking), is_first, repeats)
