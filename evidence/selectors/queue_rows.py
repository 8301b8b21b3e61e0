"""What a row of the list says beside its own columns: how many more say the same, and what became of it meanwhile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from evidence.models import Decision, HeldRecord, User
from evidence.models.held import HeldQuerySet
from evidence.rules.vocab import HeldKind
from evidence.selectors import paging
from evidence.selectors.clusters import names_of, sizes_of
from evidence.selectors.paging import Capped
from evidence.selectors.people import first_approval_counts
from evidence.selectors.search_terms import Asking, among

Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Row:
    """A held item as the list shows it. `half_approved`: one of two approvals stands.

    `same` others say the same, `near` others nearly. `repeats`: an earlier row of the page does.
    """

    held: HeldRecord
    same: Capped
    near: Capped
    repeats: bool
    holder: str
    is_mine: bool
    is_snoozed: bool
    half_approved: bool


def rows_of(asking: Asking, found: Iterable[HeldRecord]) -> list[Row]:
    shown, now = list(found), asking.now
    proposals = [held for held in shown if _counts(held)]
    equal = _equal_counts(proposals, asking.seen)
    names = names_of(proposals)
    sizes = sizes_of(names.values(), asking.seen)
    repeats = _repeats(proposals, names)
    return [
        Row(
            held=held,
            same=Capped(max(0, equal[_key(held)] - 1) if _counts(held) else 0),
            near=Capped(max(0, sizes[names[held.pk]] - 1) if held.pk in names else 0),
            repeats=held.pk in repeats,
            holder=held.lease_holder.get_username() if held.leased_at(now) and held.lease_holder else "",
            is_mine=held.lease_holder_id == asking.user.pk,
            is_snoozed=held.snoozed_until is not None and held.snoozed_until > now,
            half_approved=held.is_waiting and first_approval_counts(held),
        )
        for held in shown
    ]


def _repeats(rows: Iterable[HeldRecord], names: Mapping[UUID, UUID]) -> set[UUID]:
    """Those that say the same, or nearly, as a row before them."""
    known: set[UUID | Key] = set()
    found: set[UUID] = set()
    for held in rows:
        said = {_key(held)} | ({names[held.pk]} if held.pk in names else set())
        if known & said:
            found.add(held.pk)
        known |= said
    return found


def _counts(held: HeldRecord) -> bool:
    return held.is_waiting and held.kind == HeldKind.FACT_PROPOSAL


def _key(held: HeldRecord) -> Key:
    """What two items have in common that say the same (`HeldQuerySet.equal_to`)."""
    said = (held.claim_key, held.value_key) if held.claim_key else ("", held.statement_key)
    return (held.namespace, *said)


def _equal_counts(rows: Collection[HeldRecord], seen: frozenset[str] | None) -> Counter[Key]:
    """How many waiting proposals there are of each key, by two looks at the database."""
    waiting = HeldRecord.objects.waiting().filter(kind=HeldKind.FACT_PROPOSAL).filter(among("agent_id", seen))
    found: Counter[Key] = Counter()
    on_claim = [held for held in rows if held.claim_key]
    if on_claim:
        same = Q(claim_key__in={held.claim_key for held in on_claim})
        found.update(_keys(waiting.filter(same), on_claim, "claim_key", "value_key"))
    by_statement = [held for held in rows if not held.claim_key]
    if by_statement:
        same = Q(claim_key="", statement_key__in={held.statement_key for held in by_statement})
        found.update(_keys(waiting.filter(same), by_statement, "claim_key", "statement_key"))
    return found


def _keys(rows: HeldQuerySet, like: Collection[HeldRecord], *columns: str) -> list[Key]:
    inside = rows.filter(namespace__in={held.namespace for held in like})
    most = (paging.COUNT_LIMIT + 1) * 2
    return [(key[0], key[1], key[2]) for key in inside.values_list("namespace", *columns)[:most]]


@dataclass(frozen=True, slots=True)
class Ended:
    """An item that waits no more, and who saw to it."""

    id: str
    status: str
    by: str


def ended(user: User, ids: Collection[UUID]) -> list[Ended]:
    """Those of the ids that wait no more. What the person may not see is not there."""
    rows = HeldRecord.objects.visible_to(user).filter(pk__in=ids).exclude(status="waiting")
    found = list(rows.values_list("pk", "status", "decision_id"))
    decisions = [decision for _, _, decision in found if decision]
    names = dict(Decision.objects.filter(pk__in=decisions).values_list("pk", "actor_name")) if decisions else {}
    return [Ended(str(pk), status, names.get(decision, "") if decision else "") for pk, status, decision in found]
