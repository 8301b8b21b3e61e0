"""Reading the queue: its filters, its pages, its numbers and what comes next. Claims and leases are services.

A filter on one indexed column walks that index; anything wider looks at a bounded stretch of the order and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar

from django.db.models import Exists, F, OuterRef, Q

from evidence.models import HeldRecord, HeldSkip, User
from evidence.models.held import HeldQuerySet
from evidence.rules.vocab import HeldKind, HeldStatus, MatchKind, Risk
from evidence.selectors.filters import AddressFilter
from evidence.selectors.paging import Capped, Keyset, Page, capped_count, read_cursor, write_cursor

PAGE_SIZE = 50
SCAN_LIMIT = 20_000
SOON = timedelta(days=2)
IN_ORDER = Keyset("queue", ("priority", "id"))
NEWEST_FIRST = Keyset("queue-new", ("-id",))
# Decided items, newest first more or less: the same index walked backwards.
LAST_IN_ORDER = Keyset("queue-back", ("-priority", "-id"))
CONFLICTS = (MatchKind.POTENTIAL_CONFLICT, MatchKind.SUPERSEDES, MatchKind.AMBIGUOUS)


@dataclass(frozen=True, slots=True)
class QueueFilter(AddressFilter):
    """What the queue shows. `match=conflict` stands for all kinds that disagree with something."""

    WORDS: ClassVar[Mapping[str, frozenset[str]]] = {
        "kind": frozenset(HeldKind),
        "risk": frozenset(Risk),
        "match": frozenset({*MatchKind, "conflict"}),
        "status": frozenset({*HeldStatus, "any"}),
        "only": frozenset({"expiring", "leased", "snoozed", "flagged"}),
    }

    q: str = ""
    kind: str = ""
    agent: str = ""
    ns: str = ""
    risk: str = ""
    match: str = ""
    status: str = HeldStatus.WAITING.value
    only: str = ""

    @property
    def width(self) -> int:
        """How many members narrow the list beside the status."""
        return sum(1 for name in ("q", "kind", "agent", "ns", "risk", "match", "only") if getattr(self, name))


def apply(rows: HeldQuerySet, wanted: QueueFilter, user: User, now: datetime) -> HeldQuerySet:
    """The queryset narrowed by everything but the words."""
    if wanted.status != "any":
        rows = rows.filter(status=wanted.status)
    exact = {"kind": wanted.kind, "agent_id": wanted.agent, "namespace": wanted.ns, "risk": wanted.risk}
    rows = rows.filter(**{column: word for column, word in exact.items() if word})
    if wanted.match:
        rows = rows.filter(match_kind__in=CONFLICTS if wanted.match == "conflict" else (wanted.match,))
    return _ONLY[wanted.only](rows, user, now) if wanted.only else rows


def _expiring(rows: HeldQuerySet, user: User, now: datetime) -> HeldQuerySet:
    return rows.filter(expires_at__gt=now, expires_at__lte=now + SOON)


def _leased(rows: HeldQuerySet, user: User, now: datetime) -> HeldQuerySet:
    return rows.filter(lease_until__gt=now, lease_holder__isnull=False).exclude(lease_holder=user)


def _snoozed(rows: HeldQuerySet, user: User, now: datetime) -> HeldQuerySet:
    return rows.filter(snoozed_until__gt=now)


def _flagged(rows: HeldQuerySet, user: User, now: datetime) -> HeldQuerySet:
    return rows.exclude(flags=[])


_ONLY: dict[str, Callable[[HeldQuerySet, User, datetime], HeldQuerySet]] = {
    "expiring": _expiring,
    "leased": _leased,
    "snoozed": _snoozed,
    "flagged": _flagged,
}


def listing(
    user: User, wanted: QueueFilter, now: datetime, *, after: str = "", limit: int = PAGE_SIZE
) -> Page[HeldRecord]:
    """One page of the list. Words are looked for newest first; raises `BadInput` for a cursor of another list."""
    keyset = _keyset_for(wanted)
    position = read_cursor(keyset, after) if after else None
    seen = HeldRecord.objects.visible_to(user)
    if wanted.width < 2 and not wanted.q:
        rows = keyset.order(apply(seen, wanted, user, now))
        rows = keyset.after(rows, position) if position else rows
        found = list(rows.select_related("agent", "lease_holder")[: limit + 1])
        return _page(keyset, found, limit)
    return _scanned(seen, wanted, user, now, keyset, position, limit)


def _keyset_for(wanted: QueueFilter) -> Keyset:
    if wanted.q or wanted.status == "any":
        return NEWEST_FIRST
    return IN_ORDER if wanted.status == HeldStatus.WAITING else LAST_IN_ORDER


def _scanned(
    seen: HeldQuerySet, wanted: QueueFilter, user: User, now: datetime, keyset: Keyset, position: tuple[object, ...] | None,
    limit: int,
) -> Page[HeldRecord]:  # fmt: skip
    """Filters look at the next `SCAN_LIMIT` rows of the order and no further, so that a page costs the same at any size."""
    by_status = seen if wanted.status == "any" else seen.filter(status=wanted.status)
    stretch = keyset.order(by_status)
    stretch = keyset.after(stretch, position) if position else stretch
    rows = HeldRecord.objects.filter(pk__in=stretch.values("pk")[:SCAN_LIMIT])
    rows = apply(rows, wanted, user, now)  # type: ignore[arg-type]
    for word in wanted.words:
        rows = rows.filter(_says(word))
    found = list(keyset.order(rows).select_related("agent", "lease_holder")[: limit + 1])
    if len(found) > limit:
        return _page(keyset, found, limit)
    last = list(stretch[SCAN_LIMIT - 1 : SCAN_LIMIT])
    cursor = write_cursor(keyset, keyset.position(last[0])) if last else ""
    return Page(found, cursor, SCAN_LIMIT if last else None)


def _says(word: str) -> Q:
    return Q(statement__icontains=word) | Q(origin_id=word) | Q(claim_subject__icontains=word)


def _page(keyset: Keyset, found: list[HeldRecord], limit: int) -> Page[HeldRecord]:
    more = len(found) > limit
    return Page(found[:limit], write_cursor(keyset, keyset.position(found[limit - 1])) if more else "")


def reviewable(user: User, wanted: QueueFilter, now: datetime) -> HeldQuerySet:
    """Waiting items under the filter that this person can bring forward: not those that wait for somebody else's approval."""
    rows = apply(HeldRecord.objects.reviewable_by(user), wanted, user, now).waiting()
    for word in wanted.words:
        rows = rows.filter(_says(word))
    return rows.exclude(first_approver=user, first_approval_version=F("version"))


def next_candidate(user: User, wanted: QueueFilter, now: datetime) -> HeldRecord | None:
    """What a claim would most likely give: what the person holds already, else the first of the order, skipped ones last."""
    rows = reviewable(user, wanted, now).awake(now).free_for(user, now).open_to(user)
    rows = rows.select_related("agent", "lease_holder")
    fresh = rows.filter(~Exists(HeldSkip.objects.filter(user=user, held=OuterRef("pk"))))
    held = fresh.filter(lease_holder=user, lease_until__gt=now).in_order().first()
    return held or fresh.in_order().first() or rows.filter(skips__user=user).order_by("skips__skipped_at", "id").first()


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
    seen = HeldRecord.objects.visible_to(user)

    def count(**words: str) -> Capped:
        return capped_count(apply(seen, QueueFilter(**words), user, now))

    return QueueCounts(
        waiting=count(),
        high=count(risk=Risk.HIGH),
        conflicts=count(match="conflict"),
        expiring=count(only="expiring"),
        held_by_others=count(only="leased"),
        snoozed=count(only="snoozed"),
    )


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
