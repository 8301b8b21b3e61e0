"""How a search is walked: along which index, in which order, and what of it has to be looked at row by row.

The most telling of its conditions that has an index of its own gives the order; several values of it are several walks,
merged. What no index knows is `rest`: pages look at a bounded stretch of the walk for it and say so.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from django.db.models import Q

from evidence.models import HeldRecord
from evidence.models.held import LEAST_PRIORITY, HeldQuerySet
from evidence.rules.search import Query, Term
from evidence.rules.vocab import HeldStatus
from evidence.selectors.paging import Keyset
from evidence.selectors.search_terms import Asking, among, condition, match_kinds
from evidence.selectors.search_words import MOST_PLACES, Asked, id_in, ids, is_indexed, says

IN_ORDER = Keyset("queue", ("priority", "id"))
# Decided items, newest first more or less: the same index walked backwards.
LAST_IN_ORDER = Keyset("queue-back", ("-priority", "-id"))
NEWEST_FIRST = Keyset("queue-new", ("-id",))
OLDEST_FIRST = Keyset("queue-old", ("id",))
EXPIRING_FIRST = Keyset("queue-expiry", ("expires_at", "id"))
AWAKE_FIRST = Keyset("queue-snooze", ("snoozed_until", "id"))
BY_WORDS = Keyset("queue-words", ("-number",))
MOST_STARTS = 12
GATHERED = 20_000
_ALL = frozenset(status.value for status in HeldStatus)
# Fields of the search language whose columns the word index keeps beside the words.
_KEPT = {"risk": "risk", "kind": "kind", "match": "match_kind"}


@dataclass(frozen=True, slots=True)
class Walk:
    """Disjoint querysets that each follow an index in the order of `keyset`; `rest` is what else must hold."""

    keyset: Keyset
    starts: tuple[HeldQuerySet, ...]
    rest: Q | None = None
    # All starts in one, for counting: without an order it needs no merging.
    together: HeldQuerySet | None = None

    @property
    def whole(self) -> HeldQuerySet:
        return self.starts[0] if self.together is None else self.together


@dataclass(frozen=True, slots=True)
class WordWalk:
    """Matches of words, newest first."""

    asked: Asked
    rest: Q | None = None

    @property
    def keyset(self) -> Keyset:
        return BY_WORDS


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A search taken apart: where it looks, and what is left to ask."""

    statuses: frozenset[str] | None
    agents: frozenset[str] | None
    terms: tuple[Term, ...]
    asking: Asking

    def rest(self, *driven: Term, status: bool = True, agents: bool = True) -> Q | None:
        """Everything but the terms that the walk itself sees to."""
        found = [_asked_of_rows(term, self.asking) for term in self.terms if term not in driven]
        if status and self.statuses is not None:
            found.append(among("status", self.statuses))
        if agents and self.agents is not None:
            found.append(among("agent_id", self.agents))
        together = Q()
        for part in found:
            together &= part
        return together if found else None


def walk_of(query: Query, asking: Asking) -> Walk | WordWalk:
    statuses = statuses_of(query)
    agents, terms = _agents_of(query, asking.seen)
    wanted = _Wanted(statuses, agents, terms, asking)
    if query.is_lost or statuses == frozenset() or agents == frozenset():
        return Walk(IN_ORDER, (HeldRecord.objects.none(),))
    return (
        _by_id(wanted)
        or _by_likeness(wanted)
        or _by_words(wanted)
        or _by_state(wanted)
        or _by_column(wanted)
        or _by_time(wanted)
    )


def asked_of_rows(query: Query, asking: Asking, words: Asked | None) -> Q | None:
    """What is left to ask of other rows than a walk's: all conditions but the status and the words that the index sees to."""
    agents, terms = _agents_of(query, asking.seen)
    found = (*words.having, *words.lacking) if words else ()
    return _Wanted(None, agents, tuple(term for term in terms if term not in found), asking).rest()


def statuses_of(query: Query) -> frozenset[str] | None:
    """The statuses that are looked at: `waiting` unless the search names some; none means any."""
    terms = query.of("status")
    if not terms:
        return frozenset({HeldStatus.WAITING.value})
    left = _ALL
    for term in terms:
        named = _ALL if "any" in term.values else frozenset(term.values)
        left = left - named if term.negated else left & named
    return None if left == _ALL else left


def asked_words(query: Query, statuses: frozenset[str] | None, agents: frozenset[str] | None) -> Asked | None:
    """What the index is asked; none where no word of the search must be there that it knows."""
    texts = [term for term in query.texts if is_indexed(term)]
    having = tuple(term for term in texts if not term.negated)
    lacking = tuple(term for term in texts if term.negated)
    few = agents if agents is not None and len(agents) <= MOST_PLACES else None
    return Asked(having, lacking, statuses, few, _marked(query)) if having else None


def _marked(query: Query) -> tuple[tuple[str, frozenset[str]], ...]:
    """What of the search the word index settles too: conditions on columns whose values it keeps."""
    found = []
    for term in query.terms:
        if term.field in _KEPT and not term.negated:
            values = match_kinds(term.values) if term.field == "match" else term.values
            found.append((_KEPT[term.field], frozenset(values)))
    return tuple(found)


def _agents_of(query: Query, seen: frozenset[str] | None) -> tuple[frozenset[str] | None, tuple[Term, ...]]:
    """Whose items are looked at (none: everybody's), and the terms that this does not settle."""
    left: list[Term] = []
    for term in query.terms:
        if term.field == "agent" and not term.negated:
            seen = frozenset(term.values) if seen is None else seen & frozenset(term.values)
        elif term.field == "agent" and seen is not None:
            seen -= frozenset(term.values)
        elif term.field != "status":
            left.append(term)
    return seen, tuple(left)


def _asked_of_rows(term: Term, asking: Asking) -> Q:
    return says(term) if term.is_text else condition(term, asking)


def _by_id(wanted: _Wanted) -> Walk | None:
    """The item of that id, and what names it."""
    for term in wanted.terms:
        named = id_in(term) if term.is_text and not term.negated else None
        if named is not None:
            others = ids(Asked((term,), statuses=wanted.statuses), GATHERED)
            naming = HeldRecord.objects.filter(pk__in=others).exclude(pk=named)
            return Walk(IN_ORDER, (HeldRecord.objects.filter(pk=named), naming), wanted.rest(term))
    return None


def _by_likeness(wanted: _Wanted) -> Walk | None:
    """What says the same as an item, or nearly: gathered by the keys that they share, shown in the order of review."""
    for term in wanted.terms:
        if term.field in ("same", "cluster") and not term.negated:
            rows = HeldRecord.objects.filter(condition(term, wanted.asking))
            return Walk(IN_ORDER, (HeldRecord.objects.filter(pk__in=rows.values("pk")[:GATHERED]),), wanted.rest(term))
    return None


def _by_words(wanted: _Wanted) -> WordWalk | None:
    query = Query(wanted.terms)
    asked = asked_words(query, wanted.statuses, wanted.agents)
    if asked is None:
        return None
    # Status and agents are asked of the rows too: an index tells where to look, never what may be seen.
    return WordWalk(asked, wanted.rest(*asked.having, *asked.lacking, status=False, agents=asked.agents is None))


def _by_state(wanted: _Wanted) -> Walk | None:
    """Along the indexes over what passes: leases, verifications to come, expiry, snoozing."""
    if wanted.statuses is None or len(wanted.statuses) != 1:
        return None
    base = HeldRecord.objects.filter(status=next(iter(wanted.statuses)))
    named = {_state_of(term): term for term in reversed(wanted.terms)}
    if wanted.statuses != {HeldStatus.WAITING}:
        named.pop("unverified", None)  # its index holds what waits
    for state, keyset in _STATES.items():
        term = named.get(state)
        if term is None:
            continue
        if keyset is IN_ORDER:
            return _gathered(base, wanted)
        return Walk(keyset, (base.filter(condition(term, wanted.asking)),), wanted.rest(term, status=False))
    return None


def _gathered(rows: HeldQuerySet, wanted: _Wanted) -> Walk:
    """Few are leased, and a heartbeat moves the end of a lease: gathered by their index, shown in the order of review."""
    about = [term for term in wanted.terms if term.field == "is" and set(term.values) <= {"leased", "mine"}]
    for term in about:
        rows = rows.filter(condition(term, wanted.asking))
    start = HeldRecord.objects.filter(pk__in=rows.values("pk")[:GATHERED])
    return Walk(IN_ORDER, (start,), wanted.rest(*about, status=False))


_STATES: dict[str, Keyset] = {
    "mine": IN_ORDER,
    "leased": IN_ORDER,
    "unverified": OLDEST_FIRST,
    "expiring": EXPIRING_FIRST,
    "expires": EXPIRING_FIRST,
    "snoozed": AWAKE_FIRST,
}


def _state_of(term: Term) -> str:
    """The one passing state that the term asks for; empty when it asks for something else."""
    if term.negated or len(term.values) != 1:
        return ""
    return term.values[0] if term.field == "is" else "expires" if term.field == "expires" else ""


def _by_column(wanted: _Wanted) -> Walk | None:
    """Along an index that ends in the order of review, one walk for each status and value."""
    if wanted.statuses is None:
        return None
    if wanted.agents is not None and len(wanted.agents) * len(wanted.statuses) <= MOST_STARTS:
        return _merged(wanted.statuses, "agent_id", wanted.agents, wanted.rest(status=False, agents=False))
    for field, column in (("match", "match_kind"), ("risk", "risk"), ("kind", "kind")):
        for term in wanted.terms:
            values = frozenset(match_kinds(term.values) if field == "match" else term.values)
            if term.field == field and not term.negated and len(values) * len(wanted.statuses) <= MOST_STARTS:
                return _merged(wanted.statuses, column, values, wanted.rest(term, status=False))
    return _merged(wanted.statuses, "status", wanted.statuses, wanted.rest(status=False))


def _merged(statuses: frozenset[str], column: str, values: frozenset[str], rest: Q | None) -> Walk:
    rows = HeldRecord.objects.all()
    pairs = (
        product(sorted(statuses), sorted(values)) if column != "status" else ((one, one) for one in sorted(statuses))
    )
    starts = tuple(
        rows.filter(**{"status": status, column: value}, priority__gte=LEAST_PRIORITY) for status, value in pairs
    )
    keyset = IN_ORDER if HeldStatus.WAITING in statuses else LAST_IN_ORDER
    together = rows.filter(among("status", statuses))
    together = together if column == "status" else together.filter(among(column, values))
    return Walk(keyset, starts, rest, together)


def _by_time(wanted: _Wanted) -> Walk:
    return Walk(NEWEST_FIRST, (HeldRecord.objects.all(),), wanted.rest())
