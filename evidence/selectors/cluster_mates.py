"""What says nearly the same as the item on the screen, and what deciding it together would mean for each. Reads only.

Members are those of the kept cluster, held against the rule again, and the equal proposals that close with an approval anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from django.db.models import Count

from evidence.models import Decision, HeldLink, HeldRecord, Job, User
from evidence.rules.joining import FIRST, SAYS_THE_SAME, Asked, Part, Standing, standing_of
from evidence.rules.planning import Effect, EffectKind, Plan, plan
from evidence.rules.records import MemoryRecord
from evidence.rules.vocab import Action, HeldKind, HeldStatus
from evidence.selectors.bulk import Planner, rows_to_plan
from evidence.selectors.clusters import around, kept_with
from evidence.selectors.items import statement_by_id
from evidence.selectors.jobs import tally
from evidence.selectors.matching import match_after
from evidence.selectors.paging import COUNT_LIMIT, Capped
from evidence.selectors.planning import equal_proposals

SHOWN = 20


@dataclass(frozen=True, slots=True)
class Mate:
    """Another item that says nearly the same. `seal` names what the page saw of it beside its version."""

    held: HeldRecord
    standing: Standing
    seal: str
    evidence: int
    may_decide: bool

    @property
    def joins(self) -> bool:
        return self.standing.part is Part.JOINS

    @property
    def closes(self) -> bool:
        return self.standing.part is Part.CLOSES


@dataclass(frozen=True, slots=True)
class Mates:
    """`joint`: an approval of the item on the screen makes or finds the record that the others join. `more` are not shown."""

    rows: list[Mate] = field(default_factory=list)
    more: Capped = field(default_factory=lambda: Capped(0))
    joint: bool = False

    def __bool__(self) -> bool:
        return bool(self.rows)


def ids_of_mates(held: HeldRecord) -> list[UUID]:
    """What is likely to be decided together with the item."""
    return list(dict.fromkeys([*kept_with(held.pk), *(row.pk for row in _equals(held))]))


def mates_of(held: HeldRecord, user: User, now: datetime, approve: Plan) -> Mates:
    """The others, those that are ticked first. `approve` is the plan of approving the item on the screen."""
    if held.kind != HeldKind.FACT_PROPOSAL or not held.is_waiting:
        return Mates()
    equal = {str(row.pk) for row in _equals(held)}
    wanted = list(dict.fromkeys([*sorted(equal), *map(str, kept_with(held.pk))]))
    seen = HeldRecord.objects.visible_to(user).filter(pk__in=wanted[: COUNT_LIMIT + SHOWN])
    places = sorted(seen.values_list("priority", "pk", "status"))
    shown = [pk for _, pk, status in places if status == HeldStatus.WAITING]
    rows = rows_to_plan(shown[:SHOWN])
    near = around(held, rows.values())
    members = [row for key, row in rows.items() if key in near or key in equal]
    look = _Look(held, user, now, approve, members)
    found = [look.mate(row, near.get(str(row.pk)), closes=str(row.pk) in equal) for row in members]
    found.sort(key=lambda mate: (not mate.standing.ticked, -near.get(str(mate.held.pk), 0), mate.held.pk))
    return Mates(found, Capped(max(0, len(shown) - SHOWN)), joint=look.joint)


def seals_of(rows: Iterable[HeldRecord], rejecting: Planner) -> dict[str, str]:
    """What names, beside its version, all that rejecting an item depends on: whether it waits, and its open questions."""
    return {key: made.digest for key, (made, _) in rejecting.look(rows).items()}


@dataclass(frozen=True, slots=True)
class Together:
    """Several items that were decided at once: how many are done, left alone and still to come; `statement` of the first."""

    job_id: UUID
    action: str
    done: int
    left: int
    waiting: int
    statement: str


def together_of(decision: Decision | None) -> Together | None:
    """What was decided with this decision, where it was one of a cluster."""
    job = Job.objects.filter(pk=decision.bulk_id).first() if decision is not None and decision.bulk_id else None
    if job is None or FIRST not in job.detail:
        return None
    numbers = tally(job)
    return Together(
        job.pk, job.detail["action"], numbers.done, numbers.undone, numbers.waiting, statement_by_id(job.detail[FIRST])
    )


def _equals(held: HeldRecord) -> list[HeldRecord]:
    return equal_proposals(held) if held.kind == HeldKind.FACT_PROPOSAL else []


class _Look:
    """One look at the members of a cluster; what is the same for all is asked once."""

    def __init__(self, held: HeldRecord, user: User, now: datetime, approve: Plan, rows: Sequence[HeldRecord]) -> None:
        self._held, self._user, self._now = held, user, now
        rejecting = Planner(user, Action.REJECT, now)
        self._seals = seals_of(rows, rejecting)
        self._rejecting, self._approving = rejecting, rejecting.asking_for(Action.APPROVE)
        links = HeldLink.objects.linked().filter(held__in=[row.pk for row in rows])
        self._evidence = dict(links.values("held").annotate(number=Count("pk")).values_list("held", "number"))
        self._record = _record_after(held, approve.effects)
        self._gone = {one.target_id for one in approve.effects if one.kind == EffectKind.SUPERSEDE_RECORD}
        self.joint = self._record is not None and approve.refusal is None

    def mate(self, row: HeldRecord, likeness: float | None, *, closes: bool) -> Mate:
        may_decide = self._rejecting.verdict(row).refusal is None
        holder = row.lease_holder if row.leased_at(self._now) and row.lease_holder_id != self._user.pk else None
        obstacle, joins = "", closes
        if not closes and likeness is not None and may_decide and self.joint:
            obstacle, joins = self._approval(row)
        standing = standing_of(
            Asked(
                closes=closes, is_near=likeness is not None, risk=row.risk, may_decide=may_decide, obstacle=obstacle,
                would_join=joins or not self.joint, holder=holder.get_username() if holder else "",
            )
        )  # fmt: skip
        return Mate(row, standing, self._seals[str(row.pk)], self._evidence.get(row.pk, 0), may_decide)

    def _approval(self, row: HeldRecord) -> tuple[str, bool]:
        """What stands against approving it after the one on the screen, and whether it would find that one's record then."""
        assert self._record is not None
        made = self._record if isinstance(self._record, MemoryRecord) else None
        # Texts are compared here, claims of one value close: whose evidence it is makes no difference.
        found = match_after(row, (), self._now, gone=self._gone, made=made)
        joins = found.kind in SAYS_THE_SAME and found.matched == (made.id if made else self._record,)
        # Where it joins, that record is all it meets.
        planned = plan(replace(self._approving.apart_from_records(row), match_kind=found.kind), Action.APPROVE)
        refusal = self._approving.verdict(row).refusal or planned.refusal
        if refusal is not None:
            return refusal.detail, joins
        have, needed = planned.approvals
        if have + 1 < needed:
            return "Two people have to approve it: decide it on its own.", joins
        return next((need.detail for need in planned.needs), ""), joins


def _record_after(held: HeldRecord, effects: Iterable[Effect]) -> MemoryRecord | str | None:
    """The record that stands when the item was approved: as it will be, or the id of one that is there; none without one."""
    for effect in effects:
        if effect.kind == EffectKind.LINK_EVIDENCE:
            return effect.target_id
        if effect.kind == EffectKind.CREATE_RECORD:
            candidate = held.to_candidate(evidence_ids=())
            return MemoryRecord(
                id=f"made of {held.pk}", statement=held.statement, claim=held.claim, tags=candidate.tags,
                rule_type=candidate.rule_type, profile=candidate.profile, reach=candidate.reach,
            )  # fmt: skip
    return None
