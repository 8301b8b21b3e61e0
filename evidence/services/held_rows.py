"""From a checked proposal draft to a `HeldRecord` row; computes columns and saves nothing (doors "Proposals")."""

from __future__ import annotations

from evidence.models import Evidence, HeldRecord
from evidence.models.inserting import new_row
from evidence.rules.eligibility import capped_trust_class
from evidence.rules.identity import statement_fingerprint
from evidence.rules.matching import match_key
from evidence.rules.sources import FOLDERS, names_article, source_name
from evidence.rules.text import collapse, sha256_hex
from evidence.rules.times import read_time, to_iso
from evidence.rules.vocab import Durability, HeldKind, Layer, ReachLevel, TrustClass, Volatility
from evidence.services.actors import Filer
from evidence.services.drafts import PromotionTarget, ProposalDraft
from evidence.services.errors import Refused
from evidence.services.filing_checks import Timed, check_claim, check_times, check_ttl, scope_for, trust_for
from evidence.services.rows import claim_columns, scope_columns, time_columns
from evidence.services.texts import (
    CONTENT_MAX,
    NAME_MAX,
    SOURCE_MAX,
    STATEMENT_MAX,
    SUMMARY_MAX,
    check_tags,
    check_text,
    check_texts,
    check_word,
)

NAMES_MAX = 500


def build_held(filer: Filer, draft: ProposalDraft) -> HeldRecord:
    """Check a draft and compute its row. Raises `Refused`; nothing is saved."""
    _check_proposal(filer, draft)
    trust = trust_for(filer, channel=draft.channel, stated=draft.trust)
    scope = scope_for(
        filer, access=draft.scope_access, shared_with=draft.scope_shared_with, owner=draft.scope_owner,
        project=draft.scope_project, is_wish=True,
    )  # fmt: skip
    trust_class = capped_trust_class(
        draft.trust_class, trust=trust, ceiling=filer.trust_ceiling or None, cited=bool(draft.evidence)
    )
    kind = HeldKind.PROMOTION_PROPOSAL if draft.target else HeldKind.FACT_PROPOSAL
    held = new_row(
        HeldRecord, kind=kind, agent=filer.agent, namespace=filer.namespace, statement=draft.statement,
        statement_key=statement_fingerprint(draft.statement), **claim_columns(draft.claim), trust=trust,
        trust_class=trust_class, effective_trust_class=trust_class, durability=draft.durability, layer=draft.layer,
        rule_type=draft.rule_type, tags=list(draft.tags), reach_level=draft.reach_level, reach_ref=draft.reach_ref,
        supersedes=list(draft.supersedes), volatility=draft.volatility, ttl_days=draft.ttl_days,
        valid_from=read_time(draft.valid_from), valid_until=read_time(draft.valid_until), **scope_columns(scope),
        **time_columns("event_at", draft.event_at), **_check_columns(filer, draft), filed_by=filer.actor.name,
        origin_system=filer.origin_system, origin_id=draft.origin_id,
    )  # fmt: skip
    if not held.claim_key:
        held.match_key = sha256_hex(match_key(held.to_candidate(evidence_ids=())))
    held.content_hash = content_hash_of(held, _target_hash(filer, draft.target) if draft.target else "")
    return held


def article_hash(target: str, base_version: str, title: str, content: str) -> str:
    """What a promotion proposal would write, where, and over what: part of the content hash of its item."""
    return sha256_hex("article", target, base_version, title, content)


def article_hash_of(held: HeldRecord) -> str:
    """As `article_hash`, of an item as it stands; empty for other kinds."""
    if held.kind != HeldKind.PROMOTION_PROPOSAL:
        return ""
    row = held.promotion
    return article_hash(row.target_source, row.base_version, row.title, row.content)


def _target_hash(filer: Filer, target: PromotionTarget) -> str:
    return article_hash(target_source(filer, target.path), target.base_version, target.title, target.content)


def content_hash_of(held: HeldRecord, article: str = "") -> str:
    """What a first approval is bound to: statement, claim, and what it would become (contract 10)."""
    claim = held.claim
    parts = (collapse(claim.subject), collapse(claim.attribute), collapse(claim.value)) if claim else ("", "", "")
    ends = [to_iso(end) if end else "" for end in (held.valid_from, held.valid_until)]
    place = (held.scope_owner, held.scope_access, ",".join(held.scope_shared_with), held.scope_project)
    return sha256_hex(
        held.kind, collapse(held.statement), *parts, held.volatility, str(held.ttl_days), held.layer, held.durability,
        *ends, *place, article,
    )  # fmt: skip


def statement_of(row: Evidence) -> str:
    """A statement for a proposal made of evidence: its own words, else its claim as a sentence."""
    text = row.content or row.summary or row.excerpt
    if not text and row.claim:
        text = f"{row.claim_subject} {row.claim_attribute}: {row.claim_value}"
    return text[:STATEMENT_MAX]


def promotion_of(filer: Filer, draft: ProposalDraft) -> dict[str, object]:
    """The columns of a promotion proposal's detail row."""
    target = draft.target
    assert target is not None
    return {
        "target_source": target_source(filer, target.path),
        "base_version": target.base_version,
        "title": target.title,
        "content": target.content,
        "article_type": target.article_type,
        "related": list(target.related),
        "agents": list(target.agents) or [filer.agent.id],
        "occurrences": max(1, target.occurrences),
    }


def target_source(filer: Filer, path: str) -> str:
    """`wiki:<agent>/<folder>/<path>`; an agent names articles of its own only, an import any."""
    source_id = path if path.startswith("wiki:") else f"wiki:{filer.agent.id}/{path.lstrip('/')}"
    check_article_name(source_id)
    if not filer.is_import and source_name(source_id).owner != filer.agent.id:
        raise Refused("not_your_source", "An agent proposes articles of its own wiki only.", field="target.path")
    return source_id


def check_article_name(source_id: str) -> None:
    """`Refused` where no article may be written."""
    if not names_article(source_id):
        folders = ", ".join(FOLDERS)
        raise Refused(
            "invalid_value", f"target.path has to be <folder>/<path> of a wiki article; folders: {folders}.",
            field="target.path",
        )  # fmt: skip


def _check_columns(filer: Filer, draft: ProposalDraft) -> dict[str, object]:
    if not draft.check_at and not (filer.is_import and draft.check_by):
        return {"has_check": False}
    return {
        "has_check": True,
        **time_columns("check_at", draft.check_at),
        "check_by": (draft.check_by if filer.is_import else "") or filer.agent.id,
        "check_method": draft.check_method,
    }


def _check_proposal(filer: Filer, draft: ProposalDraft) -> None:
    if not draft.statement.strip():
        raise Refused("invalid_value", "A proposal needs a statement.", field="statement")
    check_texts(
        {
            "statement": (draft.statement, STATEMENT_MAX),
            "check.method": (draft.check_method, SUMMARY_MAX),
            "check.by": (draft.check_by, NAME_MAX),
            "scope.owner": (draft.scope_owner, NAME_MAX),
            "scope.project": (draft.scope_project, NAME_MAX),
            "rule_type": (draft.rule_type, NAME_MAX),
            "reach.ref": (draft.reach_ref, NAME_MAX),
        }
    )
    check_word("volatility", draft.volatility, list(Volatility))
    check_word("trust_class", draft.trust_class, list(TrustClass))
    check_word("durability", draft.durability, list(Durability))
    check_word("layer", draft.layer, list(Layer))
    if draft.reach_level:
        check_word("reach.level", draft.reach_level, list(ReachLevel))
    check_claim(draft.claim)
    check_tags(draft.tags)
    check_ttl(draft.ttl_days)
    check_times(Timed(draft.event_at, draft.check_at, draft.valid_from, draft.valid_until), lenient=filer.is_import)
    _check_supersedes(filer, draft)
    if draft.target:
        _check_target(filer, draft)


def _check_supersedes(filer: Filer, draft: ProposalDraft) -> None:
    """Only records that the filer could name: unknown ones fall through in the matcher, secrets never get that far."""
    if len(draft.supersedes) > 20:
        raise Refused("too_large", "A proposal may name at most 20 records to supersede.", field="supersedes")
    for record_id in draft.supersedes:
        check_text("supersedes", record_id, longest=64)


def _check_target(filer: Filer, draft: ProposalDraft) -> None:
    target = draft.target
    assert target is not None
    check_texts(
        {
            "target.path": (target.path, SOURCE_MAX),
            "target.base_version": (target.base_version, SOURCE_MAX),
            "target.title": (target.title, SUMMARY_MAX),
            "target.content": (target.content, CONTENT_MAX),
        }
    )
    names = (*target.related, *target.agents)
    if len(names) > NAMES_MAX:
        raise Refused("too_large", f"More than {NAMES_MAX} related articles and agents.", field="target.related")
    check_text("target.article_type", target.article_type, longest=NAME_MAX)
    for name in names:
        check_text("target.related", name, longest=SOURCE_MAX)
    if not target.content.strip() or not target.title.strip():
        raise Refused("invalid_value", "An article needs a title and a content.", field="target.content")
    target_source(filer, target.path)
