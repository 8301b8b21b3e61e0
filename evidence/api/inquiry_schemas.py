"""What answers about questions look like, for the OpenAPI pages; tests hold the real ones against these."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from evidence.api.shapes import errors
from evidence.rules import vocab
from evidence.selectors.answer_shapes import Grants
from evidence.selectors.inquiries import Show
from evidence.services.request_shapes import Shape, Word

LIST_ERRORS = errors(400, 401, 403, 413, 422)
ANSWER_ERRORS = errors(400, 401, 403, 404, 409, 413, 422)
BROUGHT_ERRORS = errors(400, 401, 403, 404, 409, 413, 422)


class ListQuery(Shape):
    """What to list. `status`: `open` unless said otherwise, `any` for all."""

    status: Annotated[str, Word((*vocab.InquiryStatus, "any"))] = "open"
    kind: Annotated[str, Word(("", *vocab.InquiryKind))] = ""
    show: Annotated[str, Word(Show)] = ""
    after: Annotated[str, Field(max_length=500)] = ""
    limit: Annotated[int, Field(ge=1, le=100, strict=False)] = 50


class InquiryRow(BaseModel):
    """A question. `escalated_to`: it lay, and went on to `deputies` or `administrators`."""

    id: str
    version: int
    kind: Annotated[str, Word(vocab.InquiryKind)]
    status: Annotated[str, Word(vocab.InquiryStatus)]
    severity: Annotated[str, Word(vocab.Risk)]
    agent: str
    namespace: str
    question: str
    asked_at: str
    due_at: str | None
    overdue: bool
    touches: int
    assigned_to: str | None
    escalated_to: Literal["deputies", "administrators"] | None
    evidence_asked_at: str | None
    held_id: str | None
    url: str


class InquiriesOut(BaseModel):
    """`next`: give it as `after` for the page that follows."""

    items: list[InquiryRow]
    next: str | None


class ReadersOut(BaseModel):
    owner: str
    access: str
    shared_with: list[str]


class InquirySideOut(BaseModel):
    """One side as it is, or as it was when it is `gone`. `recalls`: how often agents got it lately."""

    side: Literal["current", "incoming"]
    id: str | None
    gone: bool
    value: str
    text: str
    source: str
    label: str | None
    expires_at: str | None
    check: dict[str, Any]
    scope: ReadersOut
    evidence: list[dict[str, Any]]
    recalls: dict[str, Any]


class AnswerStepOut(BaseModel):
    """One thing that the answer would do. `label`: what the record is labelled afterwards, and until when."""

    kind: str
    target_kind: str
    target_id: str
    words: str
    label: dict[str, Any] | None


class AnswerRefusalOut(BaseModel):
    code: str
    detail: str


class OfferedAnswerOut(BaseModel):
    """An answer that is possible, with its plan; or why it is not for you."""

    answer: Annotated[str, Word(vocab.Answer)]
    plan_digest: str
    plan: list[AnswerStepOut]
    refusal: AnswerRefusalOut | None


class InquiryOut(InquiryRow):
    sides: list[InquirySideOut]
    evidence_wanted: str | None
    attached: list[dict[str, Any]]
    may_answer: bool
    answers: list[OfferedAnswerOut]
    answer: str | None
    answer_value: str | None
    answered_by: str | None
    answered_at: str | None
    decision: str | None
    grants: Grants


class AnswerDecisionOut(BaseModel):
    """The link of the audit chain that the answer became."""

    id: str
    digest: str
    seq: int
    action: str
    at: str
    solo: bool


class AnsweredRow(InquiryRow):
    answer: str | None


class AnsweredOut(BaseModel):
    """What was decided. `next`: the question that waits for you then."""

    decision: AnswerDecisionOut
    effects: list[dict[str, Any]]
    inquiry: AnsweredRow
    next: str | None
    grants: Grants
    idempotent_replay: bool | None = None
