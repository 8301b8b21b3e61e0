"""Databases of Agent Memory Bridge for tests: the sample, copied so that it can be changed with plain SQL."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

SAMPLE = Path(__file__).resolve().parent.parent / "data" / "bridge" / "bridge.db"
NAMESPACE = "project:garden-controller"
SOLENOID = "20261130105158656931-87824c9a"  # candidate, approved by its only review
LOUD_PUMP = "20261130105158737226-af6e9639"  # candidate, rejected
MQTT = "20261130105158669268-35c43495"  # candidate, waiting
VALVE = "20261130105158365663-a41458ab"  # memory
LEARNED = "20261130105158760771-163b3a97"  # memory that the approved candidate became


def sample(folder: Path) -> Path:
    return Path(shutil.copy(SAMPLE, folder / "bridge.db"))


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path)) as connection, connection:
        yield connection


def change(path: Path, statement: str, *values: object) -> None:
    with opened(path) as connection:
        connection.execute(statement, values)


def rewrite(path: Path, memory_id: str, content: str) -> None:
    """Another content, with the hash that the bridge would give it."""
    digest = hashlib.sha256(content.encode()).hexdigest()
    change(path, "UPDATE memories SET content = ?, exact_content_hash = ? WHERE id = ?", content, digest, memory_id)


def add_memory(path: Path, number: int, content: str = "", **columns: Any) -> str:
    """One more row, as the bridge's own `store` writes it; `edges` are (relation, target)."""
    edges, tags = columns.pop("edges", []), columns.pop("tags", ["kind:learn"])
    values: dict[str, Any] = {
        "id": f"20261201{number:012d}-0000{number:04d}", "namespace": NAMESPACE, "kind": "memory", "title": f"Note {number}",
        "content": content, "tags_json": json.dumps(tags), "actor": "agent:gardener", "content_hash": "0",
        "exact_content_hash": hashlib.sha256(content.encode()).hexdigest(),
        "created_at": f"2026-12-01T00:00:{number:02d}+00:00",
    } | columns  # fmt: skip
    with opened(path) as connection:
        marks = ", ".join("?" for _ in values)
        connection.execute(f"INSERT INTO memories ({', '.join(values)}) VALUES ({marks})", list(values.values()))
        for position, (relation, target) in enumerate(edges):
            connection.execute(
                "INSERT INTO memory_edges (source_id, target_id, relation, position) VALUES (?, ?, ?, ?)",
                (values["id"], target, relation, position),
            )
    return str(values["id"])


def add_review(path: Path, number: int, candidate: str, decision: str, by: str = "human:rosa", target: str = "") -> str:
    content = (
        f"record_type: learning-review\nreview_decision: {decision}\nreviewed_by: {by}\nsource_candidate_id: {candidate}\n"
        f"target_record_id: {target}"
    )
    return add_memory(
        path, number, content, tags=["kind:learning-candidate", "kind:learning-review"], is_learning_candidate=1,
        edges=[("source_candidate_id", candidate)],
    )  # fmt: skip


def digests(folder: Path) -> dict[str, str]:
    """Every file of a folder with the hash of its bytes."""
    return {one.name: hashlib.sha256(one.read_bytes()).hexdigest() for one in sorted(folder.iterdir()) if one.is_file()}
