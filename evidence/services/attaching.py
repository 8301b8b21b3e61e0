"""Putting evidence to an open question, and behind the fact that its answer makes. Inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable

from evidence.models import Evidence, Inquiry, InquiryEvidence, RecordLink
from evidence.services.errors import Refused
from evidence.services.journal import Journal

MOST_ATTACHED = 50


def attach(inquiry: Inquiry, row: Evidence, *, filed_by: str, is_report: bool = False) -> bool:
    """Put the evidence to the question, once. Precondition: the question is locked, or just made."""
    if inquiry.attached.count() >= MOST_ATTACHED:
        if is_report:
            return False
        raise Refused("too_large", f"More than {MOST_ATTACHED} pieces of evidence came to this question.")
    _, fresh = InquiryEvidence.objects.get_or_create(
        inquiry=inquiry, evidence=row, defaults={"is_report": is_report, "filed_by": filed_by}
    )
    return fresh


def put_behind(inquiry: Inquiry, incoming: Evidence | None, fact: Evidence, journal: Journal) -> None:
    """What was reported and what came to the question stand behind the fact that the answer made."""
    rows = [one.evidence for one in inquiry.attached.select_related("evidence").order_by("pk")]
    for row in _once([incoming, *rows]):
        if row.pk != fact.pk and not RecordLink.objects.filter(record=fact, evidence=row).exists():
            journal.linked(RecordLink.objects.create(record=fact, evidence=row, polarity=row.polarity))


def _once(rows: Iterable[Evidence | None]) -> list[Evidence]:
    return list({row.pk: row for row in rows if row is not None}.values())
