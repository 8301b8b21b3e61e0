"""The queue of re-checks: facts whose turn has come, the oldest turn first, put together by where one would look again.

Reads only, and by the facts' own instants: whether the sweep has run makes no difference. A place is shown where its oldest
fact stands in the order, and on one page only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, ClassVar
from uuid import UUID

from django.db import connection
from django.db.models import Exists, OuterRef, Q

from evidence.models import Agent, Evidence, HeldRecord, Inquiry, RecheckItem, User
from evidence.models.evidence import EvidenceQuerySet
from evidence.models.visibility import agents_of
from evidence.rules.rechecks import Place, Recheck, Where, Why, where_checked, why_at
from evidence.rules.vocab import InquiryKind, Role, State, Volatility
from evidence.selectors.filters import AddressFilter
from evidence.selectors.paging import Capped, Keyset, capped_count, read_cursor, write_cursor
from evidence.selectors.records import Labelled, labelled

ORDER = Keyset("rechecks", ("recheck_turns_at", "pk_uuid"))
PLACES = 10
FACTS = 12
FACTS_OF_ONE = 60
CHUNK = 300
SCAN_LIMIT = 20_000
# More than these are not shown among what was put off.
PUT_OFF = 2_000
RECALLS_SINCE = timedelta(days=30)
RECALLS_COUNTED = 100


@dataclass(frozen=True, slots=True)
class RecheckFilter(AddressFilter):
    """`show`: everything that is due, what has turned already, what turns soon, or what was put off. `place`: one place."""

    WORDS: ClassVar[Mapping[str, frozenset[str]]] = {
        "show": frozenset({"due", "overdue", "soon", "later"}),
        "kind": frozenset(Volatility),
    }

    show: str = "due"
    kind: str = ""
    agent: str = ""
    q: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class Reliance:
    """How often a fact was shown in the last 30 days, and to whom, most often first."""

    number: int = 0
    agents: tuple[str, ...] = ()

    @property
    def more(self) -> bool:
        return self.number >= RECALLS_COUNTED


@dataclass(frozen=True, slots=True)
class Due:
    """A fact in the queue. `asked`: the open question to its agent; `change`: a proposal with another value that waits."""

    shown: Labelled
    why: str
    relied: Reliance = field(default_factory=Reliance)
    asked: Inquiry | None = None
    change: HeldRecord | None = None
    item: RecheckItem | None = None

    @property
    def row(self) -> Evidence:
        return self.shown.row


@dataclass(frozen=True, slots=True)
class Group:
    """What one look settles. `number`: how many there are; of a big one only the first are shown."""

    key: str
    where: Where
    agent: str
    namespace: str
    facts: list[Due]
    number: Capped

    @property
    def left_out(self) -> bool:
        return self.number.more or self.number.number > len(self.facts)


@dataclass(frozen=True, slots=True)
class Groups:
    groups: list[Group]
    after: str = ""
    stopped_after: int | None = None


@dataclass(frozen=True, slots=True)
class Numbers:
    due: Capped
    overdue: Capped
    soon: Capped
    later: Capped


def owned_rows(user: User) -> EvidenceQuerySet:
    """Records of the agents that the person owns; none for who owns none."""
    owned = agents_of(user, Role.OWNER)
    return Evidence.objects.all() if owned is None else Evidence.objects.filter(scope_owner__in=owned)


def owns_any(user: User) -> bool:
    owned = agents_of(user, Role.OWNER)
    return owned is None or bool(owned)


def owned_agents(user: User) -> list[Agent]:
    owned = agents_of(user, Role.OWNER)
    rows = Agent.objects.all() if owned is None else Agent.objects.filter(pk__in=owned)
    return list(rows.order_by("id")[:100])


def rows_of(user: User, wanted: RecheckFilter, now: datetime) -> EvidenceQuerySet:
    """What the filter asks for, words left out. Who owns nothing looks at what they may see, and can only look."""
    base = owned_rows(user) if owns_any(user) else Evidence.objects.visible_to(user)
    rows = base.to_recheck(now)
    rows = rows.filter(pk__in=_put_off(user, now)) if wanted.show == "later" else rows.awake(now)
    if wanted.show in ("overdue", "soon"):
        turned = {"overdue": Q(recheck_turns_at__lte=now), "soon": Q(recheck_turns_at__gt=now)}
        rows = rows.filter(turned[wanted.show])
    exact = {"scope_owner": wanted.agent, "volatility": wanted.kind, "recheck_key": wanted.place}
    return rows.filter(**{column: word for column, word in exact.items() if word})


def _put_off(user: User, now: datetime) -> list[UUID]:
    """What was put off, for the turn that it is about still; few of all that is due, so they are asked for by name."""
    agents = agents_of(user, Role.OWNER) if owns_any(user) else agents_of(user)
    items = RecheckItem.objects.asleep(now)
    items = items if agents is None else items.filter(agent__in=agents)
    same = Evidence.objects.filter(pk=OuterRef("record"), recheck_turns_at=OuterRef("turns_at"))
    return list(items.filter(Exists(same)).order_by("id").values_list("record_id", flat=True)[:PUT_OFF])


def numbers(user: User, now: datetime) -> Numbers:
    def count(show: str) -> Capped:
        return capped_count(rows_of(user, RecheckFilter(show=show), now))

    return Numbers(count("due"), count("overdue"), count("soon"), count("later"))


def groups(user: User, wanted: RecheckFilter, now: datetime, *, after: str = "", limit: int = PLACES) -> Groups:
    """One page. Raises `BadInput` malformed for a cursor that this list did not give out."""
    rows = rows_of(user, wanted, now)
    position = read_cursor(ORDER, after) if after else None
    if wanted.place:
        return _of_one_place(user, rows, wanted, now, position)
    keys, cursor, stopped = _walk(rows, wanted, position, limit)
    found = [_group(rows, key, wanted, now) for key in keys]
    return Groups(_filled([one for one in found if one.facts], user, now), cursor, stopped)


def _walk(
    rows: EvidenceQuerySet, wanted: RecheckFilter, position: Sequence[Any] | None, limit: int
) -> tuple[list[str], str, int | None]:
    """Places in the order of their oldest facts, from the position on, those of earlier pages left out."""
    start, looked = position, 0
    keys: list[str] = []
    while looked < SCAN_LIMIT:
        stretch = ORDER.order(rows)
        stretch = ORDER.after(stretch, position) if position else stretch
        chunk = list(stretch.values_list("recheck_turns_at", "pk_uuid", "recheck_key")[:CHUNK])
        if not chunk:
            return keys, "", None
        named = _with_words(rows, wanted, [pk for _, pk, _ in chunk])
        before = _shown_before(rows, wanted, start, {key for _, pk, key in chunk if pk in named})
        for turns_at, pk, key in chunk:
            fresh = pk in named and key not in keys and key not in before
            if fresh and len(keys) == limit:
                assert position is not None
                return keys, write_cursor(ORDER, position), None
            if fresh:
                keys.append(key)
            position = (turns_at, pk)
        looked += len(chunk)
        if len(chunk) < CHUNK:
            return keys, "", None
    return keys, write_cursor(ORDER, position) if position else "", looked


def _shown_before(
    rows: EvidenceQuerySet, wanted: RecheckFilter, start: Sequence[Any] | None, keys: set[str]
) -> set[str]:
    if start is None or not keys:
        return set()
    earlier = _matching(ORDER.until(rows.filter(recheck_key__in=keys), start), wanted)
    return set(earlier.order_by().values_list("recheck_key", flat=True).distinct())


def _with_words(rows: EvidenceQuerySet, wanted: RecheckFilter, pks: list[UUID]) -> set[UUID]:
    if not wanted.words:
        return set(pks)
    return set(_matching(Evidence.objects.filter(pk__in=pks), wanted).values_list("pk", flat=True))


def _matching(rows: EvidenceQuerySet, wanted: RecheckFilter) -> EvidenceQuerySet:
    for word in wanted.words:
        said = Q(content__icontains=word) | Q(claim_subject__icontains=word) | Q(claim_value__icontains=word)
        rows = rows.filter(
            said | Q(claim_attribute__icontains=word) | Q(check_method__icontains=word) | Q(record_id=word)
        )
    return rows


def _group(rows: EvidenceQuerySet, key: str, wanted: RecheckFilter, now: datetime) -> Group:
    there = _matching(rows.filter(recheck_key=key), wanted)
    return _grouped(key, list(ORDER.order(there)[:FACTS]), capped_count(there), now)


def _of_one_place(
    user: User, rows: EvidenceQuerySet, wanted: RecheckFilter, now: datetime, position: Sequence[Any] | None
) -> Groups:
    there = _matching(rows, wanted)
    page = ORDER.order(ORDER.after(there, position) if position else there)
    found = list(page[: FACTS_OF_ONE + 1])
    if not found:
        return Groups([])
    more = len(found) > FACTS_OF_ONE
    shown = found[:FACTS_OF_ONE]
    cursor = write_cursor(ORDER, ORDER.position(shown[-1])) if more else ""
    one = _grouped(wanted.place, shown, Capped(len(shown)) if not position and not more else capped_count(there), now)
    return Groups(_filled([one], user, now), cursor)


def _grouped(key: str, rows: list[Evidence], number: Capped, now: datetime) -> Group:
    if not rows:
        return Group(key, Where(Place.SOURCE, "", key), "", "", [], number)
    first = rows[0]
    where = where_checked(first.to_record(), session=first.thread)
    return Group(key, where, first.scope_owner, first.namespace, [due_of(row, now) for row in rows], number)


def due_of(row: Evidence, now: datetime) -> Due:
    return Due(labelled(row, now), why_of(row, now))


def why_of(row: Evidence, now: datetime) -> str:
    if row.recheck_at is None or row.recheck_turns_at is None or row.state != State.ACTIVE:
        return Why.NOT_YET
    return why_at(Recheck(row.recheck_at, row.recheck_turns_at), now, until=row.valid_until)


def filled(facts: list[Due], user: User, now: datetime) -> list[Due]:
    """With who relies on them, what was asked and proposed about them, and until when they were put off."""
    rows = [due.row for due in facts]
    pks = [row.pk for row in rows]
    relied = reliance(rows, now)
    items = {item.record_id: item for item in RecheckItem.objects.open().of(pks)}
    spaces = {row.namespace for row in rows}
    asked = {
        (one.namespace, one.current_record): one
        for one in Inquiry.objects.visible_to(user)
        .open()
        .filter(kind=InquiryKind.RECHECK, namespace__in=spaces, current_record__in=[row.record_id for row in rows])
    }
    keys = {row.claim_key for row in rows if row.claim_key}
    waiting = (
        HeldRecord.objects.visible_to(user)
        .waiting()
        .filter(namespace__in=spaces, claim_key__in=keys)
        .order_by("-id")[:200]
    )
    changes = {(one.namespace, one.claim_key): one for one in waiting}
    return [
        Due(
            due.shown, due.why, relied.get(due.row.pk, Reliance()),
            asked.get((due.row.namespace, due.row.record_id)), changes.get((due.row.namespace, due.row.claim_key)),
            items.get(due.row.pk),
        )
        for due in facts
    ]  # fmt: skip


def _filled(found: list[Group], user: User, now: datetime) -> list[Group]:
    every = {due.row.pk: due for due in filled([due for one in found for due in one.facts], user, now)}
    return [
        Group(one.key, one.where, one.agent, one.namespace, [every[due.row.pk] for due in one.facts], one.number)
        for one in found
    ]


def reliance(rows: Sequence[Evidence], now: datetime) -> dict[UUID, Reliance]:
    """Who was shown the facts lately. Of each the newest `RECALLS_COUNTED` are looked at, however many there are."""
    if not rows:
        return {}
    one = (
        "SELECT * FROM (SELECT {number:d} AS n, l.agent FROM evidence_recallitem i JOIN evidence_recalllog l"
        " ON l.id = i.recall_id WHERE i.namespace = %s AND i.record_id = %s AND i.at >= %s"
        " ORDER BY i.at DESC LIMIT {limit:d}) m"
    )
    parts = [one.format(number=number, limit=RECALLS_COUNTED) for number in range(len(rows))]
    since = connection.ops.adapt_datetimefield_value(now - RECALLS_SINCE)
    given = [value for row in rows for value in (row.namespace, row.record_id, since)]
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT n, agent, COUNT(*) AS shown FROM ({' UNION ALL '.join(parts)}) u"  # noqa: S608 - our own text
            " GROUP BY n, agent ORDER BY n, shown DESC, agent",
            given,
        )
        counted = cursor.fetchall()
    found: dict[UUID, Reliance] = {}
    for number, agent, shown in counted:
        before = found.get(rows[number].pk, Reliance())
        found[rows[number].pk] = Reliance(before.number + shown, (*before.agents, agent))
    return found


def seen_among(user: User, pks: Iterable[UUID | str]) -> list[Evidence]:
    """Of these records those that the person may see."""
    return list(Evidence.objects.visible_to(user).filter(pk__in=list(pks)).order_by("pk_uuid"))
