"""A copy of the database to rehearse on: what is done there holds up nobody and leaves nothing.

SQLite has one writer; a rehearsal in a transaction of its own would keep everybody else waiting until it ends. Knows nothing
of what is rehearsed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from django.db import DEFAULT_DB_ALIAS, connections


@contextmanager
def on_a_copy() -> Iterator[None]:
    """This thread's database is a private copy meanwhile, beside the real one and as closed to others.

    Does nothing where it is not needed (PostgreSQL: only rows are locked) or not possible: in a transaction, in memory.
    """
    link = connections[DEFAULT_DB_ALIAS]
    name = str(link.settings_dict["NAME"])
    if link.vendor != "sqlite" or link.in_atomic_block or not Path(name).is_file():
        yield
        return
    real = link.settings_dict
    with TemporaryDirectory(prefix="rehearsal-", dir=Path(name).parent) as folder:
        copy = str(Path(folder) / "db.sqlite3")
        with closing(sqlite3.connect(name)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
        link.close()
        link.settings_dict = {**real, "NAME": copy}  # its own: the dictionary is shared between threads
        try:
            yield
        finally:
            link.close()
            link.settings_dict = real
