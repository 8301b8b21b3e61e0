"""Memory records of the layers and of projects: facts of pi's ledger, put there by its patches and checked by nobody.

A policy that its user ratified carries that as its check. Dates without a time are no dates here, and pi writes no others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evidence.exchange.checked import objects, unreadable, word
from evidence.exchange.items import DECISION_FIELD, FactItem, Note, Place, Problem, Read
from evidence.exchange.pi.layout import PI_AGENT, TOMBSTONES, Known, Store
from evidence.exchange.strict_json import digest_of
from evidence.rules.errors import BadInput
from evidence.rules.identity import record_id
from evidence.rules.members import Members
from evidence.rules.records import Check, Reach, Record, Scope, Source, Validity
from evidence.rules.vocab import Access, Kind, Layer, ReachLevel, State, Trust, TrustClass, Volatility

_STATES = {
    "active": State.ACTIVE,
    "contested": State.ACTIVE,
    "deprecated": State.SUPERSEDED,
    "superseded": State.SUPERSEDED,
    "promoted": State.SUPERSEDED,
    "deleted": State.DELETED,
}
_KNOWN = frozenset(
    "id profile_id layer scope tags statement created_at updated_at status ruleType valid_from valid_to".split()
)
TTL_MAX = 36_500
RATIFIED = "ratified in pi"
# How a record that the desk's decision made names that decision, among its evidence.
DECISION_REF = "evidence-desk:decision:"


def index_records(store: Store) -> Known:
    """What the ids of memory records are here. A line that cannot be read is reported where it is read for good."""
    known = Known()
    for _place, line in store.lines(TOMBSTONES):
        if not isinstance(line, BadInput) and isinstance(line.get("deleted_record_id"), str):
            known.deleted.add(line["deleted_record_id"])
    for _place, line in store.record_lines():
        if not isinstance(line, BadInput) and isinstance(line.get("id"), str):
            known.records.setdefault(line["id"], source_of(line))
            profile = line.get("profile_id")
            known.profiles.setdefault(line["id"], profile if isinstance(profile, str) else "")
    return known


def source_of(line: dict[str, Any]) -> Source:
    """Two edits of one day have the same date in pi, so a version names the whole row."""
    return Source(f"fact:{line['id']}", f"{line.get('updated_at') or ''}#{digest_of(line)[:16]}")


def record_digest(line: dict[str, Any]) -> str:
    return digest_of(line)


def read_records(store: Store, known: Known) -> Iterator[Read]:
    seen: set[str] = set()
    for place, line in store.record_lines():
        try:
            if isinstance(line, BadInput):
                raise line
            if line.get("id") in seen:
                raise BadInput("malformed", "the store holds this id already, further up")
            item = _item(line, place, known)
            seen.add(item.foreign_id)
            yield item
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)


def _item(line: dict[str, Any], place: Place, known: Known) -> FactItem:
    members = Members(line)
    status = members.required_text("status")
    if status not in _STATES:
        raise BadInput("invalid_value", f"status has to be one of: {', '.join(_STATES)}", "status")
    dates = [(name, members.text(name)) for name in ("created_at", "valid_from", "valid_to")]
    notes = [note for name, text in dates for note in unreadable(name, text, serious=len(text) != len("2026-01-31"))]
    if status in ("contested", "deprecated", "promoted"):
        notes.append(Note("status_there", f"it is {status} there"))
    return FactItem(
        place=place,
        foreign_id=members.required_text("id"),
        agent=PI_AGENT,
        digest=record_digest(line),
        namespace=members.text("profile_id"),
        notes=tuple(notes),
        record=_record(line, members, _STATES[status], contested=status == "contested", known=known),
        extra={name: value for name, value in line.items() if name not in _KNOWN and value not in ([], None, "")}
        | _decided_here(members),
    )


def _decided_here(members: Members) -> dict[str, object]:
    """The decision that made this record, where it was written back by a desk."""
    for entry in objects(members, "evidence"):
        ref = entry.text("ref")
        if ref.startswith(DECISION_REF):
            return {DECISION_FIELD: ref.removeprefix(DECISION_REF)[:64]}
    return {}


def _record(line: dict[str, Any], members: Members, state: State, *, contested: bool, known: Known) -> Record:
    source = source_of(line)
    start, until = members.text("valid_from"), members.text("valid_to")
    return Record(
        id=record_id(source),
        kind=Kind.FACT,
        source=source,
        content=members.required_text("statement"),
        tags=tuple(tag for tag in members.texts("tags") if not tag.startswith("supersedes:")),
        rule_type=members.text("ruleType"),
        layer=word("layer", members.text("layer"), Layer),
        reach=reach_of(members.members("scope") or Members({})),
        valid=Validity(start or None, until or None) if start or until else None,
        event_at=members.text("created_at") or None,
        check=None if contested else _ratified(members),
        volatility=Volatility.WORK_STATE,
        ttl_days=_cadence(members),
        scope=Scope(PI_AGENT, Access.PUBLIC),
        trust=Trust.INTERNAL,
        state=state,
        superseded_by=_successor(members, known) if state == State.SUPERSEDED else None,
        trust_class=TrustClass.AGENT_INFERENCE,
        durability="unknown",
    )


def reach_of(scope: Members) -> Reach:
    """pi's scope says for what a memory holds, not who may read it."""
    kind = scope.text("type")
    if kind == ReachLevel.PROJECT:
        return Reach(ReachLevel.PROJECT, scope.text("project"))
    if kind == ReachLevel.DOMAIN:
        return Reach(ReachLevel.DOMAIN, "+".join(sorted(set(scope.texts("domains")))) or scope.text("domain"))
    return Reach(word("scope.type", kind, ReachLevel, default=ReachLevel.GLOBAL), "")


def _cadence(members: Members) -> float | None:
    """How often it is to be looked at again: a wish to re-check, in days."""
    review = members.members("review")
    days = review.number_or_none("cadence_days") if review else None
    return float(days) if days is not None and 0 < days <= TTL_MAX else None


def _ratified(members: Members) -> Check | None:
    """What its user ratified as policy: confirmed by them, on that day. pi names no user but the one of the store."""
    ratified = members.members("policy_ratification")
    if ratified is None or not ratified.text("ratified_at"):
        return None
    user = members.text("resource_id") or "owner"
    return Check(ratified.text("ratified_at"), user, ratified.text("method") or RATIFIED, user)


def _successor(members: Members, known: Known) -> str:
    found = [known.records[one] for one in members.texts("superseded_by") if one in known.records]
    return record_id(found[-1]) if found else ""
