"""`signals`: agents tell each other what there is to do, and each is taken by one of them (doors "Runs, signals")."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from ninja import Query, Router

from evidence.api.auth import AgentToken, token_of
from evidence.api.once import answered_once
from evidence.api.shapes import errors
from evidence.models import Token
from evidence.rules.vocab import Right
from evidence.selectors.agent_signals import claimed_answer, own_signal, polled_answer, signal_answer
from evidence.selectors.signal_answer_shapes import SignalAnswer, SignalClaimed, SignalPolled
from evidence.services.idempotency import Outcome
from evidence.services.signal_claiming import ack_signal, claim, extend_lease, no_such_signal
from evidence.services.signal_polling import poll
from evidence.services.signal_publishing import publish_signal
from evidence.services.signal_shapes import AckShape, ClaimShape, ExtendShape, PollShape, PublishShape

router = Router(tags=["Signals"])
TAKE_ERRORS = errors(400, 401, 403, 404, 409, 413, 422)


@router.post(
    "signals",
    auth=AgentToken(Right.SIGNALS),
    response={201: SignalAnswer, **errors(400, 401, 403, 409, 413, 422)},
    operation_id="publish_signal",
    summary="Publish a signal",
)
def post_signal(request: HttpRequest, body: PublishShape) -> HttpResponse:
    """Tell another agent of the namespace (`to`), or whoever takes it first. The same text twice is two signals; under one
    `Idempotency-Key` it is one.
    """
    token = token_of(request)

    def work() -> Outcome:
        now = timezone.now()
        return Outcome(201, {"signal": str(publish_signal(token=token, draft=body.to_draft(now), now=now).pk)})

    return answered_once(request, work, lambda ids: _answer(token, str(ids["signal"])))


@router.get(
    "signals",
    auth=AgentToken(Right.SIGNALS),
    response={200: SignalPolled, **errors(401, 403, 422)},
    operation_id="poll_signals",
    summary="What was published since",
)
def get_signals(request: HttpRequest, asked: Annotated[PollShape, Query()]) -> HttpResponse:
    """Signals that you may read, oldest first, on from `since`. A cursor outlives restarts; one of another namespace or of
    before a restore is refused (422 with the `fault`). Reading takes none.
    """
    now = timezone.now()
    return JsonResponse(polled_answer(poll(token=token_of(request), asked=asked, now=now), now))


@router.post(
    "signals/claim",
    auth=AgentToken(Right.SIGNALS),
    response={200: SignalClaimed, **TAKE_ERRORS},
    operation_id="claim_signal",
    summary="Take a signal",
)
def post_claim(request: HttpRequest, body: ClaimShape | None = None) -> HttpResponse:
    """Take the one that has waited longest, or the one named, under a lease; nobody else gets it until that is over. Where there
    is none: 200 with `claimed: false`. A named one that cannot be taken: 404 or 409 with the `reason`.
    """
    now = timezone.now()
    done = claim(token=token_of(request), asked=body or ClaimShape(), now=now)
    return JsonResponse(claimed_answer(done.signal, done.reason, now))


@router.get(
    "signals/{signal_id}",
    auth=AgentToken(Right.SIGNALS),
    response={200: SignalAnswer, **errors(401, 403, 404)},
    operation_id="get_signal",
    summary="Look at a signal",
)
def get_signal(request: HttpRequest, signal_id: str) -> HttpResponse:
    """One that you may read, and where it stands now."""
    return JsonResponse(_answer(token_of(request), signal_id))


@router.post(
    "signals/{signal_id}/extend",
    auth=AgentToken(Right.SIGNALS),
    response={200: SignalAnswer, **TAKE_ERRORS},
    operation_id="extend_signal_lease",
    summary="Hold a signal longer",
)
def post_extend(request: HttpRequest, signal_id: str, body: ExtendShape | None = None) -> HttpResponse:
    """So much longer from the end of your lease, never past the signal's own end nor a day from now."""
    asked, token = body or ExtendShape(), token_of(request)
    extend_lease(
        token=token, signal_id=signal_id, worker=asked.consumer, seconds=asked.lease_seconds, claim=asked.claim
    )
    return JsonResponse(_answer(token, signal_id))


@router.post(
    "signals/{signal_id}/ack",
    auth=AgentToken(Right.SIGNALS),
    response={200: SignalAnswer, **TAKE_ERRORS},
    operation_id="ack_signal",
    summary="Be done with a signal",
)
def post_ack(request: HttpRequest, signal_id: str, body: AckShape | None = None) -> HttpResponse:
    """Acknowledge it, for good: you claimed it, or nobody did and it is for you; `claim_required` wants it claimed first."""
    asked, token = body or AckShape(), token_of(request)

    def work() -> Outcome:
        row = ack_signal(token=token, signal_id=signal_id, worker=asked.consumer, claim=asked.claim)
        return Outcome(200, {"signal": str(row.pk)})

    return answered_once(request, work, lambda ids: _answer(token, str(ids["signal"])))


def _answer(token: Token, signal_id: str) -> dict[str, Any]:
    row = own_signal(token, signal_id)
    if row is None:
        raise no_such_signal()
    return signal_answer(row, timezone.now())
