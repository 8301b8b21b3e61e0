"""The parts of the benchmark that need a desk. Each yields (what, figure) lines and makes its own data through the services."""

from __future__ import annotations

import statistics
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import TypeVar

from django.conf import settings
from django.test import Client
from django.utils import timezone

from evidence.models import Agent, HeldRecord, Membership, User
from evidence.rules.records import Claim
from evidence.rules.vocab import Access, Action, Door, Role
from evidence.selectors.planning import plan_for
from evidence.services.actors import Actor, Filer
from evidence.services.deciding import decide
from evidence.services.drafts import EvidenceDraft, ProposalDraft
from evidence.services.proposing import file_proposal
from evidence.services.verification import verify_held

Lines = Iterator[tuple[str, str]]
T = TypeVar("T")
SMALL, LARGE = 1_000, 50_000
# One index each, merged walks, words that all, few and no rows have, a phrase, and mixes that look at a stretch of rows.
SEARCHES = (
    "risk:high", "agent:bench-agent", "match:conflict", "risk:high,low", "is:expiring", "status:any", "statement", "quail",
    "zeppelin", "%22number 77%22", "statement risk:low", "risk:high by:nobody", "age:%3E30d",
)  # fmt: skip


def pipeline() -> Lines:
    """Filing, verifying and deciding one after another, through the services."""
    agent, reviewer = _desk()
    filed, seconds = _timed(lambda number: _file(agent, number), 400)
    yield "file_proposal with one excerpt", f"{400 / sum(seconds):,.0f}/s"
    _, seconds = _timed(lambda number: verify_held(held_id=filed[number]), 400)
    yield "verify_held", f"{400 / sum(seconds):,.0f}/s"
    _, seconds = _timed(lambda number: _approve(filed[number], reviewer), 400)
    yield "decide (approve), service, p50 / p95", _spread(seconds)


def pages() -> Lines:
    """Pages at 1,000 and at 50,000 waiting items, in one run: the ratio is the promise (flat)."""
    agent, reviewer = _desk()
    client = Client(headers={"host": "localhost"})
    settings.ALLOWED_HOSTS = ["localhost"]
    client.force_login(reviewer)
    paths = ("/queue/", *(f"/queue/?q={text}" for text in SEARCHES), "/queue/suggest/?q=match:", "/queue/next/")
    figures: dict[str, list[float]] = {path: [] for path in paths}
    verify_held(held_id=_file(agent, 900_000))
    for size in (SMALL, LARGE):
        _fill(agent, size)
        for path in paths:
            _, seconds = _timed(lambda _, path=path: client.get(path), 40)
            figures[path].append(_p95(seconds))
    for path, (small, large) in figures.items():
        yield (
            f"GET {path} p95 at {SMALL:,} / {LARGE:,}",
            f"{small * 1e3:.0f} / {large * 1e3:.0f} ms  x{large / small:.2f}",
        )


PARTS: dict[str, Callable[[], Lines]] = {"pipeline": pipeline, "pages": pages}


def _desk() -> tuple[Agent, User]:
    agent, _ = Agent.objects.get_or_create(id="bench-agent")
    reviewer, _ = User.objects.get_or_create(username="bench-reviewer")
    Membership.objects.get_or_create(user=reviewer, role=Role.REVIEWER, agent=None)
    return agent, reviewer


def _file(agent: Agent, number: int) -> uuid.UUID:
    text = f"Host {number} of the fleet is called quail-{number}."
    evidence = EvidenceDraft(
        source_id=f"session:{agent.id}/t-{number}/conversation/m-{uuid.uuid4().hex[:8]}", excerpt=text,
        trust_class="direct_user_instruction", durability="project",
    )  # fmt: skip
    draft = ProposalDraft(
        statement=text, claim=Claim(f"host {number}", "name", f"quail-{number}"), evidence=(evidence,),
        event_at="2026-11-01T00:00:00Z", volatility="stable", trust_class="direct_user_instruction",
        durability="project", scope_access="public",
    )  # fmt: skip
    filer = Filer(agent, "default", Actor.agent(agent.id, Door.API), max_access=Access.PUBLIC)
    return file_proposal(filer=filer, draft=draft).held.id


def _approve(held_id: uuid.UUID, reviewer: User) -> None:
    held = HeldRecord.objects.get(pk=held_id)
    digest = plan_for(held, action=Action.APPROVE, user=reviewer, now=timezone.now()).digest
    actor = Actor.person(reviewer, Door.WEB)
    decide(
        held_id=held_id, action=Action.APPROVE, seen_version=held.version, actor=actor, plan_digest=digest,
        idempotency_key=uuid.uuid4().hex,
    )  # fmt: skip


def _fill(agent: Agent, size: int) -> None:
    """Bare rows up to `size`: lists read only these columns. Risk, match and expiry vary."""
    have = HeldRecord.objects.filter(agent=agent, status="waiting").count()
    now = timezone.now()
    rows = [
        HeldRecord(
            kind="held_evidence", agent=agent, statement=f"Bench statement number {number}", scope_owner=agent.id,
            risk=("low", "medium", "high")[number % 3], verification_status="verified", created_at=now,
            match_kind=("new", "new", "ambiguous", "potential_conflict", "new")[number % 5],
            expires_at=now + timedelta(hours=number % 1000),
            priority=int(now.timestamp() * 1000) + number * 1000,  # behind the whole one, which is shown
        )
        for number in range(have, size)
    ]  # fmt: skip
    HeldRecord.objects.bulk_create(rows, batch_size=500)


def _timed(work: Callable[[int], T], count: int) -> tuple[list[T], list[float]]:
    results, seconds = [], []
    for number in range(count):
        began = time.perf_counter()
        results.append(work(number))
        seconds.append(time.perf_counter() - began)
    return results, seconds


def _p95(seconds: list[float]) -> float:
    return statistics.quantiles(seconds, n=20)[-1]


def _spread(seconds: list[float]) -> str:
    return f"{statistics.median(seconds) * 1e3:.0f} / {_p95(seconds) * 1e3:.0f} ms"
