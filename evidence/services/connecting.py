"""Connecting an agent to a desk: the agent, where there is none of that name yet, and a token of it, in one step."""

from __future__ import annotations

from django.db import transaction

from evidence.models import Agent
from evidence.services.actors import Actor
from evidence.services.tokens import Issued, ensure_agent, issue_agent_token

DEFAULT_NAMESPACE = "default"


def connect_agent(*, agent_id: str, actor: Actor) -> Issued:
    """A token with the usual limits. Raises `Refused`: right_missing for who is no administrator, and for bad names."""
    known = Agent.objects.filter(pk=agent_id[:200]).values_list("namespace", flat=True).first()
    namespace = known or DEFAULT_NAMESPACE
    with transaction.atomic():
        agent = ensure_agent(agent_id=agent_id, namespace=namespace, actor=actor)
        return issue_agent_token(agent_id=agent.pk, namespace=namespace, actor=actor)
