"""What doors accept from agents that say something of what they were shown (doors "Recall"): shapes, words, limits."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints, WithJsonSchema
from pydantic_core import PydanticCustomError

from evidence.models.receipts import REASON_LENGTH
from evidence.rules import vocab
from evidence.rules.receipts import LONGEST
from evidence.selectors.recall import MOST_RESULTS
from evidence.services.request_shapes import RecordId, Shape, Word


def _an_id(value: str) -> str:
    try:
        return str(UUID(value))
    except ValueError:
        raise PydanticCustomError("invalid_value", "has to be an id") from None


FeedbackId = Annotated[str, AfterValidator(_an_id), WithJsonSchema({"type": "string", "format": "uuid"})]


class FeedbackShape(Shape):
    """A word about one result: its record and its rank (from 1) in the recall of the receipt. `misleading` and `outdated` want
    a reason. A correction or retraction names the word that it takes the place of.
    """

    receipt: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST)]
    record: RecordId
    rank: Annotated[int, Field(ge=1, le=MOST_RESULTS * 2)]
    outcome: Annotated[str, Word(vocab.FeedbackOutcome)] | None = None
    reason: Annotated[str, StringConstraints(max_length=REASON_LENGTH)] = ""
    type: Annotated[str, Word(vocab.FeedbackType)] = str(vocab.FeedbackType.VOTE)
    supersedes: FeedbackId | None = None

    def to_arguments(self) -> dict[str, Any]:
        """The keyword arguments of `give_feedback` but for the token."""
        return {
            "receipt": self.receipt, "record_id": self.record, "rank": self.rank, "outcome": self.outcome or "",
            "reason": self.reason, "kind": self.type, "supersedes": UUID(self.supersedes) if self.supersedes else None,
        }  # fmt: skip
