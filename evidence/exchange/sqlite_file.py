"""Reading a table of a foreign SQLite file: opened read-only and unchanging, so that nothing is written beside it either.

`CorruptSource` where it is damaged, has changes that are not in the file yet, or lacks what the format needs.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from evidence.exchange.files import CorruptSource, open_regular
from evidence.rules.errors import BadInput

MARK = b"SQLite format 3\0"
# A value longer than any text that is taken; SQLite itself refuses to hand it out.
VALUE_MAX = 4 * 1024 * 1024


def is_database(path: Path) -> bool:
    try:
        with open_regular(path) as file:
            return file.read(len(MARK)) == MARK
    except (BadInput, OSError):
        return False


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "surrogateescape")


@contextmanager
def opened(path: Path, where: str) -> Iterator[sqlite3.Connection]:
    """A connection that cannot write. What goes wrong while it is used is `CorruptSource`."""
    pending = path.with_name(f"{path.name}-wal")
    if pending.is_file() and pending.stat().st_size:
        raise CorruptSource(where, "it has changes that are not in the file yet (-wal); close the program that uses it")
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro&immutable=1", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            # A text that is no UTF-8 is a problem of its row, not of the file.
            connection.text_factory = _text
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_MAX)
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA query_only = ON")
            yield connection
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise CorruptSource(where, f"it cannot be read as a database ({type(error).__name__})") from error


def check(connection: sqlite3.Connection, where: str) -> None:
    """`CorruptSource` where the file is damaged."""
    found = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found is None or found[0] != "ok":
        raise CorruptSource(where, "the database is damaged")


def columns_of(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    """The columns of a real table; none where there is no such table (a view would run what its file says)."""
    kind = connection.execute("SELECT type FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    if kind is None or kind[0] != "table":
        return frozenset()
    return frozenset(row[0] for row in connection.execute("SELECT name FROM pragma_table_info(?)", (table,)))


def require(connection: sqlite3.Connection, where: str, table: str, wanted: Sequence[str]) -> frozenset[str]:
    there = columns_of(connection, table)
    missing = [name for name in wanted if name not in there]
    if missing:
        raise CorruptSource(where, f"its table {table} is missing or lacks {missing[0]}")
    # A value that is too large would only be met in the middle of reading.
    lengths = ", ".join(f"max(length(CAST({name} AS BLOB)))" for name in wanted)
    connection.execute(f"SELECT {lengths} FROM {table}").fetchone()  # noqa: S608 - names of the readers
    return there


def rows(path: Path, where: str, table: str, wanted: Sequence[str], *, optional: Sequence[str]) -> list[dict[str, Any]]:
    """All rows of a small table, in the order in which they were written."""
    with opened(path, where) as connection:
        check(connection, where)
        there = require(connection, where, table, wanted)
        names = ", ".join((*wanted, *(name for name in optional if name in there)))
        found = connection.execute(f"SELECT {names} FROM {table} ORDER BY rowid")  # noqa: S608 - names of this module
        return [dict(row) for row in found]
