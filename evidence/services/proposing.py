"""Filing proposals: what an agent wants to be believed, held until a person decides (contract 10, 13; doors "Proposals").

The same agent's same claim while one waits is that one, with the new evidence attached. A rejected claim comes back only
with new independent evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from evidence.models import Evidence, FactProposal, HeldLink, HeldRecord, PromotionProposal
from evidence.models.base import new_id
from evidence.models.inserting import new_row
from evidence.rules.usability import usable
from evidence.rules.vocab import AuditAction, HeldKind, HeldStatus, Kind, Polarity, Review
from evidence.selectors.matching import links_of
from evidence.services import audit
from evidence.services.actors import Filer
from evidence.services.drafts import EvidenceDraft, ProposalDraft
from evidence.services.echoes import polarity_of
from evidence.services.errors import Refused
from evidence.services.facts import revoke_record
from evidence.services.filing import do_file_evidence, may_read
from evidence.services.filing_checks import build_evidence
from evidence.services.held_rows import build_held, content_hash_of, promotion_of, statement_of
from evidence.services.journal import Journal
from evidence.services.locks import lock_claims, lock_held
from evidence.services.matching import match_at_filing
from evidence.services.rows import claim_columns, fill, scope_columns
from evidence.services.verification import SOURCE_BURST, enqueue_verification

MAX_EVIDENCE = 50
BURST = 30  # proposals of one agent in ten minutes that make the next ones a burst
BURST_SECONDS = 600


@dataclass(frozen=True, slots=True)
class FiledProposal:
    """`created` false: the same claim of this agent waits already; new evidence was attached to it."""

    held: HeldRecord
    created: bool


def file_proposal(*, filer: Filer, draft: ProposalDraft) -> FiledProposal:
    """File one proposal. Raises `Refused` with the codes of the doors; then nothing was written."""
    held = build_held(filer, draft)
    rows = evidence_rows(filer, draft)
    with transaction.atomic():
        lock_claims(filer.namespace, [held.claim_key or held.statement_key, *(row.claim_key for row in rows)])
        return _file(filer, draft, held, rows)


def do_file_proposal(*, filer: Filer, draft: ProposalDraft) -> FiledProposal:
    """As `file_proposal`, inside the caller's transaction, which holds the lock of the claim key or the statement's."""
    return _file(filer, draft, build_held(filer, draft), evidence_rows(filer, draft))


def _file(filer: Filer, draft: ProposalDraft, held: HeldRecord, rows: Sequence[Evidence]) -> FiledProposal:
    same = same_waiting(held)
    linked = [stored(filer, row, held.claim_key) for row in rows]
    if same is not None:
        return FiledProposal(_attach(filer, same, linked), False)
    refuse_rejected(held, linked)
    return FiledProposal(_create(filer, held, draft, linked), True)


def withdraw_proposal(*, held_id: UUID | str, filer: Filer, seen_version: int | None = None) -> HeldRecord:
    """Take back one's own waiting proposal. 404 for anybody else's, 409 `closed` when it no longer waits."""
    with transaction.atomic():
        held = own_waiting(held_id, filer)
        if seen_version is not None and seen_version != held.version:
            raise Refused(
                "version_conflict", "The proposal changed since.", seen_version=seen_version,
                current_version=held.version,
            )  # fmt: skip
        end_by_filer(held, filer, status=HeldStatus.WITHDRAWN, action=AuditAction.WITHDRAW)
    return held


def own_waiting(held_id: UUID | str, filer: Filer) -> HeldRecord:
    """The filer's own waiting item, locked; others' are answered like unknown ones (doors 404)."""
    try:
        held = lock_held(held_id)
    except Refused:  # in other words than below, and two refusals would be told apart
        held = None
    if held is None or held.agent_id != filer.agent.id or held.namespace != filer.namespace:
        raise Refused("not_found", "There is no such proposal.")
    if not held.is_waiting:
        raise Refused("closed", f"The proposal is {held.status}.", status=str(held.status))
    return held


def end_by_filer(held: HeldRecord, filer: Filer, *, status: HeldStatus, action: AuditAction) -> None:
    """Withdrawn, or replaced by its filer's newer proposal. Precondition: locked, waiting, its own."""
    from evidence.services.closing import close_questions

    now = timezone.now()
    journal = Journal()
    journal.change(held, status=status, decided_at=now, updated_at=now, lease_holder_id=None, lease_until=None)
    if held.kind == HeldKind.FACT_PROPOSAL:
        revoke_record(held.fact_proposal.observation, journal)
    close_questions(held, answer="", actor=filer.actor, journal=journal, now=now, withdrawn=True)
    decision = audit.append(
        namespace=held.namespace, actor=filer.actor, action=action, target_kind="held", target_id=str(held.id),
        target_version=held.version - 1, agent=held.agent_id, touches=journal.touches(),
    )  # fmt: skip
    held.decision_id = decision.id
    held.save(update_fields=["decision_id"])


def propose_from_evidence(filer: Filer, row: Evidence) -> FiledProposal | None:
    """A fact proposal for evidence that would supersede the current record (contract 13, finding `supersede`).

    None where the claim was rejected before and this evidence is no independent one.
    """
    draft = ProposalDraft(
        statement=statement_of(row), claim=row.claim, evidence=(row.record_id,), volatility=row.volatility,
        ttl_days=row.ttl_days, trust_class=row.trust_class, durability=row.durability, layer=row.layer,
        rule_type=row.rule_type, tags=tuple(row.tags), scope_access=row.scope_access,
        scope_shared_with=tuple(row.scope_shared_with), trust=row.trust,
    )  # fmt: skip
    held = build_held(filer, draft)
    held.trust = row.trust
    for name in ("event_at", "event_at_text", "check_at", "check_at_text", "check_by", "check_method", "has_check",
                 "valid_from", "valid_until", *scope_columns(row.scope)):  # fmt: skip
        setattr(held, name, getattr(row, name))
    held.content_hash = content_hash_of(held)
    same = same_waiting(held)
    if same is not None:
        return FiledProposal(_attach(filer, same, [row]), False)
    if _rejected_before(held, [row]) is not None:
        return None
    return FiledProposal(_create(filer, held, draft, [row]), True)


def evidence_rows(filer: Filer, draft: ProposalDraft) -> list[Evidence]:
    """Linked records (by id, readable by the filer) and checked inline evidence, in the order given."""
    if len(draft.evidence) > MAX_EVIDENCE:
        raise Refused("too_large", f"More than {MAX_EVIDENCE} pieces of evidence.", field="evidence")
    if not draft.evidence:
        return []
    ids = [item for item in draft.evidence if isinstance(item, str)]
    known = {row.record_id: row for row in Evidence.objects.filter(namespace=filer.namespace, record_id__in=ids)}
    rows: list[Evidence] = []
    for item in draft.evidence:
        if isinstance(item, EvidenceDraft):
            rows.append(build_evidence(filer, _inherit(item, draft)))
        elif item in known and _may_cite(filer, known[item]):
            rows.append(known[item])
        else:
            raise Refused("invalid_value", "evidence names a record that does not exist for you.", field="evidence")
    return rows


def _inherit(item: EvidenceDraft, draft: ProposalDraft) -> EvidenceDraft:
    """Inline evidence arrives by the proposal's channel, and lives as long as the proposal says unless it says itself."""
    durability = draft.durability if item.durability == "unknown" else item.durability
    return replace(item, channel=draft.channel, trust=item.trust or draft.trust, durability=durability)


def _may_cite(filer: Filer, record: Evidence) -> bool:
    """What the filer was shown, or its own: another's held or rejected text does not exist for it (contract 5, 13)."""
    own = filer.is_import or record.scope_owner == filer.agent.id
    return may_read(filer, record) and (own or usable(record.to_record(), scan_secrets=False).usable)


def stored(filer: Filer, row: Evidence, proposed: str) -> Evidence:
    if not row._state.adding:
        return row
    return do_file_evidence(filer, row, queue_external=False, proposed=proposed).record


def same_waiting(held: HeldRecord) -> HeldRecord | None:
    """This agent's waiting proposal of the same claim, locked, if any (contract 10)."""
    if held.kind == HeldKind.PROMOTION_PROPOSAL:
        rows = HeldRecord.objects.waiting().filter(
            namespace=held.namespace, kind=held.kind, content_hash=held.content_hash
        )
    else:
        rows = HeldRecord.objects.equal_to(held)
    known = rows.filter(agent=held.agent_id).order_by("id").values_list("pk", flat=True).first()
    same = lock_held(known) if known else None
    # It may have been withdrawn while its lock was waited for.
    return same if same is not None and same.is_waiting else None


def _attach(filer: Filer, held: HeldRecord, linked: Sequence[Evidence]) -> HeldRecord:
    """Add evidence that is not linked yet; only then the version rises and it is verified again."""
    known = {link.evidence_id for link in HeldLink.objects.filter(held=held)}
    fresh = [row for row in linked if row.pk not in known]
    if not fresh:
        return held
    _link(held, fresh)
    held.version += 1
    held.verification_status = "pending"
    held.updated_at = timezone.now()
    held.save(update_fields=["version", "verification_status", "updated_at"])
    _note_filing(
        held, filer, [{"kind": "attach_evidence", "target_kind": "record", "target_id": row.record_id} for row in fresh]
    )
    enqueue_verification(held)
    return held


def _create(filer: Filer, held: HeldRecord, draft: ProposalDraft, linked: Sequence[Evidence]) -> HeldRecord:
    now = timezone.now()
    held.id = new_id()
    held.created_at = held.updated_at = now
    if _is_burst(filer, now):
        held.flags = [SOURCE_BURST]
    held.save(force_insert=True)
    if held.kind == HeldKind.PROMOTION_PROPOSAL:
        PromotionProposal.objects.create(held=held, **promotion_of(filer, draft))
    else:
        observation = observation_of(held, filed_by=filer.actor.name)
        observation.save(force_insert=True)
        FactProposal.objects.create(held=held, observation=observation)
    _link(held, linked)
    match_at_filing(held, now)
    _note_filing(held, filer)
    enqueue_verification(held)
    return held


def _note_filing(held: HeldRecord, filer: Filer, effects: Sequence[dict[str, object]] = ()) -> None:
    """One audit row for what was filed. An import writes one for everything it brings in a transaction."""
    if filer.is_import:
        return
    audit.append(
        namespace=held.namespace, actor=filer.actor, action=AuditAction.FILE, target_kind="held",
        target_id=str(held.id), target_version=held.version, agent=held.agent_id, effects=effects,
        touches=[audit.Touch("held", str(held.id), held.version)],
    )  # fmt: skip


def _link(held: HeldRecord, rows: Sequence[Evidence]) -> None:
    HeldLink.objects.bulk_create(links_to(held, rows), ignore_conflicts=True)


def links_to(held: HeldRecord, rows: Sequence[Evidence]) -> list[HeldLink]:
    """The links of a held item to what stands behind it, not saved."""
    return [HeldLink(held=held, evidence=row, polarity=polarity_of(row)) for row in rows]


def observation_of(held: HeldRecord, *, filed_by: str) -> Evidence:
    """The held observation behind a fact proposal, not saved: what it says, shown to nobody while it waits (contract 10)."""
    row = new_row(
        Evidence, namespace=held.namespace, kind=Kind.OBSERVATION, source_id=f"proposal:{held.id}", source_version="1",
        review=Review.HELD, filed_by=filed_by, origin_system=held.origin_system, **observation_columns(held),
    )  # fmt: skip
    return fill(row)


def observation_columns(held: HeldRecord) -> dict[str, Any]:
    """What the observation behind a fact proposal takes from it."""
    return {
        **claim_columns(held.claim), "content": held.statement, "tags": held.tags, "rule_type": held.rule_type,
        "layer": held.layer, "reach_level": held.reach_level, "reach_ref": held.reach_ref, "event_at": held.event_at,
        "event_at_text": held.event_at_text, "check_at": held.check_at, "check_at_text": held.check_at_text,
        "check_by": held.check_by, "check_method": held.check_method, "has_check": held.has_check,
        "volatility": held.volatility, "ttl_days": held.ttl_days, **scope_columns(held.scope), "trust": held.trust,
        "trust_class": held.trust_class, "durability": held.durability, "valid_from": held.valid_from,
        "valid_until": held.valid_until,
    }  # fmt: skip


def refuse_rejected(held: HeldRecord, linked: Sequence[Evidence]) -> None:
    last = _rejected_before(held, linked)
    if last is not None:
        raise Refused(
            "already_rejected", "This claim was rejected; it may return with evidence from another source.",
            reason_code=last.reason_code, decided_at=last.decided_at.isoformat() if last.decided_at else None,
        )  # fmt: skip


def _rejected_before(held: HeldRecord, linked: Sequence[Evidence]) -> HeldRecord | None:
    """A rejected claim returns only with new independent evidence: another thread or agent than it had (contract 10).

    The last rejection, where there is nothing new; else none.
    """
    if held.kind != HeldKind.FACT_PROPOSAL:
        return None
    before = HeldRecord.objects.filter(namespace=held.namespace, kind=held.kind, status=HeldStatus.REJECTED)
    if held.claim_key:
        before = before.filter(claim_key=held.claim_key, value_key=held.value_key)
    else:
        before = before.filter(claim_key="", statement_key=held.statement_key)
    last = before.order_by("-decided_at").first()
    if last is None:
        return None
    known = {_source_of(link.evidence) for one in before[:20] for link in links_of(one)}
    new = any(_source_of(row) not in known and polarity_of(row) == Polarity.SUPPORTS for row in linked)
    return None if new else last


def _source_of(row: Evidence) -> tuple[str, str]:
    """What makes evidence independent: its thread, else its very source, and whose it is (contract 6)."""
    return (row.thread or row.source_id, row.scope_owner)


def _is_burst(filer: Filer, now: datetime) -> bool:
    """Whether this agent filed unusually much just now. An import is one deliberate act, not a burst."""
    if filer.is_import:
        return False
    since = now.timestamp() - BURST_SECONDS
    recent = HeldRecord.objects.filter(agent=filer.agent, created_at__gte=datetime.fromtimestamp(since, tz=now.tzinfo))
    return len(recent.order_by().values_list("pk", flat=True)[:BURST]) >= BURST
