"""Untyped mappings (explain input, import files) to the frozen values of `records`.

Lenient on words: unknown ones are kept for the rule that reads them restrictively (contract 12.3). Strict on types:
BadInput names the field. Unknown members are ignored here; doors refuse them before they come this far.
"""

from __future__ import annotations

from evidence.rules.errors import INVALID_VALUE, BadInput
from evidence.rules.identity import computed_version, record_id
from evidence.rules.members import Members
from evidence.rules.records import (
    Approval,
    Candidate,
    Check,
    Claim,
    Hit,
    LinkedEvidence,
    MemoryRecord,
    Reach,
    Reader,
    Record,
    Scope,
    Source,
    Tombstone,
    Validity,
)


def source_from(data: object, path: str = "source") -> Source:
    """`{id, version}`; a missing version is the empty text (contract 1: it is then computed)."""
    members = Members(data, path)
    return Source(members.required_text("id"), members.text("version"))


def claim_from(data: object, path: str = "claim") -> Claim | None:
    """`{subject, attribute, value}` or none; subject and attribute are required, an emptied value is kept."""
    if data is None:
        return None
    members = Members(data, path)
    return Claim(members.required_text("subject"), members.required_text("attribute"), members.text("value"))


def scope_from(data: object, path: str = "scope") -> Scope:
    """`{owner, access, shared_with, project}`; an absent scope is one that nobody reads (contract 4)."""
    if data is None:
        return Scope()
    members = Members(data, path)
    return Scope(
        owner=members.text("owner"),
        access=members.word("access"),
        shared_with=members.texts("shared_with"),
        project=members.optional_text("project"),
    )


def reader_from(data: object, path: str = "reader") -> Reader:
    """`{agent, projects}`; a null agent is a reader without an id."""
    members = Members(data, path)
    return Reader(members.text("agent"), members.texts("projects"))


def reach_from(data: object, path: str = "scope") -> Reach | None:
    """`{level, ref}`, given as `scope` in `match` and `verify` (contract 1)."""
    if data is None:
        return None
    members = Members(data, path)
    reach = Reach(members.word("level"), members.text("ref"))
    return reach if reach.level or reach.ref else None


def check_from(data: object, path: str = "check") -> Check | None:
    """`{at, by, method, confirmed_by?}` or none; an empty `confirmed_by` is none (contract 12.1)."""
    if data is None:
        return None
    members = Members(data, path)
    return Check(
        at=members.instant("at"),
        by=members.text("by"),
        method=members.text("method"),
        confirmed_by=members.optional_text("confirmed_by"),
    )


def approval_from(data: object, path: str = "approval") -> Approval | None:
    """`{by, at, proposal}` or none."""
    if data is None:
        return None
    members = Members(data, path)
    return Approval(by=members.text("by"), at=members.instant("at"), proposal=members.text("proposal"))


def validity_from(data: object, path: str = "valid") -> Validity | None:
    """`{from, until}` or none."""
    if data is None:
        return None
    members = Members(data, path)
    return Validity(members.instant("from"), members.instant("until"))


def record_from(data: object, path: str = "record") -> Record:
    """The record of contract 1. A missing version, then a missing id, is computed as contract 1 says.

    `statement` is what proposals and memory records call their content; where both are given, both are the text.
    """
    members = Members(data, path)
    _required(members, "kind")
    texts = dict.fromkeys((members.text("content"), members.text("statement")))
    content = "\n".join(text for text in texts if text)
    summary, excerpt = members.text("summary"), members.text("excerpt")
    source = source_from(_required(members, "source"), members.path("source"))
    if not source.version:
        source = Source(source.id, computed_version(excerpt=excerpt, content=content, summary=summary))
    return Record(
        id=members.text("id") or record_id(source),
        kind=members.word("kind"),
        source=source,
        claim=claim_from(members.raw("claim"), members.path("claim")),
        content=content,
        namespace=members.text("namespace") or "default",
        tags=members.texts("tags"),
        rule_type=members.text("rule_type"),
        layer=members.word("layer", "L2"),
        reach=reach_from(members.raw("reach"), members.path("reach")),
        valid=validity_from(members.raw("valid"), members.path("valid")),
        event_at=members.instant("event_at"),
        ingested_at=members.instant("ingested_at"),
        check=check_from(members.raw("check"), members.path("check")),
        volatility=members.word("volatility"),
        ttl_days=members.number_or_none("ttl_days"),
        scope=scope_from(members.raw("scope"), members.path("scope")),
        trust=members.word("trust"),
        review=members.word("review") or None,
        approval=approval_from(members.raw("approval"), members.path("approval")),
        state=members.word("state", "active"),
        superseded_by=members.optional_text("superseded_by"),
        derived_from=members.texts("derived_from"),
        trust_class=members.word("trust_class"),
        durability=members.word("durability"),
        polarity=members.word("polarity", "supports"),
        summary=summary,
        excerpt=excerpt,
        redaction=members.word("redaction", "none"),
    )


def candidate_from(data: object, path: str = "candidate") -> Candidate:
    """The candidate of contract 11, with `check` and `threads` where given (12.9)."""
    members = Members(data, path)
    return Candidate(
        id=members.text("id"),
        statement=members.present_text("statement"),
        claim=claim_from(members.raw("claim"), members.path("claim")),
        tags=members.texts("tags"),
        rule_type=members.text("rule_type"),
        profile=members.text("profile") or "default",
        reach=reach_from(members.raw("scope"), members.path("scope")),
        layer=members.word("layer", "L2"),
        trust_class=members.word("trust_class"),
        durability=members.word("durability"),
        evidence_ids=members.texts("evidence_ids"),
        supersedes=members.text_or_texts("supersedes"),
        match_kind=members.word("match_kind") or None,
        check=check_from(members.raw("check"), members.path("check")),
        threads=members.texts("threads"),
        volatility=members.word("volatility", "stable"),
        ttl_days=members.number_or_none("ttl_days"),
        trust=members.word("trust", "internal"),
        review=members.word("review") or None,
    )


def memory_record_from(data: object, path: str = "record") -> MemoryRecord:
    """The memory record of contract 11, with what section 3 needs to decide between values (12.9)."""
    members = Members(data, path)
    source = members.raw("source")
    return MemoryRecord(
        id=members.required_text("id"),
        statement=members.text("statement"),
        claim=claim_from(members.raw("claim"), members.path("claim")),
        tags=members.texts("tags"),
        rule_type=members.text("rule_type"),
        profile=members.text("profile") or "default",
        reach=reach_from(members.raw("scope"), members.path("scope")),
        status=members.word("status", "active"),
        check=check_from(members.raw("check"), members.path("check")),
        evidence_ids=members.texts("evidence_ids"),
        threads=members.texts("threads"),
        kind=members.word("kind", "fact"),
        approval=approval_from(members.raw("approval"), members.path("approval")),
        source=None if source is None else source_from(source, members.path("source")),
        volatility=members.word("volatility", "stable"),
        ttl_days=members.number_or_none("ttl_days"),
    )


def evidence_from(data: object, path: str = "evidence") -> LinkedEvidence:
    """One piece of linked evidence (contract 11)."""
    members = Members(data, path)
    return LinkedEvidence(
        id=members.required_text("id"),
        trust_class=members.word("trust_class", "unknown"),
        durability=members.word("durability", "unknown"),
        polarity=members.word("polarity", "supports"),
        summary=members.text("summary"),
        excerpt=members.text("excerpt"),
        redaction=members.word("redaction", "none"),
        thread=members.text("thread"),
        agent=members.text("agent"),
    )


def tombstone_from(data: object, path: str = "tombstone") -> Tombstone:
    """`{record_id, statement?, claim?}` (contract 11), or the fingerprints kept of them (12.13)."""
    members = Members(data, path)
    return Tombstone(
        record_id=members.text("record_id"),
        statement=members.optional_text("statement"),
        claim=claim_from(members.raw("claim"), members.path("claim")),
        statement_fingerprint=members.optional_text("statement_fingerprint"),
        claim_fingerprint=members.optional_text("claim_fingerprint"),
    )


def hit_from(data: object, path: str = "hit") -> Hit:
    """`{id, source_version, score, derived? {content, from}}` (contract 11); `derived` makes it backend text."""
    members = Members(data, path)
    derived = members.members("derived")
    return Hit(
        id=members.required_text("id"),
        source_version=members.text("source_version"),
        score=members.number("score"),
        derived_content=None if derived is None else derived.text("content"),
        derived_from=None if derived is None else derived.texts("from"),
    )


def _required(members: Members, name: str) -> object:
    value = members.raw(name)
    if value is None:
        raise BadInput(INVALID_VALUE, f"{members.path(name)} is required", members.path(name))
    return value
