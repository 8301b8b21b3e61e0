"""Records back to plain mappings in the contract's shape (section 1), ready for JSON.

The inverse of `parsing` for what rules and doors show; knows no door, no label and no reader.
"""

from __future__ import annotations

import math
from datetime import datetime

from evidence.rules.records import Approval, Check, Claim, Reach, Record, Scope, Validity
from evidence.rules.times import Instant, read_time, to_iso


def record_as_dict(record: Record) -> dict[str, object]:
    """Every member of contract 1, absent ones as null; readable times in UTC, unreadable ones as they came."""
    return {
        "id": record.id,
        "kind": str(record.kind),
        "source": {"id": record.source.id, "version": record.source.version},
        "claim": claim_as_dict(record.claim),
        "content": record.content,
        "namespace": record.namespace,
        "tags": list(record.tags),
        "rule_type": record.rule_type,
        "layer": record.layer,
        "reach": reach_as_dict(record.reach),
        "valid": validity_as_dict(record.valid),
        "event_at": instant_text(record.event_at),
        "ingested_at": instant_text(record.ingested_at),
        "check": check_as_dict(record.check),
        "volatility": str(record.volatility),
        "ttl_days": _number(record.ttl_days),
        "scope": scope_as_dict(record.scope),
        "trust": str(record.trust),
        "review": str(record.review) if record.review else None,
        "approval": approval_as_dict(record.approval),
        "state": str(record.state),
        "superseded_by": record.superseded_by or None,
        "derived_from": list(record.derived_from),
        "trust_class": record.trust_class,
        "durability": record.durability,
        "polarity": record.polarity,
        "summary": record.summary,
        "excerpt": record.excerpt,
        "redaction": record.redaction,
    }


def claim_as_dict(claim: Claim | None) -> dict[str, object] | None:
    if claim is None:
        return None
    return {"subject": claim.subject, "attribute": claim.attribute, "value": claim.value}


def scope_as_dict(scope: Scope) -> dict[str, object]:
    return {
        "owner": scope.owner,
        "access": str(scope.access),
        "shared_with": list(scope.shared_with),
        "project": scope.project or None,
    }


def reach_as_dict(reach: Reach | None) -> dict[str, object] | None:
    return {"level": reach.level, "ref": reach.ref} if reach and (reach.level or reach.ref) else None


def validity_as_dict(valid: Validity | None) -> dict[str, object] | None:
    return None if valid is None else {"from": instant_text(valid.start), "until": instant_text(valid.until)}


def check_as_dict(check: Check | None) -> dict[str, object] | None:
    if check is None:
        return None
    return {
        "at": instant_text(check.at),
        "by": check.by,
        "method": check.method,
        "confirmed_by": check.confirmed_by or None,
    }


def approval_as_dict(approval: Approval | None) -> dict[str, object] | None:
    if approval is None:
        return None
    return {"by": approval.by, "at": instant_text(approval.at), "proposal": approval.proposal}


def instant_text(value: Instant) -> str | None:
    """UTC with a trailing Z where it is readable; otherwise as it came, for display (contract 1)."""
    found = read_time(value)
    if found is not None:
        return to_iso(found)
    return value.isoformat() if isinstance(value, datetime) else value


def _number(value: object) -> int | float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if isinstance(value, int) or math.isfinite(value) else None
