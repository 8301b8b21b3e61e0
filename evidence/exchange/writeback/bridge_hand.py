"""Runs in the Python of Agent Memory Bridge, not in the desk's: carries out a plan through the bridge's own package.

Reads `{"epoch", "steps"}` as JSON from standard input, writes one JSON line for each step that was carried out, and stops at
the first row that is not what the plan was made for. Needs nothing but the standard library and the package.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any


def main() -> int:
    try:
        from agent_mem_bridge.storage import MemoryStore  # type: ignore[import-not-found]
    except ImportError:
        _say({"error": "the package agent-memory-bridge is not installed for this Python"})
        return 2
    path, plan = Path(sys.argv[1]), json.load(sys.stdin)
    # Everything is compared before anything is written, and each step once more right before its turn.
    for step in plan["steps"]:
        _compare(path, plan["epoch"], step)
    store = MemoryStore(path, log_dir=path.parent / "logs")
    for step in plan["steps"]:
        _compare(path, plan["epoch"], step)
        _say({"candidate": step["candidate"], **_carry_out(store, step)})
    return 0


def _say(line: dict[str, str]) -> None:
    sys.stdout.write(f"{json.dumps(line)}\n")
    sys.stdout.flush()


def _compare(path: Path, epoch: str, step: dict[str, Any]) -> None:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        found = connection.execute("SELECT value FROM bridge_metadata WHERE key = 'database_epoch'").fetchone()
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        hashes = {
            memory_id: connection.execute(
                "SELECT exact_content_hash FROM memories WHERE id = ?", (memory_id,)
            ).fetchone()
            for memory_id in step["hashes"]
        }
    if version != 12 or found is None or found[0] != epoch:
        _stop(step, "the database is another one than was imported")
    for memory_id, row in hashes.items():
        if row is None or row[0] != step["hashes"][memory_id]:
            _stop(step, "a memory changed or went since it was imported")


def _stop(step: dict[str, Any], why: str) -> None:
    _say({"candidate": step["candidate"], "error": why})
    sys.exit(3)


def _carry_out(store: Any, step: dict[str, Any]) -> dict[str, str]:
    """The record first, so that the receipt can name it; both are the same rows again when a run is repeated."""
    review, record = dict(step["review"]), step["record"]
    if record is not None and record["revises"]:
        made = store.revise(
            record["revises"], replacement_content=record["content"], title=record["title"], actor=record["actor"],
            reason=review.get("review_reason") or None,
        )  # fmt: skip
        review["target_record_id"] = made["successor_id"]
    elif record is not None:
        made = store.store(
            record["namespace"], record["content"], tags=record["tags"], title=record["title"], actor=record["actor"],
            source_app="evidence-desk",
        )  # fmt: skip
        review["target_record_id"] = made.get("duplicate_of") or made["id"]
    receipt = store.store_learning_review(review)
    return {
        "record": str(review.get("target_record_id", "")),
        "receipt": str(receipt.get("duplicate_of") or receipt.get("id") or ""),
    }


if __name__ == "__main__":
    sys.exit(main())
