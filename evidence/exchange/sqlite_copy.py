"""Reading a foreign SQLite database without touching it: a private copy is opened, never the file itself.

Opening the file, even read-only, would create or change the files beside it when it is in WAL mode; and `immutable` would
miss what the WAL holds. So the database and its WAL (or hot journal) are copied, and the copy recovers what was committed.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
import struct
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from evidence.exchange import files
from evidence.rules.errors import BadInput

HEADER = b"SQLite format 3\0"
# Beside the database: what was committed but not yet moved into it, and what takes back a half-done write.
_BESIDE = ("-wal", "-journal")
# SQLite's lock bytes (file format, "locking"): whoever writes without a WAL, or keeps everybody out, holds some of them.
_LOCK_START, _LOCK_LENGTH = 0x40000000, 512
_ATTEMPTS = 3
# A value that is longer than any text that could be taken makes the database unreadable, instead of filling the memory.
_VALUE_MAX = 16 * 1024 * 1024


class ForeignDatabase:
    """An open private copy. `text` makes the texts: what is not UTF-8 is a problem of its row, not of the database."""

    def __init__(
        self, connection: sqlite3.Connection, folder: TemporaryDirectory[str], text: Callable[[bytes], object]
    ) -> None:
        self._connection = connection
        self._folder = folder
        connection.text_factory = text
        connection.row_factory = sqlite3.Row

    def rows(self, query: str, values: Sequence[object] = ()) -> Iterator[sqlite3.Row]:
        return iter(self._connection.execute(query, values))

    def first(self, query: str, values: Sequence[object] = ()) -> sqlite3.Row | None:
        found: sqlite3.Row | None = self._connection.execute(query, values).fetchone()
        return found

    def number(self, query: str) -> int:
        return int(self._connection.execute(query).fetchone()[0])

    def columns(self, table: str) -> frozenset[str]:
        """The columns of a table; none where there is no table of that name (a view is none)."""
        kind = self.first("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,))
        if kind is None:
            return frozenset()
        rows = self.rows("SELECT CAST(name AS BLOB) FROM pragma_table_xinfo(?)", (table,))
        return frozenset(bytes(row[0]).decode("utf-8", "replace") for row in rows)

    def prepare(self, statement: str) -> None:
        """Something that makes the copy quicker to read, such as an index."""
        self._connection.execute(statement)

    def close(self) -> None:
        self._connection.close()
        self._folder.cleanup()


@contextmanager
def closing_on_error(database: ForeignDatabase, where: str) -> Iterator[None]:
    """Whatever goes wrong while a database is looked at makes the source corrupt as a whole, and ends the copy."""
    try:
        yield
    except sqlite3.Error as error:
        database.close()
        raise files.CorruptSource(where, "the database is damaged and cannot be read") from error
    except BaseException:
        database.close()
        raise


def open_copy(path: Path, where: str, *, text: Callable[[bytes], object] = bytes) -> ForeignDatabase:
    """The database at `path`, as far as it was committed. `CorruptSource` where it is none, damaged, locked or being written."""
    _check_file(path, where)
    folder = TemporaryDirectory(prefix="import-")
    try:
        copy = _copied(path, Path(folder.name), where)
        connection = sqlite3.connect(copy, timeout=0, isolation_level=None, check_same_thread=False)
    except BaseException:
        folder.cleanup()
        raise
    database = ForeignDatabase(connection, folder, text)
    with closing_on_error(database, where):
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _VALUE_MAX)
        connection.execute("PRAGMA cell_size_check = ON")
        if connection.execute("PRAGMA quick_check(1)").fetchone()[0] not in ("ok", b"ok"):
            raise files.CorruptSource(where, "the database is damaged and cannot be read")
    return database


def _check_file(path: Path, where: str) -> None:
    try:
        with files.open_regular(path) as file:
            head = file.read(len(HEADER))
            locked = _locked(file.fileno())
    except BadInput as bad:
        raise files.CorruptSource(where, bad.detail) from bad
    except OSError as error:
        raise files.CorruptSource(where, f"it cannot be read ({error.strerror or 'input/output error'})") from error
    if head != HEADER:
        raise files.CorruptSource(where, "it is no SQLite database")
    if locked:
        raise files.CorruptSource(
            where, "it is locked by a program that writes it; end that program or import a backup"
        )


def _locked(handle: int) -> bool:
    """Whether another process holds one of SQLite's write locks. The layout of the question is Linux's."""
    if not sys.platform.startswith("linux"):
        return False
    asked = struct.pack("hhqqi4x", fcntl.F_RDLCK, os.SEEK_SET, _LOCK_START, _LOCK_LENGTH, 0)
    answer = fcntl.fcntl(handle, fcntl.F_GETLK, asked)
    return int(struct.unpack("hhqqi4x", answer)[0]) != fcntl.F_UNLCK


def _copied(path: Path, folder: Path, where: str) -> Path:
    """A copy that nobody wrote into while it was made."""
    copy = folder / "copy.db"
    for _attempt in range(_ATTEMPTS):
        before = _state(path)
        for suffix in ("", *_BESIDE):
            target = Path(f"{copy}{suffix}")
            target.unlink(missing_ok=True)
            if suffix in before:
                _copy(Path(f"{path}{suffix}"), target, where)
        if _state(path) == before:
            return copy
    raise files.CorruptSource(where, "it is being written; end the program that writes it, or import a backup")


def _copy(source: Path, target: Path, where: str) -> None:
    try:
        with files.open_regular(source) as reading, target.open("wb") as writing:
            shutil.copyfileobj(reading, writing)
    except BadInput as bad:
        raise files.CorruptSource(where, f"the file beside it cannot be taken: {bad.detail}") from bad
    except OSError as error:
        raise files.CorruptSource(where, f"it cannot be read ({error.strerror or 'input/output error'})") from error


def _state(path: Path) -> Mapping[str, tuple[int, int]]:
    """Size and time of change of the database and of what lies beside it, empty companions left out."""
    found: dict[str, tuple[int, int]] = {}
    for suffix in ("", *_BESIDE):
        try:
            about = Path(f"{path}{suffix}").stat(follow_symlinks=False)
        except FileNotFoundError:
            continue
        if about.st_size or not suffix:
            found[suffix] = (about.st_size, about.st_mtime_ns)
    return found
