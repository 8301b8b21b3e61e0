"""The rows behind each number of the insights: the same words and borders, page by page.

A list whose order an index gives is read from it; what narrows it further looks at a bounded stretch of that order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, ClassVar, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import models
from django.db.models import Q

from evidence.models import Evidence, HeldRecord, Inquiry, Tally, User
from evidence.models.audit import DecisionQuerySet
from evidence.models.tallies import DISAGREEMENTS, Figure, begin_of
from evidence.rules.errors import BadInput
from evidence.rules.times import read_time
from evidence.rules.vocab import HeldStatus, Kind, Label, SecretKind, TrustClass
from evidence.selectors.filters import AddressFilter
from evidence.selectors.insights_counts import ENDINGS
from evidence.selectors.insights_judged import approvals_since, decided_here, decisions_of, overturned
from evidence.selectors.insights_period import RANGES, Period
from evidence.selectors.paging import Keyset, Page, page, read_cursor, write_cursor
from evidence.selectors.records import with_label

Row = TypeVar("Row", bound=models.Model)

PAGE_SIZE = 50
SCAN_LIMIT = 20_000
REFUSALS_SHOWN = 500
_EVER = datetime.fromisoformat("1971-01-01T00:00:00+00:00")
_FILED = Keyset("insights-filed", ("-created_at", "-id"))
_ENDED = Keyset("insights-ended", ("-decided_at", "-id"))
_INGESTED = Keyset("insights-records", ("-ingested_at", "-pk_uuid"))
_TURNING = Keyset("insights-turning", ("expires_at", "pk_uuid"))
_ASKED = Keyset("insights-asked", ("-asked_at", "-id"))
_NEWEST = Keyset("insights-decisions", ("-id",))


@dataclass(frozen=True, slots=True)
class RowsFilter(AddressFilter):
    """Which number is meant. `since` and `until` are instants; `days` names the period where a whole one is meant."""

    WORDS: ClassVar[Mapping[str, frozenset[str]]] = {
        "part": frozenset(ENDINGS),
        "trust": frozenset(TrustClass),
        "kind": frozenset(Kind),
        "label": frozenset(Label),
        "secret": frozenset(SecretKind),
        "days": frozenset(str(days) for days in RANGES),
        "hour": frozenset(str(hour) for hour in range(24)),
    }

    figure: str = ""
    since: str = ""
    until: str = ""
    part: str = ""
    agent: str = ""
    trust: str = ""
    kind: str = ""
    label: str = ""
    secret: str = ""
    days: str = ""
    hour: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Texts refused within a quarter of an hour."""

    at: datetime
    agent: str
    kind: str
    door: str
    number: int


@dataclass(frozen=True, slots=True)
class Rows:
    """`shape` says what the rows are: held, record, inquiry, decision or refusal."""

    shape: str
    page: Page[Any] = field(default_factory=lambda: Page([]))


@dataclass(frozen=True, slots=True)
class _Asked:
    """Who asks for what, with the borders read."""

    user: User
    wanted: RowsFilter
    since: datetime
    until: datetime
    now: datetime
    zone: ZoneInfo
    after: str
    limit: int


def rows_behind(
    user: User, wanted: RowsFilter, *, zone: ZoneInfo, now: datetime, after: str = "", limit: int = PAGE_SIZE
) -> Rows:
    """Raises `BadInput`: not_found for a number that there is not, malformed for borders that cannot be read."""
    shape, read = _FIGURES.get(wanted.figure, ("", None))
    if read is None:
        raise BadInput("not_found", "There is no such figure.", field="figure")
    since, until = _border(wanted.since, "since"), _border(wanted.until, "until")
    if since is None and wanted.days:
        since = Period(int(wanted.days), zone, now).since
    far = now + timedelta(days=36_500)
    return Rows(shape, read(_Asked(user, wanted, since or _EVER, until or far, now, zone, after, limit)))


def _border(text: str, name: str) -> datetime | None:
    moment = read_time(text) if text else None
    if text and moment is None:
        raise BadInput("malformed", f"{name} has to be a time, such as 2026-11-30T12:00Z.", field=name)
    return moment


def _waiting(asked: _Asked) -> Page[Any]:
    """What waited at `until`."""
    later = Q(status=HeldStatus.WAITING) | Q(decided_at__gte=asked.until, decision_id__isnull=False)
    base = HeldRecord.objects.visible_to(asked.user).filter(created_at__lt=asked.until)
    return _bounded(base, _FILED, lambda rows: rows.filter(later).select_related("agent"), asked)


def _filed(asked: _Asked) -> Page[Any]:
    base = HeldRecord.objects.visible_to(asked.user).filter(created_at__gte=asked.since, created_at__lt=asked.until)
    here = Q(status=HeldStatus.WAITING) | Q(decided_at__isnull=False, decision_id__isnull=False)
    return _bounded(base, _FILED, lambda rows: rows.filter(here).select_related("agent"), asked)


def _ended(asked: _Asked) -> Page[Any]:
    wanted = asked.wanted
    statuses = ENDINGS[wanted.part] if wanted.part else [one for one in HeldStatus if one != HeldStatus.WAITING]
    base = HeldRecord.objects.visible_to(asked.user).filter(status__in=statuses)
    base = base.filter(decided_at__gte=asked.since, decided_at__lt=asked.until)

    def narrowed(rows: Any) -> Any:
        exact = {"agent_id": wanted.agent, "effective_trust_class": wanted.trust}
        rows = decided_here(rows).filter(**{column: word for column, word in exact.items() if word})
        return (rows.filter(_at_hour(asked)) if wanted.hour else rows).select_related("agent")

    return _bounded(base, _ENDED, narrowed, asked)


def _at_hour(asked: _Asked) -> Q:
    period = Period(int(asked.wanted.days or RANGES[-1]), asked.zone, asked.now)
    found = Q()
    for begin, end in period.spans_of_hour(int(asked.wanted.hour)):
        found |= Q(decided_at__gte=begin, decided_at__lt=end)
    return found


def _labelled(asked: _Asked) -> Page[Any]:
    """Active records of a kind with a label at `until`."""
    wanted = asked.wanted
    base = Evidence.objects.visible_to(asked.user).active().filter(kind=wanted.kind or Kind.FACT)
    label = wanted.label or Label.STALE
    return _bounded(base, _INGESTED, lambda rows: with_label(rows, label, asked.until), asked)


def _turning(asked: _Asked) -> Page[Any]:
    """Facts that go stale behind `since` and up to `until`."""
    rows = Evidence.objects.visible_to(asked.user).turning(before=asked.until).filter(kind=Kind.FACT)
    return page(rows.filter(expires_at__gt=asked.since), _TURNING, after=asked.after, limit=asked.limit)


def _asked(asked: _Asked) -> Page[Any]:
    rows = Inquiry.objects.visible_to(asked.user).open().filter(kind__in=DISAGREEMENTS)
    rows = rows.filter(asked_at__gte=asked.since, asked_at__lt=asked.until).select_related("agent")
    return page(rows, _ASKED, after=asked.after, limit=asked.limit)


def _approvals(asked: _Asked) -> Page[Any]:
    return page(approvals_since(asked.user, asked.since), _NEWEST, after=asked.after, limit=asked.limit)


def _overturned(asked: _Asked) -> Page[Any]:
    rows = approvals_since(asked.user, asked.since)
    return _these(rows, overturned(rows)[1], asked)


def _mine(asked: _Asked) -> Page[Any]:
    return page(decisions_of(asked.user, asked.since), _NEWEST, after=asked.after, limit=asked.limit)


def _my_approvals(asked: _Asked) -> Page[Any]:
    rows = decisions_of(asked.user, asked.since).exclude(action="reject")
    return page(rows, _NEWEST, after=asked.after, limit=asked.limit)


def _my_overturned(asked: _Asked) -> Page[Any]:
    rows = decisions_of(asked.user, asked.since)
    return _these(rows, overturned(rows)[1], asked)


def _these(rows: DecisionQuerySet, ids: set[UUID], asked: _Asked) -> Page[Any]:
    return page(rows.filter(pk__in=ids), _NEWEST, after=asked.after, limit=asked.limit)


def _refused(asked: _Asked) -> Page[Any]:
    """By quarters of an hour; no text was kept, so there is nothing else to show."""
    rows = Tally.objects.visible_to(asked.user).of(Figure.REFUSED).within(asked.since, asked.until)
    rows = rows.filter(word=asked.wanted.secret) if asked.wanted.secret else rows
    sums = rows.by("slot", "agent", "word", "detail")
    newest = sorted(sums.items(), reverse=True)[:REFUSALS_SHOWN]
    return Page([Refusal(begin_of(slot), agent, kind, door, n) for (slot, agent, kind, door), n in newest])  # type: ignore[type-var]


_FIGURES: dict[str, tuple[str, Callable[[_Asked], Page[Any]]]] = {
    "waiting": ("held", _waiting),
    "filed": ("held", _filed),
    "ended": ("held", _ended),
    "labelled": ("record", _labelled),
    "turning": ("record", _turning),
    "asked": ("inquiry", _asked),
    "approvals": ("decision", _approvals),
    "overturned": ("decision", _overturned),
    "mine": ("decision", _mine),
    "my-approvals": ("decision", _my_approvals),
    "my-overturned": ("decision", _my_overturned),
    "refused": ("refusal", _refused),
}


def _bounded(
    base: models.QuerySet[Row],
    keyset: Keyset,
    narrowed: Callable[[models.QuerySet[Row]], models.QuerySet[Row]],
    asked: _Asked,
) -> Page[Row]:
    """A page of what is narrowed out of the next `SCAN_LIMIT` rows of `base`; where they end, the page says so."""
    stretch = keyset.order(base)
    if asked.after:
        stretch = keyset.after(stretch, read_cursor(keyset, asked.after))
    rows = narrowed(base.model._default_manager.filter(pk__in=stretch.values("pk")[:SCAN_LIMIT]))
    found = list(keyset.order(rows)[: asked.limit + 1])
    if len(found) > asked.limit:
        return Page(found[: asked.limit], write_cursor(keyset, keyset.position(found[asked.limit - 1])))
    last = list(stretch[SCAN_LIMIT - 1 : SCAN_LIMIT])
    return Page(found, write_cursor(keyset, keyset.position(last[0])) if last else "", SCAN_LIMIT if last else None)
