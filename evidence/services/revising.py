"""A filer changes its own waiting proposal: a new version, matched and verified again (doors "Proposals").

What the proposal says is replaced as a whole. What people did to it stands: evidence that a reviewer took off stays off, and who
changed what is claimed remains its author for four-eyes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from evidence.models import Evidence, HeldLink, HeldRecord
from evidence.rules.vocab import AuditAction, HeldKind, VerificationStatus
from evidence.services import audit
from evidence.services.actors import Filer
from evidence.services.conflicts import named_version
from evidence.services.drafts import ProposalDraft
from evidence.services.echoes import polarity_of
from evidence.services.editing import follow_in_questions, words_of
from evidence.services.errors import Refused
from evidence.services.held_rows import article_hash_of, build_held, content_hash_of, promotion_of
from evidence.services.journal import Journal
from evidence.services.locks import lock_claims
from evidence.services.matching import match_at_filing
from evidence.services.proposing import (
    evidence_rows,
    observation_columns,
    own_waiting,
    refuse_rejected,
    same_waiting,
    stored,
)
from evidence.services.rows import fill
from evidence.services.verification import FIXED_FLAGS, enqueue_verification

# What a filer says of its proposal. Everything else is computed, or people's.
_SAID = (
    "statement", "statement_key", "claim_subject", "claim_attribute", "claim_value", "claim_key", "value_key", "match_key",
    "trust", "trust_class", "durability", "layer", "rule_type", "tags", "reach_level", "reach_ref", "supersedes",
    "volatility", "ttl_days", "valid_from", "valid_until", "event_at", "event_at_text", "check_at", "check_at_text",
    "check_by", "check_method", "has_check", "scope_owner", "scope_access", "scope_shared_with",
)  # fmt: skip


def revise_proposal(*, held_id: UUID | str, filer: Filer, seen_version: int | None, draft: ProposalDraft) -> HeldRecord:
    """Say it anew while it waits. Raises `Refused`: version_required, not_found, closed, version_conflict, already_rejected, and
    what filing refuses. Said just as it stands: nothing changes, the version neither.
    """
    seen_version = named_version(seen_version)
    wanted = build_held(filer, draft)
    rows = evidence_rows(filer, draft)
    try:
        with transaction.atomic():
            return _revise(held_id, filer, seen_version, draft, wanted, rows)
    except IntegrityError:
        raise _says_it_already() from None


def _revise(
    held_id: UUID | str, filer: Filer, seen_version: int, draft: ProposalDraft, wanted: HeldRecord, rows: Sequence[Evidence]
) -> HeldRecord:  # fmt: skip
    _lock_keys(held_id, filer, wanted, rows)
    held = own_waiting(held_id, filer)
    if held.version != seen_version:
        raise Refused(
            "version_conflict", "The proposal changed since.", seen_version=seen_version, current_version=held.version
        )
    if held.kind != wanted.kind:
        raise Refused("invalid_value", "A proposal stays what it is: a fact, or a text for an article.", field="target")
    wanted.pk = held.pk  # it is not equal to itself
    other = same_waiting(wanted)
    if other is not None and other.pk != held.pk:
        raise _says_it_already()
    linked = [stored(filer, row, wanted.claim_key) for row in rows]
    refuse_rejected(wanted, linked)
    before = words_of(held)
    values = {name: getattr(wanted, name) for name in _SAID if getattr(wanted, name) != getattr(held, name)}
    promotion = _changed_article(held, filer, draft)
    fresh, gone = _relink(held, filer, linked)
    if not (values or promotion or fresh or gone):
        return held
    _change(held, filer, values, promotion, before=before, fresh=fresh, gone=gone)
    return held


def _lock_keys(held_id: UUID | str, filer: Filer, wanted: HeldRecord, rows: Sequence[Evidence]) -> None:
    """The old claim and the new one, before the row."""
    seen = HeldRecord.objects.filter(pk=held_id).values_list("claim_key", "statement_key").first()
    old = [seen[0] or seen[1]] if seen else []
    lock_claims(filer.namespace, [*old, wanted.claim_key or wanted.statement_key, *(row.claim_key for row in rows)])


def _change(
    held: HeldRecord, filer: Filer, values: dict[str, Any], promotion: dict[str, object], *, before: dict[str, Any],
    fresh: list[str], gone: list[str],
) -> None:  # fmt: skip
    journal, now = Journal(), timezone.now()
    for name, value in promotion.items():
        setattr(held.promotion, name, value)
    if promotion:
        held.promotion.save(update_fields=list(promotion))
    flags = [flag for flag in held.flags if flag in FIXED_FLAGS]
    pending = {"verification_status": VerificationStatus.PENDING, "updated_at": now, "flags": flags}
    journal.change(held, **values, **pending)
    held.content_hash = content_hash_of(held, article_hash_of(held))
    held.save(update_fields=["content_hash"])
    _follow_in_observation(held, journal)
    follow_in_questions(held, filer.actor, journal)
    match_at_filing(held, now)
    audit.append(
        namespace=held.namespace, actor=filer.actor, action=AuditAction.EDIT, target_kind="held", target_id=str(held.id),
        target_version=held.version - 1, agent=held.agent_id, touches=journal.touches(),
        snapshots={"shown": audit.keep({"before": before, "unlinked": gone}), "after": audit.keep({"after": words_of(held)})},
        effects=[
            *({"kind": "unlink_evidence", "target_kind": "record", "target_id": one} for one in gone),
            *({"kind": "attach_evidence", "target_kind": "record", "target_id": one} for one in fresh),
        ],
    )  # fmt: skip
    enqueue_verification(held)


def _changed_article(held: HeldRecord, filer: Filer, draft: ProposalDraft) -> dict[str, object]:
    if held.kind != HeldKind.PROMOTION_PROPOSAL:
        return {}
    said = promotion_of(filer, draft)
    names = ("target_source", "base_version", "title", "content")
    return {name: said[name] for name in names if said[name] != getattr(held.promotion, name)}


def _relink(held: HeldRecord, filer: Filer, linked: Sequence[Evidence]) -> tuple[list[str], list[str]]:
    """Make the links those that are named; what a reviewer took off stays off. Ids that came, ids that went."""
    known = {link.evidence_id: link for link in HeldLink.objects.filter(held=held).select_related("evidence")}
    wanted = {row.pk: row for row in linked}
    fresh: list[str] = []
    for pk, row in wanted.items():
        link = known.get(pk)
        if link is None:
            HeldLink.objects.create(held=held, evidence=row, polarity=polarity_of(row))
        elif link.unlinked_at is not None and link.unlinked_by == filer.actor.name:
            HeldLink.objects.filter(pk=link.pk).update(unlinked_at=None, unlinked_by="")
        else:
            continue
        fresh.append(row.record_id)
    gone = [link for pk, link in known.items() if pk not in wanted and link.unlinked_at is None]
    HeldLink.objects.filter(pk__in=[link.pk for link in gone]).update(
        unlinked_at=timezone.now(), unlinked_by=filer.actor.name
    )
    return fresh, [link.evidence.record_id for link in gone]


def _follow_in_observation(held: HeldRecord, journal: Journal) -> None:
    """The held observation behind a fact proposal says what the proposal says now."""
    if held.kind != HeldKind.FACT_PROPOSAL:
        return
    row = held.fact_proposal.observation
    for name, value in observation_columns(held).items():
        setattr(row, name, value)
    fill(row)
    row.version += 1
    row.save()
    journal.touched["record", str(row.pk)] = row.version


def _says_it_already() -> Refused:
    return Refused("invalid_value", "Another waiting proposal of yours says this already.", field="statement")
