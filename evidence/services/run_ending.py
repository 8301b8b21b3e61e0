"""How a run ended: an outcome, and later words on it, each in the place of the one before. Nothing else is ever added to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from evidence.models import Run, RunOutcome, RunState, Token
from evidence.rules.errors import BadInput
from evidence.rules.run_vocab import RunOutcomeWord
from evidence.rules.runs import check_outcome, run_status
from evidence.rules.vocab import ActorKind
from evidence.services.errors import Refused
from evidence.services.run_checks import (
    check_expected,
    check_nothing_hidden,
    check_said,
    check_same,
    key_hash,
    lock_own_run,
    request_hash,
)
from evidence.services.run_shapes import REASON_MAX, Asked, Ending
from evidence.services.run_states import check_in_step, check_whole, open_items
from evidence.services.run_utility import refresh_of_run
from evidence.services.texts import NAME_MAX


@dataclass(frozen=True, slots=True)
class Ended:
    outcome: RunOutcome
    created: bool


def complete_run(
    *, token: Token, run_id: UUID | None, ending: Ending, asked: Asked | None = None, now: datetime | None = None
) -> Ended:
    """An outcome of one of the token's own runs. Raises `Refused`: not_found, idempotency_conflict, version_conflict (another
    outcome stands, `head`), wrong_state (work or gaps are open), projection_drift, hidden_reasoning, invalid_value.
    """
    asked, at = asked or Asked(), now or timezone.now()
    _check(ending)
    with transaction.atomic():
        state = lock_own_run(token, run_id)
        key = key_hash(asked)
        known = RunOutcome.objects.filter(run_id=state.pk, key_hash=key).first() if key else None
        if known is not None:
            check_same(known.request_hash, asked)
            return Ended(known, False)
        check_expected(asked, state)
        check_in_step(state)
        _check_line(state, ending)
        if state.outcome_id is None:
            check_whole(state)
            _check_done(state)
        _check_gaps(state, ending)
        regression_of = _earlier_success(state.run, ending)
        outcome = RunOutcome.objects.create(
            run=state.run, outcome=ending.outcome, evaluator_type=ending.evaluator_type, evaluator=ending.evaluator,
            evidence=list(ending.evidence), metrics=ending.metrics, termination_reason=ending.termination_reason,
            supersedes_id=ending.supersedes, regression_of=regression_of, by_kind=ActorKind.AGENT,
            by_name=token.agent_id or "", at=at, key_hash=key, request_hash=request_hash(asked),
        )  # fmt: skip
        _go_on(state, outcome)
        refresh_of_run(state.pk)
    return Ended(outcome, True)


def _check(ending: Ending) -> None:
    check_said(
        {"termination_reason": (ending.termination_reason, REASON_MAX), "evaluator": (ending.evaluator, NAME_MAX)}
    )
    check_nothing_hidden({"evidence": list(ending.evidence), "metrics": ending.metrics})
    try:
        check_outcome(
            ending.outcome, ending.evaluator_type, evidence=ending.evidence, names_run=ending.regression_of is not None
        )
    except BadInput as bad:
        raise Refused.of(bad) from bad


def _check_line(state: RunState, ending: Ending) -> None:
    if ending.supersedes == state.outcome_id:
        return
    if state.outcome_id is None:
        raise Refused(
            "invalid_value", "supersedes_outcome_id names no outcome of this run.", field="supersedes_outcome_id"
        )
    detail = "The run has an outcome: name it in supersedes_outcome_id to put another one in its place."
    raise Refused("version_conflict", detail, field="supersedes_outcome_id", head=str(state.outcome_id))


def _check_done(state: RunState) -> None:
    if state.open_items:
        detail = "Work is still open: every work item is completed, failed or abandoned first."
        raise Refused("wrong_state", detail, open_items=open_items(state.pk))


def _check_gaps(state: RunState, ending: Ending) -> None:
    if ending.outcome == RunOutcomeWord.VERIFIED_SUCCESS and state.open_gaps:
        detail = "A gap of information is open: a success is not verified over it. information_gap_closed closes one."
        raise Refused("wrong_state", detail, open_gaps=state.open_gaps)


def _earlier_success(run: Run, ending: Ending) -> Run | None:
    """The run that a regression is one of: of the same workspace, begun before, and its verified success stands."""
    if ending.regression_of is None:
        return None
    own = Run.objects.own(run.namespace, run.agent).filter(workspace_key=run.workspace_key, at__lte=run.at)
    earlier = own.exclude(pk=run.pk).filter(pk=ending.regression_of).first()
    head = RunOutcome.objects.filter(run=earlier, superseded_by__isnull=True).first() if earlier else None
    if earlier is None or head is None or head.outcome != RunOutcomeWord.VERIFIED_SUCCESS:
        detail = "regression_of_run_id names no earlier run of this workspace whose verified success stands."
        raise Refused("invalid_value", detail, field="regression_of_run_id")
    return earlier


def _go_on(state: RunState, outcome: RunOutcome) -> None:
    state.outcome, state.status = outcome, run_status(outcome.outcome)
    state.ended_at = state.ended_at or outcome.at
    state.generation, state.last_at = state.generation + 1, outcome.at
    state.save(update_fields=["outcome", "status", "ended_at", "generation", "last_at"])
