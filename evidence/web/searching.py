"""The search box in words: tabs, help, orders, and what is wrong with a search, shown where it is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from evidence.rules.search import FIELDS, Problem
from evidence.selectors.paging import Capped
from evidence.selectors.queue import NAMED, QueueCounts, QueueFilter
from evidence.web.sentences import told

TITLES: dict[str, str | Promise] = {
    "waiting": gettext_lazy("Waiting"),
    "high": gettext_lazy("High risk"),
    "conflicts": gettext_lazy("Conflicts"),
    "expiring": gettext_lazy("Expiring"),
    "held_by_others": gettext_lazy("Held by others"),
    "snoozed": gettext_lazy("Snoozed"),
}

ORDERS: dict[str, str | Promise] = {
    "queue": gettext_lazy("in the order of review"),
    "queue-back": gettext_lazy("newest first"),
    "queue-new": gettext_lazy("newest first"),
    "queue-words": gettext_lazy("newest first"),
    "queue-old": gettext_lazy("oldest first"),
    "queue-expiry": gettext_lazy("soonest to expire first"),
    "queue-snooze": gettext_lazy("soonest to come back first"),
}


@dataclass(frozen=True, slots=True)
class Tab:
    title: str | Promise
    wanted: QueueFilter
    number: Capped | None
    is_current: bool


def tabs_of(wanted: QueueFilter, counts: QueueCounts) -> list[Tab]:
    """The named searches. The one whose plain spelling is that of the search on the page is the current one."""
    named = [(TITLES[name], one, getattr(counts, name)) for name, one in NAMED.items()]
    named.append((gettext("All"), QueueFilter("status:any"), None))
    read = wanted.search
    return [Tab(title, one, number, not read.problems and str(one.search) == str(read)) for title, one, number in named]


@dataclass(frozen=True, slots=True)
class Example:
    """A line of the help."""

    term: str
    meaning: str
    words: tuple[str, ...]
    query: str


def _examples() -> list[Example]:
    texts = (("past due", "both words, in any order; a word also finds what it begins"),
             ('"past due"', "the words in a row"),
             ("-risk:low", "a minus in front: not this"))  # fmt: skip
    found = [Example(term, meaning, (), urlencode({"q": term})) for term, meaning in texts]
    for field in FIELDS.values():
        query = "" if "…" in field.example else urlencode({"q": field.example})
        found.append(Example(field.example, field.meaning, field.words, query))
    return found


HELP = _examples()


@dataclass(frozen=True, slots=True)
class Stretch:
    text: str
    is_wrong: bool


@dataclass(frozen=True, slots=True)
class Fix:
    """The search with one word corrected."""

    text: str
    query: str


@dataclass(frozen=True, slots=True)
class Wrong:
    message: str
    fixes: tuple[Fix, ...]


@dataclass(frozen=True, slots=True)
class ProblemView:
    """The search as it was typed, cut where it is wrong, and why."""

    stretches: tuple[Stretch, ...]
    wrongs: tuple[Wrong, ...]
    is_lost: bool


def problem_view(wanted: QueueFilter) -> ProblemView | None:
    problems = sorted(wanted.problems, key=lambda problem: problem.start)
    if not problems:
        return None
    wrongs = tuple(Wrong(told(problem.message), _fixes(wanted.q, problem)) for problem in problems)
    return ProblemView(_stretches(wanted.q, problems), wrongs, wanted.search.is_lost)


def _fixes(text: str, problem: Problem) -> tuple[Fix, ...]:
    corrected = (text[: problem.start] + offered + text[problem.end :] for offered in problem.suggestions)
    return tuple(Fix(fixed, urlencode({"q": fixed})) for fixed in corrected)


def _stretches(text: str, problems: list[Problem]) -> tuple[Stretch, ...]:
    found: list[Stretch] = []
    at = 0
    for problem in problems:
        found.append(Stretch(text[at : problem.start], is_wrong=False))
        found.append(Stretch(text[max(at, problem.start) : problem.end], is_wrong=True))
        at = max(at, problem.end)
    found.append(Stretch(text[at:], is_wrong=False))
    return tuple(stretch for stretch in found if stretch.text)
