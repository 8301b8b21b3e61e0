"""A person's inbox: its entries, what is new, and what of each they may see now. Reads only; looking marks nothing."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import F, Window
from django.db.models.functions import RowNumber

from evidence.models import Delivery, News, Notice, User
from evidence.rules.telling import NoticeKind
from evidence.selectors.paging import Keyset, Page, page
from evidence.selectors.telling import Section, Told, sections, told_to
from evidence.selectors.telling_words import heading

PAGE = 30
SHOWN = 4
COUNTED = 100
NEWEST = Keyset("inbox", ("-id",))


@dataclass(frozen=True, slots=True)
class Entry:
    """`section` none: nothing of it may be seen by this person any more. `over`: what is shown of it is done."""

    delivery: Delivery
    heading: str
    section: Section | None
    more: int
    over: bool

    @property
    def unread(self) -> bool:
        return self.delivery.read_at is None


@dataclass(frozen=True, slots=True)
class Inbox:
    page: Page[Delivery]
    entries: list[Entry]
    newest: UUID | None
    unread: int


def inbox_of(user: User, now: datetime, *, after: str = "", unread_only: bool = False) -> Inbox:
    rows = Delivery.objects.inbox_of(user)
    rows = rows.filter(read_at__isnull=True) if unread_only else rows
    found = page(rows, NEWEST, after=after, limit=PAGE)
    told = _told_of(user, found.rows, now)
    entries = [_entry(row, told[row.pk]) for row in found.rows]
    return Inbox(found, entries, found.rows[0].pk if found.rows else None, unread_count(user))


def unread_count(user: User) -> int:
    """Not counted further than a hundred: nobody reads the difference."""
    return Delivery.objects.unread().filter(user=user).values("pk")[:COUNTED].count()


def newer_than(user: User, since: UUID | None) -> int:
    """Entries that came after the newest one on the screen."""
    rows = Delivery.objects.inbox_of(user)
    rows = rows if since is None else rows.filter(pk__gt=since)
    return rows.values("pk")[:COUNTED].count()


def _entry(row: Delivery, told: list[Told]) -> Entry:
    parts = sections(told, shown=SHOWN)
    section = parts[0] if parts else None
    # What is said by its number (items of an agent, facts to check) counts itself; the rest is counted by the entry.
    number = max(row.count, section.number if section else 0)
    shown = len(section.rows) if section else 0
    return Entry(row, heading(NoticeKind(row.lane), number), section, max(row.count - shown, 0) if section else 0,
                 bool(told) and not any(one.matters for one in told))  # fmt: skip


def _told_of(user: User, rows: list[Delivery], now: datetime) -> dict[UUID, list[Told]]:
    """The newest few things of each entry, in a handful of queries for the whole page."""
    place = Window(RowNumber(), partition_by=[F("delivery_id")], order_by=F("id").desc())
    newest = Notice.objects.filter(delivery__in=rows).annotate(place=place).filter(place__lte=SHOWN)
    of_news = dict(newest.values_list("news_id", "delivery_id"))
    news = News.objects.filter(pk__in=list(of_news)).order_by("-at", "-id")
    told: dict[UUID, list[Told]] = defaultdict(list)
    for one in told_to(user, news, now):
        told[of_news[one.news.pk]].append(one)
    return told
