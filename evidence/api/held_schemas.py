"""What answers about held items look like, for the OpenAPI pages; tests hold the real ones against these."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from evidence.api.shapes import errors
from evidence.rules import vocab
from evidence.rules.bulk import ItemOutcome, JobKind, JobStatus
from evidence.selectors.answer_shapes import Grants
from evidence.services.decision_shapes import SEARCH_MAX
from evidence.services.request_shapes import Shape, Word

LIST_ERRORS = errors(400, 401, 403, 413, 422)
READ_ERRORS = errors(401, 403, 404, 422)
CLAIM_ERRORS = errors(400, 401, 403, 404, 409, 413, 422)
DECIDE_ERRORS = errors(400, 401, 403, 404, 409, 413, 422)

StatusWord = Annotated[str, Word(vocab.HeldStatus)]


class QueueQuery(Shape):
    """`q`: what one may write into the search box of the queue. `count=1`: how many there are, too."""

    q: Annotated[str, Field(max_length=SEARCH_MAX)] = ""
    after: Annotated[str, Field(max_length=500)] = ""
    limit: Annotated[int, Field(ge=1, le=100, strict=False)] = 50
    count: Annotated[int, Field(ge=0, le=1, strict=False)] = 0


class LeaseQuery(Shape):
    """The token of the lease that is given back."""

    token: Annotated[int, Field(ge=0, le=2**31 - 1, strict=False)]


class JobQuery(Shape):
    """`after`: the position behind which the page begins."""

    after: Annotated[int, Field(ge=0, le=2**31 - 1, strict=False)] | None = None
    limit: Annotated[int, Field(ge=1, le=200, strict=False)] = 100


class OriginOut(BaseModel):
    system: str
    id: str


class HeldRow(BaseModel):
    """An item of the queue. `leased_by`: who looks at it right now."""

    id: str
    version: int
    kind: Annotated[str, Word(vocab.HeldKind)]
    statement: str
    agent: str
    namespace: str
    status: StatusWord
    risk: Annotated[str, Word(vocab.Risk)]
    match_kind: Annotated[str, Word(vocab.MatchKind)]
    priority: int
    created_at: str
    expires_at: str | None
    leased_by: str | None
    origin: OriginOut | None
    url: str


class QueueOut(BaseModel):
    """`next`: give it as `after` for the page that follows. `count`: as text, since beyond a thousand it says `1000+`.

    `stopped_after`: a search of what no index knows looked at so many rows, and goes on from `next`.
    """

    items: list[HeldRow]
    next: str | None
    count: str | None = None
    stopped_after: int | None = None


class LeaseOut(BaseModel):
    """Who looks at it until when. `token`: yours, to prolong it or give it back; none where it is somebody else's."""

    until: str
    token: int | None
    holder: str
    mine: bool


class NextOut(BaseModel):
    """What was claimed; nothing where nothing is free. `held_by_others`: how many others are looking at."""

    item: HeldRow | None
    lease: LeaseOut | None
    held_by_others: str


class ReleasedOut(BaseModel):
    """`released: false`: the lease was not this one any more."""

    released: bool


class StepOut(BaseModel):
    kind: str
    target_kind: str
    target_id: str
    words: str


class NeedOut(BaseModel):
    """What the decision still has to say: the code of the refusal that it gets without."""

    code: str
    detail: str


class ApprovalsOut(BaseModel):
    have: int
    need: int


class PlanOut(BaseModel):
    """What an action would do. `labels`: what the fact is labelled, by what is given as `checked_at`."""

    plan_digest: str
    plan: list[StepOut]
    needs: list[NeedOut]
    labels: dict[str, Any]
    approvals: ApprovalsOut


class NotAllowedOut(BaseModel):
    action: Annotated[str, Word(vocab.Action)]
    code: str
    detail: str


class DecisionOut(BaseModel):
    """A link of the audit chain."""

    id: str
    digest: str
    seq: int
    action: str
    at: str
    by: str
    reason_code: str | None
    solo: bool
    amends: str | None
    undoes: str | None


class VerificationOut(BaseModel):
    status: Annotated[str, Word(vocab.VerificationStatus)]
    reasons: list[str]
    checks: list[dict[str, Any]]


class HeldOut(HeldRow):
    """All that the page of the item shows. `plans`: by action; `not_allowed`: why not, for the actions that are not."""

    claim: dict[str, Any] | None
    article: dict[str, Any] | None
    volatility: str
    ttl_days: float | None
    durability: str
    trust_class: str
    effective_trust_class: str
    trust: str
    layer: str
    rule_type: str
    tags: list[str]
    eligibility: str
    independent_sources: int
    flags: list[str]
    event_at: str | None
    check: dict[str, Any] | None
    valid: dict[str, Any]
    reach: dict[str, Any] | None
    scope: dict[str, Any]
    supersedes: list[str]
    filed_by: str
    snoozed_until: str | None
    match: dict[str, Any]
    verification: VerificationOut
    evidence: list[dict[str, Any]]
    more_evidence: int
    current: list[dict[str, Any]]
    questions: list[dict[str, Any]]
    earlier: list[dict[str, Any]]
    decisions: list[DecisionOut]
    ending: dict[str, Any] | None
    plans: dict[str, PlanOut]
    allowed_actions: list[Annotated[str, Word(vocab.Action)]]
    not_allowed: list[NotAllowedOut]
    solo: bool
    grants: Grants
    idempotent_replay: bool | None = None


class StateOut(BaseModel):
    """Where an item stands now: the version is what an undo names."""

    id: str
    version: int
    status: StatusWord


class DecidedOut(BaseModel):
    """What was decided. `approvals`: while a second person's is missing. `next`: the item that a claim would most likely give."""

    decision: DecisionOut
    effects: list[dict[str, Any]]
    item: StateOut
    approvals: ApprovalsOut | None = None
    next: str | None
    grants: Grants
    idempotent_replay: bool | None = None


class UndoneOut(BaseModel):
    """What was taken back. `shown`: recalls that showed it meanwhile, newest first."""

    decision: DecisionOut
    item: StateOut | None
    shown: list[dict[str, Any]]
    grants: Grants
    idempotent_replay: bool | None = None


class JobOut(BaseModel):
    """A bulk, or the taking back of one. The numbers are counted from its rows just now."""

    id: str
    kind: Annotated[str, Word(JobKind)]
    action: str
    status: Annotated[str, Word(JobStatus)]
    created_at: str
    finished_at: str | None
    items: int
    selected: int
    waiting: int
    done: int
    undone_by: str | None
    url: str


class JobStartedOut(BaseModel):
    job: JobOut
    grants: Grants
    idempotent_replay: bool | None = None


class JobItemOut(BaseModel):
    """What became of one item. `left_out`: it was not tried, and `code` says why. An empty outcome: not yet."""

    id: str
    version: int | None
    outcome: Annotated[str, Word(("", "left_out", *ItemOutcome))]
    code: str | None
    detail: str | None
    decision: str | None


class JobReadOut(BaseModel):
    job: JobOut
    items: list[JobItemOut]
    next: int | None
    grants: Grants
