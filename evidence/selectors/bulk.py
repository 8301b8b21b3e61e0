"""Which items a bulk is about, and what the decision would do to each. Reads only.

Plans and permissions are those that `decide` asks for; what is the same for many items is asked once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from evidence.models import Evidence, HeldLink, HeldRecord, Inquiry, User
from evidence.models.held import HeldQuerySet
from evidence.rules.bulk import MOST_ITEMS, Member
from evidence.rules.permissions import Standpoint, Verdict, approvals_needed, may_decide
from evidence.rules.planning import Plan, Ref, Situation, plan
from evidence.rules.records import Scope, Validity
from evidence.rules.vocab import Access, Action, HeldKind, HeldStatus
from evidence.selectors import queue
from evidence.selectors.people import first_approval_counts, is_reviewer, other_reviewer_exists, owns, same_person
from evidence.selectors.planning import label_preview, plain_situation, situation_of, source_date
from evidence.selectors.policy import current_policy
from evidence.selectors.queue import SCAN_LIMIT, QueueFilter

STRETCH = 250
MOST_LOOKED_AT = 5_000
THREADS_OFFERED = 3


@dataclass(frozen=True, slots=True)
class Gathered:
    """Ids in the order of the queue. `more`: there are others beyond the cap. `stopped_after`: rows looked at, if not all."""

    ids: list[UUID]
    more: bool = False
    stopped_after: int | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where items come from: an `agent`, a `source`, a `thread` (of the `owner`'s sessions) or the `system` of an import.

    `kind`: only items of that kind.
    """

    by: str
    value: str
    namespace: str = ""
    owner: str = ""
    kind: str = ""


def all_matching(user: User, wanted: QueueFilter, now: datetime) -> Gathered:
    """What waits under the search of a list, up to the cap."""
    ids: list[UUID] = []
    looked, after = 0, ""
    while len(ids) <= MOST_ITEMS:
        page = queue.listing(user, wanted, now, after=after, limit=STRETCH)
        ids += [row.pk for row in page.rows if row.is_waiting]
        looked, after = looked + len(page.rows), page.after
        if page.stopped_after or not after:
            return Gathered(ids[:MOST_ITEMS], len(ids) > MOST_ITEMS, page.stopped_after)
        if looked >= MOST_LOOKED_AT:  # a search that shows decided items too
            return Gathered(ids[:MOST_ITEMS], len(ids) > MOST_ITEMS, looked)
    return Gathered(ids[:MOST_ITEMS], more=True)


def picked(user: User, ids: Iterable[UUID]) -> Gathered:
    """Those that exist and that the person may see, decided ones too: the preview says what became of them."""
    wanted = list(dict.fromkeys(ids))
    seen = HeldRecord.objects.visible_to(user).filter(pk__in=wanted[: MOST_ITEMS + 1]).in_order()
    found = list(seen.values_list("pk", flat=True))
    return Gathered(found[:MOST_ITEMS], len(wanted) > MOST_ITEMS)


def of_origin(user: User, origin: Origin) -> Gathered:
    """What waits from there. Sources have an index; for the rest a bounded stretch of the queue is looked through."""
    waiting = HeldRecord.objects.visible_to(user).waiting()
    waiting = waiting.filter(kind=origin.kind) if origin.kind else waiting
    if origin.by == "agent":
        return _gathered(waiting.filter(agent_id=origin.value))
    if origin.by == "source":
        return _gathered(waiting.filter(pk__in=_citing(origin)))
    stretch = waiting.in_order()
    rows = HeldRecord.objects.filter(pk__in=stretch.values("pk")[:SCAN_LIMIT])
    found = _gathered(_WITHIN[origin.by](rows, origin))
    return replace(found, stopped_after=SCAN_LIMIT if list(stretch[SCAN_LIMIT : SCAN_LIMIT + 1]) else None)


def _gathered(rows: HeldQuerySet) -> Gathered:
    ids = list(rows.in_order().values_list("pk", flat=True)[: MOST_ITEMS + 1])
    return Gathered(ids[:MOST_ITEMS], len(ids) > MOST_ITEMS)


def _citing(origin: Origin) -> list[UUID]:
    """Waiting items that cite the source, whatever its version, or are a capture of it."""
    rows = Evidence.objects.in_namespace(origin.namespace).filter(source_id=origin.value)
    linked = HeldLink.objects.linked().filter(evidence__in=rows, held__status=HeldStatus.WAITING)
    captured = HeldRecord.objects.waiting().filter(held_evidence__evidence__in=rows)
    ids = linked.values_list("held_id", flat=True), captured.values_list("pk", flat=True)
    return [pk for found in ids for pk in found[: MOST_ITEMS + 1]]


def _of_thread(rows: HeldQuerySet, origin: Origin) -> HeldQuerySet:
    session = {"thread": origin.value, "namespace": origin.namespace, "scope_owner": origin.owner}
    cited = HeldLink.objects.linked().filter(
        held=OuterRef("pk"), **{f"evidence__{name}": word for name, word in session.items()}
    )
    captured = Q(**{f"held_evidence__evidence__{name}": word for name, word in session.items()})
    return rows.filter(Exists(cited) | captured)


def _of_system(rows: HeldQuerySet, origin: Origin) -> HeldQuerySet:
    return rows.filter(origin_system=origin.value)


_WITHIN: dict[str, Callable[[HeldQuerySet, Origin], HeldQuerySet]] = {"thread": _of_thread, "system": _of_system}
ORIGINS = frozenset({"agent", "source", *_WITHIN})


def origins_of(held: HeldRecord, links: Iterable[HeldLink]) -> list[Origin]:
    """What of this item others may share: its agent, the sessions that its evidence is from, the system it was imported from."""
    found = [Origin("agent", held.agent_id)]
    captured = [held.held_evidence.evidence] if held.kind == HeldKind.HELD_EVIDENCE else []
    rows = [*captured, *(link.evidence for link in links)]
    for row in rows:
        if row.thread:
            found.append(Origin("thread", row.thread, row.namespace, row.scope_owner))
        else:
            found.append(Origin("source", row.source_id, row.namespace))
    if held.origin_system:
        found.append(Origin("system", held.origin_system))
    return list(dict.fromkeys(found))[: THREADS_OFFERED + 1]


def rows_to_plan(ids: Sequence[UUID | str]) -> dict[str, HeldRecord]:
    """The items with what their plans read, by id."""
    details = ("agent", "promotion", "held_evidence__evidence", "fact_proposal")
    people = ("meaning_editor", "first_approver", "lease_holder")
    rows = HeldRecord.objects.filter(pk__in=list(ids)).select_related(*details, *people)
    return {str(row.pk): row for row in rows}


class Planner:
    """What one action by one person would do to many items. Looks at the policy and at the person's roles once."""

    def __init__(self, user: User, action: Action, now: datetime) -> None:
        self._user, self._action, self._now = user, action, now
        self._policy = current_policy()
        self._roles: dict[str, tuple[bool, bool, bool]] = {}

    def asking_for(self, action: Action) -> Planner:
        """The same person about another action; what is known of them is not asked again."""
        other = copy(self)
        other._action = action
        return other

    def look(self, rows: Iterable[HeldRecord]) -> dict[str, tuple[Plan, Verdict]]:
        """Plan and permission of each item, by id."""
        items = list(rows)
        approving = self._action == Action.APPROVE
        asked = {} if approving else _questions(items)
        found: dict[str, tuple[Plan, Verdict]] = {}
        for held in items:
            key = str(held.pk)
            if approving:
                situation = situation_of(held, user=self._user, now=self._now)
            else:
                version = self._policy.version
                situation = plain_situation(held, policy_version=version, questions=asked.get(key, ()))
            found[key] = plan(situation, self._action), self.verdict(held)
        return found

    def apart_from_records(self, held: HeldRecord) -> Situation:
        """All that approving a proposal depends on but the records that it meets."""
        at = source_date(held, self._now)
        return replace(
            plain_situation(held, policy_version=self._policy.version, questions=()),
            approvals_have=int(first_approval_counts(held)),
            approvals_needed=approvals_needed(
                risk=held.risk, layer=held.layer, two_approvals=self._policy.two_approvals,
                other_reviewer_exists=self._standpoint(held).other_reviewer_exists,
            ),
            source_label=label_preview(held, at, self._now) if at else None,
        )  # fmt: skip

    def verdict(self, held: HeldRecord) -> Verdict:
        """Whether the person may."""
        return may_decide(
            self._action, self._standpoint(held), risk=held.risk, layer=held.layer,
            strict=self._policy.strict_four_eyes, two_approvals=self._policy.two_approvals,
        )  # fmt: skip

    def _standpoint(self, held: HeldRecord) -> Standpoint:
        """As `people.standpoint_of`, with what belongs to the agent asked once an agent."""
        user, agent = self._user, held.agent_id
        if agent not in self._roles:
            self._roles[agent] = is_reviewer(user, agent), other_reviewer_exists(user, agent), owns(user, agent)
        reviews, others, own = self._roles[agent]
        return Standpoint(
            is_reviewer=reviews,
            other_reviewer_exists=others,
            changed_meaning_last=same_person(user, held.meaning_editor),
            owns_agent=own,
            gave_first_approval=first_approval_counts(held) and same_person(user, held.first_approver),
        )


def _questions(items: Sequence[HeldRecord]) -> dict[str, list[Ref]]:
    found: dict[str, list[Ref]] = {}
    for row in Inquiry.objects.open().filter(held__in=[held.pk for held in items]).order_by("id"):
        found.setdefault(str(row.held_id), []).append(Ref(str(row.id), row.version, row.question))
    return found


def members_of(rows: Iterable[tuple[int, HeldRecord]], action: Action) -> list[Member]:
    """The items as neighbours see them; only approving one changes what approving another does."""
    return [_member(position, held, action) for position, held in rows]


def _member(position: int, held: HeldRecord, action: Action) -> Member:
    if action != Action.APPROVE or held.kind == HeldKind.HELD_EVIDENCE:
        return Member(position, held.risk)
    if held.kind == HeldKind.PROMOTION_PROPOSAL:
        # Two texts for one article: the second one was written against a version that the first one replaces.
        about = f"{held.namespace} {held.promotion.target_source}"
        return Member(position, held.risk, about, str(held.pk), Scope(access=Access.PUBLIC))
    about = f"{held.namespace} {held.claim_key or held.statement_key}"
    valid = Validity(held.valid_from, held.valid_until)
    return Member(position, held.risk, about, held.value_key if held.claim_key else "", held.scope, valid)
