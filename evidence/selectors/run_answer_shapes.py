"""What the doors' answers about runs look like, member by member: for the OpenAPI pages and the schemas of MCP's tools."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel

from evidence.rules import run_vocab, vocab
from evidence.selectors.answer_shapes import Grants
from evidence.services.request_shapes import Word

StatusWord = Annotated[str, Word(run_vocab.RunStatus)]


class RunBegun(BaseModel):
    """`root_work_item_id` stands for the whole of the work. `run_generation` rises with every write."""

    run_id: str
    root_work_item_id: str
    status: StatusWord
    initial_sequence: int
    database_epoch: str
    run_generation: int
    created_at: str
    created: bool
    grants: Grants
    idempotent_replay: bool | None = None


class ArtifactOut(BaseModel):
    """Where something lies. Its id is made here; `operator_open_required`: it leads out, so a person opens it, no program."""

    artifact_id: str
    event_id: str
    work_item_id: str
    digest: str
    mime_type: str
    uri: str
    metadata: dict[str, Any]
    created_at: str
    operator_open_required: bool


class MemoryLinkOut(BaseModel):
    """`label`: what the record was shown under then. `review_required`: named by hand, no credit."""

    relation: Annotated[str, Word(run_vocab.MemoryRelation)]
    record: str
    content_version: str
    label: str
    rank: int | None
    feedback: str | None
    source_event: str | None
    review_required: bool


class EventRecorded(BaseModel):
    """`created: false`: recorded before under the same key."""

    run_id: str
    event_id: str
    work_item_id: str
    event_type: Annotated[str, Word(run_vocab.RunEventType)]
    sequence: int
    run_generation: int
    created_at: str
    created: bool
    artifact: ArtifactOut | None = None
    memory: list[MemoryLinkOut]
    grants: Grants
    idempotent_replay: bool | None = None


class OutcomeOut(BaseModel):
    """`said_by`: whose word it is. A judge that an agent names stays what the agent says."""

    outcome_id: str
    run_id: str
    outcome: Annotated[str, Word(run_vocab.RunOutcomeWord)]
    evaluator_type: Annotated[str, Word(run_vocab.Evaluator)]
    evaluator: str
    said_by: Annotated[str, Word(vocab.ActorKind)]
    evidence: list[Any]
    metrics: dict[str, Any]
    termination_reason: str
    supersedes_outcome_id: str | None
    regression_of_run_id: str | None
    is_head: bool
    created_at: str


class RunCompleted(OutcomeOut):
    """`created: false`: said before under the same key."""

    status: StatusWord
    run_generation: int
    open_gaps: int
    created: bool
    grants: Grants
    idempotent_replay: bool | None = None


class RunOut(BaseModel):
    run_id: str
    workspace_key: str
    goal: str
    agent: str
    thread_id: str
    evidence_profile: str
    memory_scopes: list[str]
    acceptance_criteria: list[Any]
    budget: dict[str, Any]
    status: StatusWord
    run_generation: int
    open_gaps: int
    created_at: str
    ended_at: str | None


class WorkItemOut(BaseModel):
    work_item_id: str
    parent_work_item_id: str | None
    goal: str
    owner: str
    status: Annotated[str, Word(run_vocab.WorkItemStatus)]
    created_at: str
    ended_at: str | None


class EventOut(BaseModel):
    event_id: str
    sequence: int
    work_item_id: str
    event_type: Annotated[str, Word(run_vocab.RunEventType)]
    summary: str
    payload: dict[str, Any]
    evidence: list[Any]
    closes_event_id: str | None
    memory: list[MemoryLinkOut]
    created_at: str


class SequencesOut(BaseModel):
    """`next`: give it as `since` for the page that follows."""

    since: int
    last: int
    next: int | None


class RunAnswer(BaseModel):
    """A run, its work items (the first 500) and a page of its events, with the artifacts and records of that page.
    `outcome` stands, `outcomes` is the line that led to it. `degraded`: what is kept of it has to be repaired first.
    """

    run: RunOut
    work_items: list[WorkItemOut]
    more_work_items: bool
    events: list[EventOut]
    artifacts: list[ArtifactOut]
    outcome: OutcomeOut | None
    outcomes: list[OutcomeOut]
    sequences: SequencesOut
    has_more: bool
    database_epoch: str
    projection_health: Literal["healthy", "drifted"]
    degraded: bool
    grants: Grants
