"""What one import run knows while it stores: where to, who acts, which agents and items it has met.

Shared by the handlers of the kinds of items; stores nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field

from django.db import DataError
from django.utils import timezone

from evidence.exchange.items import (
    AnyItem,
    HistoryItem,
    Item,
    ProposalItem,
    QuestionItem,
    RunItem,
    SignalItem,
    TombstoneItem,
)
from evidence.models import Agent, ImportedItem
from evidence.models.inserting import new_row
from evidence.rules.errors import BadInput
from evidence.rules.vocab import Access, Trust
from evidence.services.actors import Actor, Filer
from evidence.services.audit import Touch
from evidence.services.errors import Refused
from evidence.services.texts import NAME_MAX, SOURCE_MAX, check_text

EXTRA_MAX = 16 * 1024
_KINDS: tuple[tuple[type[Item], str], ...] = (
    (QuestionItem, "question"), (ProposalItem, "proposal"), (TombstoneItem, "tombstone"), (HistoryItem, "history"),
    (SignalItem, "signal"), (RunItem, "run"),
)  # fmt: skip


@dataclass(slots=True)
class Arrival:
    """What one run knows while it stores: where to, who acts, which agents and items it has met."""

    system: str
    namespace: str
    actor: Actor
    agents: dict[str, Agent] = field(default_factory=dict)
    # Made for the item at hand: forgotten again when it is refused, as its savepoint is taken back.
    met: list[str] = field(default_factory=list)
    known: dict[tuple[str, str], ImportedItem] = field(default_factory=dict)
    touches: list[Touch] = field(default_factory=list)

    def filer(self, agent: Agent) -> Filer:
        """The agent as the file's own filer: sources of any owner, checks and trust as stated (contract 13 is about tokens)."""
        return Filer(
            agent, self.namespace, self.actor, channel_class=Trust.OPERATOR, max_access=Access.PUBLIC,
            is_import=True, origin_system=self.system,
        )  # fmt: skip

    def take_touches(self) -> list[Touch]:
        taken, self.touches = self.touches, []
        return taken

    def forget_met(self) -> None:
        for name in self.met:
            del self.agents[name]
        self.met.clear()


def kind_of(item: Item) -> str:
    """Which of the other system's lists the id belongs to."""
    for shape, kind in _KINDS:
        if isinstance(item, shape):
            return kind
    return "record"


def is_new(arrival: Arrival, item: Item) -> bool:
    return (kind_of(item), item.foreign_id) not in arrival.known


def is_known(arrival: Arrival, item: Item) -> bool:
    known = arrival.known.get((kind_of(item), item.foreign_id))
    return known is not None and known.digest == item.digest


def memory_of(arrival: Arrival, item: AnyItem, target_kind: str, target_id: str) -> ImportedItem:
    """The row that remembers the item, as it should be now; not saved."""
    row = arrival.known.get((kind_of(item), item.foreign_id))
    if row is None:
        row = new_row(
            ImportedItem, namespace=arrival.namespace, system=arrival.system, kind=kind_of(item),
            foreign_id=item.foreign_id,
        )  # fmt: skip
    row.digest, row.target_kind, row.target_id = item.digest, target_kind, target_id
    row.decided = asdict(item.decided) if item.decided else {}
    row.extra, row.changed_at = dict(item.extra), timezone.now()
    return row


def agent_named(arrival: Arrival, name: str) -> Agent:
    """The agent of that name, not saved where nobody knows it. `Refused` where it can be no name."""
    if not name.strip():
        raise Refused("invalid_value", "The agent's name is empty.", field="agent")
    check_text("agent", name, longest=NAME_MAX)
    known = arrival.agents.get(name)
    return known or Agent(
        pk=name, namespace=arrival.namespace, description=f"met in an import ({arrival.system})"[:300]
    )


def require_agent(arrival: Arrival, name: str) -> Filer:
    """The filer of an item, made known where it is not: without a row nobody could be given a role for it."""
    agent = agent_named(arrival, name)
    if name not in arrival.agents:
        values = {"namespace": agent.namespace, "description": agent.description}
        agent, _ = Agent.objects.get_or_create(pk=name, defaults=values)
        arrival.agents[name] = agent
        arrival.met.append(name)
    return arrival.filer(agent)


def check_item(arrival: Arrival, item: Item) -> None:
    """What no draft carries on: ids, foreign decisions and members that nobody interprets (contract 12.5)."""
    if item.namespace not in ("", arrival.namespace):
        # Claims of different namespaces never meet (contract 1); nobody said that these may.
        raise Refused("wrong_namespace", "The entry belongs to another namespace; import it there.", field="namespace")
    check_text("namespace", item.namespace, longest=NAME_MAX)
    check_text("id", item.foreign_id, longest=SOURCE_MAX)
    if item.decided:
        for name, text in asdict(item.decided).items():
            check_text(f"decision {name}", text, longest=2_000)
    size = 0
    for text in _texts_in(item.extra):
        size += len(check_text("other members", text, longest=EXTRA_MAX))
    if size > EXTRA_MAX:
        raise Refused("too_large", "The members that are kept for display are too long.", field="extra")


def why(error: Exception) -> tuple[str, str]:
    """Code and plain words; of a secret its kind, of no text a part."""
    if isinstance(error, Refused):
        kinds = error.extra.get("kinds")
        return error.code, f"{error.detail} ({', '.join(kinds)})" if isinstance(kinds, list) else error.detail
    if isinstance(error, BadInput):
        return error.code, error.detail
    if isinstance(error, DataError):
        return "invalid_value", "One of its members does not fit."
    return "in_progress", "Something else was stored in its place just now; run the import again."


def _texts_in(value: object, name: str = "") -> Iterator[str]:
    """Every text inside, with `name: value` where a member has a name: a secret may be told by it."""
    if isinstance(value, Mapping):
        for key, member in value.items():
            yield str(key)
            yield from _texts_in(member, str(key))
    elif isinstance(value, list | tuple):
        for member in value:
            yield from _texts_in(member, name)
    elif isinstance(value, str):
        yield f"{name}: {value}" if name else value
