"""One held item: reading it, deciding it, editing it, taking a decision back (doors "Queue and decisions")."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from ninja import Router

from evidence.api.auth import PersonToken, person_of
from evidence.api.held_answers import decision_json, held_json, plan_json, shown_json, state_json
from evidence.api.held_schemas import DECIDE_ERRORS, READ_ERRORS, DecidedOut, HeldOut, UndoneOut
from evidence.api.once import answered_once
from evidence.api.queue import visible_held
from evidence.models import Decision, RecallItem, User
from evidence.rules.planning import Plan
from evidence.rules.vocab import Door
from evidence.selectors import items, queue
from evidence.selectors.audit_list import visible_decision
from evidence.selectors.queue import QueueFilter
from evidence.selectors.recalls_seen import recalls_among
from evidence.services import deciding, undoing
from evidence.services.actors import Actor
from evidence.services.decision_shapes import DecisionShape, EditShape, UndoShape
from evidence.services.editing import edit_held
from evidence.services.errors import Refused
from evidence.services.idempotency import Outcome

router = Router(tags=["Queue and decisions"])


@router.get(
    "held/{held_id}",
    auth=PersonToken(),
    response={200: HeldOut, **READ_ERRORS},
    operation_id="read_item",
    summary="One item",
)
def get_held(request: HttpRequest, held_id: str) -> HttpResponse:
    """All that its page shows: what it says, its evidence, what stands already, and what each action would do."""
    return JsonResponse(_held(person_of(request), held_id))


@router.post(
    "held/{held_id}/decision",
    auth=PersonToken(),
    response={200: DecidedOut, **DECIDE_ERRORS},
    operation_id="decide_item",
    summary="Decide an item",
)
def post_decision(request: HttpRequest, held_id: str, body: DecisionShape) -> HttpResponse:
    """Decide it as a reviewer. `version` is the one that you saw. With `plan_digest`: only as long as it would still do just
    that; else 409 with the new plan.
    """
    user = person_of(request)
    held = visible_held(user, held_id)

    def work() -> Outcome:
        done = deciding.decide(
            held_id=held.pk, actor=Actor.person(user, Door.API), idempotency_key=uuid.uuid4().hex, **body.to_arguments()
        )
        return Outcome(200, {"decision": str(done.decision.pk), "held": str(held.pk), "approvals": done.approvals})

    try:
        return answered_once(request, work, lambda ids: _decided(user, ids))
    except Refused as refused:
        # Under an idempotency key the refusal took back what had been found out about the item.
        deciding.keep_findings(held.pk, refused)
        made = refused.extra.get("plan")
        if isinstance(made, Plan):
            refused.extra |= plan_json(made)
        raise


@router.post(
    "held/{held_id}/edit",
    auth=PersonToken(),
    response={200: HeldOut, **DECIDE_ERRORS},
    operation_id="edit_item",
    summary="Change an item before it is decided",
)
def post_edit(request: HttpRequest, held_id: str, body: EditShape) -> HttpResponse:
    """A new version, matched and verified again. Who changes what is claimed is its author, and may not be its only approver."""
    user = person_of(request)
    held = visible_held(user, held_id)

    def work() -> Outcome:
        edited = edit_held(held_id=held.pk, actor=Actor.person(user, Door.API), **body.to_arguments(held))
        return Outcome(200, {"held": str(edited.pk)})

    return answered_once(request, work, lambda ids: _held(user, str(ids["held"])))


@router.post(
    "decisions/{decision_id}/undo",
    auth=PersonToken(),
    response={200: UndoneOut, **DECIDE_ERRORS},
    operation_id="undo_decision",
    summary="Take a decision back",
)
def post_undo(request: HttpRequest, decision_id: str, body: UndoShape) -> HttpResponse:
    """A decision that takes back another one of yours. Refused where something that it touched was decided since."""
    user = person_of(request)
    first = _visible_decision(user, decision_id)
    if body.version is None and first.target_kind == "held":
        raise Refused("version_required", "Say which version the item has for you.", field="version")

    def work() -> Outcome:
        undone = undoing.undo(
            decision_id=first.pk, actor=Actor.person(user, Door.API), reason=body.reason, seen_version=body.version
        )
        shown = [item.pk for item in undone.shown]
        return Outcome(200, {"decision": str(undone.decision.pk), "shown": shown})

    return answered_once(request, work, lambda ids: _undone(user, ids))


def _held(user: User, held_id: str) -> dict[str, Any]:
    now = timezone.now()
    return held_json(items.item_view(visible_held(user, held_id), user, now), user, now)


def _visible_decision(user: User, decision_id: str) -> Decision:
    try:
        row = visible_decision(user, UUID(decision_id))
    except ValueError:
        row = None
    if row is None:
        raise Refused("not_found", "There is no such decision.")
    return row


def _decided(user: User, ids: Mapping[str, Any]) -> dict[str, Any]:
    held = visible_held(user, str(ids["held"]))
    decision = _visible_decision(user, str(ids["decision"]))
    following = queue.next_candidate(user, QueueFilter(), timezone.now())
    body = {
        "decision": decision_json(decision), "effects": decision.effects, "item": state_json(held),
        "next": str(following.pk) if following is not None else None, "grants": [],
    }  # fmt: skip
    return body | ({"approvals": ids["approvals"]} if ids.get("approvals") else {})


def _undone(user: User, ids: Mapping[str, Any]) -> dict[str, Any]:
    decision = _visible_decision(user, str(ids["decision"]))
    held = visible_held(user, decision.target_id) if decision.target_kind == "held" else None
    shown: list[RecallItem] = recalls_among(user, ids["shown"])
    return {
        "decision": decision_json(decision), "item": state_json(held) if held is not None else None,
        "shown": [shown_json(item) for item in shown], "grants": [],
    }  # fmt: skip
