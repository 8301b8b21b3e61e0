"""Tables of a foreign SQLite file, read from a private copy (`sqlite_copy`); texts that are no UTF-8 come as half characters,
which their row's reader refuses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evidence.exchange.files import CorruptSource, open_regular
from evidence.exchange.sqlite_copy import HEADER, ForeignDatabase, closing_on_error, open_copy
from evidence.rules.errors import BadInput


def is_database(path: Path) -> bool:
    try:
        with open_regular(path) as file:
            return file.read(len(HEADER)) == HEADER
    except (BadInput, OSError):
        return False


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "surrogateescape")


@contextmanager
def opened(path: Path, where: str) -> Iterator[ForeignDatabase]:
    """What was committed. What goes wrong while it is read is `CorruptSource`."""
    database = open_copy(path, where, text=_text)
    with closing_on_error(database, where):
        yield database
    database.close()


def require(database: ForeignDatabase, where: str, table: str, wanted: Sequence[str]) -> frozenset[str]:
    """The table's columns; `CorruptSource` where one that is needed is missing."""
    there = database.columns(table)
    missing = [name for name in wanted if name not in there]
    if missing:
        raise CorruptSource(where, f"its table {table} is missing or lacks {missing[0]}")
    # A value that is too large would only be met in the middle of reading.
    lengths = ", ".join(f"max(length(CAST({name} AS BLOB)))" for name in wanted)
    database.first(f"SELECT {lengths} FROM {table}")  # noqa: S608 - names of the readers
    return there


def rows(path: Path, where: str, table: str, wanted: Sequence[str], *, optional: Sequence[str]) -> list[dict[str, Any]]:
    """All rows of a small table, in the order in which they were written."""
    with opened(path, where) as database:
        there = require(database, where, table, wanted)
        names = ", ".join((*wanted, *(name for name in optional if name in there)))
        found = database.rows(f"SELECT {names} FROM {table} ORDER BY rowid")  # noqa: S608 - names of this module
        return [dict(row) for row in found]
