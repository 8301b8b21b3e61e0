"""Issuing and revoking credentials, and what an agent's credential lets it do (contract 13; doors "Credentials").

A secret is returned once and kept as a hash. Who may issue what: DESIGN "Who may what"; the operator channel and projects are
given by administrators and from the command line only.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from evidence.models import SYSTEM_NAMESPACE, Agent, Token, User
from evidence.rules.vocab import Access, ActorKind, AuditAction, Door, Right, Trust, TrustClass
from evidence.selectors.people import is_administrator, is_owner
from evidence.selectors.tokens import AGENT_PREFIX, PERSON_PREFIX, token_hash
from evidence.services import audit
from evidence.services.actors import Actor, Filer
from evidence.services.batching import Queue
from evidence.services.errors import Refused
from evidence.services.rate_limits import Lane, lane_of, take_turn
from evidence.services.texts import NAME_MAX, check_text, check_word

ALL_RIGHTS: tuple[Right, ...] = tuple(Right)
DEFAULT_DAYS = 365
LONGEST_DAYS = 3_650
MOST_PROJECTS = 100


@dataclass(frozen=True, slots=True)
class Issued:
    """`secret` is shown once and never again."""

    token: Token
    secret: str


def ensure_agent(*, agent_id: str, namespace: str, actor: Actor) -> Agent:
    """The agent with this id; made where there is none yet, by an administrator or from the command line."""
    _check_name("agent", agent_id)
    _check_name("namespace", namespace)
    known = Agent.objects.filter(pk=agent_id).first()
    if known is not None:
        return known
    if not _is_over_all(actor):
        raise Refused("right_missing", "Only an administrator can add an agent.")
    return Agent.objects.get_or_create(pk=agent_id, defaults={"namespace": namespace})[0]


def issue_agent_token(
    *,
    agent_id: str,
    namespace: str,
    actor: Actor,
    projects: Sequence[str] = (),
    rights: Iterable[str] = ALL_RIGHTS,
    channel_class: str = Trust.INTERNAL,
    max_access: str = Access.PRIVATE,
    trust_ceiling: str = "",
    days: int | None = None,
) -> Issued:
    """A token of one agent in one namespace. Raises `Refused`: not_found, right_missing, invalid_value."""
    agent = Agent.objects.filter(pk=agent_id).first()
    if agent is None:
        raise Refused("not_found", "There is no such agent.")
    _may_issue_for(actor, agent, operator=channel_class == Trust.OPERATOR, projects=bool(projects))
    _check_name("namespace", namespace)
    token = Token(
        agent=agent, namespace=namespace, projects=_checked_projects(projects), rights=_checked_rights(rights),
        channel_class=check_word("channel", channel_class, list(Trust)),
        max_access=check_word("max_access", max_access, list(Access)),
        trust_ceiling=check_word("trust_ceiling", trust_ceiling, ["", *TrustClass]),
    )  # fmt: skip
    return _issue(token, prefix=AGENT_PREFIX, actor=actor, namespace=namespace, agent_id=agent.id, days=days)


def issue_person_token(*, user: User, actor: Actor, days: int | None = None) -> Issued:
    """A token of a person: for themselves, or by an administrator or the command line for anybody."""
    is_self = actor.user is not None and actor.user.pk == user.pk
    if not is_self and not _is_over_all(actor):
        raise Refused("right_missing", "Only an administrator can issue a token for somebody else.")
    if not user.is_active:
        raise Refused("not_found", "There is no such person.")
    return _issue(
        Token(user=user, rights=[]),
        prefix=PERSON_PREFIX,
        actor=actor,
        namespace=SYSTEM_NAMESPACE,
        agent_id="",
        days=days,
    )


def revoke_token(*, token_id: UUID | str, actor: Actor) -> Token:
    """End a token at once. Revoking twice changes nothing. Who may: its person, the agent's owner, an administrator."""
    with transaction.atomic():
        token = Token.objects.select_for_update(of=("self",)).filter(pk=token_id).first()
        if token is None or not _may_revoke(actor, token):
            raise Refused("not_found", "There is no such token.")
        if token.revoked_at is not None:
            return token
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])
        audit.append(
            namespace=token.namespace if token.agent_id else SYSTEM_NAMESPACE, actor=actor,
            action=AuditAction.TOKEN_REVOKE, target_kind="token", target_id=str(token.pk), agent=token.agent_id or "",
        )  # fmt: skip
    return token


def filer_of(token: Token, door: Door) -> Filer:
    """What the credential lets its agent file. Precondition: an agent's token."""
    assert token.agent is not None
    return Filer(
        agent=token.agent, namespace=token.namespace, actor=Actor.agent(token.agent.id, door),
        channel_class=Trust(token.channel_class), trust_ceiling=token.trust_ceiling,
        max_access=Access(token.max_access), projects=tuple(token.projects),
    )  # fmt: skip


def agent_with(token: Token | None, right: Right, lane: Lane | None = None) -> Token:
    """The token of an agent with this right; notes that it was used, and counts it in its lane. Raises `Refused`:
    unauthenticated, right_missing, rate_limited.
    """
    if token is None:
        raise Refused("unauthenticated", "A valid bearer token is needed.")
    if token.agent_id is None:
        raise Refused("right_missing", "This needs the token of an agent; people's tokens decide and read.")
    if right not in token.rights:
        raise Refused("right_missing", f"The token lacks the right: {right}.", right=str(right))
    take_turn(token.pk, lane or lane_of(right))
    note_use(token)
    return token


def note_use(token: Token) -> None:
    """Remember that the token was used just now; written in batches, never by the request."""
    _uses.put((token.pk, timezone.now()))


def _write_uses(uses: Sequence[tuple[UUID, datetime]]) -> None:
    for pk, at in dict(uses).items():
        older = Q(last_used_at__isnull=True) | Q(last_used_at__lt=at)
        Token.objects.filter(older, pk=pk).update(last_used_at=at)


_uses: Queue[tuple[UUID, datetime]] = Queue("token_uses", _write_uses)


def _issue(token: Token, *, prefix: str, actor: Actor, namespace: str, agent_id: str, days: int | None) -> Issued:
    wanted = DEFAULT_DAYS if days is None else days
    if not 1 <= wanted <= LONGEST_DAYS:
        raise Refused("invalid_value", f"days has to be from 1 to {LONGEST_DAYS:,}.", field="days")
    secret = prefix + secrets.token_urlsafe(32)
    token.secret_hash, token.hint, token.created_by = token_hash(secret), secret[-4:], actor.name
    token.expires_at = timezone.now() + timedelta(days=wanted)
    with transaction.atomic():
        token.save(force_insert=True)
        audit.append(
            namespace=namespace, actor=actor, action=AuditAction.TOKEN_ISSUE, target_kind="token",
            target_id=str(token.pk), agent=agent_id,
        )  # fmt: skip
    return Issued(token, secret)


def _is_over_all(actor: Actor) -> bool:
    """An administrator, or somebody who has the machine: the command line, seeding, an import."""
    if actor.user is not None:
        return is_administrator(actor.user)
    return actor.kind in (ActorKind.SYSTEM, ActorKind.IMPORT) and actor.door in (Door.COMMAND, Door.IMPORT)


def _may_issue_for(actor: Actor, agent: Agent, *, operator: bool, projects: bool) -> None:
    if _is_over_all(actor):
        return
    if actor.user is None or not is_owner(actor.user, agent.id):
        raise Refused("right_missing", "Only the agent's owner or an administrator can issue a token for it.")
    if operator:
        raise Refused("right_missing", "Only an administrator can give the operator channel.")
    if projects:
        raise Refused("right_missing", "Only an administrator can give projects.")


def _may_revoke(actor: Actor, token: Token) -> bool:
    if _is_over_all(actor):
        return True
    if actor.user is None:
        return False
    return token.user_id == actor.user.pk or (token.agent_id is not None and is_owner(actor.user, token.agent_id))


def _check_name(field: str, name: str) -> None:
    check_text(field, name, longest=NAME_MAX)
    if not name.strip() or name != name.strip():
        raise Refused("invalid_value", f"{field} is empty, or has blanks around it.", field=field)


def _checked_projects(projects: Sequence[str]) -> list[str]:
    if len(projects) > MOST_PROJECTS:
        raise Refused("invalid_value", f"More than {MOST_PROJECTS} projects.", field="projects")
    for project in projects:
        _check_name("projects", project)
    return list(dict.fromkeys(projects))


def _checked_rights(rights: Iterable[str]) -> list[str]:
    wanted = {check_word("rights", right, list(Right)) for right in rights}
    if not wanted:
        raise Refused("invalid_value", "A token needs at least one right.", field="rights")
    return [str(right) for right in Right if right in wanted]
