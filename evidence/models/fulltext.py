"""The search structures over `IndexEntry`: an FTS5 table on SQLite, a generated tsvector with GIN on PostgreSQL.

No model can describe either, and SQLite drops triggers when it rebuilds a table, so both are put in place after every
migrate, like the append-only triggers. Rows are written to `IndexEntry` alone; the database keeps these in step itself.
"""

from __future__ import annotations

from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

ENTRIES = "evidence_indexentry"
FTS = "evidence_fts"
VECTOR = "vector"
GIN = "evidence_indexentry_vector"

# `ascii` takes every non-ASCII letter for part of a word: the words come in cut and stemmed, and must stay as they are.
# `detail=column` still tells places from terms; positions would double the size, and phrases are looked for in the ranking.
_FTS_TABLE = (
    f"CREATE VIRTUAL TABLE {FTS} USING fts5("
    f"places, terms, content='{ENTRIES}', content_rowid='id', tokenize='ascii', detail='column', columnsize=0)"
)
_ADD = f"INSERT INTO {FTS}(rowid, places, terms) VALUES (NEW.id, NEW.places, NEW.terms)"  # noqa: S608 - our own names
_TAKE = f"INSERT INTO {FTS}({FTS}, rowid, places, terms) VALUES ('delete', OLD.id, OLD.places, OLD.terms)"  # noqa: S608
_FTS_TRIGGERS = {
    f"{FTS}_insert": f"CREATE TRIGGER {FTS}_insert AFTER INSERT ON {ENTRIES} BEGIN {_ADD}; END",
    f"{FTS}_delete": f"CREATE TRIGGER {FTS}_delete AFTER DELETE ON {ENTRIES} BEGIN {_TAKE}; END",
    f"{FTS}_update": f"CREATE TRIGGER {FTS}_update AFTER UPDATE OF places, terms ON {ENTRIES} BEGIN {_TAKE}; {_ADD}; END",
}

# Words are casefolded and places begin with a capital letter, so that no text can pose as a place.
_VECTOR_COLUMN = (
    f"ALTER TABLE {ENTRIES} ADD COLUMN {VECTOR} tsvector GENERATED ALWAYS AS"
    " (array_to_tsvector(string_to_array(btrim(places || ' ' || terms), ' '))) STORED"
)
# A long pending list would be read by every search.
_VECTOR_INDEX = f"CREATE INDEX {GIN} ON {ENTRIES} USING gin ({VECTOR}) WITH (gin_pending_list_limit = 512)"


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """Names of search structures that should be there and are not; empty when recall can search."""
    return [name for name, _ in _needed(connection)]


def install(connection: BaseDatabaseWrapper) -> None:
    """Put in place what is missing. Idempotent; does nothing before the tables exist."""
    tables = set(connection.introspection.table_names())
    if ENTRIES not in tables:
        return
    needed = _needed(connection)
    with connection.cursor() as cursor:
        for _, statement in needed:
            cursor.execute(statement)
        if needed and connection.vendor == "sqlite":
            # Rows may have changed while a trigger was away.
            cursor.execute(f"INSERT INTO {FTS}({FTS}) VALUES ('rebuild')")  # noqa: S608


def reinstall_after_migrate(using: str = "default", **_: Any) -> None:
    """`post_migrate` receiver."""
    install(connections[using])


def _needed(connection: BaseDatabaseWrapper) -> list[tuple[str, str]]:
    if connection.vendor == "postgresql":
        wanted, there = {VECTOR: _VECTOR_COLUMN, GIN: _VECTOR_INDEX}, _in_postgres(connection)
    else:
        wanted, there = {FTS: _FTS_TABLE} | _FTS_TRIGGERS, _in_sqlite(connection)
    return [(name, statement) for name, statement in wanted.items() if name not in there]


def _in_sqlite(connection: BaseDatabaseWrapper) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'trigger')")
        return {row[0] for row in cursor.fetchall()}


def _in_postgres(connection: BaseDatabaseWrapper) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT a.attname FROM pg_attribute a WHERE a.attrelid = to_regclass(%s) AND a.attname = %s AND NOT a.attisdropped"
            " UNION ALL SELECT i.indexname FROM pg_indexes i WHERE i.schemaname = current_schema() AND i.indexname = %s",
            [ENTRIES, VECTOR, GIN],
        )
        return {row[0] for row in cursor.fetchall()}
