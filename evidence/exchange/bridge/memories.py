"""Memories that everybody of the bridge recalls. Nobody checked them, except where a review says that a person did.

A memory that came out of an approved candidate, word for word, arrives as a fact with that review as its check and by its date:
who approved it there has confirmed it, and no more than that.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

from evidence.exchange.bridge.content import MEMORY, Memory, id_of, is_person, lane_of, said
from evidence.exchange.bridge.layout import Bridge, text
from evidence.exchange.bridge.reviews import Review, reviews_of
from evidence.exchange.checked import EXCERPT_MAX, SUMMARY_MAX, cut, unreadable
from evidence.exchange.items import DECISION_FIELD, EvidenceItem, FactItem, Note, Place, Problem, Read
from evidence.exchange.strict_json import digest_of
from evidence.rules.errors import BadInput
from evidence.rules.identity import record_id
from evidence.rules.records import Check, Reach, Record, Scope, Source, Validity
from evidence.rules.text import norm, sha256_hex
from evidence.rules.vocab import Access, Kind, ReachLevel, State, Trust, TrustClass, Volatility
from evidence.rules.vocab import Review as ReviewWord

RELATIONS = ("supports", "contradicts", "supersedes", "depends_on", "evidence_refs", "derived_from_candidate_id")
_REPLACED = frozenset({"superseded", "replaced", "archived"})
_UNTRUSTED = frozenset({"poisoned", "untrusted"})
_SUSPECT = frozenset({"quarantined", "unsafe", "suspicious"})
METHOD = "learning review in the bridge"


def place_of(bridge: Bridge, row: sqlite3.Row) -> Place:
    return Place(bridge.file, part=f"memories[{id_of(row)}]")


def read_memories(bridge: Bridge, namespace: str) -> Iterator[Read]:
    for row in bridge.memories(namespace):
        if lane_of(row) != MEMORY:
            continue
        try:
            yield memory_item(bridge, Memory.of(row), place_of(bridge, row))
        except BadInput as bad:
            yield Problem(place_of(bridge, row), bad.code, bad.detail)


def memory_item(bridge: Bridge, memory: Memory, place: Place) -> EvidenceItem | FactItem:
    record = record_of(bridge, memory)
    extra = extra_of(bridge, memory)
    cells = memory.cells
    shared: dict[str, Any] = {
        "place": place,
        "foreign_id": memory.id,
        "agent": record.scope.owner,
        "digest": digest_of({"version": record.source.version, "state": record.state, "by": record.superseded_by or "",
                             "trust": record.trust, "review": record.review or "", **extra}),
        "namespace": cells["namespace"],
        "notes": (*unreadable("created_at", cells["created_at"]), *unreadable("valid_from", cells["valid_from"]),
                  *unreadable("valid_until", cells["valid_until"]), *_notes(memory, record)),
        "extra": extra,
    }  # fmt: skip
    if record.kind == Kind.FACT:
        return FactItem(record=record, **shared)
    return EvidenceItem(record=record, thread=thread_of(memory), **shared)


def thread_of(memory: Memory) -> str:
    """One session is one source, however many memories it left."""
    return memory.cells["session_id"] or memory.cells["client_session_id"]


def record_of(bridge: Bridge, memory: Memory) -> Record:
    """The record that a memory becomes. Its version names everything that is shown of it, so that an annotation is a change."""
    cells = memory.cells
    review = approving(bridge, memory)
    successor = _successor(bridge, memory)
    status, held = cells["status"], is_suspect(memory)
    valid = Validity(cells["valid_from"] or None, cells["valid_until"] or None)
    source = source_of(memory, review)
    replaced = successor is not None or status in _REPLACED
    state = State.DELETED if status == "deleted" else State.SUPERSEDED if replaced else State.ACTIVE
    return Record(
        id=record_id(source),
        kind=Kind.FACT if review and not held else Kind.OBSERVATION,
        source=source,
        content=said(cells["content"]),
        summary=cut(cells["title"], SUMMARY_MAX),
        excerpt=cut(memory.claim, EXCERPT_MAX),
        tags=memory.tags,
        rule_type=cells["record_type"],
        reach=reach_of(memory),
        valid=valid if valid.start or valid.until else None,
        event_at=cells["created_at"] or None,
        check=check_of(review) if review and not held else None,
        volatility=Volatility.WORK_STATE,
        scope=Scope(memory.agent, Access.PUBLIC),
        trust=Trust.EXTERNAL if held else Trust.INTERNAL,
        review=ReviewWord.REJECTED if status == "rejected" else ReviewWord.HELD if held else None,
        state=state,
        superseded_by=successor,
        trust_class=TrustClass.AGENT_INFERENCE,
        durability="unknown",
    )


def source_of(memory: Memory, review: Review | None) -> Source:
    cells = memory.cells
    shown = sha256_hex(
        cells["title"], *memory.tags, cells["record_type"], cells["status"], cells["valid_from"], cells["valid_until"],
        review.id if review else "",
    )[:8]  # fmt: skip
    version = f"{cells['exact_content_hash'][:32]}.{shown}"
    if review and not is_suspect(memory):
        return Source(f"fact:{memory.id}", version)
    return Source(f"memory:{owner_part(memory.agent)}/{memory.id}", version)


def owner_part(agent: str) -> str:
    """An agent's name as a part of a source, which a slash would end."""
    return agent.replace("/", "-")


def reach_of(memory: Memory) -> Reach:
    """A namespace `project:x` is about that project; others hold where they stand."""
    level, colon, ref = memory.cells["namespace"].partition(":")
    known = frozenset({ReachLevel.PROJECT, ReachLevel.DOMAIN})
    return Reach(level, ref) if colon and ref and level in known else Reach(ReachLevel.GLOBAL, "")


def approving(bridge: Bridge, memory: Memory) -> Review | None:
    """The review by which a named reviewer approved just these words: candidate, review and memory have to agree."""
    for candidate_id in bridge.targets(memory.id, "derived_from_candidate_id"):
        row = bridge.memory(candidate_id)
        found = reviews_of(bridge, candidate_id)
        decided = found.decided
        if row is None or decided is None or decided.decision != "approved" or decided.target != memory.id:
            continue
        if decided.by and norm(Memory.of(row).claim) == norm(memory.claim):
            return decided
    return None


def check_of(review: Review) -> Check:
    """A check by whoever reviewed; confirmed where that is a person. Names are declared there, never authenticated."""
    return Check(review.at, review.by, METHOD, review.by if is_person(review.by) else None)


def _successor(bridge: Bridge, memory: Memory) -> str | None:
    """The record that a revision put in place of this one: the newest where it was revised twice. "" where that one is gone."""
    row = bridge.database.first(
        "SELECT r.successor_id FROM memory_revisions r WHERE r.predecessor_id = ? ORDER BY r.revision_id DESC LIMIT 1",
        (memory.id,),
    )
    if row is None:
        return None
    found = bridge.memory(text(row[0], "successor_id"))
    if found is None:
        return ""
    other = Memory.of(found)
    return record_id(source_of(other, approving(bridge, other)))


def is_suspect(memory: Memory) -> bool:
    words = {
        memory.cells["status"],
        *(memory.fields.get(name, "").lower() for name in ("quarantine_status", "source_trust")),
    }
    return bool(words & (_UNTRUSTED | _SUSPECT))


def _notes(memory: Memory, record: Record) -> tuple[Note, ...]:
    notes: list[Note] = []
    if record.review == ReviewWord.HELD:
        notes.append(
            Note("held_there", "the bridge marks it as quarantined, unsafe or untrusted: it waits for a review")
        )
    if memory.cells["lineage_status"] == "degraded":
        notes.append(Note("lineage_degraded", "something that it rests on was forgotten there"))
    if len(memory.cells["title"]) > SUMMARY_MAX:
        notes.append(Note("cut", f"title was cut to {SUMMARY_MAX} characters"))
    return tuple(notes)


def extra_of(bridge: Bridge, memory: Memory) -> dict[str, object]:
    """What nobody interprets here, for display and for writing decisions back. The epoch is not part of what may change."""
    cells = memory.cells
    found: dict[str, object] = {
        name: cells[name]
        for name in ("exact_content_hash", "status", "confidence_label", "session_id", "actor", "correlation_id",
                     "source_app", "source_client", "source_model", "client_session_id", "client_workspace",
                     "client_transport")
        if cells[name]
    }  # fmt: skip
    if memory.confidence is not None:
        found["confidence"] = memory.confidence
    if memory.fields.get(DECISION_FIELD):
        found[DECISION_FIELD] = memory.fields[DECISION_FIELD][:64]
    relations = {name: targets for name in RELATIONS if (targets := bridge.targets(memory.id, name))}
    if relations:
        found["relations"] = relations
    if cells["lineage_status"] == "degraded":
        found["lineage"] = cells["lineage_issues_json"][:2_000]
    return found
