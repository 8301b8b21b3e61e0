"""One proposal of the line format: a claim that waits for a person, with inline evidence or the ids of records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evidence.exchange.checked import as_it_came, readable, small_count, text_of, word
from evidence.exchange.items import Linked, Note, Place, PromotionItem, ProposalItem
from evidence.exchange.jsonl_records import record_of, refuse_unknown
from evidence.exchange.strict_json import digest_of
from evidence.rules.errors import BadInput
from evidence.rules.members import Members, clean_text
from evidence.rules.parsing import check_from, claim_from, reach_from, scope_from, validity_from
from evidence.rules.records import Check, Scope, Validity
from evidence.rules.sources import source_name
from evidence.rules.text import norm, sha256_hex
from evidence.rules.times import Instant
from evidence.rules.vocab import Access, Durability, Layer, ReachLevel, Trust, TrustClass, Volatility, trust_of_channel

MEMBERS = frozenset(
    "id agent statement claim namespace trust channel trust_class durability layer rule_type scope reach tags event_at"
    " volatility ttl_days check valid evidence supersedes target event_at_text".split()
)
EVIDENCE_MEMBERS = frozenset(
    "id source kind claim content trust_class durability polarity summary excerpt redaction thread event_at check volatility"
    " ttl_days scope tags event_at_text".split()
)
TARGET_MEMBERS = frozenset("path source base_version title content type related agents occurrences".split())


def proposal_item(entry: Mapping[str, Any], place: Place) -> ProposalItem:
    refuse_unknown(entry, MEMBERS)
    members = Members(entry)
    shared = _shared(members, entry, place)
    target = members.members("target")
    if target is None:
        return ProposalItem(**shared)
    return PromotionItem(**shared, **_target(target, entry["target"], shared["agent"]))


def _shared(members: Members, entry: Mapping[str, Any], place: Place) -> dict[str, Any]:
    agent = members.required_text("agent")
    statement = members.required_text("statement")
    claim = claim_from(members.raw("claim"))
    trust = word("trust", members.text("trust") or trust_of_channel(members.text("channel")), Trust)
    evidence, ids, notes = _evidence(members, agent, trust)
    fallback = f"p-{sha256_hex(agent, norm(statement), claim.key if claim else '', claim.value if claim else '')[:32]}"
    return {
        "place": place,
        "foreign_id": members.text("id") or fallback,
        "agent": agent,
        "digest": digest_of(entry),
        "namespace": members.text("namespace"),
        "notes": notes,
        "statement": statement,
        "claim": claim,
        "evidence": evidence,
        "evidence_ids": ids,
        "event_at": text_of(_event_at(members)),
        "check": _check(members, agent),
        "volatility": word("volatility", members.text("volatility"), Volatility, default=Volatility.WORK_STATE),
        "ttl_days": _ttl(members),
        "valid": _valid(members),
        "scope": _scope(members, agent),
        "trust": trust,
        "trust_class": word("trust_class", members.text("trust_class"), TrustClass, default=TrustClass.UNKNOWN),
        "durability": word("durability", members.text("durability"), Durability, default=Durability.UNKNOWN),
        "layer": word("layer", members.text("layer"), Layer, default=Layer.L2),
        "rule_type": members.text("rule_type"),
        "tags": members.texts("tags"),
        "reach": _reach(members),
        "supersedes": members.text_or_texts("supersedes"),
    }


def _evidence(members: Members, agent: str, trust: str) -> tuple[tuple[Linked, ...], tuple[str, ...], tuple[Note, ...]]:
    """Inline records and the ids of existing ones. Inline evidence arrived as its proposal did, and is private to the agent."""
    given = members.raw("evidence")
    if given is None:
        return (), (), ()
    if not isinstance(given, list):
        raise BadInput("invalid_value", "evidence has to be a list", "evidence")
    linked: list[Linked] = []
    notes: list[Note] = []
    ids = tuple(clean_text(one, "evidence") for one in given if isinstance(one, str))
    defaults = {
        "kind": "observation",
        "trust": trust,
        "volatility": "work-state",
        "scope": {"owner": agent, "access": "private"},
    }
    for one in given:
        if isinstance(one, str):
            continue
        if not isinstance(one, Mapping):
            raise BadInput("invalid_value", "evidence holds ids and objects only", "evidence")
        refuse_unknown(one, EVIDENCE_MEMBERS)
        record, more = record_of({name: value for name, value in one.items() if name not in ("id", "thread")}, defaults)
        if record.kind != "observation" or source_name(record.source.id).scheme in ("fact", "proposal", "backend", ""):
            raise BadInput("reserved", "inline evidence is an observation under a source of its own", "evidence")
        linked.append(Linked(record, Members(one).text("thread") or source_name(record.source.id).thread))
        notes += more
    return tuple(linked), ids, tuple(notes)


def _event_at(members: Members) -> Instant:
    stated = readable("event_at", members.instant("event_at"))
    return as_it_came("event_at", members.text("event_at_text"), stated)


def _check(members: Members, agent: str) -> Check | None:
    check = check_from(members.raw("check"))
    if check is None:
        return None
    readable("check.at", check.at)
    if check.confirmed_by:
        raise BadInput("reserved", "check.confirmed_by: a proposal is confirmed by deciding it", "check")
    stated = members.members("check")
    at = as_it_came("check.at", stated.text("at_text") if stated else "", check.at)
    return Check(at, by=check.by or agent, method=check.method)


def _ttl(members: Members) -> float | None:
    value = members.raw("ttl_days")
    if value is None:
        return None
    number = members.number("ttl_days")
    if not 0 <= number < float("inf"):
        raise BadInput("invalid_value", "ttl_days has to be a number of days, 0 or more", "ttl_days")
    return number


def _valid(members: Members) -> Validity | None:
    valid = validity_from(members.raw("valid"))
    if valid:
        readable("valid.from", valid.start)
        readable("valid.until", valid.until)
    return valid


def _scope(members: Members, agent: str) -> Scope:
    scope = scope_from(members.raw("scope"))
    access = word("scope.access", scope.access, Access, default=Access.PRIVATE)
    return Scope(scope.owner or agent, access, scope.shared_with, scope.project)


def _reach(members: Members) -> Any:
    reach = reach_from(members.raw("reach"), "reach")
    if reach:
        word("reach.level", norm(reach.level), ReachLevel)
    return reach


def _target(target: Members, entry: Mapping[str, Any], agent: str) -> dict[str, Any]:
    refuse_unknown(entry, TARGET_MEMBERS)
    path = target.text("source") or target.required_text("path")
    return {
        "target": path if path.startswith("wiki:") else f"wiki:{agent}/{path}",
        "base_version": target.text("base_version"),
        "title": target.required_text("title"),
        "content": target.required_text("content"),
        "article_type": target.text("type"),
        "related": target.texts("related"),
        "agents": target.texts("agents") or (agent,),
        "occurrences": small_count(target, "occurrences"),
    }
