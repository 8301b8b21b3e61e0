"""Runs in the Python of Agent Memory Bridge, for `bench.recall`: fills its store with the same texts and times its recall.

    PYTHON bench/recall_bridge.py FOLDER SIZES ROUNDS

Every record but the first is put where the package itself puts it, since its own way takes ten milliseconds each. One JSON line
for each size: seconds of the processor by the query.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from recall_texts import QUERIES, statement  # type: ignore[import-not-found]

NAMESPACE = "project:bench"


def main() -> None:
    from agent_mem_bridge.storage import MemoryStore  # type: ignore[import-not-found]

    folder, rounds = Path(sys.argv[1]), int(sys.argv[3])
    path = folder / "bridge.db"
    store = MemoryStore(path, log_dir=folder / "logs")
    store.store(NAMESPACE, said(0), tags=["kind:learn"], actor="agent:bench")
    held = 1
    for size in (int(word) for word in sys.argv[2].split(",")):
        fill(path, held, size)
        held = size
        sys.stdout.write(json.dumps(measure(store, rounds)) + "\n")
        sys.stdout.flush()


def said(number: int) -> str:
    return f"record_type: learn\nclaim: {statement(number)}"


# Beside the text itself: what the package keeps of each record, by the column that names it.
BESIDE = {"memory_metadata": "memory_id", "memory_tags": "memory_id"}


def fill(path: Path, held: int, size: int) -> None:
    with sqlite3.connect(path) as link:
        link.row_factory = sqlite3.Row
        first = dict(link.execute("SELECT * FROM memories ORDER BY rowid LIMIT 1").fetchone())
        names = list(first)
        marks = ", ".join("?" for _ in names)
        link.executemany(f"INSERT INTO memories ({', '.join(names)}) VALUES ({marks})", rows(first, held, size))
        new = "FROM memories WHERE rowid > ? ORDER BY rowid"
        link.execute(f"INSERT INTO memories_fts (memory_id, title, content) SELECT id, title, content {new}", [held])
        link.execute(f"INSERT INTO memory_insertions (memory_id) SELECT id {new}", [held])
        for table, column in BESIDE.items():
            kept = [name[1] for name in link.execute(f"PRAGMA table_info({table})") if name[1] != column]
            like = ", ".join(f"(SELECT {name} FROM {table} WHERE {column} = ?)" for name in kept)
            link.execute(
                f"INSERT INTO {table} ({', '.join([column, *kept])}) SELECT id, {like} {new}",
                [*[first["id"]] * len(kept), held],
            )
        link.execute("ANALYZE")


def rows(first: dict[str, Any], held: int, size: int) -> Iterator[list[Any]]:
    for number in range(held, size):
        own = {
            "id": f"bench-{number:09d}", "content": said(number), "content_hash": f"{number:064x}",
            "exact_content_hash": f"{number:064x}",
        }  # fmt: skip
        yield list((first | own).values())


def measure(store: Any, rounds: int) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for _, query in QUERIES:
        store.recall(NAMESPACE, query=query, limit=10)
        seconds = []
        for _ in range(rounds):
            began = time.process_time()
            store.recall(NAMESPACE, query=query, limit=10)
            seconds.append(time.process_time() - began)
        found[query] = seconds
    return found


main()
