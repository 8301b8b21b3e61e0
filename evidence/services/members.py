"""Accounts and roles (DESIGN "Who may what"): each change is an audit row of the system's own chain."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from evidence.models import SYSTEM_NAMESPACE, Agent, Membership, User
from evidence.rules.vocab import AuditAction, Role
from evidence.selectors.people import is_administrator
from evidence.services import audit
from evidence.services.actors import Actor
from evidence.services.errors import Refused
from evidence.services.texts import NAME_MAX, REASON_MAX, check_text, check_word


@dataclass(frozen=True, slots=True)
class Granted:
    """`created_account`: the account is new and has no password yet. `created` false: the role was there already."""

    membership: Membership
    created: bool
    created_account: bool


def grant_role(*, username: str, role: str, actor: Actor, agent_id: str = "", deputy: bool = False) -> Granted:
    """Give a person a role, for one agent or for all (""); the account is made where it is missing.

    `deputy`: of an owner, whose questions come to them when they lie. A role that is there already stays as it is.
    """
    check_text("username", username, longest=150)
    check_text("agent", agent_id, longest=NAME_MAX)
    word = Role(check_word("role", role, list(Role)))
    if not username.strip():
        raise Refused("invalid_value", "A person needs a user name.", field="username")
    if deputy and word != Role.OWNER:
        raise Refused("invalid_value", "Only an owner has deputies.", field="deputy")
    agent = Agent.objects.filter(pk=agent_id).first() if agent_id else None
    if agent_id and agent is None:
        raise Refused("invalid_value", f"There is no agent {agent_id!r} yet; issue it a token first.", field="agent")
    try:
        with transaction.atomic():
            return _grant(username, word, agent, actor, deputy=deputy)
    except IntegrityError:
        raise Refused("in_progress", "The same role is being given at this moment.") from None


def set_first_password(*, user: User, password: str) -> None:
    """Give an account without a password one. Raises `Refused` where it has one, or where the password is too weak."""
    if user.has_usable_password():
        raise Refused("invalid_value", "This account has a password; its owner changes it.", field="password")
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Refused("invalid_value", " ".join(error.messages), field="password") from error
    user.set_password(password)
    user.save(update_fields=["password"])


def revoke_role(*, username: str, role: str, actor: Actor, agent_id: str = "") -> bool:
    """End a role; false when the person does not have it. The row stays, for who could decide when."""
    with transaction.atomic():
        held = Membership.objects.active().filter(user__username=username, role=role, agent=agent_id or None)
        membership = held.select_for_update(of=("self",)).first()
        if membership is None:
            return False
        membership.ended_at = timezone.now()
        membership.save(update_fields=["ended_at"])
        _note(membership, actor, "role_ended")
    return True


def set_deputy(*, membership_id: int, deputy: bool, reason: str, actor: Actor) -> Membership:
    """Make an owner a deputy, or an owner again. By an administrator or the command line; the same twice changes nothing."""
    check_text("reason", reason, longest=REASON_MAX)
    if not reason.strip():
        raise Refused("reason_required", "Say why.", field="reason")
    if actor.user is not None and not is_administrator(actor.user):
        raise Refused("right_missing", "Only an administrator changes who stands in for whom.")
    with transaction.atomic():
        membership = Membership.objects.active().select_for_update(of=("self",)).filter(pk=membership_id).first()
        if membership is None or membership.role != Role.OWNER:
            raise Refused("invalid_value", "Only an owner's role can be that of a deputy.", field="membership")
        if membership.deputy != deputy:
            membership.deputy = deputy
            membership.save(update_fields=["deputy"])
            _note(membership, actor, "deputy_made" if deputy else "deputy_ended", reason=reason)
    return membership


def _grant(username: str, role: Role, agent: Agent | None, actor: Actor, *, deputy: bool) -> Granted:
    user = User.objects.filter(username=username).first()
    is_new = user is None
    if user is None:
        user = User(username=username)
        user.set_unusable_password()
    if role == Role.ADMINISTRATOR and not user.is_staff:
        user.is_staff = user.is_superuser = True
    user.save()
    known = Membership.objects.active().filter(user=user, role=role, agent=agent).first()
    if known is not None:
        return Granted(known, created=False, created_account=is_new)
    membership = Membership.objects.create(user=user, role=role, agent=agent, deputy=deputy)
    _note(membership, actor, "role_granted")
    return Granted(membership, created=True, created_account=is_new)


def _note(membership: Membership, actor: Actor, what: str, *, reason: str = "") -> None:
    audit.append(
        namespace=SYSTEM_NAMESPACE, actor=actor, action=AuditAction.MEMBERSHIP, target_kind="membership",
        target_id=str(membership.pk), agent=membership.agent_id or "",
        effects=[{"kind": what, "target_kind": "user", "target_id": str(membership.user_id), "role": membership.role}],
        snapshots={"reason": audit.keep(reason)} if reason else None,
    )  # fmt: skip
