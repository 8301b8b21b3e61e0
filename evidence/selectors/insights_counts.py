"""Numbers over time from the counts that the database keeps (`models.tallies`): a few sums each, however much there is.

What the numbers count is listed by `insights_rows`, by the same words and borders.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.db.models import Case, IntegerField, Q, Sum, Value, When

from evidence.models import Evidence, Tally, User
from evidence.models.tallies import Figure, TallyQuerySet, begin_of, slot_of
from evidence.models.visibility import agents_of
from evidence.rules.vocab import HeldStatus, Kind, Label
from evidence.selectors.insights_period import Period

# How an item can end, by the word that pages and addresses use. "decided" is what a person said yes or no to.
ENDINGS: dict[str, tuple[HeldStatus, ...]] = {
    "approved": (HeldStatus.APPROVED,),
    "rejected": (HeldStatus.REJECTED,),
    "closed": (HeldStatus.SUPERSEDED, HeldStatus.WITHDRAWN),
    "expired": (HeldStatus.EXPIRED,),
    "decided": (HeldStatus.APPROVED, HeldStatus.REJECTED),
}
PARTS = ("approved", "rejected", "closed", "expired")
AHEAD = timedelta(days=7)
# How long a disagreement has been open: from so many days on, the youngest first.
AGES = (0, 1, 3, 7, 30)


@dataclass(frozen=True, slots=True)
class Day:
    """`waiting` at its end, for today: now. `ended` by `PARTS`."""

    date: date
    since: datetime
    until: datetime
    filed: int
    ended: dict[str, int]
    waiting: int

    @property
    def decided(self) -> int:
        return self.ended["approved"] + self.ended["rejected"]


@dataclass(frozen=True, slots=True)
class Accepted:
    """What became of the proposals of one agent or one trust class."""

    name: str
    ended: dict[str, int]

    @property
    def decided(self) -> int:
        return self.ended["approved"] + self.ended["rejected"]

    @property
    def share(self) -> float | None:
        return self.ended["approved"] / self.decided if self.decided else None


@dataclass(frozen=True, slots=True)
class Labels:
    """Active facts and articles with one label, now and later."""

    kind: str
    label: str
    now: int
    later: int


@dataclass(frozen=True, slots=True)
class Aged:
    """Open disagreements asked from `since` (none: ever) until `until`; `days` is the least age."""

    days: int
    since: datetime | None
    until: datetime
    number: int


@dataclass(frozen=True, slots=True)
class Counts:
    """Everything that comes from the kept counts. `turning`: verified facts that go stale until `later_at`."""

    waiting: int
    days: list[Day]
    hours: list[int]
    classes: list[Accepted]
    agents: list[Accepted]
    labels: list[Labels]
    later_at: datetime
    turning: int
    ages: list[Aged]
    refused: dict[str, int] = field(default_factory=dict)

    @property
    def filed(self) -> int:
        return sum(day.filed for day in self.days)

    def ended(self, part: str) -> int:
        return sum(day.ended[part] for day in self.days)


def counts_of(user: User, period: Period) -> Counts:
    seen = agents_of(user)
    rows = Tally.objects.all() if seen is None else Tally.objects.filter(agent__in=seen)
    waiting = rows.of(Figure.WAITING).total()
    classes, agents = _accepted(rows, period)
    labels, turning, later_at = _labels(rows, seen, period.now)
    refused = rows.of(Figure.REFUSED).within(period.since, period.until).by("word")
    return Counts(
        waiting=waiting, days=_days(rows, period, waiting), hours=_hours(rows, period), classes=classes, agents=agents,
        labels=labels, later_at=later_at, turning=turning, ages=_ages(rows, period.now),
        refused={word: number for (word,), number in sorted(refused.items(), key=lambda item: -item[1])},
    )  # fmt: skip


def waiting_by_day(user: User, period: Period) -> list[Day]:
    """The backlog alone, for the picture on the first page."""
    rows = Tally.objects.visible_to(user)
    return _days(rows, period, rows.of(Figure.WAITING).total())


def _days(rows: TallyQuerySet, period: Period, waiting: int) -> list[Day]:
    """From today backwards: what waited at the end of a day is what waits now, without what came and with what went since."""
    inside = rows.of(Figure.FILED, Figure.ENDED).within(period.since, period.until)
    sums: dict[tuple[str, str, date], int] = {}
    for (figure, word, number), total in inside.annotate(day=period.day_number()).by("figure", "word", "day").items():
        sums[figure, word, period.day_of(number)] = total
    made: list[Day] = []
    for day in reversed(period.dates):
        filed = sums.get((Figure.FILED, "", day), 0)
        ended = {part: sum(sums.get((Figure.ENDED, status, day), 0) for status in ENDINGS[part]) for part in PARTS}
        made.append(Day(day, *period.bounds(day), filed, ended, waiting))
        waiting += sum(ended.values()) - filed
    return made[::-1]


def _hours(rows: TallyQuerySet, period: Period) -> list[int]:
    """Decisions by the hour of the day in which they were taken."""
    decided = rows.of(Figure.ENDED).within(period.since, period.until).filter(word__in=ENDINGS["decided"])
    sums = decided.annotate(hour=period.hour()).by("hour")
    return [sums.get((hour,), 0) for hour in range(24)]


def _accepted(rows: TallyQuerySet, period: Period) -> tuple[list[Accepted], list[Accepted]]:
    """By trust class and by agent, those with most decisions first; in days of UTC."""
    sums = rows.of(Figure.JUDGED).within(*period.utc_days).by("agent", "word", "detail")
    part_of = {status: part for part in PARTS for status in ENDINGS[part]}
    classes: dict[str, Counter[str]] = {}
    agents: dict[str, Counter[str]] = {}
    for (agent, status, trust_class), number in sums.items():
        for table, name in ((classes, trust_class), (agents, agent)):
            table.setdefault(name, Counter())[part_of[HeldStatus(status)]] += number
    return _ranked(classes), _ranked(agents)


def _ranked(table: dict[str, Counter[str]]) -> list[Accepted]:
    made = [Accepted(name, {part: parts[part] for part in PARTS}) for name, parts in table.items()]
    return sorted(made, key=lambda row: (-row.decided, row.name))


def _labels(rows: TallyQuerySet, seen: frozenset[str] | None, now: datetime) -> tuple[list[Labels], int, datetime]:
    """Whole quarters of an hour count as begun; what of the running one is still to come is taken out again for `now`."""
    begun, later_slot = slot_of(now) + 1, slot_of(now + AHEAD) + 1
    grouped = rows.of(Figure.LABEL).order_by().values_list("word", "detail")
    sums = grouped.annotate(
        total=Sum("number"), now=Sum("number", filter=Q(slot__lt=begun), default=0),
        later=Sum("number", filter=Q(slot__lt=later_slot), default=0),
    )  # fmt: skip
    found = list(sums)
    total, current, later = ({(kind, what): n[at] for kind, what, *n in found} for at in range(3))
    begins, ends = (Kind.FACT.value, "begins"), (Kind.FACT.value, "ends")
    early_begins, early_ends = _still_to_come(seen, now, begin_of(begun))

    def facts(sums: dict[tuple[str, str], int], not_begun: int = 0, not_over: int = 0) -> dict[Label, int]:
        started, over = sums.get(begins, 0) - not_begun, sums.get(ends, 0) - not_over
        unchecked = total.get((Kind.FACT, "unverified"), 0)
        return {
            Label.VERIFIED: started - over,
            Label.STALE: over,
            Label.UNVERIFIED: unchecked + total.get(begins, 0) - started,
        }

    at_once, then = facts(current, early_begins, early_ends), facts(later)
    made = [Labels(Kind.FACT, label, at_once[label], then[label]) for label in at_once]
    for label in (Label.APPROVED, Label.UNVERIFIED):  # of articles, which no time changes
        number = total.get((Kind.ARTICLE, label), 0)
        made.append(Labels(Kind.ARTICLE, label, number, number))
    return made, then[Label.STALE] - at_once[Label.STALE], begin_of(later_slot) - timedelta(microseconds=1)


def _still_to_come(seen: frozenset[str] | None, now: datetime, until: datetime) -> tuple[int, int]:
    """Facts whose check begins to hold, and whose check ends to hold, behind `now` and before `until`."""
    facts = Evidence.objects.active().filter(kind=Kind.FACT, label_base="dated")
    facts = facts if seen is None else facts.filter(scope_owner__in=seen)
    return (
        facts.filter(verified_from__gt=now, verified_from__lt=until).count(),
        facts.filter(expires_at__gt=now, expires_at__lt=until).count(),
    )


def _ages(rows: TallyQuerySet, now: datetime) -> list[Aged]:
    """Open disagreements by how long they have been open, to a quarter of an hour."""
    end = begin_of(slot_of(now) + 1)
    borders = [end - timedelta(days=days) for days in AGES]
    cases = [When(slot__gte=slot_of(border), then=Value(days)) for border, days in zip(borders[1:], AGES, strict=False)]
    age = Case(*cases, default=Value(AGES[-1]), output_field=IntegerField())
    sums = rows.of(Figure.ASKED).annotate(age=age).by("age")
    made = []
    for at, days in enumerate(AGES):
        since = borders[at + 1] if at + 1 < len(AGES) else None
        made.append(Aged(days, since, borders[at], sums.get((days,), 0)))
    return made
