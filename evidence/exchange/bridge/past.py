"""What tells how a bridge's memories came about, what was forgotten there, and what the desk does not take yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from evidence.exchange import files
from evidence.exchange.bridge.content import BRIDGE_AGENT, REVIEW, Memory, lane_of
from evidence.exchange.bridge.layout import Bridge, text, texts_of
from evidence.exchange.bridge.memories import place_of
from evidence.exchange.bridge.reviews import Review
from evidence.exchange.checked import unreadable
from evidence.exchange.items import ForeignDecision, HistoryItem, Note, Place, Problem, Read, TombstoneItem
from evidence.exchange.strict_json import digest_of
from evidence.rules.errors import BadInput
from evidence.rules.records import Source

_NOT_TAKEN = (("votes on recalled memories", "retrieval_feedback", "SELECT count(*) FROM retrieval_feedback"),)


def read_reviews(bridge: Bridge, namespace: str) -> Iterator[Read]:
    for row in bridge.memories(namespace):
        if lane_of(row) != REVIEW:
            continue
        place = place_of(bridge, row)
        try:
            yield _review(bridge, Memory.of(row), place)
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)


def _review(bridge: Bridge, memory: Memory, place: Place) -> HistoryItem:
    review = Review.of(memory)
    notes: tuple[Note, ...] = unreadable("created_at", review.at)
    if not review.candidate or bridge.memory(review.candidate) is None:
        notes = (*notes, Note("side_gone", "the candidate that it is about is not there"))
    extra = {"candidate": review.candidate, "target": review.target}
    extra["receipt"] = memory.fields.get("review_receipt_hash", "")
    return HistoryItem(
        place=place, foreign_id=review.id, agent=BRIDGE_AGENT, namespace=memory.cells["namespace"], notes=notes,
        digest=digest_of({"content": memory.cells["exact_content_hash"]}), decided=review.as_decision, extra=extra,
    )  # fmt: skip


def read_revisions(bridge: Bridge, namespace: str) -> Iterator[Read]:
    """By the namespace of the successor; where that is gone, of the predecessor; a revision without either says nothing."""
    query = (
        "SELECT r.revision_id AS number, r.predecessor_id, r.successor_id, r.actor, r.reason, r.created_at"
        " FROM memory_revisions r LEFT JOIN memories s ON s.id = r.successor_id LEFT JOIN memories p"
        " ON p.id = r.predecessor_id WHERE coalesce(s.namespace, p.namespace) = ? ORDER BY r.revision_id"
    )
    return _histories(bridge, namespace, "memory_revisions", query, _revision)


def read_annotations(bridge: Bridge, namespace: str) -> Iterator[Read]:
    query = (
        "SELECT a.annotation_id AS number, a.memory_id, a.title_before, a.title_after, a.added_tags_json,"
        " a.provenance_json, a.actor, a.created_at FROM memory_annotations a JOIN memories m ON m.id = a.memory_id"
        " WHERE m.namespace = ? ORDER BY a.annotation_id"
    )
    return _histories(bridge, namespace, "memory_annotations", query, _annotation)


def _histories(
    bridge: Bridge, namespace: str, table: str, query: str, told: Callable[[dict[str, str]], ForeignDecision]
) -> Iterator[Read]:
    for row in bridge.database.rows(query, (namespace,)):
        place = Place(bridge.file, part=f"{table}[{row['number']}]")
        try:
            cells = texts_of(row)
            yield HistoryItem(
                place=place, foreign_id=f"{table}:{row['number']}", agent=BRIDGE_AGENT, namespace=namespace,
                notes=unreadable("created_at", cells["created_at"]), digest=digest_of(cells), decided=told(cells),
                extra={name: value for name, value in cells.items() if value},
            )  # fmt: skip
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)


def _revision(cells: dict[str, str]) -> ForeignDecision:
    return ForeignDecision("revised", cells["actor"], cells["created_at"], cells["reason"])


def _annotation(cells: dict[str, str]) -> ForeignDecision:
    return ForeignDecision("annotated", cells["actor"], cells["created_at"])


def read_tombstones(bridge: Bridge, namespace: str) -> Iterator[Read]:
    """Never of signals: they end by themselves and nobody could bring one back."""
    rows = bridge.database.rows(
        "SELECT * FROM memory_tombstones WHERE namespace = ? AND kind <> 'signal' ORDER BY forgotten_id", (namespace,)
    )
    for row in rows:
        place = Place(bridge.file, part="memory_tombstones")
        try:
            cells = texts_of(row)
            place = Place(bridge.file, part=f"memory_tombstones[{files.shown(cells['forgotten_id'])}]")
            yield TombstoneItem(
                place=place, foreign_id=cells["forgotten_id"], agent=BRIDGE_AGENT, namespace=namespace,
                notes=unreadable("deleted_at", cells["deleted_at"]), digest=digest_of(cells),
                source=Source(f"memory:{BRIDGE_AGENT}/{cells['forgotten_id']}", "forgotten"),
                deleted_at=cells["deleted_at"], cause=cells["cause"],
                extra={"deleted_at": cells["deleted_at"], "cause": cells["cause"], "root": cells["root_forget_id"]},
            )  # fmt: skip
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)


def not_taken(bridge: Bridge) -> Iterator[Read]:
    """One line for each kind of thing that is there and stays there."""
    for what, table, query in _NOT_TAKEN:
        number = bridge.database.number(query) if bridge.database.columns(table) else 0
        if number:
            yield Problem(
                Place(bridge.file, part=table), "not_taken_yet", f"{number} {what}: not taken yet", serious=False
            )
    other = bridge.database.first("SELECT kind, count(*) FROM memories WHERE kind NOT IN ('memory', 'signal')")
    if other is not None and other[1]:
        yield Problem(
            Place(bridge.file, part="memories"), "invalid_value",
            f"{other[1]} rows of a kind that schema 12 does not know: {len(text(other[0], 'kind'))} characters",
        )  # fmt: skip
