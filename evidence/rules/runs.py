"""Runs of agents: which event may come when, and what follows from the events that came. Pure.

A work item's state follows from the last event that moved it, a run's from its work items and its newest outcome. So a
projection can be held against the ledger at any time, one item at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evidence.rules.errors import BadInput
from evidence.rules.run_vocab import Evaluator, MemoryRelation, RunEventType, RunOutcomeWord, RunStatus, WorkItemStatus
from evidence.rules.vocab import FeedbackOutcome

ENDED: frozenset[WorkItemStatus] = frozenset(
    {WorkItemStatus.COMPLETED, WorkItemStatus.FAILED, WorkItemStatus.ABANDONED}
)


@dataclass(frozen=True, slots=True)
class Move:
    """What an event makes of its work item, and from which states."""

    to: WorkItemStatus
    since: frozenset[WorkItemStatus]


_OPEN = frozenset({WorkItemStatus.PENDING, WorkItemStatus.ACTIVE, WorkItemStatus.BLOCKED})
_BEGUN = frozenset({WorkItemStatus.ACTIVE, WorkItemStatus.BLOCKED})
_ACTIVE = frozenset({WorkItemStatus.ACTIVE})

MOVES: Mapping[RunEventType, Move] = {
    RunEventType.WORK_ITEM_STARTED: Move(WorkItemStatus.ACTIVE, _OPEN),
    RunEventType.WORK_ITEM_RESUMED: Move(WorkItemStatus.ACTIVE, frozenset({WorkItemStatus.BLOCKED})),
    RunEventType.BLOCKER: Move(WorkItemStatus.BLOCKED, _BEGUN),
    RunEventType.BLOCKER_RESOLVED: Move(WorkItemStatus.ACTIVE, frozenset({WorkItemStatus.BLOCKED})),
    RunEventType.WORK_ITEM_COMPLETED: Move(WorkItemStatus.COMPLETED, _ACTIVE),
    RunEventType.WORK_ITEM_FAILED: Move(WorkItemStatus.FAILED, _BEGUN),
    RunEventType.WORK_ITEM_ABANDONED: Move(WorkItemStatus.ABANDONED, _OPEN),
}
MOVING: frozenset[RunEventType] = frozenset(MOVES)

RELATION_OF: Mapping[RunEventType, MemoryRelation] = {
    RunEventType.MEMORY_RECALLED: MemoryRelation.RECALLED,
    RunEventType.MEMORY_APPLIED: MemoryRelation.APPLIED,
    RunEventType.MEMORY_REJECTED: MemoryRelation.REJECTED,
}
# Which word about a record goes with what the run did with it.
GOES_WITH: Mapping[MemoryRelation, frozenset[FeedbackOutcome]] = {
    MemoryRelation.APPLIED: frozenset({FeedbackOutcome.HELPFUL}),
    MemoryRelation.REJECTED: frozenset(
        {FeedbackOutcome.MISLEADING, FeedbackOutcome.OUTDATED, FeedbackOutcome.NOT_APPLICABLE}
    ),
}

_STATUS_OF: Mapping[RunOutcomeWord, RunStatus] = {
    RunOutcomeWord.FAILED: RunStatus.FAILED,
    RunOutcomeWord.ABANDONED: RunStatus.ABANDONED,
}


class WrongState(ValueError):
    """The event does not go with the state of its work item; `status` is that state, `ended`: nothing does any more."""

    def __init__(self, detail: str, status: WorkItemStatus) -> None:
        super().__init__(detail)
        self.detail, self.status, self.ended = detail, status, status in ENDED


def moved(event: RunEventType, status: WorkItemStatus) -> WorkItemStatus:
    """The state of a work item after the event. Raises `WrongState`."""
    move = MOVES.get(event)
    if move is None:
        return status
    if status not in move.since:
        raise WrongState(f"A work item that is {status} takes no {event}.", status)
    return move.to


def check_child(parent: WorkItemStatus) -> None:
    """A child is declared under what is being worked on. Raises `WrongState`."""
    if parent != WorkItemStatus.ACTIVE:
        raise WrongState(f"A work item that is {parent} takes no further parts.", parent)


def run_status(outcome: RunOutcomeWord | str | None) -> RunStatus:
    if not outcome:
        return RunStatus.ACTIVE
    return _STATUS_OF.get(RunOutcomeWord(outcome), RunStatus.COMPLETED)


def check_outcome(
    outcome: RunOutcomeWord, evaluator: Evaluator, *, evidence: Iterable[object], names_run: bool
) -> None:
    """What an outcome needs beside its word. Raises `BadInput`."""
    if outcome == RunOutcomeWord.VERIFIED_SUCCESS:
        if evaluator not in (Evaluator.DETERMINISTIC_VERIFIER, Evaluator.HUMAN):
            detail = "A success is verified by a deterministic verifier or by a person."
            raise BadInput("invalid_value", detail, "evaluator_type")
        if not any(map(_says_something, evidence)):
            raise BadInput("invalid_value", "A verified success names its evidence.", "evidence")
    if outcome == RunOutcomeWord.REGRESSION and not names_run:
        detail = "A regression names the earlier run that had succeeded."
        raise BadInput("invalid_value", detail, "regression_of_run_id")
    if outcome != RunOutcomeWord.REGRESSION and names_run:
        raise BadInput("invalid_value", "Only a regression is one of another run.", "regression_of_run_id")


def _says_something(evidence: object) -> bool:
    """`{}` and `" "` are no evidence."""
    return bool(evidence.strip() if isinstance(evidence, str) else evidence)


@dataclass(frozen=True, slots=True)
class Told:
    """A link with feedback, and how things stand with both: what a record's use is counted from."""

    run: str
    relation: MemoryRelation
    outcome: FeedbackOutcome
    is_head: bool
    run_has_outcome: bool


@dataclass(frozen=True, slots=True)
class Utility:
    """What became of one version of a record in runs. Shown to people; nothing is ranked by it, so its score is fixed."""

    helpful: int = 0
    misleading: int = 0
    outdated: int = 0
    not_applicable: int = 0
    supporting: int = 0
    contradicting: int = 0
    score: float = 0.0


def utility_of(told: Iterable[Told]) -> Utility:
    """Counts words that stand; a run counts once on each side, and only once it has an outcome."""
    words = dict.fromkeys(("helpful", "misleading", "outdated", "not_applicable"), 0)
    runs: dict[MemoryRelation, set[str]] = {MemoryRelation.APPLIED: set(), MemoryRelation.REJECTED: set()}
    for one in told:
        if not one.is_head or one.outcome not in GOES_WITH.get(one.relation, frozenset()):
            continue
        if one.run_has_outcome:
            words[str(one.outcome)] += 1
            runs[one.relation].add(one.run)
    return Utility(
        **words, supporting=len(runs[MemoryRelation.APPLIED]), contradicting=len(runs[MemoryRelation.REJECTED])
    )
