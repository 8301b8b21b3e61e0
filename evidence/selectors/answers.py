"""What goes out: records and proposals as JSON, in the contract's names. Shows a caller nothing that it may not read.

REST and MCP answer with these. Labels are computed for the moment of the answer. Numbers and ids of what the caller may not
read never appear.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils import timezone

from evidence.models import Evidence, Feedback, HeldRecord, Inquiry, Token
from evidence.rules.access import readable
from evidence.rules.labels import label
from evidence.rules.records import Record
from evidence.rules.times import Instant, to_iso
from evidence.rules.vocab import HeldKind, HeldStatus, MatchKind, Review, VerificationStatus
from evidence.selectors.proposals import records_named
from evidence.selectors.recall import Found, Recalled
from evidence.selectors.tokens import reader_of

_MATCH_REASON = "match_requires_review"


def record_json(record: Record) -> dict[str, Any]:
    """The record in the contract's names (contract 1). Absent members are null; times as they were, in UTC where readable."""
    claim, check, approval, valid, reach = record.claim, record.check, record.approval, record.valid, record.reach
    return {
        "id": record.id,
        "kind": record.kind,
        "source": {"id": record.source.id, "version": record.source.version},
        "namespace": record.namespace,
        "claim": {"subject": claim.subject, "attribute": claim.attribute, "value": claim.value} if claim else None,
        "content": record.content,
        "summary": record.summary,
        "excerpt": record.excerpt,
        "tags": list(record.tags),
        "rule_type": record.rule_type or None,
        "layer": record.layer,
        "reach": {"level": reach.level, "ref": reach.ref} if reach else None,
        "valid": {"from": instant(valid.start), "until": instant(valid.until)} if valid else None,
        "event_at": instant(record.event_at),
        "ingested_at": instant(record.ingested_at),
        "check": {
            "at": instant(check.at), "by": check.by, "method": check.method, "confirmed_by": check.confirmed_by,
        } if check else None,
        "volatility": record.volatility,
        "ttl_days": record.ttl_days,
        "scope": {
            "owner": record.scope.owner, "access": record.scope.access,
            "shared_with": list(record.scope.shared_with), "project": record.scope.project,
        },
        "trust": record.trust,
        "review": record.review,
        "approval": {"by": approval.by, "at": instant(approval.at), "proposal": approval.proposal} if approval else None,
        "state": record.state,
        "superseded_by": record.superseded_by,
        "derived_from": list(record.derived_from),
        "trust_class": record.trust_class,
        "durability": record.durability,
        "polarity": record.polarity,
        "redaction": record.redaction,
    }  # fmt: skip


def instant(value: Instant) -> str | None:
    return to_iso(value) if isinstance(value, datetime) else value


def found_json(found: Found) -> dict[str, Any]:
    """One record with its label; `advice` only where there is something to heed."""
    body: dict[str, Any] = {
        "record": record_json(found.record),
        "label": str(found.label),
        "expires_at": instant(found.expires_at),
        "conflicts_with": list(found.conflicts_with),
    }
    if found.advice:
        body["advice"] = found.advice
    return body


def recalled_json(recalled: Recalled) -> dict[str, Any]:
    body: dict[str, Any] = {
        "results": [
            found_json(found) | {"score": found.result.score, "backend": found.backend} for found in recalled.results
        ],
        "sources": [
            {"backend": source.backend, "status": str(source.status)} | ({"reason": source.reason} if source.reason else {})
            for source in recalled.sources
        ],
        "grants": [],
    }  # fmt: skip
    return body | ({"receipt": recalled.receipt} if recalled.receipt else {})


def evidence_json(
    row: Evidence, *, held_id: str | None, created: bool, finding: dict[str, Any] | None
) -> dict[str, Any]:
    """The answer to filing evidence; the finding only where the caller may read the current record."""
    body: dict[str, Any] = {
        "id": row.record_id,
        "held_id": held_id,
        "state": row.state,
        "review": row.review or None,
        "label": str(label(row.to_record(), timezone.now())),
        "created": created,
    }
    if finding is not None:
        body["finding"] = finding
    if row.review == Review.APPROVED:
        body["grants"] = []
    return body


def proposal_json(held: HeldRecord, token: Token) -> dict[str, Any]:
    """A proposal as its filer may see it: what it matched, what the checks said, what became of it."""
    seen = _readable_matches(held, token)
    hidden = bool(held.matched) and not seen
    body = {
        "id": str(held.id),
        "version": held.version,
        "status": held.status,
        # A match that the filer may not read is none to it: it must not learn that such a record exists.
        "match_kind": str(MatchKind.NEW) if hidden else held.match_kind,
        "matched": seen,
        "verification": _verification(held, hidden=hidden),
        "risk": held.risk,
        "eligibility": held.eligibility,
        "url": f"{settings.PUBLIC_URL}/queue/{held.id}/",
    }
    return body | _ending(held, token)


def _ending(held: HeldRecord, token: Token) -> dict[str, Any]:
    """What was decided, once it was; nothing in it permits anything."""
    if held.status == HeldStatus.WAITING:
        return {"grants": []}
    ending: dict[str, Any] = {
        "reason_code": held.reason_code or None,
        "reason": held.reason or None,
        "decided_at": instant(held.decided_at),
        "record_id": _record_id(held, token),
        "grants": [],
    }
    if held.replaced_by is not None and held.replaced_by.agent_id == held.agent_id:
        ending["replaced_by"] = str(held.replaced_by_id)
    return ending


def _record_id(held: HeldRecord, token: Token) -> str | None:
    """The record that an approval made, as long as the caller may read it."""
    if held.status != HeldStatus.APPROVED:
        return None
    row: Evidence | None = None
    if held.kind == HeldKind.FACT_PROPOSAL:
        row = held.fact_proposal.result
    elif held.kind == HeldKind.PROMOTION_PROPOSAL:
        row = held.promotion.result
    else:
        row = held.held_evidence.evidence
    return row.record_id if row is not None and may_read(token, row) else None


def _verification(held: HeldRecord, *, hidden: bool) -> dict[str, Any]:
    """The newest run's result; while a run is due there is none that counts."""
    pending = held.verification_status == VerificationStatus.PENDING
    latest = None if pending else held.verifications.order_by("-created_at").first()
    if latest is None:
        return {"status": str(VerificationStatus.PENDING), "reasons": [], "checks": []}
    status, reasons, checks = str(latest.status), list(latest.reasons), list(latest.checks)
    if hidden and _MATCH_REASON in reasons:
        reasons.remove(_MATCH_REASON)
        checks = [check for check in checks if check.get("reason") != _MATCH_REASON]
        if not reasons and status == VerificationStatus.REVIEW_REQUIRED:
            status = str(VerificationStatus.VERIFIED)
    return {"status": status, "reasons": reasons, "checks": checks}


def _readable_matches(held: HeldRecord, token: Token) -> list[str]:
    rows = records_named(held.namespace, held.matched)
    seen = {row.record_id for row in rows if may_read(token, row)}
    return [record_id for record_id in held.matched if record_id in seen]


def may_read(token: Token, row: Evidence) -> bool:
    return readable(row.scope, reader_of(token))


def question_json(row: Inquiry, token: Token, sides: dict[str, Evidence]) -> dict[str, Any]:
    """A question as it is put to its agent. What it may not read of it does not exist for it: then the words are its own."""
    known = {name: sides.get(one) for name, one in (("current", row.current_record), ("incoming", row.incoming_record))}
    seen = {name: one for name, one in known.items() if one is not None and may_read(token, one)}
    hidden = any(getattr(row, f"{name}_record") and name not in seen for name in known)
    return {
        "id": str(row.id), "version": row.version, "kind": row.kind, "status": row.status, "severity": row.severity,
        "question": _own_words(seen) if hidden else row.question, "wanted": row.evidence_wanted or None,
        "asked_at": instant(row.evidence_asked_at), "came_at": instant(row.evidence_came_at),
        "sides": [
            {"side": name, "id": one.record_id, "text": one.claim_value or _text(one), "source": one.source_id}
            for name, one in seen.items()
        ],
        "grants": [],
    }  # fmt: skip


def _own_words(seen: dict[str, Evidence]) -> str:
    own = seen.get("incoming") or seen.get("current")
    return f"What shows that this is true: “{own.claim_value or _text(own)}”?" if own else "What shows that it is true?"


def _text(row: Evidence) -> str:
    return row.excerpt or row.content or row.summary


def finding_json(token: Token, finding: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The finding, unless it is about a record that the caller may not read: it must not learn that there is one."""
    if finding is None:
        return None
    found = records_named(token.namespace, [finding["current"]])
    if not any(may_read(token, row) for row in found):
        return None
    return {name: value for name, value in finding.items() if value is not None}


def feedback_json(row: Feedback, *, created: bool) -> dict[str, Any]:
    """An agent's own word about what it was shown."""
    return {
        "id": str(row.pk), "record": row.record_id, "rank": row.rank, "type": row.type, "outcome": row.outcome or None,
        "supersedes": str(row.supersedes_id) if row.supersedes_id else None, "created": created, "grants": [],
    }  # fmt: skip
