"""What can be typed next in the search box, with how much waits under it. Reads only; everything is capped."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from evidence.models import Agent, HeldRecord, User
from evidence.rules.search import FIELDS, Field, Holds, Place, place_at, term_text
from evidence.rules.search.terms import value_text
from evidence.selectors.paging import Capped
from evidence.selectors.queue_filter import QueueFilter
from evidence.selectors.queue_pages import count_of
from evidence.selectors.queue_walks import walk_of
from evidence.selectors.search_terms import Asking

MOST = 12
NAMESPACES_LOOKED_AT = 2_000
# Each of these is counted along an index of its own.
COUNTED = frozenset({"status", "risk", "match", "kind", "agent"})
COUNTED_STATES = frozenset({"leased", "mine", "snoozed", "unverified", "expiring"})
_TIMES = (">1d", ">3d", ">1w", "<1d", "<2d", "<1w")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """`text` takes the place from `start` to `end`; `ends`: the term is whole then. `number` is what it would find by itself."""

    text: str
    start: int
    end: int
    note: str = ""
    number: Capped | None = None
    ends: bool = True


def suggestions(user: User, text: str, caret: int, now: datetime) -> list[Suggestion]:
    place = place_at(text, caret)
    if place is None:
        return []
    return _fields(place) if place.field is None else _values(place, place.field, Asking.of(user, now))


def _fields(place: Place) -> list[Suggestion]:
    typed = place.typed.casefold()
    return [
        Suggestion(f"{field.name}:", place.start, place.end, field.meaning, ends=False)
        for field in FIELDS.values()
        if field.name.startswith(typed)
    ]


def _values(place: Place, field: Field, asking: Asking) -> list[Suggestion]:
    found = [word for word in _known(field, place.typed, asking) if word != place.typed][:MOST]
    return [
        Suggestion(_written(field, word), place.start, place.end, number=_number(field, word, asking)) for word in found
    ]


def _written(field: Field, word: str) -> str:
    return word if field.holds is Holds.SPAN else value_text(word)


def _known(field: Field, typed: str, asking: Asking) -> list[str]:
    plain = typed.casefold()
    if field.holds is Holds.WORDS:
        return [word for word in field.words if word.replace("_", "-").startswith(plain.replace("_", "-"))]
    if field.holds is Holds.SPAN:
        return [word for word in _TIMES if word.startswith(plain)]
    if field.name in ("agent", "by"):
        return _agents(typed, asking)
    return _namespaces(typed, asking) if field.name == "ns" else []


def _agents(typed: str, asking: Asking) -> list[str]:
    rows = Agent.objects.all() if asking.seen is None else Agent.objects.filter(pk__in=asking.seen)
    return list(rows.filter(pk__istartswith=typed).order_by("pk").values_list("pk", flat=True)[:MOST])


def _namespaces(typed: str, asking: Asking) -> list[str]:
    """Those of agents and of what was filed last; no index lists all of them."""
    agents = Agent.objects.all() if asking.seen is None else Agent.objects.filter(pk__in=asking.seen)
    of_agents = set(agents.filter(namespace__istartswith=typed).values_list("namespace", flat=True)[:MOST])
    rows = HeldRecord.objects.visible_to(asking.user).order_by("-id").values_list("namespace", flat=True)
    recent = {name for name in rows[:NAMESPACES_LOOKED_AT] if name.casefold().startswith(typed.casefold())}
    return sorted(of_agents | recent)[:MOST]


def _number(field: Field, word: str, asking: Asking) -> Capped | None:
    if field.name not in COUNTED and not (field.name == "is" and word in COUNTED_STATES):
        return None
    return count_of(walk_of(QueueFilter(term_text(field.name, word)).search, asking))
