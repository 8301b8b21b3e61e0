"""Which agents' records a person may see (DESIGN "Who may what"). One small read that querysets share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evidence.rules.vocab import Role

if TYPE_CHECKING:
    from evidence.models.accounts import User


def agents_of(user: User, *roles: Role) -> frozenset[str] | None:
    """The agents covered by the person's memberships; none means every agent, an empty set means nothing."""
    from evidence.models.accounts import Membership

    wanted = roles or (Role.REVIEWER, Role.OWNER, Role.AUDITOR, Role.ADMINISTRATOR)
    agents = list(Membership.objects.of(user, *wanted).values_list("agent_id", flat=True))
    if None in agents:
        return None
    return frozenset(agent for agent in agents if agent)
