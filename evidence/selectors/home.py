"""What needs a person now, by role: the queue, questions, re-checks due, their bulk work. Reads only; every number links."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo, available_timezones

from evidence.models import Agent, Evidence, HeldRecord, Inquiry, Job, Membership, Token, User
from evidence.models.visibility import agents_of
from evidence.rules.bulk import ENDED, JobKind
from evidence.rules.vocab import HeldStatus, Kind, Role
from evidence.selectors.imports import IMPORT
from evidence.selectors.inquiries import turn_of
from evidence.selectors.insights_counts import Day, waiting_by_day
from evidence.selectors.insights_period import Period
from evidence.selectors.items import roles_of
from evidence.selectors.jobs import Tally, tally
from evidence.selectors.paging import Capped, capped_count
from evidence.selectors.picking import free_rows
from evidence.selectors.policy import current_policy
from evidence.selectors.queue import QueueCounts, QueueFilter, counts, reviewable
from evidence.selectors.rechecks import ORDER, RecheckFilter, owns_any, rows_of
from evidence.selectors.records import Labelled, labelled

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

SHOWN = 5
BACKLOG_DAYS = 30


@dataclass(frozen=True, slots=True)
class Rechecks:
    """Facts of the person's own agents that nobody put off: those that turned, and those that soon will; oldest first."""

    overdue: list[Labelled]
    soon: list[Labelled]
    overdue_count: Capped
    soon_count: Capped

    def __bool__(self) -> bool:
        return bool(self.overdue or self.soon)


@dataclass(frozen=True, slots=True)
class RunningJob:
    job: Job
    tally: Tally


@dataclass(frozen=True, slots=True)
class Steps:
    """What a new desk still needs; each is true once it is there."""

    imported: bool
    connected: bool
    invited: bool

    @property
    def is_done(self) -> bool:
        return self.imported and self.connected and self.invited


@dataclass(frozen=True, slots=True)
class HomeView:
    """`steps` is there while nothing has arrived yet. `backlog` is empty for who sees no agent."""

    roles: frozenset[str]
    queue: QueueCounts
    next_up: list[HeldRecord]
    questions: list[Inquiry]
    question_count: Capped
    rechecks: Rechecks
    jobs: list[RunningJob]
    last_import: Job | None
    agents: list[Agent]
    backlog: list[Day]
    steps: Steps | None

    @property
    def needs_nothing(self) -> bool:
        return not (self.next_up or self.questions or self.rechecks or self.jobs)


def home_view(user: User, now: datetime, zone: ZoneInfo) -> HomeView:
    roles = roles_of(user)
    questions = turn_of(user).select_related("agent").order_by("due_at", "id")
    steps = steps_left(user)
    free = free_rows(user, reviewable(user, QueueFilter(), now), now).in_order()
    return HomeView(
        roles=roles,
        queue=counts(user, now),
        next_up=list(free[:SHOWN]) if Role.REVIEWER in roles else [],
        questions=list(questions[:SHOWN]),
        question_count=capped_count(questions),
        rechecks=rechecks_due(user, now),
        jobs=[RunningJob(job, tally(job)) for job in open_jobs(user)],
        last_import=Job.objects.filter(kind=IMPORT).order_by("-created_at").first(),
        agents=agents_seen(user),
        backlog=waiting_by_day(user, Period(BACKLOG_DAYS, zone, now)) if roles and steps is None else [],
        steps=steps,
    )


def steps_left(user: User) -> Steps | None:
    """None from the first item or record on."""
    if HeldRecord.objects.exists() or Evidence.objects.exists():
        return None
    reviewers = Membership.objects.active().filter(role=Role.REVIEWER).exclude(user=user)
    return Steps(
        imported=Job.objects.filter(kind=IMPORT, status="done").exists(),
        connected=Token.objects.live().filter(agent__isnull=False).exists(),
        invited=reviewers.exists(),
    )


def rechecks_due(user: User, now: datetime) -> Rechecks:
    """Nothing for who owns no agent: others cannot say whether it is still true."""
    if not owns_any(user):
        return Rechecks([], [], Capped(0), Capped(0))
    overdue, soon = (ORDER.order(rows_of(user, RecheckFilter(show=show), now)) for show in ("overdue", "soon"))
    return Rechecks(
        overdue=[labelled(row, now) for row in overdue[:SHOWN]],
        soon=[labelled(row, now) for row in soon[:SHOWN]],
        overdue_count=capped_count(overdue),
        soon_count=capped_count(soon),
    )


def open_jobs(user: User) -> list[Job]:
    """The person's bulk work that is not over, the newest first."""
    rows = Job.objects.filter(owner=user, kind__in=list(JobKind)).exclude(status__in=ENDED)
    return list(rows.order_by("-created_at")[:SHOWN])


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
