"""`runs`: what an agent did, written down as it goes (doors "Runs"). An agent sees its own runs and no others."""

from __future__ import annotations

from typing import Annotated, TypeVar
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from ninja import Query, Router

from evidence.api.auth import AgentToken, token_of
from evidence.api.once import answered_once
from evidence.api.shapes import errors
from evidence.rules.text import uuid_of
from evidence.rules.vocab import Right
from evidence.selectors.run_answer_shapes import EventRecorded, RunAnswer, RunBegun, RunCompleted
from evidence.selectors.run_answers import (
    begun_json,
    completed_json,
    own_event,
    own_outcome,
    own_run,
    recorded_json,
    run_answer,
)
from evidence.services.idempotency import Outcome
from evidence.services.run_checks import no_such_run
from evidence.services.run_ending import complete_run
from evidence.services.run_recording import begin_run, record_event
from evidence.services.run_shapes import BeginRunShape, CompleteRunShape, RunEventShape, RunReadShape

Row = TypeVar("Row")
router = Router(tags=["Runs"])
WRITE_ERRORS = errors(400, 401, 403, 404, 409, 413, 422)


@router.post(
    "runs",
    auth=AgentToken(Right.RUNS),
    response={201: RunBegun, 200: RunBegun, **errors(400, 401, 403, 409, 413, 422)},
    operation_id="begin_run",
    summary="Begin a run",
)
def post_run(request: HttpRequest, body: BeginRunShape) -> HttpResponse:
    """A run begins, with one work item for the whole of it. The same `idempotency_key` again: 200, the same run."""
    token = token_of(request)

    def work() -> Outcome:
        begun = begin_run(token=token, beginning=body.to_beginning(), asked=body.asked())
        return Outcome(201 if begun.created else 200, {"run": str(begun.run.pk), "created": begun.created})

    return answered_once(
        request, work, lambda ids: begun_json(_found(own_run(token, UUID(ids["run"]))), created=bool(ids["created"]))
    )


@router.post(
    "runs/{run_id}/events",
    auth=AgentToken(Right.RUNS),
    response={201: EventRecorded, 200: EventRecorded, **WRITE_ERRORS},
    operation_id="record_run_event",
    summary="Record what happened",
)
def post_event(request: HttpRequest, run_id: str, body: RunEventShape) -> HttpResponse:
    """The next event of a run. Hidden reasoning is refused under any name; what was recalled is shown by the recall's receipt.
    A run that has its outcome takes no events: a correction is another outcome.
    """
    token = token_of(request)

    def work() -> Outcome:
        done = record_event(token=token, run_id=uuid_of(run_id), happening=body.to_happening(), asked=body.asked())
        return Outcome(201 if done.created else 200, {"event": str(done.event.pk), "created": done.created})

    return answered_once(
        request,
        work,
        lambda ids: recorded_json(_found(own_event(token, UUID(ids["event"]))), created=bool(ids["created"])),
    )


@router.get(
    "runs/{run_id}",
    auth=AgentToken(Right.RUNS),
    response={200: RunAnswer, **errors(400, 401, 403, 404, 422)},
    operation_id="get_run",
    summary="Look at a run",
)
def get_run(request: HttpRequest, run_id: str, asked: Annotated[RunReadShape, Query()]) -> HttpResponse:
    """A run with a page of its events, those after `since`, and the artifacts and records of that page."""
    run = _found(own_run(token_of(request), uuid_of(run_id)))
    return JsonResponse(run_answer(run, since=asked.since, limit=asked.limit))


@router.post(
    "runs/{run_id}/complete",
    auth=AgentToken(Right.RUNS),
    response={201: RunCompleted, 200: RunCompleted, **WRITE_ERRORS},
    operation_id="complete_run",
    summary="Say how it ended",
)
def post_complete(request: HttpRequest, run_id: str, body: CompleteRunShape) -> HttpResponse:
    """The outcome, once every work item has ended; later another one in its place, which it names. A verified success wants a
    deterministic verifier or a person as its judge, and evidence.
    """
    token = token_of(request)

    def work() -> Outcome:
        done = complete_run(token=token, run_id=uuid_of(run_id), ending=body.to_ending(), asked=body.asked())
        return Outcome(201 if done.created else 200, {"outcome": str(done.outcome.pk), "created": done.created})

    return answered_once(
        request,
        work,
        lambda ids: completed_json(_found(own_outcome(token, UUID(ids["outcome"]))), created=bool(ids["created"])),
    )


def _found(row: Row | None) -> Row:
    if row is None:
        raise no_such_run()
    return row
