"""Runs of another system: what its ledger holds comes into ours as it was, and again only what was added to it since.

Its rows get ids that follow from theirs, so that the same row is known again whoever sends it. A run that went on here, or whose
past is another than the one that came before, is left alone, and said.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from evidence.exchange.items import RunHappening, RunItem, RunLink, RunVerdict
from evidence.models import (
    ImportedItem,
    Run,
    RunArtifact,
    RunEvent,
    RunMemoryLink,
    RunOutcome,
    RunWorkItem,
)
from evidence.rules.chain import canonical_json
from evidence.rules.errors import BadInput
from evidence.rules.run_artifacts import check_artifact
from evidence.rules.run_vocab import Evaluator, MemoryRelation, RunEventType, RunOutcomeWord, RunProfile
from evidence.rules.runs import check_outcome
from evidence.rules.times import read_time
from evidence.rules.vocab import ActorKind
from evidence.services.audit import Touch
from evidence.services.errors import Refused
from evidence.services.import_arrival import Arrival, require_agent
from evidence.services.import_report import ImportOutcome
from evidence.services.import_stored import Stored
from evidence.services.run_checks import check_said
from evidence.services.run_shapes import GOAL_MAX, REASON_MAX, STRUCTURED_MAX, SUMMARY_MAX
from evidence.services.run_states import rebuild
from evidence.services.texts import NAME_MAX, check_text, check_word

_NAMES = uuid.UUID("6b1f0a52-7d0e-5b52-9a53-2f3c1c7f4a10")
_RELATIONS = [relation.value for relation in MemoryRelation]


def store_imported_run(arrival: Arrival, item: RunItem, known: ImportedItem | None) -> Stored:
    """The run with all of its ledger, or what is new in it. Raises `Refused` where it cannot stand in ours."""
    _check(item)
    ids = _Ids(arrival, item)
    agent = require_agent(arrival, item.agent).agent
    run = Run.objects.filter(
        namespace=arrival.namespace, origin_system=arrival.system, origin_id=item.foreign_id
    ).first()
    outcome = ImportOutcome.CREATED if run is None else ImportOutcome.CHANGED
    if run is None:
        run = Run.objects.create(
            id=ids.of(item.foreign_id), namespace=arrival.namespace, agent=agent.id, workspace_key=item.workspace_key,
            goal=item.goal, thread=item.thread, profile=check_word("profile", item.profile, list(RunProfile)),
            memory_scopes=list(item.memory_scopes), acceptance_criteria=list(item.acceptance_criteria),
            budget=dict(item.budget), at=_time(item.at), origin_system=arrival.system, origin_id=item.foreign_id,
        )  # fmt: skip
    _store_parts(run, item, ids)
    _store_happenings(run, item, ids)
    _store_verdicts(run, item, ids, arrival)
    rebuild(run.pk)
    return Stored(outcome, "run", str(run.pk), touches=(Touch("run", str(run.pk), 1 + len(item.happenings)),))


class _Ids:
    """Ids here of rows there: the same wherever they are computed, and of this namespace and run alone."""

    def __init__(self, arrival: Arrival, item: RunItem) -> None:
        self._prefix = f"{arrival.namespace}\n{arrival.system}\n{item.foreign_id}\n"

    def of(self, foreign: str) -> uuid.UUID:
        return uuid.uuid5(_NAMES, self._prefix + foreign)


def _store_parts(run: Run, item: RunItem, ids: _Ids) -> None:
    there = set(RunWorkItem.objects.filter(run=run).values_list("pk", flat=True))
    new = [
        RunWorkItem(
            id=ids.of(one.id), run=run, parent_id=ids.of(one.parent) if one.parent else None, number=number,
            goal=one.goal, owner=one.owner[:NAME_MAX], at=_time(one.at),
        )
        for number, one in enumerate(item.parts, start=1)
        if ids.of(one.id) not in there
    ]  # fmt: skip
    # A part comes after what it is a part of.
    waiting, made = {one.pk: one for one in new}, set(there)
    while waiting:
        ready = [one for one in waiting.values() if one.parent_id is None or one.parent_id in made]
        if not ready:
            raise Refused("invalid_value", "A work item is part of one that is not there.", field="work_items")
        for one in ready:
            one.save(force_insert=True)
            made.add(one.pk)
            del waiting[one.pk]


def _store_happenings(run: Run, item: RunItem, ids: _Ids) -> None:
    there = dict(RunEvent.objects.filter(run=run).values_list("sequence", "pk"))
    new = [one for one in item.happenings if one.sequence not in there]
    if any(there.get(one.sequence, ids.of(one.id)) != ids.of(one.id) for one in item.happenings):
        raise Refused("version_conflict", "The run went on here, or its past is another one: it was left alone.")
    if len(there) > len(item.happenings):
        raise Refused("version_conflict", "The run has more events here than there: it was left alone.")
    if new and RunOutcome.objects.filter(run=run).exists():
        raise Refused("closed", "The run has its outcome here and takes no events.")
    RunEvent.objects.bulk_create([_event(run, one, ids) for one in new], batch_size=500)
    RunArtifact.objects.bulk_create(
        [
            RunArtifact(
                id=ids.of(f"artifact {one.id}"), run=run, work_item_id=ids.of(one.part), event_id=ids.of(one.id),
                at=_time(one.at), **dict(one.artifact),
            )
            for one in new
            if one.artifact is not None
        ]
    )  # fmt: skip
    added = {one.id for one in new}
    RunMemoryLink.objects.bulk_create([_link(run, one, ids) for one in item.links if one.event in added])


def _event(run: Run, one: RunHappening, ids: _Ids) -> RunEvent:
    return RunEvent(
        id=ids.of(one.id), run=run, work_item_id=ids.of(one.part), sequence=one.sequence, type=one.type,
        summary=one.summary, payload={"artifact": dict(one.artifact)} if one.artifact else dict(one.payload),
        evidence=list(one.evidence), agent=one.agent or run.agent, at=_time(one.at),
    )  # fmt: skip


def _link(run: Run, one: RunLink, ids: _Ids) -> RunMemoryLink:
    return RunMemoryLink(
        id=ids.of(one.id), run=run, event_id=ids.of(one.event), source_id=ids.of(one.source) if one.source else None,
        relation=one.relation, namespace=run.namespace, record_id=one.record_id, content_version=one.content_version,
        receipt_hash=one.receipt_hash, rank=one.rank, review_required=one.review_required, at=_time(one.at),
    )  # fmt: skip


def _store_verdicts(run: Run, item: RunItem, ids: _Ids, arrival: Arrival) -> None:
    there = set(RunOutcome.objects.filter(run=run).values_list("pk", flat=True))
    line = _in_line(item.verdicts)
    if not there <= {ids.of(one.id) for one in line}:
        raise Refused("version_conflict", "The run has an outcome here that is not there: it was left alone.")
    for one in line:
        if ids.of(one.id) not in there:
            RunOutcome.objects.create(
                id=ids.of(one.id), run=run, outcome=one.outcome, evaluator_type=one.evaluator_type,
                evaluator=one.evaluator, evidence=list(one.evidence), metrics=dict(one.metrics),
                termination_reason=one.termination_reason,
                supersedes_id=ids.of(one.supersedes) if one.supersedes else None,
                regression_of=_earlier(run, one, arrival), by_kind=ActorKind.IMPORT, by_name=one.by or run.agent,
                at=_time(one.at),
            )  # fmt: skip


def _earlier(run: Run, one: RunVerdict, arrival: Arrival) -> Run | None:
    if not one.regression_of:
        return None
    found = Run.objects.filter(namespace=run.namespace, origin_system=arrival.system, origin_id=one.regression_of)
    earlier = found.first()
    if earlier is None:
        raise Refused("not_found", "The run that it is a regression of is not here.", field="regression_of")
    return earlier


def _in_line(verdicts: Iterable[RunVerdict]) -> list[RunVerdict]:
    """The outcomes from the first to the one that stands; anything but one line is refused."""
    by_before: dict[str, RunVerdict] = {}
    all_of_them = list(verdicts)
    for one in all_of_them:
        if by_before.setdefault(one.supersedes, one) is not one:
            raise Refused("invalid_value", "Its outcomes are no single line.", field="outcomes")
    line: list[RunVerdict] = []
    at = ""
    while (next_one := by_before.get(at)) is not None and len(line) < len(all_of_them):
        line.append(next_one)
        at = next_one.id
    if len(line) != len(all_of_them):
        raise Refused("invalid_value", "Its outcomes are no single line.", field="outcomes")
    return line


def _check(item: RunItem) -> None:
    """What a door would not take is not taken from a file either. Hidden reasoning is gone already, and said."""
    check_said({"goal": (item.goal, GOAL_MAX), "workspace_key": (item.workspace_key, NAME_MAX),
                "thread": (item.thread, NAME_MAX)})  # fmt: skip
    _check_structures({"acceptance_criteria": list(item.acceptance_criteria), "budget": dict(item.budget)})
    check_text("memory_scopes", "\n".join(item.memory_scopes), longest=STRUCTURED_MAX)
    parts = {one.id for one in item.parts}
    if sum(not one.parent for one in item.parts) != 1 or len(parts) != len(item.parts):
        raise Refused("invalid_value", "It has not one work item that stands for all of it.", field="work_items")
    for part in item.parts:
        check_said({"work item": (part.goal, GOAL_MAX)})
    if [one.sequence for one in item.happenings] != list(range(1, len(item.happenings) + 1)):
        raise Refused("invalid_value", "Its events are not numbered from 1 without a gap.", field="events")
    for event in item.happenings:
        _check_event(event, parts)
    for link in item.links:
        check_word("relation", link.relation, _RELATIONS)
        check_text("record", link.record_id, longest=64)
    for verdict in item.verdicts:
        _check_verdict(verdict)


def _check_event(event: RunHappening, parts: set[str]) -> None:
    check_word("event_type", event.type, list(RunEventType))
    check_said({"summary": (event.summary, SUMMARY_MAX), "agent": (event.agent, NAME_MAX)})
    _check_structures({"payload": dict(event.payload), "evidence": list(event.evidence)})
    if event.part not in parts:
        raise Refused("invalid_value", "An event is about a work item that is not there.", field="events")
    if event.artifact is not None:
        try:
            check_artifact(**event.artifact)  # type: ignore[arg-type]
        except BadInput as bad:
            raise Refused.of(bad) from bad
        _check_structures({"metadata": event.artifact["metadata"]})


def _check_verdict(one: RunVerdict) -> None:
    word = RunOutcomeWord(check_word("outcome", one.outcome, list(RunOutcomeWord)))
    judge = Evaluator(check_word("evaluator_type", one.evaluator_type, list(Evaluator)))
    check_said({"termination_reason": (one.termination_reason, REASON_MAX), "evaluator": (one.evaluator, NAME_MAX),
                "actor": (one.by, NAME_MAX)})  # fmt: skip
    _check_structures({"evidence": list(one.evidence), "metrics": dict(one.metrics)})
    try:
        check_outcome(word, judge, evidence=one.evidence, names_run=bool(one.regression_of))
    except BadInput as bad:
        raise Refused.of(bad) from bad


def _check_structures(members: Mapping[str, Any]) -> None:
    for name, value in members.items():
        check_text(name, canonical_json(value), longest=STRUCTURED_MAX)


def _time(text: str) -> datetime:
    moment = read_time(text)
    if moment is None:
        raise Refused("invalid_value", "One of its times has no zone or is no time.", field="created_at")
    return moment
