"""Which sides of a question still stand (contract 10; scenario S27). Reads only."""

from __future__ import annotations

from django.db.models import QuerySet

from evidence.models import Evidence, HeldRecord, Inquiry
from evidence.rules.answers import Sides, allowed_answers
from evidence.rules.vocab import Answer, Review, State

# The one question that has no sides: whether the articles that nobody reviewed count as reviewed (contract 13).
NEVER_REVIEWED = "never-reviewed"
YES_OR_NO = (Answer.INCOMING, Answer.CURRENT)


def sides_asked(inquiry: Inquiry, current: Evidence | None, incoming: Evidence | None) -> Sides:
    """The sides that stand, of those that the question was asked about."""
    return Sides(
        current=current is not None and current.state == State.ACTIVE,
        incoming=incoming is not None and incoming.state == State.ACTIVE and incoming.review != Review.REJECTED,
        article=current is not None and current.approval is not None,
        asked=bool(inquiry.current_record) + bool(inquiry.incoming_record),
    )


def incoming_row(inquiry: Inquiry, held: HeldRecord | None, rows: QuerySet[Evidence]) -> Evidence | None:
    """The incoming side's record: the held observation, or the evidence that raised the question."""
    if held is not None and not held.is_waiting:
        return None
    return rows.filter(record_id=inquiry.incoming_record).first() if inquiry.incoming_record else None


def answers_of(inquiry: Inquiry) -> tuple[Answer, ...]:
    """The answers that this question allows now, for pages and doors."""
    if inquiry.origin_system == NEVER_REVIEWED:
        return YES_OR_NO
    rows = Evidence.objects.in_namespace(inquiry.namespace)
    current = rows.filter(record_id=inquiry.current_record).first() if inquiry.current_record else None
    incoming = incoming_row(inquiry, inquiry.held, rows)
    return allowed_answers(inquiry.kind, sides_asked(inquiry, current, incoming))
