"""The quick way for proposals that are plainly new: made before the transaction, stored many at a time.

Only proposals for which the slow way (`import_proposals`) would do nothing but insert: nobody knows them, nobody here ever said
the same, and what they bring along is new as well. The checks are the slow way's own; what it would match and rate at filing is
left to the verifier, which does it in any case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from django.db import DataError, IntegrityError, transaction
from django.utils import timezone

from evidence.exchange.items import AnyItem, Note, PromotionItem, ProposalItem
from evidence.models import Evidence, FactProposal, HeldRecord, ImportedItem
from evidence.models.inserting import insert_many, new_row
from evidence.rules.errors import BadInput
from evidence.services.actors import Filer
from evidence.services.errors import Refused
from evidence.services.held_rows import build_held
from evidence.services.import_arrival import Arrival, agent_named, check_item, is_new, memory_of, require_agent, why
from evidence.services.import_bulk import only_new
from evidence.services.import_proposals import proposal_draft
from evidence.services.import_report import ImportOutcome, Line, line_for, refused_line
from evidence.services.import_stored import stored_held
from evidence.services.indexing import sync_new
from evidence.services.proposing import evidence_rows, links_to, observation_of
from evidence.services.verification import set_priority
from evidence.services.verifying import wake_verifier


@dataclass(slots=True)
class Made:
    """A proposal as rows that are not stored: itself, what it says, what it brings along."""

    held: HeldRecord
    observation: Evidence
    brought: list[Evidence]
    notes: tuple[Note, ...]


@dataclass(slots=True)
class Readied:
    """What a chunk's new proposals are, by their place in it: rows to store, or why they are refused."""

    made: dict[int, Made] = field(default_factory=dict)
    refused: dict[int, Line] = field(default_factory=dict)


def ready(arrival: Arrival, items: Sequence[AnyItem]) -> Readied:
    """Check and compute what may go the quick way. Stores nothing, holds nobody up; `arrival` knows what was here just now."""
    readied = Readied()
    filers: dict[str, Filer] = {}
    now = timezone.now()
    for at, item in enumerate(items):
        if not _is_candidate(item) or not is_new(arrival, item):
            continue
        assert isinstance(item, ProposalItem)
        try:
            check_item(arrival, item)
            if item.agent not in filers:
                filers[item.agent] = arrival.filer(agent_named(arrival, item.agent))
            filer = filers[item.agent]
            draft, notes = proposal_draft(filer, item)
            held = build_held(filer, draft)
            brought = evidence_rows(filer, draft)
        except (Refused, BadInput) as error:
            readied.refused[at] = refused_line(item.place, *why(error))
            continue
        held.created_at = held.updated_at = now
        set_priority(held, now)
        readied.made[at] = Made(held, observation_of(held, filed_by=filer.actor.name), brought, notes)
    return readied


def _is_candidate(item: AnyItem) -> bool:
    """A claim that waits there too, with evidence of its own only: an article's text is bound to what stands here."""
    return (
        isinstance(item, ProposalItem)
        and not isinstance(item, PromotionItem)
        and item.decided is None
        and not item.evidence_ids
    )


def store_waiting(arrival: Arrival, items: Sequence[AnyItem], readied: Readied) -> dict[int, Line]:
    """Store what is still plainly new; returns its lines, and those of what is refused, by their place in `items`.

    Precondition: the claim keys are locked, and `arrival` knows what is here.
    """
    lines = {at: line for at, line in readied.refused.items() if is_new(arrival, items[at])}
    made = _alone({at: one for at, one in readied.made.items() if is_new(arrival, items[at])})
    made = _bringing_new(arrival.namespace, _unheard(arrival.namespace, made))
    if not made:
        return lines
    arrival.met.clear()
    try:
        with transaction.atomic():
            remembered = _store(arrival, items, made)
    except (DataError, IntegrityError):
        arrival.forget_met()
        return lines  # one does not fit, or somebody filed one of them just now: one by one, then
    arrival.known |= {(one.kind, one.foreign_id): one for one in remembered}
    for at, one in made.items():
        stored = stored_held(one.held, ImportOutcome.HELD, *one.notes)
        arrival.touches += stored.touches
        result = f"{stored.kind}:{stored.id}"
        lines[at] = line_for(items[at].place, stored.outcome, notes=(*items[at].notes, *one.notes), result=result)
    return lines


def _store(arrival: Arrival, items: Sequence[AnyItem], made: dict[int, Made]) -> list[ImportedItem]:
    for name in sorted({items[at].agent for at in made}):
        require_agent(arrival, name)
    brought = [row for one in made.values() for row in one.brought]
    insert_many([*(one.observation for one in made.values()), *brought])
    insert_many([one.held for one in made.values()])
    insert_many(
        [new_row(FactProposal, held_id=one.held.pk, observation_id=one.observation.pk) for one in made.values()]
    )
    insert_many([link for one in made.values() for link in links_to(one.held, one.brought)])
    remembered = [memory_of(arrival, items[at], "held", str(one.held.id)) for at, one in made.items()]
    insert_many(remembered)
    if brought:
        sync_new(rows=brought)
    wake_verifier()
    return remembered


def _alone(made: dict[int, Made]) -> dict[int, Made]:
    """The first of those that say the same; none of those that bring the same source or the same claim along."""
    first: dict[tuple[str, str], int] = {}
    for at, one in made.items():
        first.setdefault(_says(one.held), at)
    sources = Counter(row.source_id for one in made.values() for row in one.brought)
    claims = Counter(row.claim_key for one in made.values() for row in one.brought if row.claim_key)
    return {
        at: one
        for at, one in made.items()
        if first[_says(one.held)] == at
        and all(sources[row.source_id] == 1 and claims[row.claim_key] <= 1 for row in one.brought)
    }


def _says(held: HeldRecord) -> tuple[str, str]:
    return (held.claim_key, held.value_key) if held.claim_key else ("", held.statement_key)


def _unheard(namespace: str, made: dict[int, Made]) -> dict[int, Made]:
    """Without those that were said before, by anybody, whatever became of it (contract 10: equal ones, rejected ones)."""
    said = set(_said(namespace, [one.held for one in made.values()]))
    return {at: one for at, one in made.items() if _says(one.held) not in said}


def _said(namespace: str, helds: Sequence[HeldRecord]) -> Iterator[tuple[str, str]]:
    rows = HeldRecord.objects.in_namespace(namespace)
    keys = {held.claim_key for held in helds if held.claim_key}
    if keys:
        yield from rows.filter(claim_key__in=keys).values_list("claim_key", "value_key")
    statements = {held.statement_key for held in helds if not held.claim_key}
    if statements:
        yield from rows.filter(statement_key__in=statements, claim_key="").values_list("claim_key", "statement_key")


def _bringing_new(namespace: str, made: dict[int, Made]) -> dict[int, Made]:
    """Without those that bring something along that meets what stands here."""
    brought = {(at, place): row for at, one in made.items() for place, row in enumerate(one.brought)}
    if not brought:
        return made
    new = only_new(namespace, brought)
    known = {at for at, place in brought if (at, place) not in new}
    return {at: one for at, one in made.items() if at not in known}
