"""AgentX checkouts for tests: the sample, copied so that it can be changed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).resolve().parent.parent / "data" / "agentx"


def sample(tmp_path: Path) -> Path:
    """A copy of the sample checkout."""
    return Path(shutil.copytree(SAMPLES / "checkout", tmp_path / "checkout"))


def with_corrupt_ledger(tmp_path: Path) -> Path:
    checkout = sample(tmp_path)
    shutil.copy(SAMPLES / "_facts.corrupt.json", checkout / ".agentx/wiki/_facts.json")
    return checkout


def change(checkout: Path, name: str, how: Any) -> None:
    """Rewrite one JSON document of a checkout: `how` gets the parsed document and changes it in place."""
    path = checkout / ".agentx" / name
    document = json.loads(path.read_text())
    how(document)
    path.write_text(json.dumps(document))


def append_line(checkout: Path, agent: str, line: bytes) -> None:
    with (checkout / f".agentx/memory/{agent}.jsonl").open("ab") as file:
        file.write(line + b"\n")


def memory_line(**members: Any) -> bytes:
    line = {
        "agentId": "support-agent", "category": "fact", "content": "The till is opened at nine", "keywords": [],
        "source": {"channel": "telegram", "chatId": "1"}, "id": "m-1", "createdAt": "2026-10-05T10:00:00.000Z",
    }  # fmt: skip
    return json.dumps(line | members).encode()
