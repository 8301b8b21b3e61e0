"""`proposals`: an agent asks for something to be believed, and follows what becomes of it (doors "Proposals")."""

from __future__ import annotations

import hashlib
import json
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.utils.http import parse_etags, quote_etag
from ninja import Router

from evidence.api.auth import AgentToken, token_of
from evidence.api.once import answered_once
from evidence.api.shapes import NOT_FOUND, PROPOSAL_ERRORS, WITHDRAW_ERRORS
from evidence.models import HeldRecord, Token
from evidence.rules.vocab import Door, Right
from evidence.selectors import proposals
from evidence.selectors.answer_shapes import ProposalAnswer
from evidence.selectors.answers import proposal_json
from evidence.services.errors import Refused
from evidence.services.idempotency import Outcome
from evidence.services.proposing import file_proposal, withdraw_proposal
from evidence.services.request_shapes import ProposalShape, RevisionShape, WithdrawShape
from evidence.services.revising import revise_proposal
from evidence.services.tokens import filer_of

router = Router(tags=["Proposals"])


@router.post(
    "proposals",
    auth=AgentToken(Right.FILE),
    response={201: ProposalAnswer, 200: ProposalAnswer, **PROPOSAL_ERRORS},
    operation_id="file_proposal",
    summary="Propose a fact, or an article",
)
def post_proposal(request: HttpRequest, body: ProposalShape) -> HttpResponse:
    """File a proposal with its evidence. It waits for a person; meanwhile nobody is shown it as true. The same claim while one
    of yours waits: 200 with that one, the new evidence attached. With `target`: a proposal for a wiki article.
    """
    token = token_of(request)
    filer = filer_of(token, Door.API)

    def work() -> Outcome:
        filed = file_proposal(filer=filer, draft=body.to_draft(filer))
        return Outcome(201 if filed.created else 200, {"held": str(filed.held.pk)})

    return answered_once(request, work, lambda ids: proposal_json(own_proposal(token, ids["held"]), token))


@router.get(
    "proposals/{proposal_id}",
    auth=AgentToken(Right.FILE),
    response={200: ProposalAnswer, 304: None, **NOT_FOUND},
    operation_id="proposal_status",
    summary="What became of a proposal",
)
def get_proposal(request: HttpRequest, proposal_id: str) -> HttpResponse:
    """One of your own proposals: its checks, and once it was decided the reason and the record it became. With `If-None-Match`
    an unchanged one costs a 304.
    """
    token = token_of(request)
    body = proposal_json(own_proposal(token, proposal_id), token)
    etag = quote_etag(_digest(body))
    if _matches(request, etag):
        unchanged = HttpResponseNotModified()
        unchanged["ETag"] = etag
        return unchanged
    return JsonResponse(body, headers={"ETag": etag})


@router.put(
    "proposals/{proposal_id}",
    auth=AgentToken(Right.FILE),
    response={200: ProposalAnswer, **WITHDRAW_ERRORS},
    operation_id="revise_proposal",
    summary="Change a proposal while it waits",
)
def put_proposal(request: HttpRequest, proposal_id: str, body: RevisionShape) -> HttpResponse:
    """Say one of your own proposals anew, as a whole: a new version, matched and verified again. `version` is the one that you
    saw; where a person changed the proposal since, that is a 409. Said just as it stands, nothing changes.
    """
    token = token_of(request)
    filer = filer_of(token, Door.API)
    own_proposal(token, proposal_id)
    held = revise_proposal(
        held_id=_uuid(proposal_id), filer=filer, seen_version=body.version, draft=body.to_draft(filer)
    )
    answer = proposal_json(own_proposal(token, str(held.pk)), token)
    return JsonResponse(answer, headers={"ETag": quote_etag(_digest(answer))})


@router.post(
    "proposals/{proposal_id}/withdraw",
    auth=AgentToken(Right.FILE),
    response={200: ProposalAnswer, **WITHDRAW_ERRORS},
    operation_id="withdraw_proposal",
    summary="Withdraw a proposal",
)
def withdraw(request: HttpRequest, proposal_id: str, body: WithdrawShape | None = None) -> HttpResponse:
    """Take back one of your own proposals while it waits. With `version`: only as you have seen it."""
    token = token_of(request)
    filer = filer_of(token, Door.API)

    def work() -> Outcome:
        held = withdraw_proposal(
            held_id=_uuid(proposal_id), filer=filer, seen_version=body.version if body else None
        )  # fmt: skip
        return Outcome(200, {"held": str(held.pk)})

    return answered_once(request, work, lambda ids: proposal_json(own_proposal(token, ids["held"]), token))


def own_proposal(token: Token, proposal_id: str) -> HeldRecord:
    """The token's own; another's is answered exactly like one that does not exist."""
    held = proposals.own_proposal(token, _uuid(proposal_id))
    if held is None:
        raise _no_such()
    return held


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as error:
        raise _no_such() from error


def _no_such() -> Refused:
    return Refused("not_found", "There is no such proposal.")


def _digest(body: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:32]


def _matches(request: HttpRequest, etag: str) -> bool:
    known = parse_etags(request.headers.get("If-None-Match", ""))
    return "*" in known or etag in [one.removeprefix("W/") for one in known]
