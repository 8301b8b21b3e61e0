"""Learning candidates: proposals, hidden there and here until a person decides.

A status that a candidate carries in its own tags is its author's word and decides nothing; only a review does, as history.
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence.exchange.bridge.content import CANDIDATE, Memory, lane_of
from evidence.exchange.bridge.layout import Bridge, listed
from evidence.exchange.bridge.memories import (
    approving,
    extra_of,
    is_suspect,
    owner_part,
    place_of,
    reach_of,
    source_of,
    thread_of,
)
from evidence.exchange.bridge.reviews import Reviews, reviews_of
from evidence.exchange.checked import SUMMARY_MAX, cut, unreadable
from evidence.exchange.items import Linked, Note, Place, Problem, ProposalItem, Read
from evidence.exchange.strict_json import digest_of
from evidence.rules.errors import BadInput
from evidence.rules.identity import computed_version, record_id
from evidence.rules.records import Record, Scope, Source
from evidence.rules.vocab import Access, Kind, Trust, TrustClass, Volatility

EVIDENCE_MAX = 50
_KEPT_FIELDS = (
    "candidate_ref", "candidate_status", "decision", "decision_reasons_json", "authority_class", "supersession_plan",
    "contradicts_record_ids_json", "sensitivity", "capture_origin", "recommended_action",
)  # fmt: skip
_SET_ASIDE = frozenset({"approved", "rejected", "expired"})


def read_candidates(bridge: Bridge, namespace: str) -> Iterator[Read]:
    for row in bridge.memories(namespace):
        if lane_of(row) != CANDIDATE:
            continue
        place = place_of(bridge, row)
        try:
            yield _item(bridge, Memory.of(row), place)
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)


def _item(bridge: Bridge, memory: Memory, place: Place) -> ProposalItem:
    cells, reviews = memory.cells, reviews_of(bridge, memory.id)
    linked, ids, notes = _evidence(bridge, memory)
    decided = reviews.decided.as_decision if reviews.decided else None
    extra = extra_of(bridge, memory) | {name: memory.fields[name] for name in _KEPT_FIELDS if memory.fields.get(name)}
    if reviews.found:
        extra["reviews"] = [one.id for one in reviews.found]
    supersedes = tuple(known_as(bridge, one) for one in _ids_in(memory, "supersedes_record_ids_json"))
    version = {"version": cells["exact_content_hash"], "title": cells["title"], "tags": list(memory.tags)}
    return ProposalItem(
        place=place,
        foreign_id=memory.id,
        agent=memory.agent,
        digest=digest_of(version | extra),
        namespace=cells["namespace"],
        notes=(*unreadable("created_at", cells["created_at"]), *notes, *_notes(memory, reviews)),
        decided=decided,
        extra=extra | {"database_epoch": bridge.epoch},
        statement=memory.claim,
        evidence=linked,
        evidence_ids=ids,
        event_at=cells["created_at"],
        volatility=Volatility.WORK_STATE,
        scope=Scope(memory.agent, Access.PUBLIC),
        trust=Trust.EXTERNAL if is_suspect(memory) else Trust.INTERNAL,
        trust_class=TrustClass.AGENT_INFERENCE,
        tags=tuple(tag for tag in memory.tags if tag.startswith(("domain:", "topic:"))),
        reach=reach_of(memory),
        supersedes=supersedes,
    )


def _notes(memory: Memory, reviews: Reviews) -> tuple[Note, ...]:
    if reviews.disagree:
        return (Note("reviews_disagree", "its reviews contradict each other: it waits for a decision here"),)
    status = memory.fields.get("candidate_status", "")
    if reviews.decided is None and status in _SET_ASIDE:
        return (Note("status_kept_as_history", f"it calls itself {status}, and no review says so: it waits"),)
    return ()


def _ids_in(memory: Memory, name: str) -> tuple[str, ...]:
    return tuple(one for one in listed(memory.fields.get(name, ""), name) if one)


def _evidence(bridge: Bridge, memory: Memory) -> tuple[tuple[Linked, ...], tuple[str, ...], tuple[Note, ...]]:
    """Memories that it cites, by what they are here; anything else as evidence that it was cited, not of what it says."""
    refs = list(dict.fromkeys([*_ids_in(memory, "evidence_refs_json"), *bridge.targets(memory.id, "evidence_refs")]))
    notes = (Note("cut", f"only {EVIDENCE_MAX} of its references were taken"),) if len(refs) > EVIDENCE_MAX else ()
    linked: list[Linked] = []
    ids: list[str] = []
    for ref in refs[:EVIDENCE_MAX]:
        known = known_as(bridge, ref)
        if known != ref:
            ids.append(known)
        else:
            linked.append(_cited(memory, ref))
    return tuple(linked), tuple(ids), notes


def known_as(bridge: Bridge, memory_id: str) -> str:
    """The record that this memory is here; the id itself where there is none."""
    row = bridge.memory(memory_id)
    if row is None:
        return memory_id
    try:
        other = Memory.of(row)
        return record_id(source_of(other, approving(bridge, other)))
    except BadInput:
        return memory_id


def _cited(memory: Memory, ref: str) -> Linked:
    summary = cut(f"Cited: {ref}", SUMMARY_MAX)
    version = computed_version(excerpt="", content="", summary=summary)
    source = Source(f"entry:{owner_part(memory.agent)}/{ref}", version)
    record = Record(
        id=record_id(source), kind=Kind.OBSERVATION, source=source, summary=summary,
        event_at=memory.cells["created_at"] or None, volatility=Volatility.WORK_STATE,
        scope=Scope(memory.agent, Access.PRIVATE), trust=Trust.INTERNAL, trust_class=TrustClass.AGENT_INFERENCE,
        durability="unknown",
    )  # fmt: skip
    return Linked(record, thread_of(memory))
