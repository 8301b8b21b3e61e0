"""What a 409 tells the person: who was first, when, what changed, with the text that was on the screen (scenarios S2, S5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from evidence.rules.times import read_time
from evidence.services.errors import Refused
from evidence.web.sentences import told


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


_HEADLINES: dict[str, str | Promise] = {
    "already_decided": gettext_lazy("Already decided"),
    "version_conflict": gettext_lazy("Changed while you looked"),
    "verification_rejected": gettext_lazy("The verifier rejects this"),
    "verification_outdated": gettext_lazy("Verified again meanwhile"),
    "reviewed_article": gettext_lazy("A reviewed article says otherwise"),
    "base_changed": gettext_lazy("The article changed"),
}


def changed_view(refused: Refused, seen: str) -> Changed:
    extra = refused.extra
    version = extra.get("seen_version")
    return Changed(
        headline=str(_HEADLINES.get(refused.code) or gettext("That did not go through")),
        detail=told(refused.detail),
        by=str(extra.get("decided_by") or ""),
        at=read_time(extra.get("decided_at")),
        action=str(extra.get("action") or ""),
        seen_version=version if isinstance(version, int) else None,
        seen=seen[:2000],
    )
