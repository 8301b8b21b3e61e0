"""The one record shape (contract 1) and its neighbours, as frozen values.

Words are plain ``str`` so that unknown ones can be carried to the rule that must read them restrictively (contract 12.3);
compare them with the enums of `vocab`. Times are kept as they came (`Instant`); read them with `times.read_time`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from evidence.rules.text import NUL, norm
from evidence.rules.times import Instant


@dataclass(frozen=True, slots=True)
class Source:
    id: str
    version: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    subject: str
    attribute: str
    value: str

    @property
    def key(self) -> str:
        """norm(subject) NUL norm(attribute) (contract 1)."""
        return norm(self.subject) + NUL + norm(self.attribute)

    @property
    def value_key(self) -> str:
        return norm(self.value)


@dataclass(frozen=True, slots=True)
class Check:
    at: Instant
    by: str = ""
    method: str = ""
    confirmed_by: str | None = None


@dataclass(frozen=True, slots=True)
class Approval:
    by: str
    at: Instant
    proposal: str = ""


@dataclass(frozen=True, slots=True)
class Scope:
    """Who may read: contract 1 and 4."""

    owner: str = ""
    access: str = ""
    shared_with: tuple[str, ...] = ()
    project: str | None = None


@dataclass(frozen=True, slots=True)
class Reach:
    """For whom a claim is meant to hold; `scope {level, ref}` in `explain match` and `verify`."""

    level: str = ""
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Validity:
    """When the claim holds, if not always; an open end is none."""

    start: Instant = None
    until: Instant = None


@dataclass(frozen=True, slots=True)
class Reader:
    """The agent that a credential belongs to, with the projects an administrator gave that credential."""

    agent: str = ""
    projects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    id: str
    kind: str
    source: Source
    claim: Claim | None = None
    content: str = ""
    namespace: str = "default"
    tags: tuple[str, ...] = ()
    rule_type: str = ""
    layer: str = "L2"
    reach: Reach | None = None
    valid: Validity | None = None
    event_at: Instant = None
    ingested_at: Instant = None
    check: Check | None = None
    volatility: str = ""
    ttl_days: object = None
    scope: Scope = field(default_factory=Scope)
    trust: str = ""
    review: str | None = None
    approval: Approval | None = None
    state: str = "active"
    superseded_by: str | None = None
    derived_from: tuple[str, ...] = ()
    trust_class: str = ""
    durability: str = ""
    polarity: str = "supports"
    summary: str = ""
    excerpt: str = ""
    redaction: str = "none"


@dataclass(frozen=True, slots=True)
class LinkedEvidence:
    """What the verifier reads of one piece of evidence (contract 8, 11)."""

    id: str
    trust_class: str = "unknown"
    durability: str = "unknown"
    polarity: str = "supports"
    summary: str = ""
    excerpt: str = ""
    redaction: str = "none"
    thread: str = ""
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What is matched and verified: a proposal (contract 11)."""

    id: str
    statement: str
    claim: Claim | None = None
    tags: tuple[str, ...] = ()
    rule_type: str = ""
    profile: str = "default"
    reach: Reach | None = None
    layer: str = "L2"
    trust_class: str = ""
    durability: str = ""
    evidence_ids: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    match_kind: str | None = None
    check: Check | None = None
    threads: tuple[str, ...] = ()
    volatility: str = "stable"
    ttl_days: object = None
    trust: str = "internal"
    review: str | None = None


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    """What a candidate is matched against (contract 7, 11): a record seen as a statement.

    `kind`, `approval` and `source` matter where section 3 decides between the values of structured claims.
    """

    id: str
    statement: str
    claim: Claim | None = None
    tags: tuple[str, ...] = ()
    rule_type: str = ""
    profile: str = "default"
    reach: Reach | None = None
    status: str = "active"
    check: Check | None = None
    evidence_ids: tuple[str, ...] = ()
    threads: tuple[str, ...] = ()
    kind: str = "fact"
    approval: Approval | None = None
    source: Source | None = None
    volatility: str = "stable"
    ttl_days: object = None


@dataclass(frozen=True, slots=True)
class Tombstone:
    record_id: str
    statement: str | None = None
    claim: Claim | None = None
    statement_fingerprint: str | None = None
    claim_fingerprint: str | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """What a backend returned (contract 5); `derived_from` is none for a record hit."""

    id: str
    source_version: str
    score: float = 0.0
    derived_content: str | None = None
    derived_from: tuple[str, ...] | None = None
