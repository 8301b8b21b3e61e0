"""Who answers for an agent: its owner, their deputies, the administrators. Reads only."""

from __future__ import annotations

from django.db.models import F

from evidence.models import Membership, User
from evidence.rules.vocab import Role


def owner_of(agent_id: str) -> User | None:
    """The person whom a question is put to: who owns this agent before who owns all, the first of several; then a deputy."""
    rows = Membership.objects.active().filter(role=Role.OWNER).covering(agent_id).select_related("user")
    first = rows.order_by("deputy", F("agent").desc(nulls_last=True), "created_at", "pk").first()
    return first.user if first is not None else None


def deputies_of(agent_id: str) -> list[User]:
    rows = Membership.objects.active().filter(role=Role.OWNER, deputy=True).covering(agent_id).select_related("user")
    return _people(list(rows.order_by("created_at", "pk")))


def administrators() -> list[User]:
    rows = Membership.objects.active().filter(role=Role.ADMINISTRATOR).select_related("user")
    return _people(list(rows.order_by("created_at", "pk")))


def _people(rows: list[Membership]) -> list[User]:
    return list({row.user_id: row.user for row in rows}.values())
