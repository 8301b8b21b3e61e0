"""basic-memory: a project's folder of Markdown notes, which is the truth, or its database, which is an index of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evidence.exchange import files, sqlite_file
from evidence.exchange.basic_memory.database import read_database
from evidence.exchange.basic_memory.folder import read_folder
from evidence.exchange.items import Read

__all__ = ["read"]


def read(path: Path) -> Iterator[Read]:
    """Items of a folder of notes, of one note, or of a database. `CorruptSource` before the first item."""
    root = files.root_of(path)
    if root.is_file() and sqlite_file.is_database(root):
        return read_database(files.shown(root.name), root)
    return read_folder(root)
