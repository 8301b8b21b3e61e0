"""Runs in the Python of Agent Memory Bridge: writes and asks a real database for `test_real_bridge`. Not collected by pytest."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

NAMESPACE = "project:kitchen"


def main() -> None:
    from agent_mem_bridge.learning_policy import evaluate_learning_candidate  # type: ignore[import-not-found]
    from agent_mem_bridge.storage import MemoryStore  # type: ignore[import-not-found]

    path = Path(sys.argv[2])
    store = MemoryStore(path, log_dir=path.parent / "logs")
    if sys.argv[1] == "recall":
        tags = sys.argv[4].split(",") if len(sys.argv) > 4 else None
        found = store.recall(NAMESPACE, query=sys.argv[3], limit=20, tags_any=tags)
        sys.stdout.write(json.dumps([item["content"] for item in found["items"]]))
        return
    ids: dict[str, Any] = {}
    ids["oven"] = store.store(
        NAMESPACE, "record_type: learn\nclaim: The oven heats to 250 degrees.", tags=["kind:learn"], actor="agent:cook"
    )["id"]
    ids["kettle"] = store.store(NAMESPACE, "The kettle is blue.", actor="agent:cook")["id"]
    gone = store.store(NAMESPACE, "The phone number is on the door.", actor="agent:cook")["id"]
    for name, claim in (
        ("hum", "The fridge hums at night."), ("sink", "The sink is in the cellar."), ("lamp", "The lamp is broken."),
    ):  # fmt: skip
        candidate = {
            "schema": "memory.candidate.v1", "namespace": NAMESPACE, "authority_class": "context_hint", "claim": claim,
            "evidence_refs": ["commit:abc1234"], "source_session_id": "s1", "source_task_id": name, "confidence": 0.8,
            "domain_tags": ["domain:kitchen"],
        }  # fmt: skip
        ids[name] = store.store_learning_candidate(candidate, evaluate_learning_candidate(candidate), "pending")["id"]
    ids["teal"] = store.revise(ids["kettle"], replacement_content="The kettle is teal.", actor="human:rosa")[
        "successor_id"
    ]
    store.forget(gone)
    sys.stdout.write(json.dumps(ids))


main()
