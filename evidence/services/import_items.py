"""One item of an import: known already, new, or changed at its source; and whom it makes known.

Each item is stored in a savepoint of its own: one that is refused harms no other. What a file says of decisions is kept beside
the row as history (`ImportedItem`), never as a decision of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from evidence.exchange.items import AnyItem, EvidenceItem, FactItem, Item, ProposalItem, QuestionItem
from evidence.models import Agent, ImportedItem
from evidence.rules.errors import BadInput
from evidence.rules.identity import claim_key_hash, statement_fingerprint
from evidence.rules.records import Claim
from evidence.rules.vocab import Access, Trust
from evidence.services.actors import Actor, Filer
from evidence.services.audit import Touch
from evidence.services.errors import Refused
from evidence.services.import_report import STORED, ImportOutcome, Line, line_for, refused_line
from evidence.services.import_stored import Stored
from evidence.services.locks import lock_claims
from evidence.services.texts import NAME_MAX, SOURCE_MAX, check_shape, check_text

EXTRA_MAX = 16 * 1024


@dataclass(slots=True)
class Arrival:
    """What one run knows while it stores: where to, who acts, which agents and items it has met."""

    system: str
    namespace: str
    actor: Actor
    agents: dict[str, Agent] = field(default_factory=dict)
    known: dict[tuple[str, str], ImportedItem] = field(default_factory=dict)
    touches: list[Touch] = field(default_factory=list)

    def filer(self, agent_id: str) -> Filer:
        """The agent as the file's own filer: sources of any owner, checks and trust as stated (contract 13 for tokens only)."""
        return Filer(
            self.agents[agent_id], self.namespace, self.actor, channel_class=Trust.OPERATOR, max_access=Access.PUBLIC,
            is_import=True, origin_system=self.system,
        )  # fmt: skip

    def take_touches(self) -> list[Touch]:
        taken, self.touches = self.touches, []
        return taken


def kind_of(item: Item) -> str:
    """Which of the other system's lists the id belongs to."""
    if isinstance(item, QuestionItem):
        return "question"
    return "proposal" if isinstance(item, ProposalItem) else "record"


def prepare(arrival: Arrival, items: Sequence[AnyItem]) -> None:
    """For one chunk: take the locks in the house's order, look up what is known, make agents known."""
    # The first key lets chunks of one system take turns: the second of two equal runs then finds everything known.
    keys = {f"import:{arrival.system}", *(key for item in items for key in _lock_keys(item))}
    lock_claims(arrival.namespace, keys)
    rows = ImportedItem.objects.filter(
        namespace=arrival.namespace, system=arrival.system, foreign_id__in={item.foreign_id for item in items}
    )
    arrival.known = {(row.kind, row.foreign_id): row for row in rows}
    fresh = [item for item in items if not _is_known(arrival, item)]
    _meet_agents(arrival, {item.agent for item in fresh})


def store_item(arrival: Arrival, item: AnyItem) -> Line:
    """Store one item, or say why not. Precondition: `prepare` was called for its chunk."""
    if _is_known(arrival, item):
        known = arrival.known[kind_of(item), item.foreign_id]
        return line_for(
            item.place, ImportOutcome.UNCHANGED, notes=item.notes, result=f"{known.target_kind}:{known.target_id}"
        )
    try:
        with transaction.atomic():
            check_item(arrival, item)
            stored = _handler_of(item)(arrival, item, arrival.known.get((kind_of(item), item.foreign_id)))
            _remember(arrival, item, stored)
    except Refused as refused:
        return refused_line(item.place, refused.code, _words(refused))
    except BadInput as bad:
        return refused_line(item.place, bad.code, bad.detail)
    except IntegrityError:
        return refused_line(
            item.place, "in_progress", "Something else was stored in its place just now; run the import again."
        )
    if stored.outcome in STORED:
        arrival.touches += stored.touches
    return line_for(item.place, stored.outcome, notes=(*item.notes, *stored.notes), result=f"{stored.kind}:{stored.id}")


def check_item(arrival: Arrival, item: Item) -> None:
    """What no draft carries on: ids, foreign decisions and members that nobody interprets (contract 12.5)."""
    if item.namespace not in ("", arrival.namespace):
        # Claims of different namespaces never meet (contract 1); nobody said that these may.
        raise Refused("wrong_namespace", "The entry belongs to another namespace; import it there.", field="namespace")
    check_text("id", item.foreign_id, longest=SOURCE_MAX)
    if item.decided:
        for name, text in asdict(item.decided).items():
            check_text(f"decision {name}", text, longest=2_000)
    size = 0
    for text in _texts_in(item.extra):
        size += len(check_text("other members", text, longest=EXTRA_MAX))
    if size > EXTRA_MAX:
        raise Refused("too_large", "The members that are kept for display are too long.", field="extra")


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


def _handler_of(item: AnyItem) -> Callable[[Arrival, Any, ImportedItem | None], Stored]:
    # Imported here: the handlers need `Arrival`.
    from evidence.services.import_proposals import store_proposal
    from evidence.services.import_questions import store_question
    from evidence.services.import_records import store_evidence, store_fact

    if isinstance(item, EvidenceItem):
        return store_evidence
    if isinstance(item, FactItem):
        return store_fact
    return store_question if isinstance(item, QuestionItem) else store_proposal


def is_new(arrival: Arrival, item: Item) -> bool:
    return (kind_of(item), item.foreign_id) not in arrival.known


def _is_known(arrival: Arrival, item: Item) -> bool:
    known = arrival.known.get((kind_of(item), item.foreign_id))
    return known is not None and known.digest == item.digest


def memory_of(arrival: Arrival, item: AnyItem, target_kind: str, target_id: str) -> ImportedItem:
    """The row that remembers the item, as it should be now; not saved."""
    row = arrival.known.get((kind_of(item), item.foreign_id))
    if row is None:
        row = ImportedItem(
            namespace=arrival.namespace, system=arrival.system, kind=kind_of(item), foreign_id=item.foreign_id
        )
    row.digest, row.target_kind, row.target_id = item.digest, target_kind, target_id
    row.decided = asdict(item.decided) if item.decided else {}
    row.extra, row.changed_at = dict(item.extra), timezone.now()
    return row


def _remember(arrival: Arrival, item: AnyItem, stored: Stored) -> None:
    row = memory_of(arrival, item, stored.kind, stored.id)
    row.save()
    arrival.known[row.kind, row.foreign_id] = row


def _meet_agents(arrival: Arrival, names: set[str]) -> None:
    """Agents that the files name and nobody knows yet: without a row nobody could be given a role for them."""
    wanted = {name for name in names - set(arrival.agents) if _is_name(name)}
    for agent in Agent.objects.filter(pk__in=wanted):
        arrival.agents[agent.pk] = agent
    for name in sorted(wanted - set(arrival.agents)):
        arrival.agents[name], _ = Agent.objects.get_or_create(
            pk=name, defaults={"namespace": arrival.namespace, "description": f"met in an import ({arrival.system})"}
        )


def _is_name(name: str) -> bool:
    try:
        check_text("agent", name, longest=NAME_MAX)
    except Refused:
        return False
    return bool(name.strip())


def _lock_keys(item: AnyItem) -> Iterator[str]:
    if isinstance(item, ProposalItem):
        yield from _claim_keys(item.claim)
        yield statement_fingerprint(item.statement)
        for linked in item.evidence:
            yield from _claim_keys(linked.record.claim)
    elif isinstance(item, QuestionItem):
        yield from _claim_keys(item.incoming.claim if item.incoming else None)
    else:
        yield from _claim_keys(item.record.claim)


def _claim_keys(claim: Claim | None) -> Iterable[str]:
    return (claim_key_hash(claim),) if claim else ()


def _words(refused: Refused) -> str:
    kinds = refused.extra.get("kinds")
    return f"{refused.detail} ({', '.join(kinds)})" if isinstance(kinds, list) else refused.detail


def require_agent(arrival: Arrival, name: str) -> Filer:
    """The filer of an item. `Refused` where its agent's name cannot be one."""
    check_shape("agent", name, longest=NAME_MAX)
    if name not in arrival.agents:
        raise Refused("invalid_value", "The agent's name is empty, or looks like a secret.", field="agent")
    return arrival.filer(name)
