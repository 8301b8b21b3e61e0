"""What an export tells: the records and the waiting proposals of a namespace, as entries of the desk's own line format.

Walked by their ids, a piece at a time. What is gone (deleted, revoked) has no text to tell; texts of backends and the
observations behind proposals are the desk's own. Approvals and decisions travel with a backup, not with an export.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from evidence.exchange.writing.entries import PROPOSAL, Entry
from evidence.models import Evidence, HeldEvidence, HeldLink, HeldRecord
from evidence.models.evidence import EvidenceQuerySet
from evidence.rules.labels import label
from evidence.rules.records import Check, Claim, Reach, Scope, Validity
from evidence.rules.times import Instant, read_time, to_iso
from evidence.rules.vocab import HeldKind, HeldStatus, Kind, Review, State

CHUNK = 500
# A fact that stands would make a finding of an observation that comes after it.
ORDER = (Kind.OBSERVATION, Kind.FACT, Kind.ARTICLE)


def entries_of(namespace: str, now: datetime) -> Iterator[Entry]:
    """Records first, then the proposals that name them."""
    for kind in ORDER:
        rows = records_to_tell(namespace).filter(kind=kind)
        for row in _walk(rows):
            yield Entry(row.kind, record_entry(row), label(row.to_record(), now).value)
    for held in _proposals(namespace):
        yield Entry(PROPOSAL, proposal_entry(held))


def records_to_tell(namespace: str) -> EvidenceQuerySet:
    """Evidence that came from outside with a waiting proposal is told there: on its own it would wait twice."""
    rows = Evidence.objects.in_namespace(namespace).filter(state__in=[State.ACTIVE, State.SUPERSEDED])
    rows = rows.exclude(source_id__startswith="proposal:").exclude(source_id__startswith="backend:")
    return rows.exclude(pk__in=_inline(namespace))


def _inline(namespace: str) -> EvidenceQuerySet:
    waiting = HeldLink.objects.linked().filter(evidence=OuterRef("pk"), held__status=HeldStatus.WAITING)
    waiting = waiting.exclude(held__kind=HeldKind.HELD_EVIDENCE)
    rows = Evidence.objects.in_namespace(namespace).filter(review=Review.HELD, state=State.ACTIVE)
    own = HeldEvidence.objects.filter(evidence=OuterRef("pk"))
    return rows.filter(Exists(waiting)).exclude(Exists(own))


def _walk(rows: EvidenceQuerySet) -> Iterator[Evidence]:
    last: UUID | None = None
    while chunk := list((rows.filter(pk__gt=last) if last else rows).order_by("pk_uuid")[:CHUNK]):
        yield from chunk
        last = chunk[-1].pk


def _proposals(namespace: str) -> Iterator[HeldRecord]:
    rows = HeldRecord.objects.waiting().filter(namespace=namespace).filter(~Q(kind=HeldKind.HELD_EVIDENCE))
    rows = rows.select_related("promotion").prefetch_related("links__evidence")
    last: UUID | None = None
    while chunk := list((rows.filter(pk__gt=last) if last else rows).order_by("id")[:CHUNK]):
        yield from chunk
        last = chunk[-1].id


def record_entry(row: Evidence) -> Mapping[str, Any]:
    """A record with the members of contract 1; the store's own times, versions and hashes are left out."""
    record = row.to_record()
    return {
        "id": row.record_id, "kind": row.kind, "source": {"id": row.source_id, "version": row.source_version},
        "namespace": row.namespace, "claim": _claim(record.claim), "content": row.content, "tags": list(row.tags),
        "rule_type": row.rule_type, "layer": row.layer, "reach": _reach(record.reach), "valid": _valid(record.valid),
        "event_at": _time(record.event_at), "event_at_text": row.event_at_text,
        "check": _check(record.check), "volatility": row.volatility,
        "ttl_days": row.ttl_days, "scope": _scope(record.scope), "trust": row.trust, "review": row.review,
        "approval": {"by": row.approval_by, "at": _time(record.approval.at), "proposal": row.approval_proposal}
        if record.approval else None,
        "state": row.state, "superseded_by": row.superseded_by, "derived_from": list(row.derived_from),
        "trust_class": row.trust_class, "durability": row.durability, "polarity": row.polarity, "summary": row.summary,
        "excerpt": row.excerpt, "redaction": row.redaction, "thread": row.thread,
    }  # fmt: skip


def proposal_entry(held: HeldRecord) -> Mapping[str, Any]:
    """A waiting proposal with the ids of its evidence, or the evidence itself where it waits with it."""
    return {
        "id": str(held.id), "agent": held.agent_id, "namespace": held.namespace, "statement": held.statement,
        "claim": _claim(held.claim), "trust": held.trust, "trust_class": held.trust_class, "durability": held.durability,
        "layer": held.layer, "rule_type": held.rule_type, "scope": _scope(held.scope), "reach": _reach(held.reach),
        "tags": list(held.tags), "event_at": _time(held.event_at), "event_at_text": held.event_at_text,
        "volatility": held.volatility,
        "ttl_days": held.ttl_days, "check": _check(held.check_value),
        "valid": _valid(Validity(held.valid_from, held.valid_until)), "supersedes": list(held.supersedes),
        "evidence": [_linked(link) for link in held.links.all() if link.unlinked_at is None and _is_told(link)],
        "target": _target(held),
    }  # fmt: skip


def _is_told(link: HeldLink) -> bool:
    row = link.evidence
    return row.state in (State.ACTIVE, State.SUPERSEDED) and not row.source_id.startswith(("proposal:", "backend:"))


def _linked(link: HeldLink) -> str | Mapping[str, Any]:
    row = link.evidence
    if row.review != Review.HELD or row.state != State.ACTIVE or HeldEvidence.objects.filter(evidence=row).exists():
        return row.record_id
    told = record_entry(row)
    return {name: told[name] for name in _INLINE}


_INLINE = (
    "source", "claim", "content", "trust_class", "durability", "polarity", "summary", "excerpt", "redaction", "thread",
    "event_at", "event_at_text", "check", "volatility", "ttl_days", "scope", "tags",
)  # fmt: skip


def _target(held: HeldRecord) -> Mapping[str, Any] | None:
    if held.kind != HeldKind.PROMOTION_PROPOSAL:
        return None
    one = held.promotion
    return {
        "source": one.target_source, "base_version": one.base_version, "title": one.title, "content": one.content,
        "type": one.article_type, "related": list(one.related), "agents": list(one.agents), "occurrences": one.occurrences,
    }  # fmt: skip


def _claim(claim: Claim | None) -> Mapping[str, str] | None:
    return {"subject": claim.subject, "attribute": claim.attribute, "value": claim.value} if claim else None


def _check(check: Check | None) -> Mapping[str, Any] | None:
    if check is None:
        return None
    at = _time(check.at)
    came = str(check.at) if check.at and at is None else None
    return {"at": at, "at_text": came, "by": check.by, "method": check.method, "confirmed_by": check.confirmed_by}


def _scope(scope: Scope) -> Mapping[str, Any]:
    return {
        "owner": scope.owner, "access": scope.access, "shared_with": list(scope.shared_with), "project": scope.project,
    }  # fmt: skip


def _reach(reach: Reach | None) -> Mapping[str, str] | None:
    return {"level": reach.level, "ref": reach.ref} if reach else None


def _valid(valid: Validity | None) -> Mapping[str, str | None] | None:
    return {"from": _time(valid.start), "until": _time(valid.until)} if valid else None


def _time(value: Instant) -> str | None:
    """The instant; a time that cannot be read is no date for any rule, and told as the text that it is."""
    moment = read_time(value)
    return to_iso(moment) if moment else None
