"""What is known of a person seen from an agent: reviewer, owner, the only one (DESIGN "Who may what"). Reads only.

A person is not an account: accounts with the same verified identity are one person, so that two accounts of one person do
not make four eyes.
"""

from __future__ import annotations

from evidence.models import HeldRecord, Membership, User
from evidence.models.accounts import MembershipQuerySet
from evidence.models.remembered import read_once
from evidence.models.visibility import roles_held
from evidence.rules.permissions import Standpoint, Verdict, may_recheck
from evidence.rules.vocab import Role


def is_reviewer(user: User, agent_id: str) -> bool:
    return _has(user, Role.REVIEWER, agent_id)


def _has(user: User, wanted: Role, agent_id: str) -> bool:
    return any(role == wanted and agent in (None, agent_id) for role, agent in roles_held(user))


def owns(user: User, agent_id: str) -> bool:
    """Whether the person behind the account owns the agent, through whichever account."""
    owners = Membership.objects.active().filter(role=Role.OWNER, agent_id=agent_id).select_related("user")
    return any(same_person(user, who) for who in _people(owners, Role.OWNER, agent_id))


def is_owner(user: User, agent_id: str) -> bool:
    """Whether this account may answer for the agent (a membership for it, or for all agents)."""
    return _has(user, Role.OWNER, agent_id)


def recheck_verdict(user: User, agent_id: str) -> Verdict:
    return may_recheck(is_owner=is_owner(user, agent_id))


def administers(user: User, agent_id: str) -> bool:
    return _has(user, Role.ADMINISTRATOR, agent_id)


def is_administrator(user: User) -> bool:
    return any(role == Role.ADMINISTRATOR for role, _ in roles_held(user))


def administers_all(user: User) -> bool:
    """An administrator of all agents, whose account is in use: what reaches beyond one agent is theirs alone."""
    return user.is_active and (Role.ADMINISTRATOR.value, None) in roles_held(user)


def other_reviewer_exists(user: User | None, agent_id: str) -> bool:
    """Another active reviewer membership for that agent, held by another person."""
    reviewers = Membership.objects.active().filter(role=Role.REVIEWER).covering(agent_id).select_related("user")
    return any(user is None or not same_person(user, who) for who in _people(reviewers, Role.REVIEWER, agent_id))


def _people(memberships: MembershipQuerySet, role: Role, agent_id: str) -> tuple[User, ...]:
    return read_once(("people", role, agent_id), lambda: tuple(membership.user for membership in memberships))


def same_person(a: User | None, b: User | None) -> bool:
    return a is not None and b is not None and a.person_key == b.person_key


def standpoint_of(user: User, held: HeldRecord) -> Standpoint:
    """Everything that separation of duties asks about a person and an item (scenario S21)."""
    return Standpoint(
        is_reviewer=is_reviewer(user, held.agent_id),
        other_reviewer_exists=other_reviewer_exists(user, held.agent_id),
        changed_meaning_last=same_person(user, held.meaning_editor),
        owns_agent=owns(user, held.agent_id),
        gave_first_approval=first_approval_counts(held) and same_person(user, held.first_approver),
    )


def first_approval_counts(held: HeldRecord) -> bool:
    """A first approval is void after a change of version, unless the content is still what was approved (contract 10)."""
    if held.first_approver_id is None:
        return False
    return held.first_approval_version == held.version or held.first_approval_hash == held.content_hash
