"""Which agents' records a person may see (DESIGN "Who may what"). One small read that querysets share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evidence.models.remembered import read_once
from evidence.rules.vocab import Role

if TYPE_CHECKING:
    from evidence.models.accounts import User


def agents_of(user: User, *roles: Role) -> frozenset[str] | None:
    """The agents covered by the person's memberships; none means every agent, an empty set means nothing."""
    wanted = roles or (Role.REVIEWER, Role.OWNER, Role.AUDITOR, Role.ADMINISTRATOR)
    agents = {agent for role, agent in roles_held(user) if role in wanted}
    if None in agents:
        return None
    return frozenset(agent for agent in agents if agent)


def roles_held(user: User) -> tuple[tuple[str, str | None], ...]:
    """Role and agent (none: every agent) of each of the person's memberships in force."""
    from evidence.models.accounts import Membership

    rows = Membership.objects.active().filter(user=user).values_list("role", "agent_id")
    return read_once(("roles_held", user.pk), lambda: tuple(rows))
