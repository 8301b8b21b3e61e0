"""The insights as their page shows them: every number with the address of its rows, every chart with its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from urllib.parse import urlencode

from django.template.defaultfilters import date as format_date
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy, pgettext

from evidence.models import HeldRecord
from evidence.rules.times import to_iso
from evidence.rules.vocab import Kind, Label
from evidence.selectors.insights_counts import PARTS, Accepted, Aged, Counts, Day, Labels
from evidence.selectors.insights_judged import Mine, Share, TimeTaken
from evidence.selectors.insights_period import Period
from evidence.selectors.insights_rows import RowsFilter
from evidence.web import charts, wording
from evidence.web.charts import Bar, Chart, Series
from evidence.web.numbers import grouped, percent, point
from evidence.web.ordering import span

AGENTS_SHOWN = 12
_SIZES = (
    (86_400, ngettext_lazy("%(told)s day", "%(told)s days", "n")),
    (3_600, ngettext_lazy("%(told)s hour", "%(told)s hours", "n")),
    (60, ngettext_lazy("%(told)s minute", "%(told)s minutes", "n")),
)
_KINDS: dict[str, str | Promise] = {
    Kind.FACT: gettext_lazy("Facts"), Kind.ARTICLE: gettext_lazy("Articles"), Kind.OBSERVATION: gettext_lazy("Observations"),
}  # fmt: skip
LOOKS = {"approved": "solid", "rejected": "hatched", "closed": "hollow", "expired": "dotted"}
PART_NAMES: dict[str, str | Promise] = {
    "approved": gettext_lazy("Approved"), "rejected": gettext_lazy("Rejected"), "closed": gettext_lazy("Closed otherwise"),
    "expired": gettext_lazy("Expired"), "decided": gettext_lazy("Decided"),
}  # fmt: skip
_LABEL_LOOKS = {Label.VERIFIED: "solid", Label.STALE: "hatched", Label.UNVERIFIED: "hollow", Label.APPROVED: "solid"}
_AGE_NAMES = (
    gettext_lazy("under a day"), gettext_lazy("1 to 3 days"), gettext_lazy("3 to 7 days"), gettext_lazy("7 to 30 days"),
    gettext_lazy("30 days and more"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cell:
    """A number that leads to the rows that it counts; 0 leads nowhere."""

    number: int
    href: str

    def __str__(self) -> SafeString:
        if not self.number:
            return SafeString('<span class="muted">0</span>')
        return format_html('<a href="{}">{}</a>', self.href, grouped(self.number))


@dataclass(frozen=True, slots=True)
class DayRow:
    date: date
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class BarRow:
    """A line of a table with a bar. `share` is told beside it, where there is one."""

    name: str
    cells: tuple[Cell, ...]
    bar: Bar
    share: str = ""


@dataclass(frozen=True, slots=True)
class Overturned:
    part: Cell
    whole: Cell
    share: str
    range: str
    capped: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """What is taken from the rows themselves (`selectors.insights_judged`)."""

    oldest: HeldRecord | None
    time: TimeTaken
    overturned: Share
    mine: Mine | None


@dataclass(frozen=True, slots=True)
class InsightsPage:
    """Everything that `insights.html` reads."""

    is_empty: bool
    waiting_now: Cell
    oldest: HeldRecord | None
    oldest_age: str
    median: str
    median_of: Cell
    median_capped: bool
    parts: tuple[tuple[str | Promise, Cell], ...]
    filed: Cell
    turning: Cell
    overturned: Overturned
    waiting: Chart
    flow: Chart
    days: tuple[DayRow, ...]
    hours: Chart
    hour_cells: tuple[tuple[str, Cell], ...]
    labels: Chart
    label_rows: tuple[BarRow, ...]
    ages: tuple[BarRow, ...]
    classes: tuple[BarRow, ...]
    agents: tuple[BarRow, ...]
    more_agents: tuple[BarRow, ...]
    refused: tuple[BarRow, ...]
    mine: Mine | None
    mine_decided: Cell
    mine_overturned: Overturned | None
    pace: str
    in_utc_days: bool
    legend: tuple[tuple[str | Promise, str], ...] = tuple((PART_NAMES[part], LOOKS[part]) for part in PARTS)


def rows_address(figure: str, **words: object) -> str:
    given = {"figure": figure} | {name: str(word) for name, word in words.items() if word not in ("", None)}
    return f"{reverse('insights-rows')}?{urlencode(given)}"


def page_of(counts: Counts, judged: Judged, period: Period) -> InsightsPage:
    length, mine = period.days, judged.mine
    whole = {"since": to_iso(period.since), "until": to_iso(period.until)}
    first, last = period.utc_days
    judged_in = {"since": to_iso(first), "until": to_iso(last)}
    accepted = _accepted_rows(counts.agents, judged_in, "agent")
    return InsightsPage(
        is_empty=not (counts.waiting or counts.filed or any(row.now for row in counts.labels) or counts.refused),
        waiting_now=Cell(counts.waiting, reverse("queue")),
        oldest=judged.oldest,
        oldest_age=span(period.now - judged.oldest.created_at) if judged.oldest else "",
        median=rough(judged.time.median),
        median_of=Cell(judged.time.of, rows_address("ended", part="decided", since=whole["since"])),
        median_capped=judged.time.capped,
        parts=tuple(
            (PART_NAMES[part], Cell(counts.ended(part), rows_address("ended", part=part, **whole))) for part in PARTS
        ),
        filed=Cell(counts.filed, rows_address("filed", **whole)),
        turning=Cell(counts.turning, rows_address("turning", since=to_iso(period.now), until=to_iso(counts.later_at))),
        overturned=_overturned(judged.overturned, "overturned", "approvals", length),
        waiting=waiting_chart(counts.days),
        flow=_flow_chart(counts.days),
        days=tuple(_day_row(day) for day in reversed(counts.days)),
        hours=_hours_chart(counts.hours),
        hour_cells=tuple(
            (f"{hour:02}–{hour + 1:02}", Cell(number, rows_address("ended", part="decided", hour=hour, days=length)))
            for hour, number in enumerate(counts.hours)
        ),
        labels=_labels_chart(counts.labels),
        label_rows=_label_rows(counts),
        ages=_age_rows(counts.ages),
        classes=_accepted_rows(counts.classes, judged_in, "trust"),
        agents=accepted[:AGENTS_SHOWN],
        more_agents=accepted[AGENTS_SHOWN:],
        refused=_refused_rows(counts.refused, whole),
        mine=mine,
        mine_decided=Cell(mine.decided if mine else 0, rows_address("mine", days=length)),
        mine_overturned=_overturned(mine.overturned, "my-overturned", "my-approvals", length) if mine else None,
        pace=rough(mine.pace) if mine else "",
        in_utc_days=(first, last) != (period.since, period.until),
    )


def title_of(wanted: RowsFilter) -> str:
    """What the rows behind a number are, in words."""
    base = {
        "waiting": _("Waiting then"),
        "filed": _("Filed"),
        "ended": str(PART_NAMES.get(wanted.part) or _("Ended")),
        "labelled": _("%(kind)s, %(label)s by then")
        % {"kind": _kind_name(wanted.kind or Kind.FACT), "label": wording.plain(wanted.label or Label.STALE)},
        "turning": _("Facts about to go stale"),
        "asked": _("Open disagreements"),
        "approvals": _("Approvals"),
        "overturned": _("Approvals that did not last"),
        "mine": _("Your decisions"),
        "my-approvals": _("Your approvals"),
        "my-overturned": _("Your approvals that did not last"),
        "refused": _("Refused because of a secret"),
    }[wanted.figure]
    if wanted.hour:
        base = _("%(what)s between %(start)s and %(end)s o’clock") % {
            "what": base,
            "start": f"{int(wanted.hour):02}",
            "end": f"{int(wanted.hour) + 1:02}",
        }
    return base


def waiting_chart(days: Sequence[Day]) -> Chart:
    values = [day.waiting for day in days]
    top = charts.top_of(values)
    path, area = charts.line(values, top)
    most = max(days, key=lambda day: day.waiting)
    words = _(
        "%(first)s waited at the end of %(first_day)s, %(last)s wait now; most were %(most)s, at the end of %(most_day)s."
    ) % {
        "first": grouped(values[0]),
        "first_day": _day(days[0]),
        "last": grouped(values[-1]),
        "most": grouped(most.waiting),
        "most_day": _day(most),
    }
    series = (Series(_("Waiting"), "area", area), Series(_("Waiting"), "line", path))
    return Chart("waiting", _("Waiting by day"), words, series, _ticks(top), _marks(days))


def _flow_chart(days: Sequence[Day]) -> Chart:
    ended = [[day.ended[part] for part in PARTS] for day in days]
    top = charts.top_of([day.filed for day in days] + [sum(stack) for stack in ended])
    filed = charts.columns([[day.filed] for day in days], top, lane=0, lanes=2)
    layers = charts.columns(ended, top, lane=1, lanes=2)
    series = [Series(_("Filed"), "outline", filed[0])]
    series += [Series(str(PART_NAMES[part]), LOOKS[part], path) for part, path in zip(PARTS, layers, strict=True)]
    sums = ", ".join(f"{wording.plain(part)} {grouped(sum(day.ended[part] for day in days))}" for part in PARTS)
    words = _("Filed %(n)s; %(sums)s. Left of each day what was filed, right of it what ended.") % {
        "n": grouped(sum(day.filed for day in days)),
        "sums": sums,
    }
    return Chart("flow", _("Filed and ended by day"), words, tuple(series), _ticks(top), _marks(days))


def _hours_chart(hours: Sequence[int]) -> Chart:
    top = charts.top_of(hours)
    (path,) = charts.columns([[number] for number in hours], top)
    most = max(range(24), key=lambda hour: hours[hour])
    words = _("Most decisions fell between %(start)s and %(end)s o’clock: %(n)s of %(all)s.") % {
        "start": f"{most:02}",
        "end": f"{most + 1:02}",
        "n": grouped(hours[most]),
        "all": grouped(sum(hours)),
    }
    marks = ("0", "6", "12", "18", "24")
    return Chart(
        "hours", _("Decisions by hour of the day"), words, (Series(_("Decisions"), "plain", path),), _ticks(top), marks
    )


def _labels_chart(labels: Sequence[Labels]) -> Chart:
    """Facts now, above facts in a week."""
    facts = [row for row in labels if row.kind == Kind.FACT]
    height = 64
    layers = charts.bands([[row.now for row in facts], [row.later for row in facts]], height=height)
    words = "; ".join(
        _("%(label)s: %(now)s now, %(later)s in 7 days")
        % {"label": wording.plain(row.label), "now": grouped(row.now), "later": grouped(row.later)}
        for row in facts
    )
    series = tuple(
        Series(wording.plain(row.label), _LABEL_LOOKS[Label(row.label)], path)
        for row, path in zip(facts, layers, strict=True)
    )
    return Chart(
        "labels",
        _("Labels of facts, now and in 7 days"),
        f"{words}.",
        series,
        (_("now"), _("in 7 days")),
        height=height,
    )


def _day_row(day: Day) -> DayRow:
    borders = {"since": to_iso(day.since), "until": to_iso(day.until)}
    ended = (Cell(day.ended[part], rows_address("ended", part=part, **borders)) for part in PARTS)
    waiting = Cell(day.waiting, rows_address("waiting", until=borders["until"]))
    return DayRow(day.date, (Cell(day.filed, rows_address("filed", **borders)), *ended, waiting))


def _label_rows(counts: Counts) -> tuple[BarRow, ...]:
    longest = max((max(row.now, row.later) for row in counts.labels), default=0)
    made = []
    for row in counts.labels:
        kind = {} if row.kind == Kind.FACT else {"kind": row.kind}
        now = f"{reverse('records')}?{urlencode(kind | {'label': str(row.label)})}"
        later = rows_address("labelled", kind=row.kind, label=row.label, until=to_iso(counts.later_at))
        cells = (Cell(row.now, now), Cell(row.later, later))
        name = f"{_kind_name(row.kind)}, {wording.plain(row.label)}"
        made.append(BarRow(name, cells, charts.bar([(_LABEL_LOOKS[Label(row.label)], row.now)], longest)))
    return tuple(made)


def _age_rows(ages: Sequence[Aged]) -> tuple[BarRow, ...]:
    longest = max(row.number for row in ages)
    made = []
    for row, name in zip(ages, _AGE_NAMES, strict=True):
        since = to_iso(row.since) if row.since else ""
        cell = Cell(row.number, rows_address("asked", since=since, until=to_iso(row.until)))
        made.append(BarRow(str(name), (cell,), charts.bar([("plain", row.number)], longest)))
    return tuple(made)


def _accepted_rows(rows: Sequence[Accepted], whole: dict[str, str], by: str) -> tuple[BarRow, ...]:
    longest = max((row.decided for row in rows), default=0)
    made = []
    for row in rows:
        cells = tuple(
            Cell(row.ended[part], rows_address("ended", part=part, **whole, **{by: row.name}))
            for part in ("approved", "rejected")
        )
        parts = [(LOOKS[part], row.ended[part]) for part in ("approved", "rejected")]
        made.append(BarRow(row.name, cells, charts.bar(parts, longest), percent(row.share)))
    return tuple(row for row in made if any(cell.number for cell in row.cells))


def _refused_rows(refused: dict[str, int], whole: dict[str, str]) -> tuple[BarRow, ...]:
    longest = max(refused.values(), default=0)
    return tuple(
        BarRow(
            wording.plain(kind), (Cell(number, rows_address("refused", secret=kind, **whole)),),
            charts.bar([("hatched", number)], longest),
        )
        for kind, number in refused.items()
    )  # fmt: skip


def _overturned(share: Share, part: str, whole: str, days: int) -> Overturned:
    low, high = share.range or (0.0, 0.0)
    likely = _("%(low)s to %(high)s") % {"low": percent(low), "high": percent(high)} if share.whole else ""
    return Overturned(
        Cell(share.part, rows_address(part, days=days)), Cell(share.whole, rows_address(whole, days=days)),
        percent(share.share), likely, share.capped,
    )  # fmt: skip


def rough(length: timedelta | None) -> str:
    """A time as people say it: two days, not 187,332 seconds."""
    if length is None:
        return ""
    seconds = max(0, round(length.total_seconds()))
    for size, words in _SIZES:
        if seconds >= size:
            number = seconds / size
            told = f"{number:.1f}".removesuffix(".0").replace(".", point()) if number < 10 else grouped(round(number))
            return str(words % {"n": 1 if told == "1" else 2, "told": told})
    return ngettext("%(n)s second", "%(n)s seconds", seconds) % {"n": seconds}


def _kind_name(kind: str) -> str:
    return str(_KINDS.get(kind) or wording.plain(kind).capitalize())


def _day(day: Day) -> str:
    return str(format_date(day.date, pgettext("format of a day in this year", "j M")))


def _ticks(top: int) -> tuple[str, ...]:
    return (grouped(top), grouped(top // 2), "0") if top > 1 else (grouped(top), "0")


def _marks(days: Sequence[Day]) -> tuple[str, ...]:
    return (_day(days[0]), _day(days[len(days) // 2]), _day(days[-1]))
