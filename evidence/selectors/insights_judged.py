"""Figures that are taken from the newest decisions themselves: how long they took, and which did not last.

At most `SAMPLE` rows are looked at, and the figure says when there were more. What concerns one person's decisions is
read for that person alone.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from math import sqrt
from statistics import median

from django.db.models import OuterRef, Subquery

from evidence.models import (
    Agent,
    Decision,
    DecisionTouch,
    Evidence,
    FactProposal,
    HeldRecord,
    PromotionProposal,
    User,
)
from evidence.models.audit import DecisionQuerySet
from evidence.models.held import HeldQuerySet
from evidence.models.visibility import agents_of
from evidence.rules.vocab import ActorKind, AuditAction, HeldStatus, State
from evidence.selectors.insights_counts import ENDINGS

SAMPLE = 500
APPROVALS = (AuditAction.APPROVE, AuditAction.SUPERSEDE)
JUDGEMENTS = (*APPROVALS, AuditAction.REJECT)
# What takes a record away because it was wrong; being replaced by newer knowledge is no error of whoever approved it.
_OVERTURNING = (AuditAction.REVOKE, AuditAction.CORRECT, AuditAction.ANSWER)
# A longer pause between two decisions is a pause, not the time that a decision took.
SITTING = timedelta(minutes=10)
_FEWEST = 5


@dataclass(frozen=True, slots=True)
class Share:
    """`part` of `whole`; `capped`: there were more, and the newest were taken."""

    part: int
    whole: int
    capped: bool = False

    @property
    def share(self) -> float | None:
        return self.part / self.whole if self.whole else None

    @property
    def range(self) -> tuple[float, float] | None:
        """Where the true share lies in 95 of 100 cases (Wilson): few decisions say little, and this says how little."""
        if not self.whole:
            return None
        z, n, p = 1.96, self.whole, self.part / self.whole
        middle, spread = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, (middle - spread) / (1 + z * z / n)), min(1.0, (middle + spread) / (1 + z * z / n))


@dataclass(frozen=True, slots=True)
class TimeTaken:
    """The median from filing to a decision, over `of` of them."""

    median: timedelta | None
    of: int
    capped: bool = False


@dataclass(frozen=True, slots=True)
class Mine:
    """The person's own decisions: `pace` is the median from one to the next while at it; none for too few."""

    decided: int
    capped: bool
    pace: timedelta | None
    overturned: Share


def oldest_waiting(user: User) -> HeldRecord | None:
    """The item that has waited longest: one look into an index for each agent."""
    seen = agents_of(user)
    agents = Agent.objects.all() if seen is None else Agent.objects.filter(pk__in=seen)
    of_agent = HeldRecord.objects.waiting().filter(agent=OuterRef("pk")).order_by("created_at").values("created_at")
    first = agents.annotate(first=Subquery(of_agent[:1])).filter(first__isnull=False).order_by("first", "pk").first()
    if first is None:
        return None
    return HeldRecord.objects.waiting().filter(agent=first).order_by("created_at", "id").first()


def time_taken(user: User, since: datetime) -> TimeTaken:
    """How long items waited that were approved or rejected here since then."""
    found: list[tuple[datetime, datetime]] = []
    seen = decided_here(HeldRecord.objects.visible_to(user)).filter(decided_at__gte=since)
    for status in ENDINGS["decided"]:
        rows = seen.filter(status=status)
        found += rows.order_by("-decided_at").values_list("decided_at", "created_at")[: SAMPLE + 1]
    newest = sorted(found, reverse=True)[:SAMPLE]
    spans = [decided - created for decided, created in newest]
    return TimeTaken(_median(spans), len(spans), capped=len(found) > len(spans))


def decided_here(rows: HeldQuerySet) -> HeldQuerySet:
    """Without what waits, and without what came decided from elsewhere."""
    return rows.exclude(status=HeldStatus.WAITING).filter(decided_at__isnull=False, decision_id__isnull=False)


def approvals_since(user: User, since: datetime) -> DecisionQuerySet:
    """Approvals of items, of whoever gave them."""
    return _since(Decision.objects.visible_to(user), since).filter(action__in=APPROVALS, target_kind="held")


def decisions_of(user: User, since: datetime) -> DecisionQuerySet:
    """The person's own approvals and rejections."""
    mine = Decision.objects.filter(actor_kind=ActorKind.PERSON, actor_id=str(user.pk))
    return _since(mine, since).filter(action__in=JUDGEMENTS, target_kind="held")


def overturned(rows: DecisionQuerySet) -> tuple[Share, set[uuid.UUID]]:
    """Of the newest approvals among `rows`, those that did not last, and what share they are."""
    # One by one, so that each walks its index from the end and stops.
    parts = [
        rows.filter(action=action).newest_first().values_list("id", "target_id")[: SAMPLE + 1] for action in APPROVALS
    ]
    found = sorted((row for part in parts for row in part), reverse=True)
    newest = dict(found[:SAMPLE])
    lost = _overturned_among(newest)
    return Share(len(lost), len(newest), capped=len(found) > SAMPLE), lost


def own_figures(user: User, since: datetime) -> Mine | None:
    """Only ever asked for the person who looks; none where they decided nothing."""
    times = list(decisions_of(user, since).newest_first().values_list("at", flat=True)[: SAMPLE + 1])
    if not times:
        return None
    gaps = [later - earlier for later, earlier in pairwise(times) if later - earlier <= SITTING]
    pace = _median(gaps) if len(gaps) >= _FEWEST else None
    return Mine(min(len(times), SAMPLE), len(times) > SAMPLE, pace, overturned(decisions_of(user, since))[0])


def _since(rows: DecisionQuerySet, since: datetime) -> DecisionQuerySet:
    """By the id too, which begins with the time and is in every index; it is made shortly before `at` is taken."""
    first = int((since - timedelta(hours=1)).timestamp() * 1000)
    return rows.filter(id__gte=uuid.UUID(int=first << 80), at__gte=since)


def _overturned_among(approvals: dict[uuid.UUID, str]) -> set[uuid.UUID]:
    """Of decisions with their items: undone, or the record made was revoked, corrected, or denied by its owner later."""
    lost = set(Decision.objects.filter(undoes__in=list(approvals)).values_list("undoes", flat=True))
    made = _records_made(set(approvals.values()))
    inactive = Evidence.objects.filter(pk__in=set(made.values())).exclude(state=State.ACTIVE)
    gone = {str(pk) for pk in inactive.values_list("pk", flat=True)}
    ended = DecisionTouch.objects.filter(
        target_kind="record", target_id__in=gone, decision__action__in=_OVERTURNING
    ).values_list("target_id", "decision_id")
    ends: dict[str, uuid.UUID] = {}
    for target, decision in ended:
        ends[target] = max(decision, ends.get(target, decision))
    for approval, held_id in approvals.items():
        end = ends.get(str(made.get(held_id, "")))
        if end is not None and end > approval:
            lost.add(approval)
    return lost


def _records_made(held_ids: set[str]) -> dict[str, uuid.UUID]:
    """Item -> the record that stands for it."""
    found: dict[str, uuid.UUID] = {}
    for detail in (FactProposal, PromotionProposal):
        rows = detail.objects.filter(held_id__in=held_ids, result__isnull=False).values_list("held_id", "result_id")
        found |= {str(held): result for held, result in rows}
    return found


def _median(spans: list[timedelta]) -> timedelta | None:
    return timedelta(seconds=median(span.total_seconds() for span in spans)) if spans else None
