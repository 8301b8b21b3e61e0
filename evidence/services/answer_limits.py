"""What an owner's answer may not do that a reviewer's decision may not do either (contract 8, 10 "Conversion"; scenario S21).

An answer that approves the held item is held to the same verification and the same separation of duties.
"""

from __future__ import annotations

from django.utils import timezone

from evidence.models import Evidence, HeldRecord
from evidence.rules.vocab import NON_DURABLE, Answer, HeldKind, Layer, State, VerificationStatus
from evidence.selectors.planning import answer_permission
from evidence.services.actors import Actor
from evidence.services.errors import Refused
from evidence.services.verification import do_verify, is_outdated, read_for

_APPROVING = frozenset({Answer.INCOMING, Answer.BOTH_SCOPE, Answer.BOTH_TIME})


def verify_if_outdated(held: HeldRecord) -> None:
    """Verify what changed before it counts. Precondition: claim key and held row are locked."""
    reading = read_for(held, timezone.now())
    if is_outdated(held, reading):
        do_verify(held, reading)


def check_approval(held: HeldRecord, word: Answer, current: Evidence | None, actor: Actor) -> bool:
    """`Refused` where the answer would make a fact of what may not become one. True: nobody else could, so it is solo."""
    reviewed = current is not None and current.approval is not None and current.state == State.ACTIVE
    if reviewed or held.kind == HeldKind.PROMOTION_PROPOSAL or word not in _APPROVING | {Answer.OTHER_VALUE}:
        return False
    _check_lifetime(held)
    if word not in _APPROVING:
        return False
    if held.verification_status == VerificationStatus.REJECTED:
        raise Refused(
            "verification_rejected",
            "The verifier rejects the new one; its cause has to be corrected before it can count.",
        )
    assert actor.user is not None
    verdict = answer_permission(held, actor.user)
    if verdict.refusal is not None:
        raise Refused(verdict.refusal.code, verdict.refusal.detail)
    return verdict.solo


def _check_lifetime(held: HeldRecord) -> None:
    """What an answer cannot say: that a passing thing should last, or that a rule shapes every session."""
    if held.kind != HeldKind.FACT_PROPOSAL:
        return
    if held.layer == Layer.L1:
        raise Refused("ratification_required", "L1 memory is ratified expressly, by a reviewer who approves the item.")
    if held.durability in NON_DURABLE:
        raise Refused(
            "conversion_required",
            f"This was filed as {held.durability}: a reviewer who approves the item says for how long it should hold.",
        )
