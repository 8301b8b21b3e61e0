"""Reviews of candidates: receipts beside a candidate that never changed it, by anybody, sometimes contradicting each other.

So a candidate counts as decided only where its receipts agree; where they do not, it waits, and the report says so.
"""

from __future__ import annotations

from dataclasses import dataclass

from evidence.exchange.bridge.content import REVIEW, Memory
from evidence.exchange.bridge.layout import Bridge
from evidence.exchange.items import ForeignDecision
from evidence.rules.errors import BadInput

FINAL = ("approved", "rejected", "merged", "expired")
KEPT = "kept_staged"


@dataclass(frozen=True, slots=True)
class Review:
    id: str
    decision: str
    by: str
    at: str
    reason: str
    target: str
    candidate: str

    @classmethod
    def of(cls, memory: Memory) -> Review:
        """`BadInput` for a decision that the bridge does not know."""
        fields = memory.fields
        decision = fields.get("review_decision", "")
        if decision not in (*FINAL, KEPT):
            raise BadInput(
                "invalid_value", f"review_decision has to be one of: {', '.join((*FINAL, KEPT))}", "review_decision"
            )
        return cls(
            memory.id, decision, fields.get("reviewed_by", ""), memory.cells["created_at"],
            fields.get("review_reason", ""), fields.get("target_record_id", ""), fields.get("source_candidate_id", ""),
        )  # fmt: skip

    @property
    def as_decision(self) -> ForeignDecision:
        return ForeignDecision(self.decision, self.by, self.at, self.reason)


@dataclass(frozen=True, slots=True)
class Reviews:
    """All readable receipts of one candidate, oldest first."""

    found: tuple[Review, ...]

    @property
    def disagree(self) -> bool:
        return len({one.decision for one in self.found if one.decision in FINAL}) > 1

    @property
    def decided(self) -> Review | None:
        """The newest final receipt, if all final ones say the same."""
        final = [one for one in self.found if one.decision in FINAL]
        return final[-1] if final and not self.disagree else None


def reviews_of(bridge: Bridge, candidate_id: str) -> Reviews:
    found: list[Review] = []
    for review_id in bridge.pointing_at(candidate_id, "source_candidate_id"):
        row = bridge.memory(review_id)
        if row is None:
            continue
        try:
            memory = Memory.of(row)
            if memory.lane == REVIEW:
                found.append(Review.of(memory))
        except BadInput:
            continue  # reported where the receipt itself is read
    return Reviews(tuple(found))
