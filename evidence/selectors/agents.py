"""What an agent is doing and how it fares: its runs, what it proposes and what became of that, what it is asked. Reads only."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from evidence.models import HeldRecord, Inquiry, Run, User
from evidence.rules.vocab import HeldStatus
from evidence.selectors.runs import runs_of_agent

SHOWN = 5
JUDGED = 200


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Of its last decided proposals: how many were approved, how many rejected."""

    approved: int
    rejected: int
    decided: int

    @property
    def percent(self) -> int:
        return round(100 * self.approved / self.decided) if self.decided else 0


@dataclass(frozen=True, slots=True)
class AgentWork:
    runs: list[Run]
    proposals: list[HeldRecord]
    questions: list[Inquiry]
    acceptance: Acceptance


def agent_work(user: User, agent_id: str) -> AgentWork:
    """Of an agent that the person may see."""
    held = HeldRecord.objects.filter(agent=agent_id)
    questions = Inquiry.objects.open().visible_to(user).filter(agent=agent_id)
    return AgentWork(
        runs=runs_of_agent(user, agent_id, SHOWN),
        proposals=list(held.waiting().order_by("-id")[:SHOWN]),
        questions=list(questions.order_by("-id")[:SHOWN]),
        acceptance=_acceptance(agent_id),
    )


def _acceptance(agent_id: str) -> Acceptance:
    """What a person decided: a proposal that was withdrawn, replaced or ran out says nothing of it."""
    judged = HeldRecord.objects.filter(
        agent=agent_id, status__in=[HeldStatus.APPROVED, HeldStatus.REJECTED], decided_at__isnull=False
    )
    words = Counter(judged.order_by("-id").values_list("status", flat=True)[:JUDGED])
    approved, rejected = words[HeldStatus.APPROVED], words[HeldStatus.REJECTED]
    return Acceptance(approved, rejected, approved + rejected)
