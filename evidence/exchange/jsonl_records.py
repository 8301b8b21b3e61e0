"""One record of the line format: the members of contract 1, checked word by word and mapped to an item."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from evidence.exchange.checked import EXCERPT_MAX, SUMMARY_MAX, as_it_came, cut, cut_notes, readable, text_of, times_of
from evidence.exchange.items import EvidenceItem, FactItem, ForeignDecision, Note, Place
from evidence.exchange.strict_json import digest_of
from evidence.rules.errors import BadInput
from evidence.rules.identity import computed_version, record_id
from evidence.rules.known_words import unknown_words
from evidence.rules.members import Members
from evidence.rules.parsing import record_from
from evidence.rules.records import Record, Source
from evidence.rules.sources import source_name
from evidence.rules.vocab import Access, Kind, Review, State, Trust, trust_of_channel

MEMBERS = frozenset(
    "id kind source claim content namespace tags rule_type layer reach relations valid event_at ingested_at check volatility"
    " ttl_days scope trust channel review approval state superseded_by derived_from trust_class durability polarity summary"
    " excerpt redaction thread agent event_at_text".split()
)
# Computed when stored, or none of the importer's business: another store's clock says nothing here.
_NOT_COMPARED = frozenset({"ingested_at"})
_PLAIN_NAME = re.compile(r"[A-Za-z_]{1,24}")
_DEFAULTS: Mapping[str, object] = {
    "volatility": "work-state",
    "trust_class": "unknown",
    "durability": "unknown",
    "polarity": "supports",
    "redaction": "none",
    "layer": "L2",
    "state": "active",
}
_PARTS: Mapping[str, frozenset[str]] = {
    "source": frozenset({"id", "version"}),
    "claim": frozenset({"subject", "attribute", "value"}),
    "check": frozenset({"at", "at_text", "by", "method", "confirmed_by"}),
    "scope": frozenset({"owner", "access", "shared_with", "project"}),
    "approval": frozenset({"by", "at", "proposal"}),
    "valid": frozenset({"from", "until"}),
    "reach": frozenset({"level", "ref"}),
}


def refuse_unknown(entry: Mapping[str, Any], known: frozenset[str]) -> None:
    """`BadInput` unknown_member, also for the members of members. Only short plain names are repeated: no secret is one."""
    _refuse(set(entry) - known, "it")
    for name, allowed in _PARTS.items():
        part = entry.get(name)
        if isinstance(part, Mapping):
            _refuse(set(part) - allowed, name)


def _refuse(unknown: set[str], what: str) -> None:
    if unknown:
        named = sorted(name for name in unknown if _PLAIN_NAME.fullmatch(name))
        which = f": {', '.join(named)}" if named else ""
        raise BadInput("unknown_member", f"{what} has a member that this format does not know{which}")


def record_item(entry: Mapping[str, Any], place: Place) -> EvidenceItem | FactItem:
    refuse_unknown(entry, MEMBERS)
    members = Members(entry)
    record, notes = record_of(entry)
    _refuse_reserved(record)
    record, decided, more = _without_authority(record)
    agent = members.text("agent") or record.scope.owner
    if not agent:
        raise BadInput("invalid_value", "scope.owner is required", "scope.owner")
    shared: dict[str, Any] = {
        "place": place,
        "foreign_id": members.text("id") or record.id,
        "agent": agent,
        "digest": digest_of(entry, without=_NOT_COMPARED),
        "namespace": members.text("namespace"),
        "notes": (*notes, *more),
        "decided": decided,
    }
    if record.kind in (Kind.FACT, Kind.ARTICLE):
        return FactItem(record=record, **shared)
    return EvidenceItem(record=record, thread=_thread(members, record), **shared)


def record_of(entry: Mapping[str, Any], defaults: Mapping[str, Any] | None = None) -> tuple[Record, tuple[Note, ...]]:
    """The record an object says, with its id computed anew, its texts cut and its words and times checked."""
    given = {name: value for name, value in entry.items() if value is not None and value != ""}
    filled = {**_DEFAULTS, **(defaults or {}), **given}
    if not filled.get("trust"):
        filled["trust"] = trust_of_channel(Members(filled).text("channel")).value
    record = record_from(filled, "")
    notes = cut_notes([("summary", record.summary, SUMMARY_MAX), ("excerpt", record.excerpt, EXCERPT_MAX)])
    scope = replace(record.scope, access=record.scope.access or Access.PRIVATE)
    summary, excerpt = cut(record.summary, SUMMARY_MAX), cut(record.excerpt, EXCERPT_MAX)
    record = replace(record, summary=summary, excerpt=excerpt, scope=scope)
    record = _identified(record, given=Members(filled).members("source"))
    _check_words(record)
    for field, value in times_of(record):
        readable(field, value)
    return with_unreadable(record, Members(filled)), notes


def with_unreadable(record: Record, members: Members) -> Record:
    """The times that the desk itself could not read when it wrote the line."""
    record = replace(record, event_at=as_it_came("event_at", members.text("event_at_text"), record.event_at))
    if record.check is None:
        return record
    stated = members.members("check")
    at = as_it_came("check.at", stated.text("at_text") if stated else "", record.check.at)
    return replace(record, check=replace(record.check, at=at))


def _identified(record: Record, given: Members | None) -> Record:
    """A session's version is always computed; others only where they have none (contract 1)."""
    source = record.source
    if source_name(source.id).scheme == "session" or not (given and given.text("version")):
        version = computed_version(excerpt=record.excerpt, content=record.content, summary=record.summary)
        source = Source(source.id, version)
    return replace(record, source=source, id=record_id(source))


def _check_words(record: Record) -> None:
    unknown = unknown_words(record)
    if unknown:
        raise BadInput("invalid_value", f"{', '.join(unknown)}: a word that the contract does not know", unknown[0])
    ttl = record.ttl_days
    if ttl is not None and not (isinstance(ttl, int | float) and 0 <= ttl < float("inf")):
        raise BadInput("invalid_value", "ttl_days has to be a number of days, 0 or more", "ttl_days")


def _refuse_reserved(record: Record) -> None:
    """Text that a backend wrote is never imported as evidence of itself; waiting proposals arrive as proposals."""
    scheme = source_name(record.source.id).scheme
    if record.kind == Kind.DERIVED or scheme in ("backend", "proposal"):
        raise BadInput("reserved", "derived texts and the desk's own sources are not imported", "source.id")
    if not scheme:
        raise BadInput("invalid_value", "source.id has to name its kind first, such as entry:agent/id", "source.id")


def _without_authority(record: Record) -> tuple[Record, ForeignDecision | None, tuple[Note, ...]]:
    """Approvals and positive reviews are kept as history; an external record is held whatever its file says."""
    decided: ForeignDecision | None = None
    notes: tuple[Note, ...] = ()
    if record.approval:
        decided = ForeignDecision("approved", record.approval.by, text_of(record.approval.at), record.approval.proposal)
        notes = (Note("approval_kept_as_history", "the approval was given elsewhere; here the article is unverified"),)
        record = replace(record, approval=None)
    if record.review == Review.APPROVED:
        decided = decided or ForeignDecision("approved")
        notes = (*notes, Note("review_kept_as_history", "the review was done elsewhere and does not count here"))
        record = replace(record, review=None)
    if record.trust == Trust.EXTERNAL and record.state == State.ACTIVE and record.review is None:
        record = replace(record, review=Review.HELD)
    return record, decided, notes


def _thread(members: Members, record: Record) -> str:
    return members.text("thread") or source_name(record.source.id).thread
