"""What a door or an importer hands over: evidence and proposals as they were claimed, before anything is computed.

Nothing authoritative is in a draft (contract 12.19), except for the members marked "imports only", which `Filer.is_import`
unlocks: a file's own check and trust.
"""

from __future__ import annotations

from dataclasses import dataclass

from evidence.rules.records import Claim


@dataclass(frozen=True, slots=True)
class EvidenceDraft:
    """Times are text as it came; "" is none. `scope_access` "" means private to the filing agent."""

    source_id: str
    source_version: str = ""
    kind: str = "observation"
    claim: Claim | None = None
    content: str = ""
    summary: str = ""
    excerpt: str = ""
    event_at: str = ""
    check_at: str = ""
    check_method: str = ""
    volatility: str = "work-state"
    ttl_days: float | None = None
    scope_access: str = ""
    scope_shared_with: tuple[str, ...] = ()
    channel: str = "api"
    trust_class: str = "unknown"
    durability: str = "unknown"
    polarity: str = "supports"
    valid_from: str = ""
    valid_until: str = ""
    tags: tuple[str, ...] = ()
    thread: str = ""
    redaction: str = "none"
    # Imports only.
    check_by: str = ""
    check_confirmed_by: str = ""
    scope_owner: str = ""
    scope_project: str = ""
    trust: str = ""
    review: str = ""
    origin_id: str = ""


@dataclass(frozen=True, slots=True)
class PromotionTarget:
    """An article to be written: `path` is `<folder>/<path>` under the filing agent, or a whole `wiki:` source id."""

    path: str
    base_version: str
    title: str
    content: str
    article_type: str = ""
    related: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    occurrences: int = 1


@dataclass(frozen=True, slots=True)
class ProposalDraft:
    """`evidence` holds record ids and inline evidence, mixed. `scope_access` is a wish that the reviewer sees."""

    statement: str
    claim: Claim | None = None
    evidence: tuple[str | EvidenceDraft, ...] = ()
    event_at: str = ""
    volatility: str = "work-state"
    ttl_days: float | None = None
    check_at: str = ""
    check_method: str = ""
    channel: str = "api"
    trust_class: str = "unknown"
    durability: str = "unknown"
    layer: str = "L2"
    rule_type: str = ""
    tags: tuple[str, ...] = ()
    reach_level: str = ""
    reach_ref: str = ""
    scope_access: str = ""
    scope_shared_with: tuple[str, ...] = ()
    valid_from: str = ""
    valid_until: str = ""
    supersedes: tuple[str, ...] = ()
    target: PromotionTarget | None = None
    # Imports only.
    check_by: str = ""
    scope_owner: str = ""
    scope_project: str = ""
    trust: str = ""
    origin_id: str = ""
