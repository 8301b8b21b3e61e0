"""What an answer to a question is planned with: its situation, what is chosen, and the steps that follow. Pure values."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from evidence.rules.permissions import Refusal
from evidence.rules.planning import LabelPreview, Ref
from evidence.rules.records import Scope


class StepKind(StrEnum):
    CONFIRM_RECORD = "confirm_record"
    CREATE_RECORD = "create_record"
    SUPERSEDE_RECORD = "supersede_record"
    REVOKE_RECORD = "revoke_record"
    RESCOPE_RECORD = "rescope_record"
    RETIME_RECORD = "retime_record"
    KEEP_RECORD = "keep_record"
    APPROVE_EVIDENCE = "approve_evidence"
    APPROVE_ITEM = "approve_item"
    REJECT_ITEM = "reject_item"
    REPLACE_ITEM = "replace_item"
    CLOSE_EQUAL = "close_equal"
    CLOSE_QUESTION = "close_question"
    OPEN_PROPOSAL = "open_proposal"
    ASK_AGENT = "ask_agent"
    COUNT_REVIEWED = "count_reviewed"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happens. `template` is an English sentence with gaps for `texts`; pages translate it."""

    kind: StepKind
    target_kind: str
    target_id: str
    template: str
    texts: dict[str, str] = field(default_factory=dict)
    # The label that the record has afterwards, and when it turns.
    label: LabelPreview | None = None

    @property
    def words(self) -> str:
        return self.template % self.texts

    def as_dict(self) -> dict[str, object]:
        """Ids and words of the vocabulary only, for the audit row."""
        return {"kind": self.kind.value, "target_kind": self.target_kind, "target_id": self.target_id}


@dataclass(frozen=True, slots=True)
class SideState:
    """A side that still stands. `confirmed`: the label that it has once somebody confirms it now."""

    record_id: str
    version: int
    kind: str
    text: str
    label: str
    confirmed: LabelPreview
    reviewed: bool = False
    has_claim: bool = False
    scope: Scope = field(default_factory=Scope)


@dataclass(frozen=True, slots=True)
class ItemState:
    """The held item of the question, still waiting. `content` changes with what it claims, not with its version."""

    id: str
    kind: str
    text: str
    content: str
    # Who proposed it: not always the agent of the question.
    agent: str


@dataclass(frozen=True, slots=True)
class AnswerSituation:
    """Everything that the outcome of an answer depends on. `new_label`: of a fact that is confirmed now."""

    inquiry_id: str
    kind: str
    agent: str
    current: SideState | None = None
    incoming: SideState | None = None
    item: ItemState | None = None
    # Other reports that say what the incoming side says; they share its fate.
    reports: tuple[Ref, ...] = ()
    equals: tuple[Ref, ...] = ()
    questions: tuple[Ref, ...] = ()
    # Facts on the same claim.
    neighbours: tuple[Ref, ...] = ()
    new_label: LabelPreview | None = None
    policy_version: int = 0
    # Why the answers that approve the item are not for this person, and those that make a fact of any value.
    approving: Refusal | None = None
    lasting: Refusal | None = None

    @property
    def article(self) -> bool:
        return self.current is not None and self.current.reviewed


@dataclass(frozen=True, slots=True)
class AnswerChoices:
    """What the person says beside the answer. Empty: not said yet; the plan then speaks of it in general.

    `displaced`: facts whose very place the new one takes, found for these choices.
    """

    value: str = ""
    current_scope: Scope | None = None
    incoming_scope: Scope | None = None
    displaced: tuple[Ref, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerPlan:
    answer: str
    steps: tuple[Step, ...]
    refusal: Refusal | None = None
    digest: str = ""
