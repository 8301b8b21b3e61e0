"""`queue` and leases: what waits, and who looks at what (doors "Queue and decisions"). GET claims nothing."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from ninja import Query, Router

from evidence.api.auth import PersonToken, person_of
from evidence.api.held_answers import held_row, lease_json
from evidence.api.held_schemas import (
    CLAIM_ERRORS,
    LIST_ERRORS,
    READ_ERRORS,
    LeaseOut,
    LeaseQuery,
    NextOut,
    QueueOut,
    QueueQuery,
    ReleasedOut,
)
from evidence.models import HeldRecord, User
from evidence.selectors import items, queue
from evidence.selectors.people import is_reviewer
from evidence.selectors.queue import QueueFilter
from evidence.services import leasing
from evidence.services.decision_shapes import LeaseShape, NextShape
from evidence.services.errors import Refused
from evidence.services.leasing import Lease

router = Router(tags=["Queue and decisions"])
_OTHERS = QueueFilter("is:leased -is:mine")


@router.get(
    "queue",
    auth=PersonToken(),
    response={200: QueueOut, **LIST_ERRORS},
    operation_id="read_queue",
    summary="What waits",
    exclude_none=True,
)
def get_queue(request: HttpRequest, asked: Annotated[QueueQuery, Query()]) -> HttpResponse:
    """What waits for a person, most urgent first, as far as you may see it. `q` is written as in the search box of the queue."""
    user, now = person_of(request), timezone.now()
    wanted = wanted_of(asked.q)
    page = queue.listing(user, wanted, now, after=asked.after, limit=asked.limit)
    body: dict[str, object] = {"items": [held_row(row, now) for row in page.rows], "next": page.after or None}
    if asked.count:
        body["count"] = str(queue.count(user, wanted, now))
    if page.stopped_after:
        body["stopped_after"] = page.stopped_after
    return JsonResponse(body)


@router.post(
    "queue/next",
    auth=PersonToken(),
    response={200: NextOut, **LIST_ERRORS},
    operation_id="claim_next",
    summary="Take the next item",
)
def post_next(request: HttpRequest, body: NextShape | None = None) -> HttpResponse:
    """Claim the first free item of your queue for two minutes: two people never get the same one."""
    user, now = person_of(request), timezone.now()
    base = queue.reviewable(user, wanted_of(body.q if body else ""), now)
    held = leasing.claim_next(user=user, now=now, base=base)
    others = str(queue.count(user, _OTHERS, now))
    if held is None:
        return JsonResponse({"item": None, "lease": None, "held_by_others": others})
    assert held.lease_until is not None
    lease = Lease(held.lease_until, held.lease_token, user.get_username(), mine=True)
    return JsonResponse({"item": held_row(held, now), "lease": lease_json(lease), "held_by_others": others})


@router.post(
    "held/{held_id}/lease",
    auth=PersonToken(),
    response={200: LeaseOut, **CLAIM_ERRORS},
    operation_id="claim_item",
    summary="Claim an item, or go on holding it",
)
def post_lease(request: HttpRequest, held_id: str, body: LeaseShape | None = None) -> HttpResponse:
    """A courtesy that tells others that you look at it; no decision depends on it. Where somebody else holds it, the answer
    says who and until when (`mine: false`), and nothing is taken.
    """
    user, now, asked = person_of(request), timezone.now(), body or LeaseShape()
    held = visible_held(user, held_id)
    if not is_reviewer(user, held.agent_id):
        raise Refused("not_reviewer", "Only a reviewer of this agent works off its queue.")
    if asked.token is None:
        return JsonResponse(lease_json(leasing.claim(held_id=held.pk, user=user, now=now, take_over=asked.take_over)))
    lease = leasing.extend(held_id=held.pk, user=user, token=asked.token, now=now)
    if lease is None:
        raise Refused("closed", "This lease is over: it lapsed, the item was decided, or somebody took over.")
    return JsonResponse(lease_json(lease))


@router.delete(
    "held/{held_id}/lease",
    auth=PersonToken(),
    response={200: ReleasedOut, **READ_ERRORS},
    operation_id="release_item",
    summary="Give an item back",
)
def delete_lease(request: HttpRequest, held_id: str, asked: Annotated[LeaseQuery, Query()]) -> HttpResponse:
    """End your lease, named by its token (`?token=`). A stale token gives nothing back."""
    user = person_of(request)
    held = visible_held(user, held_id)
    return JsonResponse({"released": leasing.release(held_id=held.pk, user=user, token=asked.token)})


def visible_held(user: User, held_id: str) -> HeldRecord:
    """An item that the person may see; another is answered exactly like one that does not exist."""
    try:
        held = items.visible_item(user, UUID(held_id))
    except ValueError:
        held = None
    if held is None:
        raise Refused("not_found", "There is no such item.")
    return held


def wanted_of(text: str) -> QueueFilter:
    """The search; one with a term that cannot be read is refused, since without it another set would be meant."""
    wanted = QueueFilter(text.strip())
    if wanted.problems:
        told = [
            {"code": one.code, "detail": one.message, "start": one.start, "end": one.end} for one in wanted.problems
        ]
        raise Refused("invalid_value", f"q cannot be read: {wanted.problems[0].message}", field="q", errors=told)
    return wanted
