"""What the smaller operations of the doors take, beside filing and recall (`request_shapes`): the same strictness."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from evidence.rules import vocab
from evidence.selectors.browsing import BROWSED_KINDS, Look
from evidence.selectors.context import BUDGET, LEAST_BUDGET, MOST_BUDGET
from evidence.services.request_shapes import (
    AnyLabel,
    AnyName,
    CheckShape,
    ClaimShape,
    ClaimText,
    DurabilityWord,
    EvidenceShape,
    Linked,
    Name,
    Names,
    RecordId,
    Shape,
    Statement,
    Summary,
    TargetShape,
    TrustClassWord,
    Word,
)

BrowsedKind = Annotated[str, Word(BROWSED_KINDS)]
Cursor = Annotated[str, Field(max_length=500)]
Id = Annotated[str, Field(min_length=1, max_length=64)]
MOST_LISTED = 100


class Nothing(Shape):
    """Takes nothing."""


class BrowseShape(Shape):
    """What to list, newest first. `after`: the `next` of the page before."""

    kinds: Annotated[list[BrowsedKind], Field(max_length=5)] = []
    labels: Annotated[list[AnyLabel], Field(max_length=10)] = []
    tags: Annotated[list[Name], Field(max_length=10)] = []
    after: Cursor = ""
    limit: Annotated[int, Field(ge=1, le=MOST_LISTED, strict=False)] = 20

    def to_look(self) -> Look:
        return Look(tuple(dict.fromkeys(self.kinds)), tuple(self.labels), tuple(self.tags), self.after, self.limit)


class ExportShape(BrowseShape):
    """A page of everything that you may read, as JSON or as Markdown with ids and labels."""

    format: Annotated[str, Word(("json", "markdown"))] = "json"
    limit: Annotated[int, Field(ge=1, le=MOST_LISTED, strict=False)] = MOST_LISTED


class ContextShape(Shape):
    """`startup`: what to know at the start. `task`: what there is about `query`. The budget is in characters."""

    kind: Annotated[str, Word(("startup", "task"))] = "startup"
    query: Annotated[str, Field(max_length=2_000)] = ""
    budget: Annotated[int, Field(ge=LEAST_BUDGET, le=MOST_BUDGET, strict=False)] = BUDGET
    format: Annotated[str, Word(("markdown", "json"))] = "markdown"


class AnnotateShape(Shape):
    """Tags and title of an observation that you filed. What is left out stays as it is; an empty list takes the tags away."""

    record: RecordId
    tags: Names | None = None
    title: Summary | None = None


class ForgetShape(Shape):
    """What should be forgotten, and why."""

    record: RecordId
    reason: Annotated[str, Field(max_length=500)] = ""


class ReviseShape(Shape):
    """A record that is not right any more, and what is true instead. `value`: the new value of the record's own claim."""

    record: RecordId
    statement: Statement
    value: ClaimText | None = None
    claim: ClaimShape | None = None
    evidence: Annotated[list[Linked], Field(min_length=1, max_length=50)]
    trust_class: TrustClassWord
    durability: DurabilityWord
    volatility: Annotated[str, Word(vocab.Volatility)] | None = None
    check: CheckShape | None = None
    tags: Names = []


class PromoteShape(Shape):
    """An observation that should become a fact (say its `rule_type`), or an article (give its `target`)."""

    record: RecordId
    statement: Statement | None = None
    rule_type: AnyName = ""
    trust_class: TrustClassWord | None = None
    durability: DurabilityWord | None = None
    tags: Names | None = None
    target: TargetShape | None = None


class ProposalShapeId(Shape):
    """One of your own proposals, by its id."""

    proposal: Id


class WithdrawProposalShape(ProposalShapeId):
    """With `version`: only as you have seen it."""

    version: Annotated[int, Field(ge=1)] | None = None


class QuestionsShape(Shape):
    """Nothing: list your open questions. With `question` and `evidence`: bring that evidence to that question."""

    question: Id | None = None
    evidence: EvidenceShape | None = None
