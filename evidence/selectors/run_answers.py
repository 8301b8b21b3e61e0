"""Runs as agents' programs get them: their own, in the names of the doors. Reads only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from evidence.models import (
    Run,
    RunArtifact,
    RunEvent,
    RunMemoryLink,
    RunOutcome,
    RunState,
    RunWorkItem,
    Token,
)
from evidence.rules.run_artifacts import needs_a_person_to_open
from evidence.selectors.answers import instant
from evidence.services.receipts import mark_of_desk
from evidence.services.run_states import drift_of

ITEMS_SHOWN = 500


def own_run(token: Token, run_id: UUID | None) -> Run | None:
    """The token's own run; none for another's, exactly as for one that does not exist."""
    if run_id is None:
        return None
    return Run.objects.own(token.namespace, token.agent_id or "").filter(pk=run_id).first()


def own_event(token: Token, event_id: UUID) -> RunEvent | None:
    rows = RunEvent.objects.filter(pk=event_id, run__namespace=token.namespace, run__agent=token.agent_id)
    return rows.first()


def own_outcome(token: Token, outcome_id: UUID) -> RunOutcome | None:
    rows = RunOutcome.objects.filter(pk=outcome_id, run__namespace=token.namespace, run__agent=token.agent_id)
    return rows.first()


def begun_json(run: Run, *, created: bool) -> dict[str, Any]:
    root = RunWorkItem.objects.values_list("pk", flat=True).get(run=run, parent__isnull=True)
    state = RunState.objects.get(pk=run.pk)
    return _replayed(
        {
            "run_id": str(run.pk), "root_work_item_id": str(root), "status": state.status, "initial_sequence": 0,
            "database_epoch": mark_of_desk().epoch, "run_generation": state.generation, "created_at": instant(run.at),
            "created": created, "grants": [],
        }
    )  # fmt: skip


def recorded_json(event: RunEvent, *, created: bool) -> dict[str, Any]:
    artifact = RunArtifact.objects.filter(event=event).first()
    links = RunMemoryLink.objects.filter(event=event).order_by("rank", "pk")
    body: dict[str, Any] = {
        "run_id": str(event.run_id), "event_id": str(event.pk), "work_item_id": str(event.work_item_id),
        "event_type": event.type, "sequence": event.sequence, "run_generation": 1 + event.sequence,
        "created_at": instant(event.at), "created": created, "memory": [_link_json(link) for link in links], "grants": [],
    }  # fmt: skip
    return _replayed(body | ({"artifact": artifact_json(artifact)} if artifact else {}))


def completed_json(outcome: RunOutcome, *, created: bool) -> dict[str, Any]:
    state = RunState.objects.get(pk=outcome.run_id)
    return _replayed(
        outcome_json(outcome, head=state.outcome_id)
        | {
            "status": state.status, "run_generation": state.generation, "open_gaps": state.open_gaps,
            "created": created, "grants": [],
        }
    )  # fmt: skip


def _replayed(body: dict[str, Any]) -> dict[str, Any]:
    return body if body["created"] else body | {"idempotent_replay": True}


def run_answer(run: Run, *, since: int, limit: int) -> dict[str, Any]:
    """A page of the run: its events after `since`, and what belongs to them."""
    state = state_of(run)
    events, more = events_after(run, since, limit)
    items, more_items = work_items_of(run, ITEMS_SHOWN)
    outcomes = RunOutcome.objects.line(run.pk)
    is_degraded = bool(drift_of(run.pk))
    return {
        "run": _run_json(run, state),
        "work_items": [_item_json(item) for item in items],
        "more_work_items": more_items,
        "events": _events_json(events),
        "artifacts": [artifact_json(one) for one in artifacts_of(events)],
        "outcome": outcome_json(outcomes[-1], head=outcomes[-1].pk) if outcomes else None,
        "outcomes": [outcome_json(one, head=outcomes[-1].pk) for one in outcomes],
        "sequences": {
            "since": since,
            "last": state.last_sequence,
            "next": events[-1].sequence if more else None,
        },
        "has_more": more,
        "database_epoch": mark_of_desk().epoch,
        "projection_health": "drifted" if is_degraded else "healthy",
        "degraded": is_degraded,
        "grants": [],
    }


def state_of(run: Run) -> RunState:
    """What is kept of where it stands; where that is lost, as it began."""
    return RunState.objects.filter(pk=run.pk).first() or RunState(run=run, last_at=run.at)


def events_after(run: Run, since: int, limit: int) -> tuple[list[RunEvent], bool]:
    """A page of its events; whether there are more."""
    found = list(RunEvent.objects.filter(run=run, sequence__gt=since).order_by("sequence")[: limit + 1])
    return found[:limit], len(found) > limit


def work_items_of(run: Run, limit: int) -> tuple[list[RunWorkItem], bool]:
    """The first of its work items, in the order of their declaration; whether there are more."""
    found = list(RunWorkItem.objects.filter(run=run).select_related("state").order_by("number")[: limit + 1])
    return found[:limit], len(found) > limit


def artifacts_of(events: Iterable[RunEvent]) -> QuerySet[RunArtifact]:
    """The artifacts of a page of events, and of no other."""
    return RunArtifact.objects.filter(event__in=[event.pk for event in events]).order_by("event__sequence")


def links_of(events: Iterable[RunEvent]) -> dict[UUID, list[RunMemoryLink]]:
    found: dict[UUID, list[RunMemoryLink]] = defaultdict(list)
    for link in RunMemoryLink.objects.filter(event__in=[event.pk for event in events]).order_by("rank", "pk"):
        found[link.event_id].append(link)
    return found


def _run_json(run: Run, state: RunState) -> dict[str, Any]:
    return {
        "run_id": str(run.pk), "workspace_key": run.workspace_key, "goal": run.goal, "agent": run.agent,
        "thread_id": run.thread, "evidence_profile": run.profile, "memory_scopes": run.memory_scopes,
        "acceptance_criteria": run.acceptance_criteria, "budget": run.budget, "status": state.status,
        "run_generation": state.generation, "open_gaps": state.open_gaps, "created_at": instant(run.at),
        "ended_at": instant(state.ended_at),
    }  # fmt: skip


def _item_json(item: RunWorkItem) -> dict[str, Any]:
    state = getattr(item, "state", None)
    return {
        "work_item_id": str(item.pk), "parent_work_item_id": str(item.parent_id) if item.parent_id else None,
        "goal": item.goal, "owner": item.owner, "status": state.status if state else "active",
        "created_at": instant(item.at), "ended_at": instant(state.ended_at) if state else None,
    }  # fmt: skip


def _events_json(events: list[RunEvent]) -> list[dict[str, Any]]:
    links = links_of(events)
    return [
        {
            "event_id": str(one.pk), "sequence": one.sequence, "work_item_id": str(one.work_item_id),
            "event_type": one.type, "summary": one.summary, "payload": one.payload, "evidence": one.evidence,
            "closes_event_id": str(one.closes_id) if one.closes_id else None,
            "memory": [_link_json(link) for link in links.get(one.pk, ())], "created_at": instant(one.at),
        }
        for one in events
    ]  # fmt: skip


def artifact_json(one: RunArtifact) -> dict[str, Any]:
    return {
        "artifact_id": str(one.pk), "event_id": str(one.event_id), "work_item_id": str(one.work_item_id),
        "digest": one.digest, "mime_type": one.mime_type, "uri": one.uri, "metadata": one.metadata,
        "created_at": instant(one.at), "operator_open_required": needs_a_person_to_open(one.uri),
    }  # fmt: skip


def outcome_json(one: RunOutcome, *, head: UUID | None) -> dict[str, Any]:
    return {
        "outcome_id": str(one.pk), "run_id": str(one.run_id), "outcome": one.outcome,
        "evaluator_type": one.evaluator_type, "evaluator": one.evaluator, "said_by": one.by_kind,
        "evidence": one.evidence, "metrics": one.metrics, "termination_reason": one.termination_reason,
        "supersedes_outcome_id": str(one.supersedes_id) if one.supersedes_id else None,
        "regression_of_run_id": str(one.regression_of_id) if one.regression_of_id else None,
        "is_head": one.pk == head, "created_at": instant(one.at),
    }  # fmt: skip


def _link_json(link: RunMemoryLink) -> dict[str, Any]:
    return {
        "relation": link.relation, "record": link.record_id, "content_version": link.content_version,
        "label": link.label, "rank": link.rank, "feedback": str(link.feedback_id) if link.feedback_id else None,
        "source_event": str(link.source_id) if link.source_id else None, "review_required": link.review_required,
    }  # fmt: skip
