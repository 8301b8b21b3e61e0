"""What the doors' answers look like, member by member: for the OpenAPI pages and for the schemas of MCP's tools.

Answers are built in `answers`; tests hold them against these shapes. What requests look like is `services.request_shapes`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from evidence.rules import vocab
from evidence.services.request_shapes import Word

Grants = Annotated[list[str], Field(max_length=0, description="Always empty: nothing in this answer permits anything.")]
LabelWord = Annotated[str, Word(vocab.Label)]


class FindingAnswer(BaseModel):
    """What the evidence says about the current record on its claim."""

    outcome: Annotated[str, Word(vocab.Outcome)]
    reason: str
    current: str
    inquiry: str | None = None
    held_id: str | None = None


class EvidenceFiled(BaseModel):
    """`held_id` where a person has to look at it first; `created: false` where it was known already."""

    id: str
    held_id: str | None
    state: Annotated[str, Word(vocab.State)]
    review: Annotated[str, Word(vocab.Review)] | None
    label: LabelWord
    created: bool
    finding: FindingAnswer | None = None
    idempotent_replay: bool | None = None
    grants: Grants | None = None


class VerificationAnswer(BaseModel):
    """The newest run of the deterministic checks; `pending` while one is due."""

    status: Annotated[str, Word(vocab.VerificationStatus)]
    reasons: list[str]
    checks: list[dict[str, Any]]


class ProposalAnswer(BaseModel):
    """A proposal as its filer sees it. From `reason_code` on: once it was decided."""

    id: str
    version: int
    status: Annotated[str, Word(vocab.HeldStatus)]
    match_kind: Annotated[str, Word(vocab.MatchKind)]
    matched: list[str]
    verification: VerificationAnswer
    risk: Annotated[str, Word(vocab.Risk)]
    eligibility: Annotated[str, Word(vocab.Eligibility)]
    url: str
    grants: Grants
    reason_code: str | None = None
    reason: str | None = None
    decided_at: str | None = None
    record_id: str | None = None
    replaced_by: str | None = None
    idempotent_replay: bool | None = None


class SourceOut(BaseModel):
    id: str
    version: str


class ClaimOut(BaseModel):
    subject: str
    attribute: str
    value: str


class CheckOut(BaseModel):
    at: str | None
    by: str
    method: str
    confirmed_by: str | None


class ScopeOut(BaseModel):
    owner: str
    access: str
    shared_with: list[str]
    project: str | None


class ReachOut(BaseModel):
    level: str
    ref: str


class ValidOut(BaseModel):
    start: str | None = Field(alias="from")
    until: str | None


class ApprovalOut(BaseModel):
    """History: who approved this text. It permits nothing."""

    by: str
    at: str | None
    proposal: str


class RecordOut(BaseModel):
    """The record (contract 1)."""

    id: str
    kind: Annotated[str, Word(vocab.Kind)]
    source: SourceOut
    namespace: str
    claim: ClaimOut | None
    content: str
    summary: str
    excerpt: str
    tags: list[str]
    rule_type: str | None
    layer: str
    reach: ReachOut | None
    valid: ValidOut | None
    event_at: str | None
    ingested_at: str | None
    check: CheckOut | None
    volatility: str
    ttl_days: float | None
    scope: ScopeOut
    trust: str
    review: str | None
    approval: ApprovalOut | None
    state: str
    superseded_by: str | None
    derived_from: list[str]
    trust_class: str
    durability: str
    polarity: str
    redaction: str


class RecordAnswer(BaseModel):
    record: RecordOut
    label: LabelWord
    expires_at: str | None
    conflicts_with: list[str]
    advice: Literal["re-check before stating"] | None = None
    grants: Grants


class RecordListed(BaseModel):
    record: RecordOut
    label: LabelWord
    expires_at: str | None
    conflicts_with: list[str]
    advice: Literal["re-check before stating"] | None = None


class ResultOut(RecordListed):
    score: float
    backend: str


class RecallSource(BaseModel):
    """`failed`: this source gave no evidence, which does not mean that nothing is known."""

    backend: str
    status: Literal["ok", "no_evidence", "failed"]
    reason: str | None = None


class RecallAnswer(BaseModel):
    """`receipt`: of a text query, what was shown, signed; give it back with `POST feedback`. It permits nothing."""

    results: list[ResultOut]
    sources: list[RecallSource]
    receipt: str | None = None
    grants: Grants


class QuestionSide(BaseModel):
    side: Literal["current", "incoming"]
    id: str
    text: str
    source: str


class QuestionOut(BaseModel):
    """A question to you. `wanted`: what the owner asks for; `sides`: those that you may read."""

    id: str
    version: int
    kind: Annotated[str, Word(vocab.InquiryKind)]
    status: Annotated[str, Word(vocab.InquiryStatus)]
    severity: Annotated[str, Word(vocab.Risk)]
    question: str
    wanted: str | None
    asked_at: str | None
    came_at: str | None
    sides: list[QuestionSide]
    grants: Grants


class QuestionsOut(BaseModel):
    items: list[QuestionOut]
    grants: Grants


class BroughtOut(BaseModel):
    """`attached: false`: this very evidence had come to the question before."""

    evidence: EvidenceFiled
    attached: bool
    question: QuestionOut
    grants: Grants
    idempotent_replay: bool | None = None


class Listing(BaseModel):
    """`next`: give it as `after` for the page that follows."""

    items: list[RecordListed]
    next: str | None
    grants: Grants


class CountOut(BaseModel):
    """Counted up to a thousand. `more`: there are further ones."""

    count: int
    more: bool


class StatsAnswer(BaseModel):
    """What there is for you to read. `open_questions`: what owners ask you for."""

    agent: str
    namespace: str
    counted_at: str
    kinds: dict[str, CountOut]
    labels: dict[str, CountOut]
    open_questions: int


class ExportAnswer(BaseModel):
    """No authority: it cites ids and says when it was made. `markdown` instead of `items` where that was asked for."""

    made_at: str
    namespace: str
    items: list[RecordListed]
    markdown: str | None = None
    next: str | None
    grants: Grants


class ContextLine(BaseModel):
    id: str
    label: LabelWord
    text: str
    advice: Literal["re-check before stating"] | None = None
    conflicts_with: list[str] | None = None


class ContextAnswer(BaseModel):
    """`left_out`: there is more than the budget holds; recall finds it."""

    kind: Literal["startup", "task"]
    made_at: str
    budget: int
    lines: list[ContextLine]
    open_questions: int
    left_out: bool
    grants: Grants


class ForgetAnswer(BaseModel):
    """`forgotten: false`: the owner is asked, in the question of that id; until then the record stays."""

    id: str
    forgotten: bool
    question: str | None
    grants: Grants


class QuestionsAnswer(BaseModel):
    """`items` where you asked for your questions; `evidence`, `attached` and `question` where you brought something."""

    items: list[QuestionOut] | None = None
    evidence: EvidenceFiled | None = None
    attached: bool | None = None
    question: QuestionOut | None = None
    grants: Grants


class FeedbackOut(BaseModel):
    """The word as it stands; its id is what a correction names. `created: false`: it was there already."""

    id: str
    record: str
    rank: int
    type: Annotated[str, Word(vocab.FeedbackType)]
    outcome: Annotated[str, Word(vocab.FeedbackOutcome)] | None
    supersedes: str | None
    created: bool
    grants: Grants
    idempotent_replay: bool | None = None
