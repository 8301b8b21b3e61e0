"""What needs a person now, by role: the queue, questions, re-checks due, the last import. Reads only; every number links."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import available_timezones

from django.db.models import QuerySet

from evidence.models import Agent, Evidence, HeldRecord, Inquiry, Job, Membership, User
from evidence.models.visibility import agents_of
from evidence.rules.vocab import HeldStatus, Kind, Label, Role
from evidence.selectors.items import roles_of
from evidence.selectors.paging import Capped, capped_count
from evidence.selectors.policy import current_policy
from evidence.selectors.queue import QueueCounts, QueueFilter, counts, next_candidate, reviewable
from evidence.selectors.records import Labelled, labelled, with_label

__all__ = [
    "AgentView",
    "HomeView",
    "agent_view",
    "agents_seen",
    "current_policy",
    "home_view",
    "memberships_of",
    "time_zones",
]

TURNS_SOON = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class HomeView:
    roles: frozenset[str]
    queue: QueueCounts
    first: HeldRecord | None
    next_up: list[HeldRecord]
    questions: list[Inquiry]
    question_count: Capped
    turning: list[Labelled]
    stale_count: Capped
    last_import: Job | None
    agents: list[Agent]
    is_new: bool


def home_view(user: User, now: datetime) -> HomeView:
    roles = roles_of(user)
    questions = Inquiry.objects.answerable_by(user).select_related("agent").order_by("-asked_at")
    turning = _due_for_recheck(user, now)
    facts = Evidence.objects.visible_to(user).active().filter(kind=Kind.FACT)
    queue = counts(user, now)
    reviews = Role.REVIEWER in roles
    return HomeView(
        roles=roles,
        queue=queue,
        first=next_candidate(user, QueueFilter(), now) if reviews else None,
        next_up=list(reviewable(user, QueueFilter(), now).awake(now).free_for(user, now).open_to(user).in_order()[:5])
        if reviews
        else [],
        questions=list(questions[:5]),
        question_count=capped_count(questions),
        turning=[labelled(row, now) for row in turning[:5]],
        stale_count=capped_count(with_label(facts, Label.STALE, now)),
        last_import=Job.objects.filter(kind="import").order_by("-created_at").first(),
        agents=agents_seen(user),
        is_new=not Agent.objects.exists(),
    )


def _due_for_recheck(user: User, now: datetime) -> QuerySet[Evidence]:
    """Facts of the person's own agents whose label turns soon or has turned, the latest first."""
    owned = agents_of(user, Role.OWNER)
    rows = Evidence.objects.turning(before=now + TURNS_SOON).filter(kind=Kind.FACT)
    rows = rows if owned is None else rows.filter(scope_owner__in=owned)
    return rows.order_by("-expires_at")


AGENTS_SHOWN = 100


def agents_seen(user: User) -> list[Agent]:
    """The agents that the person may see, for filters and lists; a long list is cut."""
    seen = agents_of(user)
    rows = Agent.objects.all() if seen is None else Agent.objects.filter(pk__in=seen)
    return list(rows.order_by("id")[:AGENTS_SHOWN])


@dataclass(frozen=True, slots=True)
class AgentView:
    agent: Agent
    people: list[Membership]
    waiting: Capped
    facts: Capped
    questions: Capped
    decided: list[HeldRecord]


def agent_view(user: User, agent_id: str, now: datetime) -> AgentView | None:
    """An agent with who answers for it and what there is of it; none where the person may not see it."""
    seen = agents_of(user)
    agent = Agent.objects.filter(pk=agent_id).first()
    if agent is None or (seen is not None and agent.pk not in seen):
        return None
    held = HeldRecord.objects.filter(agent=agent)
    decided = held.exclude(status=HeldStatus.WAITING).filter(decided_at__isnull=False)
    return AgentView(
        agent=agent,
        people=list(Membership.objects.active().covering(agent.pk).select_related("user").order_by("role", "id")),
        waiting=capped_count(held.waiting()),
        facts=capped_count(Evidence.objects.active().filter(kind=Kind.FACT, scope_owner=agent.pk)),
        questions=capped_count(Inquiry.objects.open().filter(agent=agent)),
        decided=list(decided.order_by("-id")[:8]),
    )


def memberships_of(user: User) -> list[Membership]:
    return list(Membership.objects.active().filter(user=user).select_related("agent").order_by("role", "id"))


def time_zones() -> list[str]:
    return sorted(available_timezones())
