"""What doors accept of runs (doors "Runs"; reference names of the bridge are taken as well): shapes, words, limits in bytes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, AliasChoices, Field, StringConstraints
from pydantic_core import PydanticCustomError

from evidence.models.runs import THREAD_LENGTH, WORKSPACE_LENGTH
from evidence.rules import run_vocab
from evidence.rules.chain import canonical_json
from evidence.rules.receipts import LONGEST as LONGEST_RECEIPT
from evidence.selectors.recall import MOST_RESULTS
from evidence.services.feedback_shapes import FeedbackId
from evidence.services.idempotency import LONGEST_KEY
from evidence.services.request_shapes import Name, RecordId, Shape, Word, said

GOAL_MAX = 8 * 1024
SUMMARY_MAX = 4 * 1024
STRUCTURED_MAX = 32 * 1024
REASON_MAX = 1_024
SCOPES_MAX = 32
CRITERIA_MAX = 64
ITEMS_MAX = 32
MOST_EVENTS = 500
# What is said of the ledger as it was seen, and the key: no part of what is asked for.
_ABOUT_ASKING = frozenset({"idempotency_key"})


class Bytes:
    """An annotation: a text or a structure of at most so many bytes, as it is stored."""

    def __init__(self, longest: int) -> None:
        self._longest = longest

    def __call__(self, value: Any) -> Any:
        text = value if isinstance(value, str) else _written(value)
        if len(text.encode("utf-8", "surrogatepass")) > self._longest:
            raise PydanticCustomError("too_large", "is longer than {longest} bytes", {"longest": self._longest})
        return value


def _written(value: Any) -> str:
    try:
        return canonical_json(value)
    except (ValueError, TypeError, RecursionError):
        raise PydanticCustomError("invalid_value", "holds what JSON cannot") from None


Goal = Annotated[str, AfterValidator(said), AfterValidator(Bytes(GOAL_MAX))]
EventSummary = Annotated[str, AfterValidator(said), AfterValidator(Bytes(SUMMARY_MAX))]
Workspace = Annotated[str, StringConstraints(max_length=WORKSPACE_LENGTH), AfterValidator(said)]
Structure = Annotated[dict[str, Any], AfterValidator(Bytes(STRUCTURED_MAX))]
Listed = Annotated[list[Any], AfterValidator(Bytes(STRUCTURED_MAX))]
Key = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_KEY)]
Epoch = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]
RunEventWord = Annotated[str, Word(run_vocab.RunEventType)]
OutcomeWord = Annotated[str, Word(run_vocab.RunOutcomeWord)]
EvaluatorWord = Annotated[str, Word(run_vocab.Evaluator)]


class Expecting(Shape):
    """What the caller takes for granted. Where one of it is not so, nothing is written: 409 `version_conflict`."""

    idempotency_key: Key | None = None
    workspace_key: Workspace | None = None
    expected_database_epoch: Epoch | None = None
    expected_run_generation: Number | None = None
    expected_last_sequence: Number | None = None

    def asked(self) -> Asked:
        return Asked(
            key=self.idempotency_key or "", workspace=self.workspace_key, epoch=self.expected_database_epoch,
            generation=self.expected_run_generation, last_sequence=self.expected_last_sequence,
            body=self.model_dump(mode="json", exclude=set(_ABOUT_ASKING)),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """How something is asked for: under which key, and what is expected of the run. `body` is what the key stands for."""

    key: str = ""
    workspace: str | None = None
    epoch: str | None = None
    generation: int | None = None
    last_sequence: int | None = None
    body: dict[str, Any] = field(default_factory=dict)


class BeginRunShape(Shape):
    """A run begins: where (`workspace_key`) and what for. The same `idempotency_key` again is the same run."""

    workspace_key: Workspace
    goal: Goal
    thread_id: Annotated[str, StringConstraints(max_length=THREAD_LENGTH)] = ""
    memory_scopes: Annotated[list[Name], Field(max_length=SCOPES_MAX)] = []
    acceptance_criteria: Annotated[
        list[Any], Field(max_length=CRITERIA_MAX), AfterValidator(Bytes(STRUCTURED_MAX))
    ] = []
    budget: Annotated[dict[str, Any], AfterValidator(Bytes(8 * 1024))] = {}
    evidence_profile: Annotated[str, Word(run_vocab.RunProfile)] = str(run_vocab.RunProfile.OBSERVATIONAL)
    idempotency_key: Key | None = None
    expected_database_epoch: Epoch | None = None

    def asked(self) -> Asked:
        return Asked(
            key=self.idempotency_key or "", epoch=self.expected_database_epoch,
            body=self.model_dump(mode="json", exclude=set(_ABOUT_ASKING)),
        )  # fmt: skip

    def to_beginning(self) -> Beginning:
        return Beginning(
            workspace_key=self.workspace_key, goal=self.goal, thread=self.thread_id,
            memory_scopes=tuple(self.memory_scopes), acceptance_criteria=tuple(self.acceptance_criteria),
            budget=self.budget, profile=self.evidence_profile,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a run is begun with."""

    workspace_key: str
    goal: str
    thread: str = ""
    memory_scopes: tuple[str, ...] = ()
    acceptance_criteria: tuple[Any, ...] = ()
    budget: dict[str, Any] = field(default_factory=dict)
    profile: str = run_vocab.RunProfile.OBSERVATIONAL


class MemoryItemShape(Shape):
    """One record of a recall: which, and at which rank. By hand: which, in which words (`content_version`)."""

    record: Annotated[RecordId, Field(validation_alias=AliasChoices("record", "memory_id"))]
    rank: Annotated[
        Annotated[int, Field(ge=1, le=MOST_RESULTS * 2)] | None,
        Field(validation_alias=AliasChoices("rank", "result_rank")),
    ] = None
    content_version: Annotated[
        Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32,64}$")] | None,
        Field(validation_alias=AliasChoices("content_version", "exact_content_version")),
    ] = None
    feedback: Annotated[FeedbackId | None, Field(validation_alias=AliasChoices("feedback", "feedback_id"))] = None


class AttributionShape(Shape):
    """`memory_recalled`: the `receipt` of the recall, and which of its results (all of them where `items` is left out).
    `memory_applied`, `memory_rejected`: `source_event`, the recall of this run that showed them, and for credit the `feedback`
    given on each. Without a source: named by hand, to be reviewed, no credit.
    """

    receipt: Annotated[
        Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_RECEIPT)] | None,
        Field(validation_alias=AliasChoices("receipt", "recall_receipt")),
    ] = None
    source_event: Annotated[
        FeedbackId | None, Field(validation_alias=AliasChoices("source_event", "source_recall_event_id"))
    ] = None
    items: Annotated[list[MemoryItemShape], Field(max_length=ITEMS_MAX)] | None = None

    def to_attribution(self) -> Attribution:
        items = None
        if self.items is not None:
            items = tuple(
                Attributed(
                    one.record, one.rank, one.content_version or "", UUID(one.feedback) if one.feedback else None
                )
                for one in self.items
            )
        return Attribution(self.receipt or "", UUID(self.source_event) if self.source_event else None, items)


@dataclass(frozen=True, slots=True)
class Attributed:
    record_id: str
    rank: int | None = None
    content_version: str = ""
    feedback: UUID | None = None


@dataclass(frozen=True, slots=True)
class Attribution:
    """What a run says that it did with records. `items` none: all that the receipt shows."""

    receipt: str = ""
    source: UUID | None = None
    items: tuple[Attributed, ...] | None = None


class RunEventShape(Expecting):
    """What happened. `work_item_goal` with `work_item_started` declares a new part of the work, under
    `parent_work_item_id` or the whole. `artifact_created` has `{digest, mime_type, uri, metadata?}` as its payload.
    """

    event_type: RunEventWord
    summary: EventSummary
    work_item_id: FeedbackId | None = None
    parent_work_item_id: FeedbackId | None = None
    work_item_goal: Goal | None = None
    payload: Structure = {}
    evidence: Listed = []
    memory_attribution: AttributionShape | None = None
    closes_event_id: FeedbackId | None = None

    def to_happening(self) -> Happening:
        return Happening(
            type=run_vocab.RunEventType(self.event_type), summary=self.summary, work_item=_uuid(self.work_item_id),
            parent=_uuid(self.parent_work_item_id), goal=self.work_item_goal or "", payload=self.payload,
            evidence=tuple(self.evidence), closes=_uuid(self.closes_event_id),
            attribution=self.memory_attribution.to_attribution() if self.memory_attribution else None,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Happening:
    """What is recorded as one event."""

    type: run_vocab.RunEventType
    summary: str
    work_item: UUID | None = None
    parent: UUID | None = None
    goal: str = ""
    payload: dict[str, Any] = field(default_factory=dict)
    evidence: tuple[Any, ...] = ()
    attribution: Attribution | None = None
    closes: UUID | None = None


class CompleteRunShape(Expecting):
    """How the run ended. A later word on it is another outcome that names the one before in `supersedes_outcome_id`."""

    outcome: OutcomeWord
    evaluator_type: EvaluatorWord
    evaluator: Annotated[str, StringConstraints(max_length=200)] = ""
    evidence: Listed = []
    metrics: Structure = {}
    termination_reason: Annotated[str, AfterValidator(Bytes(REASON_MAX))] = ""
    supersedes_outcome_id: FeedbackId | None = None
    regression_of_run_id: FeedbackId | None = None

    def to_ending(self) -> Ending:
        return Ending(
            outcome=run_vocab.RunOutcomeWord(self.outcome), evaluator_type=run_vocab.Evaluator(self.evaluator_type),
            evaluator=self.evaluator, evidence=tuple(self.evidence), metrics=self.metrics,
            termination_reason=self.termination_reason, supersedes=_uuid(self.supersedes_outcome_id),
            regression_of=_uuid(self.regression_of_run_id),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ending:
    """What is recorded as one outcome."""

    outcome: run_vocab.RunOutcomeWord
    evaluator_type: run_vocab.Evaluator
    evaluator: str = ""
    evidence: tuple[Any, ...] = ()
    metrics: dict[str, Any] = field(default_factory=dict)
    termination_reason: str = ""
    supersedes: UUID | None = None
    regression_of: UUID | None = None


class RunReadShape(Shape):
    """A page of a run's events, those after `since`."""

    since: Annotated[int, Field(ge=0, le=2**31 - 1, strict=False)] = 0
    limit: Annotated[int, Field(ge=1, le=MOST_EVENTS, strict=False)] = 100


class RunShapeId(Shape):
    """One of your own runs."""

    run_id: Annotated[str, Field(min_length=1, max_length=64)]


class GetRunShape(RunReadShape, RunShapeId):
    """One of your own runs, with the page of its events after `since`."""


class ToolRunEventShape(RunEventShape, RunShapeId):
    """What happened in one of your own runs."""


class ToolCompleteRunShape(CompleteRunShape, RunShapeId):
    """How one of your own runs ended."""


def _uuid(text: str | None) -> UUID | None:
    return UUID(text) if text else None
