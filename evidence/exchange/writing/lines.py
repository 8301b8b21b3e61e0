"""The desk's own line format: what an import of the file takes in again as it was."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from evidence.exchange.writing.entries import Entry, compact


def write(path: Path, entries: Iterable[Entry], made_at: str) -> int:
    count = 0
    with path.open("x", encoding="utf-8", newline="\n") as file:
        for one in entries:
            file.write(json.dumps(compact(one.entry), ensure_ascii=False, separators=(",", ":")) + "\n")
            count += 1
    return count
