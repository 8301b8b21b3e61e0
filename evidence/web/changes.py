"""What a 409 tells the person: who was first, when, what changed, with the text that was on the screen (scenarios S2, S5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from evidence.rules.times import read_time
from evidence.services.errors import Refused


@dataclass(frozen=True, slots=True)
class Changed:
    """What a 409 tells: the heading, who, when, what, and the text that the person had seen."""

    headline: str
    detail: str
    by: str = ""
    at: datetime | None = None
    action: str = ""
    seen_version: int | None = None
    seen: str = ""
    lines: list[str] = field(default_factory=list)


_HEADLINES = {
    "already_decided": "Already decided",
    "version_conflict": "Changed while you looked",
    "verification_rejected": "The verifier rejects this",
    "verification_outdated": "Verified again meanwhile",
    "reviewed_article": "A reviewed article says otherwise",
    "base_changed": "The article changed",
}


def changed_view(refused: Refused, seen: str) -> Changed:
    extra = refused.extra
    version = extra.get("seen_version")
    return Changed(
        headline=_HEADLINES.get(refused.code, "That did not go through"),
        detail=refused.detail,
        by=str(extra.get("decided_by") or ""),
        at=read_time(extra.get("decided_at")),
        action=str(extra.get("action") or ""),
        seen_version=version if isinstance(version, int) else None,
        seen=seen[:2000],
    )
