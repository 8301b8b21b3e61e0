"""What an owner's answer may not do that a reviewer's decision may not do either (contract 8; scenario S21).

An answer that approves the held item is held to the same verification and the same separation of duties. The refusals are
part of its plan (`selectors.answer_plans`).
"""

from __future__ import annotations

from uuid import UUID

from django.utils import timezone

from evidence.models import Evidence, HeldRecord, Inquiry
from evidence.rules.times import to_iso
from evidence.rules.vocab import Answer, InquiryStatus
from evidence.selectors.planning import answer_permission
from evidence.services.actors import Actor
from evidence.services.errors import Refused
from evidence.services.locks import lock_inquiry
from evidence.services.verification import do_verify, is_outdated, read_for

_APPROVING = frozenset({Answer.INCOMING, Answer.BOTH_SCOPE, Answer.BOTH_TIME})


def verify_if_outdated(held: HeldRecord) -> None:
    """Verify what changed before it counts. Precondition: claim key and held row are locked."""
    reading = read_for(held, timezone.now())
    if is_outdated(held, reading):
        do_verify(held, reading)


def is_solo(item: HeldRecord, word: Answer, current: Evidence | None, actor: Actor) -> bool:
    """Whether the answer approves what nobody else could have approved."""
    if word not in _APPROVING or actor.user is None or (current is not None and current.approval is not None):
        return False
    return answer_permission(item, actor.user).solo


def lock_open_inquiry(inquiry_id: UUID | str, seen_version: int) -> Inquiry:
    """The question, locked, as it was seen. 409 `closed` names who was first, `version_conflict` what changed."""
    inquiry = lock_inquiry(inquiry_id)
    if inquiry.status != InquiryStatus.OPEN:
        at = to_iso(inquiry.answered_at) if inquiry.answered_at else None
        raise Refused(
            "closed", f"{inquiry.answered_by or 'Somebody'} was first: this question is {inquiry.status}.",
            decided_by=inquiry.answered_by, decided_at=at, answer=inquiry.answer, current_version=inquiry.version,
        )  # fmt: skip
    if inquiry.version != seen_version:
        raise Refused(
            "version_conflict", "The question changed since you opened it.", seen_version=seen_version,
            current_version=inquiry.version,
        )  # fmt: skip
    return inquiry
