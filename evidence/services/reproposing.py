"""Proposals that start from a record: what is true instead of it, and what should become of it (doors "revise", "promote").

Filed like any other; a person decides. The record itself is not touched.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from evidence.models import Evidence
from evidence.rules.records import Claim
from evidence.rules.usability import usable
from evidence.rules.vocab import Kind
from evidence.services.actors import Filer
from evidence.services.drafts import PromotionTarget, ProposalDraft
from evidence.services.errors import Refused
from evidence.services.filing import may_read
from evidence.services.held_rows import statement_of
from evidence.services.proposing import FiledProposal, file_proposal


@dataclass(frozen=True, slots=True)
class Wish:
    """What a promotion may say otherwise than its observation does; none: as there."""

    statement: str | None = None
    rule_type: str = ""
    trust_class: str | None = None
    durability: str | None = None
    tags: tuple[str, ...] | None = None
    target: PromotionTarget | None = None


def revise_record(*, filer: Filer, record_id: str, value: str | None, draft: ProposalDraft) -> FiledProposal:
    """File what is true instead of this record. `value`: of the record's own claim, instead of a claim in the draft."""
    row = _readable(filer, record_id)
    if value is not None:
        if draft.claim is not None:
            raise Refused("invalid_value", "Give a value or a claim, not both.", field="value")
        if row.claim is None:
            raise Refused("invalid_value", "The record makes no claim whose value could change.", field="value")
        draft = replace(draft, claim=Claim(row.claim.subject, row.claim.attribute, value))
    if row.kind == Kind.ARTICLE:
        raise Refused("reviewed_article", "An article changes through a promotion proposal: propose with a target.")
    named = tuple(dict.fromkeys((row.record_id, *draft.supersedes)))
    wish = replace(
        draft, supersedes=named, volatility=draft.volatility or row.volatility, tags=draft.tags or tuple(row.tags),
        scope_access=row.scope_access, scope_shared_with=tuple(row.scope_shared_with),
    )  # fmt: skip
    return file_proposal(filer=filer, draft=wish)


def promote_record(*, filer: Filer, record_id: str, wish: Wish) -> FiledProposal:
    """Propose an observation as a fact, or, with a target, as part of an article. It is the evidence for it."""
    row = _readable(filer, record_id)
    if row.kind != Kind.OBSERVATION:
        raise Refused("invalid_value", f"Only observations are promoted; this is a {row.kind}.", field="record")
    if wish.target is None and not wish.rule_type:
        raise Refused(
            "invalid_value", "Say what kind of rule it is (rule_type), or which article it belongs into (target).",
            field="rule_type",
        )  # fmt: skip
    draft = ProposalDraft(
        statement=wish.statement or statement_of(row), claim=row.claim if wish.statement is None else None,
        evidence=(row.record_id,), volatility=row.volatility, ttl_days=row.ttl_days, layer=row.layer,
        trust_class=wish.trust_class or row.trust_class, durability=wish.durability or row.durability,
        rule_type=wish.rule_type, tags=tuple(row.tags) if wish.tags is None else wish.tags, target=wish.target,
        scope_access=row.scope_access, scope_shared_with=tuple(row.scope_shared_with),
    )  # fmt: skip
    return file_proposal(filer=filer, draft=draft)


def _readable(filer: Filer, record_id: str) -> Evidence:
    """What recall would show to this agent; anything else does not exist for it."""
    row = Evidence.objects.in_namespace(filer.namespace).filter(record_id=record_id).first()
    if row is None or not may_read(filer, row) or not usable(row.to_record(), scan_secrets=False).usable:
        raise Refused("not_found", "There is no such record.")
    return row
