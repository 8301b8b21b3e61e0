"""Reading the queue: its search, its pages, its numbers and what comes next. Claims and leases are services.

`rules/search` says how a search is written, `search_terms` what its terms mean, `queue_walks` along which index it goes.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import F

from evidence.models import HeldRecord, User
from evidence.models.held import HeldQuerySet
from evidence.selectors import search_words
from evidence.selectors.paging import Capped, Page
from evidence.selectors.picking import next_pick
from evidence.selectors.queue_filter import LONGEST as LONGEST_SEARCH
from evidence.selectors.queue_filter import QueueFilter
from evidence.selectors.queue_pages import SCAN_LIMIT, count_of, page_of
from evidence.selectors.queue_walks import asked_of_rows, asked_words, statuses_of, walk_of
from evidence.selectors.search_terms import Asking, among

__all__ = [
    "LONGEST_SEARCH",
    "PAGE_SIZE",
    "SCAN_LIMIT",
    "Idle",
    "QueueCounts",
    "QueueFilter",
    "count",
    "counts",
    "counts_for",
    "idle",
    "listing",
    "narrowed",
    "next_candidate",
    "reviewable",
]

PAGE_SIZE = 50
NAMED: dict[str, QueueFilter] = {
    "waiting": QueueFilter(),
    "high": QueueFilter("risk:high"),
    "conflicts": QueueFilter("match:conflict"),
    "expiring": QueueFilter("is:expiring"),
    "held_by_others": QueueFilter("is:leased -is:mine"),
    "snoozed": QueueFilter("is:snoozed"),
}


def listing(
    user: User, wanted: QueueFilter, now: datetime, *, after: str = "", before: str = "", limit: int = PAGE_SIZE
) -> Page[HeldRecord]:
    """One page of the list. Words are looked for newest first; raises `BadInput` for a cursor of another list."""
    return page_of(walk_of(wanted.search, Asking.of(user, now)), after=after, before=before, limit=limit)


def count(user: User, wanted: QueueFilter, now: datetime) -> Capped:
    """The number of rows that `listing` gives page by page."""
    return count_of(walk_of(wanted.search, Asking.of(user, now)))


def narrowed(rows: HeldQuerySet, wanted: QueueFilter, user: User, now: datetime) -> HeldQuerySet:
    """Another queryset under the search, in that one's own order. Of words, the newest matches count."""
    query = wanted.search
    if query.is_lost:
        return rows.none()
    if not query.terms:
        return rows.waiting()
    asking, statuses = Asking.of(user, now), statuses_of(query)
    words = asked_words(query, statuses, asking.seen)
    rows = rows.filter(among("status", statuses))
    rest = asked_of_rows(query, asking, words)
    rows = rows.filter(rest) if rest is not None else rows
    return rows.filter(pk__in=search_words.ids(words, SCAN_LIMIT)) if words else rows


def reviewable(user: User, wanted: QueueFilter, now: datetime) -> HeldQuerySet:
    """Waiting items under the filter that this person can bring forward: not those that wait for somebody else's approval."""
    rows = narrowed(HeldRecord.objects.reviewable_by(user), wanted, user, now).waiting()
    return rows.exclude(first_approver=user, first_approval_version=F("version"))


def next_candidate(user: User, wanted: QueueFilter, now: datetime) -> HeldRecord | None:
    """What a claim would most likely give (`picking`)."""
    return next_pick(user, reviewable(user, wanted, now), now)


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """The numbers above the queue; each is capped and equals the rows behind its link."""

    waiting: Capped
    high: Capped
    conflicts: Capped
    expiring: Capped
    held_by_others: Capped
    snoozed: Capped


def counts(user: User, now: datetime) -> QueueCounts:
    return counts_for(Asking.of(user, now))


def counts_for(asking: Asking) -> QueueCounts:
    numbers = {name: count_of(walk_of(wanted.search, asking)) for name, wanted in NAMED.items()}
    return QueueCounts(**numbers)


@dataclass(frozen=True, slots=True)
class Idle:
    """Why there is nothing to do right now (screens "One at a time")."""

    held_by_others: Capped
    snoozed: Capped
    next_awake: datetime | None
    next_expiry: datetime | None


def idle(user: User, now: datetime) -> Idle:
    waiting = HeldRecord.objects.visible_to(user).waiting()
    next_awake = waiting.filter(snoozed_until__gt=now).order_by("snoozed_until").values_list("snoozed_until", flat=True)
    next_expiry = waiting.filter(expires_at__gt=now).order_by("expires_at").values_list("expires_at", flat=True)
    numbers = counts(user, now)
    return Idle(numbers.held_by_others, numbers.snoozed, next_awake.first(), next_expiry.first())
