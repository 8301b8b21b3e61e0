"""What readers make of foreign files: typed items with their place, and problems where a part could not be taken.

Items carry what the file says, mapped to the contract's shapes; what becomes of them is the importing service's business.
Times stay text as it came (contract 1). Nothing here is checked against the store.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from evidence.rules.records import Check, Claim, Reach, Record, Scope, Source, Validity
from evidence.rules.vocab import InquiryKind

# In `extra`: the decision of a desk that made this entry there. On the desk that took it, it is no evidence of itself.
DECISION_FIELD = "desk_decision"


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: a file relative to what was imported, with a line (from 1) or a part of it."""

    file: str
    line: int = 0
    part: str = ""

    def __str__(self) -> str:
        at = f":{self.line}" if self.line else ""
        return f"{self.file}{at} {self.part}".rstrip()


@dataclass(frozen=True, slots=True)
class Note:
    """Something the reader took differently than it came, or not at all. `serious` ones make the run end with status 3."""

    code: str
    detail: str
    serious: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """A part that was not taken: why, with a stable code; never the offending text.

    `serious=False` where nothing is wrong with it: the desk has no place for it, and says so.
    """

    place: Place
    code: str
    detail: str
    serious: bool = True


@dataclass(frozen=True, slots=True)
class ForeignDecision:
    """What another system decided. History: it never becomes a decision of ours (contract 1 "Approvals are not permissions")."""

    status: str
    by: str = ""
    at: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """`foreign_id` is the other system's own id; `digest` names the entry as it came, so that a change is noticed.

    `extra` holds members that nobody interprets, for display. `namespace` is what the entry itself says, "" where it does not.
    """

    place: Place
    foreign_id: str
    agent: str
    digest: str
    namespace: str = ""
    notes: tuple[Note, ...] = ()
    decided: ForeignDecision | None = None
    extra: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Linked:
    """A record that stands behind a proposal, with the thread it comes from (contract 6: independent sources)."""

    record: Record
    thread: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceItem(Item):
    """Something uncurated: an observation, a memory line. External ones are held (contract 4)."""

    record: Record
    thread: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactItem(Item):
    """A fact of a ledger or a version of an article. `history` is what it replaced, oldest first."""

    record: Record
    history: tuple[Record, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalItem(Item):
    """A claim that waits for a person, or did (`decided`). `evidence_ids` name records that exist already."""

    statement: str
    claim: Claim | None = None
    evidence: tuple[Linked, ...] = ()
    evidence_ids: tuple[str, ...] = ()
    event_at: str = ""
    check: Check | None = None
    volatility: str = "work-state"
    ttl_days: float | None = None
    valid: Validity | None = None
    scope: Scope = field(default_factory=Scope)
    trust: str = "external"
    trust_class: str = "unknown"
    durability: str = "unknown"
    layer: str = "L2"
    rule_type: str = ""
    tags: tuple[str, ...] = ()
    reach: Reach | None = None
    supersedes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionItem(ProposalItem):
    """A new text for the article `target` (a `wiki:` source id), written against `base_version` ("" = no article then)."""

    target: str
    base_version: str
    title: str
    content: str
    article_type: str = ""
    related: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    occurrences: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionItem(Item):
    """A question to an owner. Of a contradiction: `current_source` names the fact, `incoming` is what was reported against it.

    Of two facts that stand, `incoming_source` names the other one. Of a proposal that waits, `candidate` is its foreign id; it
    is what is reported. `answer` is the foreign answer's text; with `decided` the question arrives closed.
    """

    kind: InquiryKind
    question: str
    asked_at: str = ""
    current_source: str = ""
    incoming: Record | None = None
    incoming_source: str = ""
    candidate: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TombstoneItem(Item):
    """Something that was deleted there and must not come back. `source` names it where nothing of it is here."""

    source: Source
    deleted_at: str = ""
    cause: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryItem(Item):
    """What only tells how something else came about (a review, a patch, an annotation): kept beside it, no row of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalItem(Item):
    """Something that one agent told whoever takes it. `acknowledged_at` where that was done; who held it there is history."""

    content: str
    title: str = ""
    tags: tuple[str, ...] = ()
    correlation_id: str = ""
    created_at: str = ""
    expires_at: str = ""
    acknowledged_at: str = ""
    acknowledged_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPart:
    """A part of a run's work; the whole has no parent."""

    id: str
    parent: str
    goal: str
    owner: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLink:
    """What a run did with a record that is known here as `record_id`; `source`: the event whose recall showed it."""

    id: str
    event: str
    source: str
    relation: str
    record_id: str
    content_version: str
    receipt_hash: str
    rank: int | None
    review_required: bool
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunHappening:
    """One event, numbered from 1; `artifact` is where something lies, in the names of the doors."""

    id: str
    part: str
    sequence: int
    type: str
    summary: str
    payload: Mapping[str, object]
    evidence: tuple[object, ...]
    agent: str
    at: str
    artifact: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunVerdict:
    """One outcome; `supersedes` names the one before."""

    id: str
    outcome: str
    evaluator_type: str
    evaluator: str
    evidence: tuple[object, ...]
    metrics: Mapping[str, object]
    termination_reason: str
    supersedes: str
    regression_of: str
    by: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunItem(Item):
    """A run with everything that its ledger holds, each in its order."""

    workspace_key: str
    goal: str
    thread: str
    profile: str
    memory_scopes: tuple[str, ...]
    acceptance_criteria: tuple[object, ...]
    budget: Mapping[str, object]
    at: str
    parts: tuple[RunPart, ...]
    happenings: tuple[RunHappening, ...]
    links: tuple[RunLink, ...]
    verdicts: tuple[RunVerdict, ...]


AnyItem = EvidenceItem | FactItem | ProposalItem | QuestionItem | TombstoneItem | HistoryItem | SignalItem | RunItem
Read = AnyItem | Problem
