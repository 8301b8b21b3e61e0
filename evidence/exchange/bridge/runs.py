"""The run ledger of a bridge: each run as one entry, with its work items, events, artifacts, outcomes and memory links.

A run goes to the namespace that its workspace names. What the bridge let through and the desk's ledger may not hold is left out
of its event, and said; the event itself stays, so that nothing moves in the numbering.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evidence.exchange import files, strict_json
from evidence.exchange.bridge.candidates import known_as
from evidence.exchange.bridge.content import BRIDGE_AGENT, is_person
from evidence.exchange.bridge.layout import Bridge, listed, text, texts_of
from evidence.exchange.items import Note, Place, Problem, Read, RunHappening, RunItem, RunLink, RunPart, RunVerdict
from evidence.exchange.strict_json import digest_of
from evidence.rules.errors import BadInput
from evidence.rules.hidden_reasoning import first_hidden

EVENTS_MAX = 20_000
_INDEXES = (
    "CREATE INDEX IF NOT EXISTS desk_run_events ON run_events (run_id, sequence)",
    "CREATE INDEX IF NOT EXISTS desk_run_links ON run_memory_links (run_id, created_at)",
    "CREATE INDEX IF NOT EXISTS desk_run_artifacts ON run_artifacts (run_id)",
)
_TABLES = ("agent_runs", "run_work_items", "run_events", "run_artifacts", "run_outcomes", "run_memory_links")
_OF_A_RUN = {
    "run_work_items": "SELECT * FROM run_work_items WHERE run_id = ? ORDER BY created_at, work_item_id",
    "run_artifacts": "SELECT * FROM run_artifacts WHERE run_id = ? ORDER BY created_at, artifact_id",
    "run_outcomes": "SELECT * FROM run_outcomes WHERE run_id = ? ORDER BY created_at, outcome_id",
    "run_event_v2_details": "SELECT * FROM run_event_v2_details WHERE run_id = ?",
}
_KEPT = ("model_digest", "harness_digest", "risk_level", "continuation_of_run_id", "source_app", "source_client",
         "source_model", "client_session_id", "client_workspace", "client_transport")  # fmt: skip


def read_runs(bridge: Bridge) -> Iterator[Read]:
    """Runs by their workspace, oldest first, so that a regression comes after the run that it is one of."""
    if not all(bridge.database.columns(table) for table in _TABLES):
        return
    for statement in _INDEXES:
        bridge.database.prepare(statement)
    for row in bridge.database.rows("SELECT * FROM agent_runs ORDER BY workspace_key, created_at, run_id"):
        place = Place(bridge.file, part=f"agent_runs[{files.shown(_id_of(row))}]")
        try:
            yield _Reader(bridge, texts_of(row)).item(place)
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)


def _id_of(row: sqlite3.Row) -> str:
    try:
        return text(row["run_id"], "run_id")
    except BadInput:
        return ""


@dataclass(slots=True)
class _Reader:
    """One run being read. `left_out`: parts that the desk's ledger may not hold."""

    bridge: Bridge
    run: dict[str, str]
    left_out: int = 0

    def item(self, place: Place) -> RunItem:
        run = self.run
        happenings, links = self._happenings(), tuple(self._links())
        note = Note("hidden_reasoning", f"{self.left_out} structures that would hold hidden reasoning were left out")
        ledger = {
            "run": {name: run[name] for name in ("root_goal", "created_at", "agent_id", "thread_id")},
            "events": [one.id for one in happenings],
            "outcomes": [one["outcome_id"] for one in self._rows("run_outcomes")],
            "links": [one.id for one in links],
        }
        agent = run["agent_id"].strip()
        return RunItem(
            place=place, foreign_id=run["run_id"], namespace=run["workspace_key"],
            agent=agent if agent and not is_person(agent) else BRIDGE_AGENT, digest=digest_of(ledger),
            extra={name: run[name] for name in _KEPT if run.get(name)},
            workspace_key=run["workspace_key"], goal=run["root_goal"], thread=run["thread_id"],
            profile=run["evidence_profile"], memory_scopes=listed(run["memory_scopes_json"], "memory_scopes"),
            acceptance_criteria=self._list(run["acceptance_criteria_json"], "acceptance_criteria"),
            budget=self._object(run["budget_json"], "budget"), at=run["created_at"], parts=tuple(self._parts()),
            happenings=happenings, links=links, verdicts=tuple(self._verdicts()),
            notes=(note,) if self.left_out else (),
        )  # fmt: skip

    def _rows(self, table: str) -> Iterator[dict[str, str]]:
        """Texts of the run's rows in a table, oldest first."""
        return (texts_of(row) for row in self.bridge.database.rows(_OF_A_RUN[table], (self.run["run_id"],)))

    def _parts(self) -> Iterator[RunPart]:
        for one in self._rows("run_work_items"):
            yield RunPart(
                id=one["work_item_id"], parent=one["parent_work_item_id"], goal=one["goal"],
                owner=one["owner_agent_id"], at=one["created_at"],
            )  # fmt: skip

    def _happenings(self) -> tuple[RunHappening, ...]:
        artifacts = {one["producing_event_id"]: one for one in self._rows("run_artifacts")}
        words = {}
        if self.bridge.database.columns("run_event_v2_details"):
            details = self._rows("run_event_v2_details")
            words = {one["event_id"]: one["logical_event_type"] for one in details}
        query = "SELECT * FROM run_events WHERE run_id = ? ORDER BY sequence LIMIT ?"
        found = []
        for row in self.bridge.database.rows(query, (self.run["run_id"], EVENTS_MAX + 1)):
            one = texts_of(row)
            artifact = artifacts.get(one["event_id"])
            found.append(
                RunHappening(
                    id=one["event_id"], part=one["work_item_id"], sequence=int(row["sequence"]),
                    type=words.get(one["event_id"], one["event_type"]), summary=one["summary"],
                    payload={} if artifact else self._object(one["payload_json"], "payload"),
                    evidence=self._list(one["evidence_json"], "evidence"), agent=one["agent_id"],
                    at=one["created_at"], artifact=self._artifact(artifact) if artifact else None,
                )
            )  # fmt: skip
        if len(found) > EVENTS_MAX:
            raise BadInput("too_large", f"it has more than {EVENTS_MAX:,} events", "run_events")
        return tuple(found)

    def _artifact(self, one: Mapping[str, str]) -> Mapping[str, object]:
        named = {name: one[name] for name in ("digest", "mime_type", "uri")}
        return {**named, "metadata": self._object(one["metadata_json"], "metadata")}

    def _verdicts(self) -> Iterator[RunVerdict]:
        for one in self._rows("run_outcomes"):
            yield RunVerdict(
                id=one["outcome_id"], outcome=one["outcome_type"], evaluator_type=one["evaluator_type"],
                evaluator=one["evaluator_version"], evidence=self._list(one["evidence_json"], "evidence"),
                metrics=self._object(one["metrics_json"], "metrics"), termination_reason=one["termination_reason"],
                supersedes=one["supersedes_outcome_id"], regression_of=one["regression_of_run_id"], by=one["actor"],
                at=one["created_at"],
            )  # fmt: skip

    def _links(self) -> Iterator[RunLink]:
        """A record that was applied or rejected follows the recall of the same run that showed it under the same receipt."""
        shown: dict[tuple[str, str, int | None], str] = {}
        query = (
            "SELECT l.* FROM run_memory_links l JOIN run_events e ON e.event_id = l.event_id WHERE l.run_id = ?"
            " ORDER BY e.sequence, l.exposure_rank, l.link_id"
        )
        for row in self.bridge.database.rows(query, (self.run["run_id"],)):
            one = texts_of(row)
            rank = row["exposure_rank"]
            key = (one["memory_id"], one["receipt_hash"], rank)
            is_recall = one["relation"] == "recalled"
            if is_recall:
                shown.setdefault(key, one["event_id"])
            source = "" if is_recall or row["review_required"] else shown.get(key, "")
            yield RunLink(
                id=one["link_id"], event=one["event_id"], source=source, relation=one["relation"],
                record_id=known_as(self.bridge, one["memory_id"]), content_version=one["exact_content_version"],
                receipt_hash=one["receipt_hash"], rank=rank, review_required=not is_recall and not source,
                at=one["created_at"],
            )  # fmt: skip

    def _object(self, cell: str, name: str) -> Mapping[str, object]:
        value = self._clean(cell, name, {})
        if not isinstance(value, dict):
            raise BadInput("invalid_value", f"{name} is no object", name)
        return value

    def _list(self, cell: str, name: str) -> tuple[object, ...]:
        value = self._clean(cell, name, [])
        if not isinstance(value, list):
            raise BadInput("invalid_value", f"{name} is no list", name)
        return tuple(value)

    def _clean(self, cell: str, name: str, empty: Any) -> Any:
        value = strict_json.parse(cell) if cell else empty
        if first_hidden(value) is not None:
            self.left_out += 1
            return empty
        return value
