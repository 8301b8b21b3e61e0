"""Minimal pairs: two sentences that differ in one thing that makes them a contradiction, or in one that does not.

From statements with their changes written beside them (`minimal_statements`), and by machine from any statements.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from bench.minimal_statements import STATEMENTS


class Pair(NamedTuple):
    rule: str
    changed: str
    statement: str


_PLACE = re.compile(r"\[(\w+):([^\[\]]*)\]")
HARMLESS_RULES = frozenset({"reworded", "more said", "stranger"})
_TAILS = (
    ", as the team agreed",
    ", says the handbook",
    " since last spring",
    " for historical reasons",
    ", Ana confirmed",
)


def written_pairs() -> Iterator[Pair]:
    """Every change that stands beside a statement, each alone; and what contradicts nothing."""
    plains: list[str] = []
    for line in (line for lines in STATEMENTS.values() for line in lines.splitlines()):
        if line.startswith("= "):
            yield Pair("reworded", line.removeprefix("= "), plains[-1])
            continue
        plain = _as_it_is(line)
        for place in _PLACE.finditer(line):
            before, after = _as_it_is(line[: place.start()]), _as_it_is(line[place.end() :])
            yield from (Pair(place[1], f"{before}{changed}{after}", plain) for changed in place[2].split("|")[1:])
        yield Pair("more said", plain + _TAILS[len(plains) % len(_TAILS)], plain)
        plains.append(plain)
    yield from (Pair("stranger", one, plains[(at + 1) % len(plains)]) for at, one in enumerate(plains))


def _as_it_is(marked: str) -> str:
    return _PLACE.sub(lambda place: place[2].split("|")[0], marked)


_DENIED = re.compile(
    r"\b(?:not|never|no|nothing|without|instead|rather|avoid|stop|only|nobody|nor|cannot)\b|n.t\b", re.IGNORECASE
)
_AUXILIARY = re.compile(r" (?:is|are|was|were|must|may|should|can|will) ")
_ORDERS = frozenset(
    "run use keep send store retry pin put check build restart ask enable allow copy tag write sign wait".split()
)
_UNITS = {
    "minutes": "hours",
    "seconds": "minutes",
    "hours": "days",
    "days": "weeks",
    "euro": "dollars",
    "kB": "MB",
    "grams": "kg",
}
_DAYS = {
    "Monday": "Tuesday",
    "Tuesday": "Friday",
    "Thursday": "Monday",
    "March": "June",
    "January": "May",
    "05:00": "04:00",
}
_NAMES = {
    "Sentry": "Rollbar", "Python": "Ruby", "ClickHouse": "BigQuery", "PostgreSQL": "MySQL", "UTC": "CET", "Jenkins": "Buildkite",
    "ZPL": "PDF", "PDF": "DOCX", "German": "French", "Firefox": "Safari", "webpack": "rollup", "pnpm": "npm", "curl": "wget",
}  # fmt: skip
_OPPOSITES = {
    "enabled": "disabled", "Enable": "Disable", "before": "after", "Allow": "Deny", "active": "inactive", "above": "below",
    "public": "private", "heavier": "lighter", "always": "never", "required": "optional", "starts": "ends",
    "healthy": "unhealthy", "open": "closed", "passes": "fails", "manual": "automatic", "first": "last",
}  # fmt: skip


def _negated(text: str, _: random.Random) -> str | None:
    if _DENIED.search(text):
        return None
    if auxiliary := _AUXILIARY.search(text):
        return f"{text[: auxiliary.end()]}not {text[auxiliary.end() :]}"
    first = text.split(" ", 1)[0]
    return f"Do not {first.lower()}{text[len(first) :]}" if first.lower() in _ORDERS else None


def _renumbered(text: str, chance: random.Random) -> str | None:
    numbers = list(re.finditer(r"(?<![\w.:,/-])\d+(?:,\d{3})*(?![\w.:,/-]*\d)(?!\w)", text))
    if not numbers:
        return None
    chosen = chance.choice(numbers)
    number = int(chosen.group().replace(",", "")) + chance.choice([1, 3, 7])
    return f"{text[: chosen.start()]}{number}{text[chosen.end() :]}"


def _reversioned(text: str, _: random.Random) -> str | None:
    found = re.search(r"\bv?\d+\.(\d+)(?:\.\d+)?\b", text)
    return f"{text[: found.start(1)]}{int(found[1]) + 1}{text[found.end(1) :]}" if found else None


def _swapped(text: str, _: random.Random) -> str | None:
    found = re.search(r"\bfrom (the \w+|\w+) to (the \w+|\w+)\b", text)
    return (
        f"{text[: found.start()]}from {found[2]} to {found[1]}{text[found.end() :]}"
        if found and found[1] != found[2]
        else None
    )


def _exchanger(table: dict[str, str], before: str = r"(?<![\w-])") -> Callable[[str, random.Random], str | None]:
    def exchange(text: str, _: random.Random) -> str | None:
        for word, other in table.items():
            changed = re.sub(rf"{before}{re.escape(word)}(?!\w)", other, text, count=1)
            if changed != text:
                return changed
        return None

    return exchange


MAKERS: dict[str, Callable[[str, random.Random], str | None]] = {
    "negation": _negated,
    "number": _renumbered,
    "unit": _exchanger(_UNITS, r"(?<=\d )"),
    "date": _exchanger(_DAYS),
    "version": _reversioned,
    "name": _exchanger(_NAMES),
    "antonym": _exchanger(_OPPOSITES),
    "order": _swapped,
}


def made_pairs(statements: Iterable[str], seed: int = 7) -> Iterator[Pair]:
    """Every pair that some maker can make of some statement; seeded, so that two runs judge the same pairs."""
    chance = random.Random(seed)
    for statement in statements:
        for rule, make in MAKERS.items():
            changed = make(statement, chance)
            if changed and changed != statement:
                yield Pair(rule, changed, statement)
