"""Who acts: a person, an agent through its credential, the policy, the system or an import.

An `Actor` is what an audit row names; a `Filer` is what a credential lets an agent do (contract 13).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from evidence.models import Agent, User
from evidence.rules.vocab import Access, ActorKind, Door, Trust


@dataclass(frozen=True, slots=True)
class Actor:
    kind: ActorKind
    id: str
    name: str
    door: Door
    user: User | None = field(default=None, compare=False)

    @classmethod
    def person(cls, user: User, door: Door) -> Actor:
        return cls(ActorKind.PERSON, str(user.pk), user.get_username(), door, user)

    @classmethod
    def agent(cls, agent_id: str, door: Door) -> Actor:
        return cls(ActorKind.AGENT, agent_id, agent_id, door)

    @classmethod
    def system(cls, door: Door = Door.TASK) -> Actor:
        return cls(ActorKind.SYSTEM, "system", "system", door)

    @classmethod
    def policy(cls, door: Door = Door.TASK) -> Actor:
        return cls(ActorKind.POLICY, "policy", "policy", door)

    @classmethod
    def importer(cls, name: str) -> Actor:
        return cls(ActorKind.IMPORT, name, name, Door.IMPORT)


@dataclass(frozen=True, slots=True)
class Filer:
    """The agent that files, and what its credential fixes. An import builds one with the trust its file states."""

    agent: Agent
    namespace: str
    actor: Actor
    channel_class: Trust = Trust.INTERNAL
    trust_ceiling: str = ""
    max_access: Access = Access.PRIVATE
    projects: tuple[str, ...] = ()
    # An import may file sources of other owners and keep dates as they came; a token never may.
    is_import: bool = False
    origin_system: str = ""
