"""Small makers of rows for tests of services, through the services wherever there is one. Everything has a default."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from evidence.models import Agent, Evidence, HeldRecord, Membership, Policy, User
from evidence.rules.records import Claim
from evidence.rules.times import to_iso
from evidence.rules.vocab import Access, Action, Door, Role, Trust
from evidence.selectors.planning import plan_for
from evidence.services.actors import Actor, Filer
from evidence.services.deciding import Decided, decide
from evidence.services.drafts import EvidenceDraft, ProposalDraft
from evidence.services.proposing import file_proposal
from evidence.services.rows import claim_columns, fill
from evidence.services.verification import verify_held


def agent(name: str = "ops-agent", namespace: str = "default") -> Agent:
    return Agent.objects.get_or_create(id=name, defaults={"namespace": namespace})[0]


def user(name: str, *roles: Role, of: Agent | None = None, **columns: Any) -> User:
    """A person with the roles, for one agent or for all."""
    made = User.objects.filter(username=name).first() or User.objects.create_user(name, password="pw", **columns)
    for role in roles:
        Membership.objects.get_or_create(user=made, role=role, agent=of)
    return made


def reviewer(name: str = "reviewer") -> User:
    return user(name, Role.REVIEWER)


def person(who: User, door: Door = Door.WEB) -> Actor:
    return Actor.person(who, door)


def filer(of: Agent | None = None, **members: Any) -> Filer:
    who = of or agent()
    defaults: dict[str, Any] = {
        "namespace": who.namespace, "actor": Actor.agent(who.id, Door.API), "max_access": Access.PUBLIC,
    }  # fmt: skip
    return Filer(agent=who, **(defaults | members))


def days_ago(days: float) -> str:
    return to_iso(timezone.now() - timedelta(days=days))


def inline(text: str, *, thread: str = "t-1", of: str = "ops-agent", **members: Any) -> EvidenceDraft:
    """An excerpt of one of the agent's sessions."""
    ref = uuid.uuid5(uuid.NAMESPACE_URL, text + thread).hex[:8]
    defaults: dict[str, Any] = {
        "trust_class": "direct_user_instruction", "durability": "project", "event_at": days_ago(1),
    }  # fmt: skip
    return EvidenceDraft(source_id=f"session:{of}/{thread}/conversation/{ref}", excerpt=text, **(defaults | members))


def draft(statement: str = "Backups run every night at two.", **members: Any) -> ProposalDraft:
    defaults: dict[str, Any] = {
        "claim": None, "evidence": (inline(statement),), "event_at": days_ago(1), "volatility": "stable",
        "trust_class": "direct_user_instruction", "durability": "project", "scope_access": "public",
    }  # fmt: skip
    return ProposalDraft(statement=statement, **(defaults | members))


def claim(value: str = "past due", subject: str = "vendor account", attribute: str = "billing status") -> Claim:
    return Claim(subject, attribute, value)


def proposal(of: Agent | None = None, statement: str = "Backups run every night at two.", **members: Any) -> HeldRecord:
    """A waiting proposal, verified. With a claim and no evidence of its own, the evidence says the claim."""
    who = of or agent()
    said = members.get("claim")
    text = f"{said.subject} {said.attribute} {said.value}. {statement}" if said else statement
    members.setdefault("evidence", (inline(text, of=who.id),))
    held = file_proposal(filer=filer(who), draft=draft(statement, **members)).held
    verify_held(held_id=held.id)
    held.refresh_from_db()
    return held


def fact(statement: str = "The vendor account is active.", *, about: Claim | None = None, **columns: Any) -> Evidence:
    """An active fact, as an import leaves it: checked by an agent, not confirmed, in the index."""
    from evidence.services.indexing import sync_index

    at = columns.pop("checked", timezone.now() - timedelta(days=1))
    defaults: dict[str, Any] = {
        "namespace": "default", "kind": "fact", "source_id": f"fact:{uuid.uuid4().hex}", "source_version": "1",
        "content": statement, "volatility": "stable", "has_check": at is not None, "check_at": at,
        "check_by": "ops-agent", "scope_owner": "ops-agent", "scope_access": "public", "trust": Trust.INTERNAL,
        "durability": "project", "trust_class": "direct_user_instruction",
    }  # fmt: skip
    row = fill(Evidence(**(defaults | claim_columns(about) | columns)))
    row.save(force_insert=True)
    sync_index(record_pk=row.pk)
    return row


def article(content: str = "# Deploys\n\nDeploys happen on Tuesday.", **columns: Any) -> Evidence:
    """A reviewed article."""
    defaults: dict[str, Any] = {
        "kind": "article", "source_id": "wiki:ops-agent/graph/runbooks/deploy.md", "checked": None,
        "approval_by": "reviewer", "approval_at": timezone.now() - timedelta(days=30), "approval_proposal": "p-1",
        "review": "approved",
    }  # fmt: skip
    return fact(content, **(defaults | columns))


def risky(statement: str = "Backups run every night at two.") -> dict[str, Any]:
    """Members that make a proposal high-risk: third-party documentation, with evidence of that class."""
    low = "third_party_documentation"
    return {"trust_class": low, "evidence": (inline(statement, trust_class=low),)}


def approve(held: HeldRecord, who: User, **members: Any) -> Decided:
    return act(held, who, Action.APPROVE, **members)


def act(held: HeldRecord, who: User, action: Action, **members: Any) -> Decided:
    """Decide as the page does: with the version, the plan that was shown and a key of its own."""
    now: datetime = timezone.now()
    defaults: dict[str, Any] = {"seen_version": held.version, "idempotency_key": uuid.uuid4().hex}
    if "plan_digest" not in members:
        defaults["plan_digest"] = plan_for(held, action=action, user=who, now=now).digest
    return decide(held_id=held.id, action=action, actor=person(who), **(defaults | members))


def policy(**columns: Any) -> Policy:
    latest = Policy.objects.order_by("-version").first()
    return Policy.objects.create(version=(latest.version if latest else 0) + 1, **columns)
