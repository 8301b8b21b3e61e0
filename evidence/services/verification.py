"""Running the verifier over a held item: idempotent, bound to the hash of what it read (contract 8, 13).

Filing enqueues it, a sweep repeats it, `decide` runs it inline when it is missing or outdated. It may close an item that
only repeats the current record, and open the question that a conflict asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from evidence.models import HeldLink, HeldRecord, Tombstone, Verification
from evidence.rules.chain import canonical_json
from evidence.rules.eligibility import effective_trust_class, independent_sources, judge
from evidence.rules.identity import claim_fingerprint, statement_fingerprint
from evidence.rules.priority import priority
from evidence.rules.records import Candidate, LinkedEvidence
from evidence.rules.records import Tombstone as TombstoneValue
from evidence.rules.signals import signals
from evidence.rules.text import sha256_hex
from evidence.rules.times import to_iso
from evidence.rules.verifier import Verdict, verify
from evidence.rules.vocab import HeldKind, Polarity, Redaction, Risk, VerificationStatus
from evidence.selectors.matching import Matching, links_of, matching_of
from evidence.selectors.planning import label_preview, source_date
from evidence.selectors.policy import current_policy
from evidence.services.clustering import place_quietly
from evidence.services.echoes import FLAG, mark_late_echoes
from evidence.services.equality import close_if_nothing_new
from evidence.services.errors import Refused
from evidence.services.held_rows import article_hash_of
from evidence.services.inquiring import open_match_inquiry, withdraw_outdated_inquiries
from evidence.services.locks import lock_claims, lock_held
from evidence.services.outbox import enqueue, handles
from evidence.services.work_news import tell_verified, tell_waiting

# Part of every input hash: raise it when a rule changes what it says, and everything is verified again.
VERIFIER_VERSION = 1
TOPIC = "verify"
SOURCE_BURST = "source_burst"
FIXED_FLAGS = frozenset({SOURCE_BURST})


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything that one run reads of one held item."""

    links: list[HeldLink]
    matching: Matching
    tombstones: list[TombstoneValue]
    input_hash: str


def enqueue_verification(held: HeldRecord) -> None:
    """Ask for a run, in the caller's transaction; one message per version."""
    enqueue(topic=TOPIC, subject=str(held.id), key=f"{held.id}:{held.version}")


@handles(TOPIC)
def verify_held_by_id(subject: str) -> None:
    try:
        verify_held(held_id=subject)
    except Refused:
        return  # the item is gone: nothing to verify


def verify_held(*, held_id: UUID | str) -> Verification | None:
    """Verify one waiting item in its own transaction, then find what says nearly the same. Harmless when repeated.

    None when it no longer waits.
    """
    with transaction.atomic():
        seen = HeldRecord.objects.filter(pk=held_id).values_list("namespace", "claim_key", "statement_key").first()
        if seen is None:
            raise Refused("not_found", "There is no such item.")
        lock_claims(seen[0], [seen[1] or seen[2]])
        held = lock_held(held_id)
        run = do_verify(held) if held.is_waiting else None
        tell_waiting(held)
    place_quietly(held_id=held_id)
    return run


def do_verify(held: HeldRecord, known: Reading | None = None) -> Verification:
    """As `verify_held`, inside the caller's transaction. Precondition: claim key and held row are locked.

    `known` is what was read under these locks already.
    """
    now = timezone.now()
    if known is None:
        mark_late_echoes(links_of(held))
    reading = known or read_for(held, now)
    kept = Verification.objects.filter(held=held, input_hash=reading.input_hash).first()
    verdict = None if kept else _judge(held, reading, now)
    run = kept or _record(held, reading, verdict)
    _apply(held, reading, run, now)
    if held.kind == HeldKind.FACT_PROPOSAL:
        _follow_up(held, reading, now)
    tell_verified(held)
    return run


def is_outdated(held: HeldRecord, reading: Reading) -> bool:
    """Whether the latest run read something else than what stands there now (contract 8)."""
    if held.verification_status == VerificationStatus.PENDING:
        return True
    latest = held.verifications.order_by("-created_at").values_list("input_hash", flat=True).first()
    return latest != reading.input_hash


def read_for(held: HeldRecord, now: datetime) -> Reading:
    links = links_of(held)
    matching = matching_of(held, links, now)
    tombstones = _tombstones(held, matching)
    return Reading(links, matching, tombstones, _input_hash(held, links, matching, tombstones))


def _judge(held: HeldRecord, reading: Reading, now: datetime) -> Verdict:
    candidate = held.to_candidate(evidence_ids=[link.evidence.record_id for link in reading.links])
    memory = [row.to_memory_record() for row in reading.matching.rows.values()]
    matched = _with_match(candidate, reading.matching)
    return verify(
        matched, linked_evidence(reading.links), reading.tombstones, memory, now=now,
        compatibility=current_policy().compatibility,
    )  # fmt: skip


def _with_match(candidate: Candidate, matching: Matching) -> Candidate:
    """What it matches counts as a target for tombstones too (contract 12.13)."""
    named = (*candidate.supersedes, *matching.match.matched)
    return replace(candidate, match_kind=matching.match.kind.value, supersedes=named)


def linked_evidence(links: Sequence[HeldLink]) -> list[LinkedEvidence]:
    """Linked rows as the verifier reads them; the link's polarity counts, not the row's."""
    return [
        LinkedEvidence(
            id=link.evidence.record_id, trust_class=link.evidence.trust_class, durability=link.evidence.durability,
            polarity=_polarity(link), summary=link.evidence.summary, excerpt=link.evidence.excerpt or link.evidence.content,
            redaction=link.evidence.redaction if link.evidence.state != "deleted" else Redaction.DELETED,
            thread=link.evidence.thread, agent=link.evidence.scope_owner,
        )
        for link in links
    ]  # fmt: skip


def _polarity(link: HeldLink) -> str:
    """What repeats what its filer was served supports nothing, however it was linked (contract 6)."""
    said = str(link.polarity)
    return Polarity.QUALIFIES if link.evidence.echoes and said == Polarity.SUPPORTS else said


def _record(held: HeldRecord, reading: Reading, verdict: Verdict | None) -> Verification:
    assert verdict is not None
    return Verification.objects.create(
        held=held,
        input_hash=reading.input_hash,
        status=verdict.status,
        reasons=list(verdict.reasons),
        checks=[check.as_dict() for check in verdict.checks],
        match_reason="; ".join(reading.matching.match.cues),
    )


def _apply(held: HeldRecord, reading: Reading, run: Verification, now: datetime) -> None:
    """Write the result into the columns that lists read; the version rises only when a result changed."""
    evidence = linked_evidence(reading.links)
    supporting = [item.trust_class for item in evidence if item.polarity == Polarity.SUPPORTS]
    effective = effective_trust_class(held.trust_class, supporting)
    found = signals_in(held, evidence)
    sources = independent_sources(evidence)
    standing = judge(
        trust_class=effective, durability=held.durability, layer=held.layer, independent_sources=sources,
        verification_status=run.status, signals=found, claimed_class=held.trust_class,
    )  # fmt: skip
    risk = Risk.HIGH if "high_poisoning_risk" in run.reasons or SOURCE_BURST in held.flags else standing.risk
    result = {
        "match_kind": str(reading.matching.match.kind),
        "matched": list(reading.matching.match.matched),
        "match_cues": list(reading.matching.match.cues),
        "verification_status": str(run.status),
        "risk": str(risk),
        "eligibility": str(standing.eligibility),
        "effective_trust_class": str(effective),
        "independent_sources": sources,
        "flags": sorted({str(flag) for flag in found} | (FIXED_FLAGS & set(held.flags)) | _echo_flag(reading.links)),
    }
    changed = any(getattr(held, name) != value for name, value in result.items())
    for name, value in result.items():
        setattr(held, name, value)
    held.version += changed
    held.updated_at = now
    set_priority(held, now)
    held.save(update_fields=[*result, "version", "updated_at", "priority", "priority_parts", "expires_at"])


def _echo_flag(links: Sequence[HeldLink]) -> set[str]:
    return {FLAG} if any(link.evidence.echoes for link in links) else set()


def set_priority(held: HeldRecord, now: datetime) -> None:
    """The stored sort key, and the instant at which the label that an approval gives would turn."""
    at = source_date(held, now)
    held.expires_at = label_preview(held, at, now).expires_at if at and held.kind == HeldKind.FACT_PROPOSAL else None
    place = priority(
        created_at=held.created_at, risk=held.risk, match_kind=held.match_kind, access=held.scope_access,
        expires_at=held.expires_at,
    )  # fmt: skip
    held.priority, held.priority_parts = place.key, place.parts


def signals_in(held: HeldRecord, evidence: Sequence[LinkedEvidence]) -> list[str]:
    """Risk signals of everything that the item shows (contract 12.15), each once."""
    claim = held.claim
    texts = [held.statement, *((claim.subject, claim.attribute, claim.value) if claim else ())]
    if held.kind == HeldKind.PROMOTION_PROPOSAL:
        texts += [held.promotion.title, held.promotion.content]
    texts += [text for item in evidence for text in (item.summary, item.excerpt)]
    return sorted({str(signal) for text in texts if text for signal in signals(text)})


def _follow_up(held: HeldRecord, reading: Reading, now: datetime) -> None:
    if close_if_nothing_new(held, reading.matching, now):
        return
    withdraw_outdated_inquiries(held, reading.matching)
    open_match_inquiry(held, reading.matching)


def _tombstones(held: HeldRecord, matching: Matching) -> list[TombstoneValue]:
    """Only those that could be hit: by the fingerprints of this statement and claim, and by the ids in question."""
    asked = Q(record_id__in=[*held.supersedes, *matching.match.matched, str(held.id)])
    asked |= Q(statement_fingerprint=statement_fingerprint(held.statement))
    if held.claim:
        asked |= Q(claim_fingerprint=claim_fingerprint(held.claim))
    rows = Tombstone.objects.filter(asked, namespace=held.namespace).order_by("id")[:100]
    return [
        TombstoneValue(
            record_id=row.record_id,
            statement_fingerprint=row.statement_fingerprint or None,
            claim_fingerprint=row.claim_fingerprint or None,
        )
        for row in rows
    ]


def _input_hash(
    held: HeldRecord, links: Sequence[HeldLink], matching: Matching, tombstones: Sequence[TombstoneValue]
) -> str:
    """SHA-256 over everything that was read: texts, evidence with polarity and redaction, matched rows, tombstones, policy."""
    claim = held.claim
    read = {
        "v": VERIFIER_VERSION,
        "policy": current_policy().compatibility,
        "statement": held.statement,
        "claim": [claim.subject, claim.attribute, claim.value] if claim else None,
        "words": [
            held.trust_class,
            held.durability,
            held.layer,
            held.rule_type,
            held.reach_level,
            held.reach_ref,
            held.tags,
        ],
        "check": [str(held.has_check), to_iso(held.check_at) if held.check_at else held.check_at_text],
        "scope": [held.scope_owner, held.scope_access, held.scope_shared_with, held.scope_project],
        "evidence": [
            [link.evidence.record_id, _polarity(link), link.evidence.redaction, link.evidence.state] for link in links
        ],
        "match": [str(matching.match.kind), list(matching.match.matched)],
        "rows": sorted([row.record_id, row.version] for row in matching.matched()),
        "tombstones": sorted(stone.record_id for stone in tombstones),
    }
    if held.kind == HeldKind.PROMOTION_PROPOSAL:
        read["article"] = article_hash_of(held)
    return sha256_hex(canonical_json(read))
