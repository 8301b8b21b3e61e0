"""Labelled texts from a file (`text TAB label [TAB kind]`, `\\n` for a line's end), and their halves.

A file named `*_dev` or `*_held` is one half; any other is split by a hash of the text, so that the halves never move.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Labelled:
    """One text with its label, its kind (may be empty) and its half (`dev` or `held`)."""

    text: str
    wanted: bool
    kind: str
    half: str


def read(path: Path) -> Iterator[Labelled]:
    """The texts of a file, in order; lines without a label are left out."""
    named = next((half for half in ("dev", "held") if path.stem.endswith(f"_{half}")), None)
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = line.split("\t")
        if len(cells) < 2 or cells[1].strip() not in ("0", "1"):
            continue
        text = cells[0].replace("\\n", "\n")
        yield Labelled(text, cells[1].strip() == "1", cells[2].strip() if len(cells) > 2 else "", named or _half(text))


def _half(text: str) -> str:
    return "held" if hashlib.sha256(text.encode()).digest()[0] % 2 else "dev"
