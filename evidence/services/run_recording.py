"""Beginning a run and recording what happens in it, one event at a time, each in a transaction of its own.

Writers of one run take turns on its state row. The same key is the same event, whatever became of the run since; after its
outcome a run takes no event any more: what was wrong is said by another outcome.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from evidence.models import (
    Run,
    RunArtifact,
    RunEvent,
    RunState,
    RunWorkItem,
    Token,
    WorkItemState,
)
from evidence.rules.errors import BadInput
from evidence.rules.run_artifacts import check_artifact
from evidence.rules.run_vocab import RunEventType, WorkItemStatus
from evidence.rules.runs import ENDED, MOVING, WrongState, check_child, moved
from evidence.services.errors import Refused
from evidence.services.run_checks import (
    check_epoch,
    check_expected,
    check_nothing_hidden,
    check_said,
    check_same,
    key_hash,
    lock_own_run,
    only,
    request_hash,
)
from evidence.services.run_links import planned_links
from evidence.services.run_shapes import GOAL_MAX, SUMMARY_MAX, Asked, Beginning, Happening
from evidence.services.run_states import check_in_step, drifted

_ARTIFACT = frozenset({"digest", "mime_type", "uri", "metadata"})


@dataclass(frozen=True, slots=True)
class Begun:
    """`created` false: begun before under the same key."""

    run: Run
    root: RunWorkItem
    created: bool


@dataclass(frozen=True, slots=True)
class Recorded:
    event: RunEvent
    created: bool


def begin_run(*, token: Token, beginning: Beginning, asked: Asked | None = None, now: datetime | None = None) -> Begun:
    """A run with the work item that stands for all of it. Raises `Refused`: hidden_reasoning, secret_detected,
    version_conflict for another epoch, idempotency_conflict.
    """
    asked, at = asked or Asked(), now or timezone.now()
    check_said({"goal": (beginning.goal, GOAL_MAX), "workspace_key": (beginning.workspace_key, GOAL_MAX),
                "thread_id": (beginning.thread, GOAL_MAX)})  # fmt: skip
    check_nothing_hidden(
        {
            "acceptance_criteria": list(beginning.acceptance_criteria),
            "budget": beginning.budget,
            "memory_scopes": list(beginning.memory_scopes),
        }
    )
    key = key_hash(asked)
    known = _begun_before(token, key, asked)
    if known is not None:
        return known
    check_epoch(asked)
    try:
        with transaction.atomic():
            return _begin(token, beginning, key, asked, at)
    except IntegrityError:
        known = _begun_before(token, key, asked)
        if known is None:
            raise
        return known


def _begun_before(token: Token, key: str | None, asked: Asked) -> Begun | None:
    if key is None:
        return None
    run = Run.objects.own(token.namespace, token.agent_id or "").filter(key_hash=key).first()
    if run is None:
        return None
    check_same(run.request_hash, asked)
    return Begun(run, run.work_items.get(parent__isnull=True), False)


def _begin(token: Token, beginning: Beginning, key: str | None, asked: Asked, at: datetime) -> Begun:
    run = Run.objects.create(
        namespace=token.namespace, agent=token.agent_id or "", workspace_key=beginning.workspace_key,
        goal=beginning.goal, thread=beginning.thread, profile=beginning.profile,
        memory_scopes=list(beginning.memory_scopes), acceptance_criteria=list(beginning.acceptance_criteria),
        budget=beginning.budget, at=at, key_hash=key, request_hash=request_hash(asked),
    )  # fmt: skip
    root = RunWorkItem.objects.create(run=run, number=1, goal=run.goal, owner=run.agent, at=at)
    RunState.objects.create(run=run, last_at=at)
    WorkItemState.objects.create(work_item=root, run=run)
    return Begun(run, root, True)


def record_event(
    *, token: Token, run_id: UUID | None, happening: Happening, asked: Asked | None = None, now: datetime | None = None
) -> Recorded:
    """The next event of one of the token's own runs. Raises `Refused`: not_found, idempotency_conflict, version_conflict
    (what was expected is not so), closed (the run or the work item ended), wrong_state, projection_drift, hidden_reasoning,
    invalid_value.
    """
    asked, at = asked or Asked(), now or timezone.now()
    artifact = _checked(happening)
    with transaction.atomic():
        state = lock_own_run(token, run_id)
        key = key_hash(asked)
        known = only(RunEvent.objects.filter(run_id=state.pk, key_hash=key)) if key else None
        if known is not None:
            check_same(known.request_hash, asked)
            return Recorded(known, False)
        check_expected(asked, state)
        if state.outcome_id is not None:
            raise Refused("closed", "The run has its outcome and takes no events; a correction is another outcome.")
        return Recorded(_record(token, state, happening, artifact, (key, request_hash(asked)), at), True)


def _record(
    token: Token, state: RunState, happening: Happening, artifact: dict[str, Any] | None,
    key: tuple[str | None, str], at: datetime,
) -> RunEvent:  # fmt: skip
    item = _work_item(state, happening, at)
    before = WorkItemStatus(item.status)
    after = _moved(happening, before, declared=item._state.adding)
    closes = _gap(state, happening)
    links = planned_links(token, state.run, happening, at)
    sequence = state.last_sequence + 1
    if item._state.adding:
        item.work_item.save(force_insert=True)
    event = RunEvent.objects.create(
        run=state.run, work_item_id=item.work_item_id, sequence=sequence, type=happening.type,
        summary=happening.summary, payload={"artifact": artifact} if artifact is not None else happening.payload,
        evidence=list(happening.evidence), agent=token.agent_id or "", at=at, closes=closes, key_hash=key[0],
        request_hash=key[1], **links.receipt,
    )  # fmt: skip
    links.store(event)
    if artifact is not None:
        RunArtifact.objects.create(
            run=state.run, work_item_id=item.work_item_id, event=event, digest=artifact["digest"],
            mime_type=artifact["mime_type"], uri=artifact["uri"], metadata=artifact.get("metadata", {}), at=at,
        )  # fmt: skip
    _go_on(state, item, (before, after), event)
    return event


def _checked(happening: Happening) -> dict[str, Any] | None:
    """The boundary: texts, nothing hidden. Returns the artifact that the event names."""
    check_said({"summary": (happening.summary, SUMMARY_MAX), "work_item_goal": (happening.goal, GOAL_MAX)})
    check_nothing_hidden({"payload": happening.payload, "evidence": list(happening.evidence)})
    if happening.type != RunEventType.ARTIFACT_CREATED:
        return None
    given = happening.payload
    if set(given) == {"artifact"} and isinstance(given["artifact"], dict):
        given = given["artifact"]
    if not {"digest", "mime_type", "uri"} <= set(given) <= _ARTIFACT:
        detail = (
            "An artifact is digest, mime_type, uri and metadata: its content stays where it is, its id is made here."
        )
        raise Refused("invalid_value", detail, field="payload")
    texts, metadata = {name: given[name] for name in ("digest", "mime_type", "uri")}, given.get("metadata", {})
    if not all(isinstance(text, str) for text in texts.values()) or not isinstance(metadata, dict):
        raise Refused("invalid_value", "An artifact's digest, mime_type and uri are texts.", field="payload")
    try:
        check_artifact(**texts, metadata=metadata)
    except BadInput as bad:
        raise Refused.of(bad) from bad
    return texts | ({"metadata": metadata} if metadata else {})


def _work_item(state: RunState, happening: Happening, at: datetime) -> WorkItemState:
    """The work item that the event is about; one that it declares is not stored yet."""
    if happening.goal or happening.parent is not None:
        return _declared(state, happening, at)
    return _kept_item(state, happening.work_item, "work_item_id")


def _declared(state: RunState, happening: Happening, at: datetime) -> WorkItemState:
    if happening.type != RunEventType.WORK_ITEM_STARTED or happening.work_item is not None or not happening.goal:
        detail = "A new work item is declared by work_item_started with its work_item_goal, and gets its id here."
        raise Refused("invalid_value", detail, field="work_item_goal")
    parent = _kept_item(state, happening.parent, "parent_work_item_id")
    try:
        check_child(WorkItemStatus(parent.status))
    except WrongState as wrong:
        raise _refused(wrong) from wrong
    last = RunWorkItem.objects.filter(run_id=state.pk).order_by("-number").values_list("number", flat=True)[0]
    # Stored once nothing can be refused any more.
    part = RunWorkItem(
        run_id=state.pk, parent_id=parent.pk, number=last + 1, goal=happening.goal, owner=state.run.agent, at=at
    )
    return WorkItemState(work_item=part, run_id=state.pk)


def _kept_item(state: RunState, wanted: UUID | None, field: str) -> WorkItemState:
    """The one that is named, else the one that stands for the whole; it and the run follow from the ledger."""
    rows = WorkItemState.objects.filter(run_id=state.pk)
    row = only(rows.filter(work_item__parent__isnull=True) if wanted is None else rows.filter(pk=wanted))
    if row is None:
        raise _no_item(state, wanted, field)
    check_in_step(state, row)
    return row


def _moved(happening: Happening, before: WorkItemStatus, *, declared: bool) -> WorkItemStatus:
    if declared:
        return WorkItemStatus.ACTIVE
    try:
        return moved(happening.type, before)
    except WrongState as wrong:
        raise _refused(wrong) from wrong


def _gap(state: RunState, happening: Happening) -> RunEvent | None:
    """The gap that the event closes; only one type does, and each gap is closed once."""
    if (happening.type == RunEventType.INFORMATION_GAP_CLOSED) != (happening.closes is not None):
        detail = "information_gap_closed names the gap in closes_event_id, and nothing else does."
        raise Refused("invalid_value", detail, field="closes_event_id")
    if happening.closes is None:
        return None
    gap = RunEvent.objects.filter(pk=happening.closes, run_id=state.pk, type=RunEventType.INFORMATION_GAP).first()
    if gap is None:
        raise Refused("invalid_value", "closes_event_id names no gap of this run.", field="closes_event_id")
    if RunEvent.objects.filter(closes=gap).exists():
        raise Refused("closed", "This gap is closed already.", field="closes_event_id")
    return gap


def _go_on(
    state: RunState, item: WorkItemState, change: tuple[WorkItemStatus, WorkItemStatus], event: RunEvent
) -> None:
    """Keep what follows from the event."""
    before, after = change
    declared = item._state.adding
    if declared or event.type in MOVING:
        item.status, item.moved_by = after, event.sequence
        item.ended_at = event.at if after in ENDED else None
        item.save(force_insert=declared)
    state.last_sequence, state.generation = event.sequence, state.generation + 1
    state.open_items += int(declared) - int(after in ENDED and before not in ENDED)
    state.blocked_items += int(after == WorkItemStatus.BLOCKED) - int(before == WorkItemStatus.BLOCKED)
    state.open_gaps += int(event.type == RunEventType.INFORMATION_GAP) - int(event.closes_id is not None)
    state.last_at = event.at
    state.save(update_fields=["last_sequence", "generation", "open_items", "blocked_items", "open_gaps", "last_at"])


def _refused(wrong: WrongState) -> Refused:
    return Refused("closed" if wrong.ended else "wrong_state", wrong.detail, item_status=str(wrong.status))


def _no_item(state: RunState, wanted: UUID | None, field: str) -> Refused:
    declared = RunWorkItem.objects.filter(run_id=state.pk)
    if wanted is None or declared.filter(pk=wanted).exists():
        return drifted(state.pk)
    return Refused("invalid_value", f"{field} names no work item of this run.", field=field)
