"""What was on the screen, as the snapshot that a decision commits to (DESIGN "The model": Snapshot; desk idea I11)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from evidence.models import HeldRecord
from evidence.rules.planning import Plan
from evidence.rules.times import to_iso
from evidence.selectors.matching import links_of


def shown_body(held: HeldRecord, made: Plan, now: datetime) -> dict[str, Any]:
    """Statement, claim, evidence, checks and the plan in words, as they stood when the person decided."""
    latest = held.verifications.order_by("-created_at").first()
    claim = held.claim
    return {
        "at": to_iso(now),
        "kind": str(held.kind),
        "statement": held.statement,
        "claim": [claim.subject, claim.attribute, claim.value] if claim else None,
        "version": held.version,
        "risk": str(held.risk),
        "match": [str(held.match_kind), list(held.matched)],
        "article": held.promotion.content if held.kind == "promotion_proposal" else None,
        "evidence": [
            {
                "id": link.evidence.record_id,
                "polarity": str(link.polarity),
                "source": link.evidence.source_id,
                "summary": link.evidence.summary,
                "excerpt": link.evidence.excerpt,
            }
            for link in links_of(held)
        ],
        "verification": {"status": str(latest.status), "reasons": latest.reasons} if latest else None,
        "plan": {
            "action": made.action,
            "digest": made.digest,
            "effects": [effect.words for effect in made.effects],
            "labels": {
                name: [str(preview.label), to_iso(preview.expires_at) if preview.expires_at else None]
                for name, preview in made.labels.items()
            },
        },
    }
