"""Rows for tests, as small as they can be and right in every computed column. Used by doors, services and selectors alike."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count
from typing import Any

from evidence.models import Agent, Evidence, Membership, User
from evidence.rules.records import Claim
from evidence.rules.vocab import Access, Door, Kind, Right, Role, Trust
from evidence.services.actors import Actor, Filer
from evidence.services.indexing import sync_index
from evidence.services.rows import claim_columns, fill
from evidence.services.tokens import Issued, issue_agent_token, issue_person_token

COMMAND = Actor.system(Door.COMMAND)
_numbers = count(1)


def an_agent(agent_id: str = "ada", namespace: str = "default") -> Agent:
    return Agent.objects.get_or_create(pk=agent_id, defaults={"namespace": namespace})[0]


def a_person(name: str = "rita", *roles: Role, agent: Agent | None = None) -> User:
    user = User.objects.filter(username=name).first() or User.objects.create_user(name, password="p")
    for role in roles:
        Membership.objects.get_or_create(user=user, role=role, agent=agent)
    return user


def a_token(agent_id: str = "ada", *, namespace: str = "default", **options: Any) -> Issued:
    """An agent's token; `options` as `issue_agent_token` takes them."""
    an_agent(agent_id, namespace)
    given = {"rights": list(Right), "max_access": Access.PUBLIC} | options
    return issue_agent_token(agent_id=agent_id, namespace=namespace, actor=COMMAND, **given)


def a_person_token(user: User, **options: Any) -> Issued:
    return issue_person_token(user=user, actor=COMMAND, **options)


def a_filer(agent_id: str = "ada", namespace: str = "default", **options: Any) -> Filer:
    agent = an_agent(agent_id, namespace)
    return Filer(agent=agent, namespace=namespace, actor=Actor.agent(agent.id, Door.API), **options)


def a_record(content: str = "The kestrel deploys on Tuesdays.", *, indexed: bool = True, **columns: Any) -> Evidence:
    """A stored record, by default an active public fact of ada's that was checked just now; `columns` override."""
    number = next(_numbers)
    claim: Claim | None = columns.pop("claim", None)
    given: dict[str, Any] = {
        "namespace": "default", "kind": Kind.FACT, "source_id": f"fact:{number:032x}", "source_version": "1",
        "content": content, "scope_owner": "ada", "scope_access": Access.PUBLIC, "trust": Trust.INTERNAL,
        "has_check": True, "check_at": datetime.now(UTC), "check_by": "rita", "volatility": "work-state",
    } | claim_columns(claim) | columns  # fmt: skip
    row = fill(Evidence(**given))
    row.save(force_insert=True)
    if indexed:
        sync_index(record_pk=row.pk)
    return row
