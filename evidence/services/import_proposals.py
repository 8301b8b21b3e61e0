"""Proposals that arrive in an import: those that wait there wait here; those decided there are history here.

A foreign decision sets a status and keeps its words beside the item. It makes no fact, no approval and no row in the chain
of decisions: who decided there has decided nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from evidence.exchange.checked import text_of
from evidence.exchange.items import Note, PromotionItem, ProposalItem
from evidence.models import Evidence, FactProposal, HeldLink, HeldRecord, ImportedItem, PromotionProposal
from evidence.models.base import new_id
from evidence.rules.records import Record, Scope, Source
from evidence.rules.times import read_time
from evidence.rules.vocab import HeldStatus, Kind, Polarity, Review, State
from evidence.services.actors import Filer
from evidence.services.audit import Touch
from evidence.services.drafts import EvidenceDraft, PromotionTarget, ProposalDraft
from evidence.services.filing import do_file_evidence
from evidence.services.filing_checks import build_evidence
from evidence.services.held_rows import build_held, promotion_of
from evidence.services.import_arrival import Arrival, require_agent
from evidence.services.import_records import release_held
from evidence.services.import_report import ImportOutcome
from evidence.services.import_rows import build_row, draft_of
from evidence.services.import_stored import Stored, stored_held
from evidence.services.proposing import do_file_proposal
from evidence.services.texts import NAME_MAX, check_text

STATUS_OF = {
    "approved": HeldStatus.APPROVED, "rejected": HeldStatus.REJECTED, "merged": HeldStatus.SUPERSEDED,
    "expired": HeldStatus.EXPIRED,
}  # fmt: skip
# Why something was decided elsewhere is in words of its own; none of our codes is claimed for it.
ELSEWHERE = "other"


def store_proposal(arrival: Arrival, item: ProposalItem, known: ImportedItem | None) -> Stored:
    filer = require_agent(arrival, item.agent)
    draft, notes = proposal_draft(filer, item)
    if known is not None:
        earlier = HeldRecord.objects.filter(pk=known.target_id).first()
        if earlier is not None and _says_the_same(filer, earlier, draft):
            return _decided_meanwhile(earlier, item, notes)
        release_held(filer, arrival.namespace, item.foreign_id, known)
    if item.decided is not None:
        return _store_decided(filer, item, draft, notes)
    filed = do_file_proposal(filer=filer, draft=draft)
    if not filed.created:
        note = Note("attached", "the same claim of this agent waits already; its evidence was added there")
        return stored_held(filed.held, ImportOutcome.HELD, *notes, note)
    if known is not None and known.target_kind == "held":
        HeldRecord.objects.filter(pk=known.target_id, replaced_by=None).update(replaced_by=filed.held)
    return stored_held(filed.held, ImportOutcome.HELD, *notes)


def proposal_draft(filer: Filer, item: ProposalItem) -> tuple[ProposalDraft, tuple[Note, ...]]:
    """The item as a draft. Ids of evidence that is not here are left out, and said."""
    _check_beyond_drafts(item)
    wanted = dict.fromkeys(item.evidence_ids)
    here = _here(filer.namespace, wanted) if wanted else set()
    notes = (Note("evidence_unknown", "it names evidence that is not here"),) if len(here) < len(wanted) else ()
    inline = tuple(draft_of(linked.record, thread=linked.thread) for linked in item.evidence)
    check, reach, valid = item.check, item.reach, item.valid
    return ProposalDraft(
        statement=item.statement, claim=item.claim, evidence=(*(one for one in wanted if one in here), *inline),
        event_at=item.event_at, volatility=item.volatility, ttl_days=item.ttl_days,
        check_at=text_of(check.at) if check else "", check_method=check.method if check else "",
        check_by=check.by if check else "", trust=item.trust, trust_class=item.trust_class, durability=item.durability,
        layer=item.layer, rule_type=item.rule_type, tags=item.tags, reach_level=reach.level if reach else "",
        reach_ref=reach.ref if reach else "", scope_access=item.scope.access,
        scope_shared_with=item.scope.shared_with, scope_owner=item.scope.owner, scope_project=item.scope.project or "",
        valid_from=text_of(valid.start) if valid else "", valid_until=text_of(valid.until) if valid else "",
        supersedes=item.supersedes, target=_target(item), origin_id=item.foreign_id,
    ), notes  # fmt: skip


def _here(namespace: str, record_ids: Iterable[str]) -> set[str]:
    rows = Evidence.objects.filter(namespace=namespace, record_id__in=record_ids)
    return set(rows.values_list("record_id", flat=True))


def _check_beyond_drafts(item: ProposalItem) -> None:
    """Texts that only a file may state, and that filing therefore does not look at (contract 12.5)."""
    names = [item.scope.owner, item.scope.project or "", item.check.by if item.check else ""]
    if isinstance(item, PromotionItem):
        names += [item.article_type, *item.related, *item.agents]
    for name in names:
        check_text("names", name, longest=NAME_MAX)


def _target(item: ProposalItem) -> PromotionTarget | None:
    if not isinstance(item, PromotionItem):
        return None
    return PromotionTarget(
        path=item.target, base_version=item.base_version, title=item.title, content=item.content,
        article_type=item.article_type, related=item.related, agents=item.agents, occurrences=item.occurrences,
    )  # fmt: skip


def _says_the_same(filer: Filer, earlier: HeldRecord, draft: ProposalDraft) -> bool:
    return build_held(filer, draft).content_hash == earlier.content_hash


def _decided_meanwhile(earlier: HeldRecord, item: ProposalItem, notes: tuple[Note, ...]) -> Stored:
    """Only its state there changed. What waits here goes on waiting: a person decides, with that decision in view."""
    if item.decided is None:
        return stored_held(earlier, ImportOutcome.UNCHANGED, *notes)
    note = Note("decided_elsewhere", f"it was {item.decided.status} there meanwhile; here it is {earlier.status}")
    return stored_held(earlier, ImportOutcome.CHANGED, *notes, note)


# -- history --


def _store_decided(filer: Filer, item: ProposalItem, draft: ProposalDraft, notes: tuple[Note, ...]) -> Stored:
    assert item.decided is not None
    held = build_held(filer, draft)
    held.id = new_id()
    held.status = STATUS_OF[item.decided.status]
    held.decided_at = read_time(item.decided.at)
    held.reason_code = ELSEWHERE if held.status == HeldStatus.REJECTED else ""
    by = check_text("decided by", item.decided.by, longest=NAME_MAX) or "somebody"
    held.reason = f"{item.decided.status} by {by} in {filer.origin_system}" + (
        f": {item.decided.reason}" if item.decided.reason else ""
    )
    created = read_time(item.event_at)
    held.created_at = created or held.created_at
    held.save(force_insert=True)
    linked = [_linked(filer, one, held.claim_key) for one in draft.evidence]
    HeldLink.objects.bulk_create(
        [HeldLink(held=held, evidence=row, polarity=row.polarity or Polarity.SUPPORTS) for row in linked],
        ignore_conflicts=True,
    )
    if isinstance(item, PromotionItem):
        detail = promotion_of(filer, draft)
        PromotionProposal.objects.create(held=held, **detail, result=_article_of(filer, item))
        return stored_held(held, ImportOutcome.CREATED, *notes)
    observation = _observation(filer, held, item)
    FactProposal.objects.create(held=held, observation=observation, result=_fact_of(held))
    touch = Touch("record", str(observation.pk), observation.version)
    return stored_held(held, ImportOutcome.CREATED, *notes, also=(touch,))


def _linked(filer: Filer, one: str | EvidenceDraft, proposed: str) -> Evidence:
    if isinstance(one, EvidenceDraft):
        row = build_evidence(filer, one)
        return do_file_evidence(filer, row, queue_external=False, proposed=proposed).record
    return Evidence.objects.get(namespace=filer.namespace, record_id=one)


def _observation(filer: Filer, held: HeldRecord, item: ProposalItem) -> Evidence:
    """What was proposed, out of sight: a rejected one counts when the claim comes again, an approved one is past."""
    rejected = held.status == HeldStatus.REJECTED
    record = Record(
        id="", kind=Kind.OBSERVATION, source=Source(f"proposal:{held.id}", "1"), claim=item.claim,
        content=item.statement, event_at=item.event_at or None, check=item.check, volatility=item.volatility,
        ttl_days=item.ttl_days, scope=Scope(**_scope_of(held)), trust=held.trust, trust_class=held.trust_class,
        durability=item.durability, review=Review.REJECTED if rejected else Review.HELD, tags=item.tags,
        state=State.ACTIVE if rejected else State.SUPERSEDED,
    )  # fmt: skip
    row = build_row(filer, replace(record, valid=item.valid))
    row.save(force_insert=True)
    return row


def _scope_of(held: HeldRecord) -> dict[str, Any]:
    scope = held.scope
    return {"owner": scope.owner, "access": scope.access, "shared_with": scope.shared_with, "project": scope.project}


def _fact_of(held: HeldRecord) -> Evidence | None:
    """The ledger's fact that an approval there led to, where the same claim with the same value stands."""
    if held.status != HeldStatus.APPROVED or not held.claim_key:
        return None
    facts = Evidence.objects.on_claim(held.namespace, held.claim_key).active()
    return facts.filter(kind=Kind.FACT, value_key=held.value_key).first()


def _article_of(filer: Filer, item: PromotionItem) -> Evidence | None:
    """The article version whose approval is this proposal."""
    articles = Evidence.objects.filter(namespace=filer.namespace, source_id=item.target, kind=Kind.ARTICLE)
    return articles.filter(approval_proposal=item.foreign_id).first()
