"""Stores of pi for tests: the sample, copied so that lines can be added and changed."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

SAMPLE = Path(__file__).resolve().parent.parent / "data" / "pi"
PROFILE = "project:harbor-api"


def sample(folder: Path) -> Path:
    return Path(shutil.copytree(SAMPLE, folder / "store"))


def lines(store: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (store / name).read_text().splitlines() if line.strip()]


def write(store: Path, name: str, rows: list[dict[str, Any]]) -> None:
    (store / name).write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def change(store: Path, name: str, row_id: str, how: Callable[[dict[str, Any]], Any]) -> None:
    """Change the rows of one id in place."""
    rows = lines(store, name)
    for row in rows:
        if row.get("id") == row_id:
            how(row)
    write(store, name, rows)


def append(store: Path, name: str, *rows: dict[str, Any] | bytes) -> None:
    with (store / name).open("ab") as file:
        for row in rows:
            file.write((row if isinstance(row, bytes) else json.dumps(row).encode()) + b"\n")


def digests(folder: Path) -> dict[str, str]:
    files = sorted(one for one in folder.rglob("*") if one.is_file())
    return {str(one.relative_to(folder)): hashlib.sha256(one.read_bytes()).hexdigest() for one in files}
