"""What the database of a bridge has to look like, and its rows as texts.

The bridge itself refuses a newer schema and one whose migrations have a gap; so does this reader, and it takes no table whose
columns are others than those that it knows.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from evidence.exchange import files, strict_json
from evidence.exchange.sqlite_copy import ForeignDatabase, closing_on_error, open_copy
from evidence.rules.errors import BadInput
from evidence.rules.members import Members

SCHEMA = 12
TABLES: Mapping[str, frozenset[str]] = {
    "memories": frozenset(
        "id namespace kind title content tags_json session_id actor correlation_id source_app source_client source_model"
        " client_session_id client_workspace client_transport signal_status claimed_by claimed_at lease_expires_at"
        " expires_at acknowledged_at is_learning_candidate lineage_status lineage_issues_json content_hash created_at"
        " exact_content_hash".split()
    ),
    "memory_tombstones": frozenset("forgotten_id namespace kind deleted_at root_forget_id cause".split()),
    "memory_annotations": frozenset(
        "annotation_id memory_id title_before title_after added_tags_json provenance_json actor created_at".split()
    ),
    "memory_revisions": frozenset("revision_id predecessor_id successor_id actor reason created_at".split()),
    "memory_metadata": frozenset(
        "memory_id record_type status confidence confidence_label valid_from valid_until metadata_schema_version"
        " validation_issues_json".split()
    ),
    "memory_edges": frozenset(
        "source_id target_id relation position machine_owned target_namespace target_exists".split()
    ),
    "bridge_metadata": frozenset({"key", "value"}),
    "schema_migrations": frozenset("version name checksum applied_at".split()),
}
# The copy is ours: what is looked up for every row gets an index there, and the bridge's own file none.
_INDEXES = (
    "CREATE INDEX IF NOT EXISTS desk_annotations ON memory_annotations (memory_id)",
    "CREATE INDEX IF NOT EXISTS desk_revisions ON memory_revisions (predecessor_id, successor_id)",
    "CREATE INDEX IF NOT EXISTS desk_edges ON memory_edges (target_id, relation)",
    "CREATE INDEX IF NOT EXISTS desk_order ON memories (namespace, created_at, id)",
)
_MEMORIES = """
SELECT m.id, m.namespace, m.kind, m.title, substr(m.content, 1, 70000) AS content, m.tags_json, m.session_id, m.actor,
 m.correlation_id, m.source_app, m.source_client, m.source_model, m.client_session_id, m.client_workspace,
 m.client_transport, m.is_learning_candidate, m.lineage_status, m.lineage_issues_json, m.exact_content_hash, m.created_at,
 d.record_type, d.status, d.confidence, d.confidence_label, d.valid_from, d.valid_until
FROM memories m LEFT JOIN memory_metadata d ON d.memory_id = m.id
"""
_TOO_LONG = 70_000


@dataclass(frozen=True, slots=True)
class Bridge:
    """An open copy of a bridge's database. `file` is its name, for places."""

    file: str
    database: ForeignDatabase
    epoch: str
    namespaces: tuple[str, ...]

    @classmethod
    def at(cls, path: Path) -> Bridge:
        root = files.root_of(path)
        where = files.shown(root.name)
        if root.is_dir():
            raise files.CorruptSource(where, "it is a folder; name the bridge.db in it")
        database = open_copy(root, where)
        with closing_on_error(database, where):
            _check_schema(database, where)
            for statement in _INDEXES:
                database.prepare(statement)
            return cls(where, database, _epoch(database), _namespaces(database, where))

    def memories(self, namespace: str) -> Iterator[sqlite3.Row]:
        """Everything but signals, oldest first."""
        order = "WHERE m.namespace = ? AND m.kind = 'memory' ORDER BY m.created_at, m.id"
        return self.database.rows(_MEMORIES + order, (namespace,))

    def memory(self, memory_id: str) -> sqlite3.Row | None:
        return self.database.first(f"{_MEMORIES} WHERE m.id = ? AND m.kind = 'memory'", (memory_id,))

    def targets(self, memory_id: str, relation: str) -> list[str]:
        """What a row points at by this relation, in its own order."""
        rows = self.database.rows(
            "SELECT target_id FROM memory_edges WHERE source_id = ? AND relation = ? ORDER BY position, target_id LIMIT 200",
            (memory_id, relation),
        )
        return [text(row[0], "target_id") for row in rows]

    def pointing_at(self, memory_id: str, relation: str) -> list[str]:
        """The rows that point at this one by this relation, oldest first."""
        rows = self.database.rows(
            "SELECT e.source_id FROM memory_edges e JOIN memories m ON m.id = e.source_id WHERE e.target_id = ?"
            " AND e.relation = ? ORDER BY m.created_at, m.id LIMIT 200",
            (memory_id, relation),
        )
        return [text(row[0], "source_id") for row in rows]


def _check_schema(database: ForeignDatabase, where: str) -> None:
    version = database.number("PRAGMA user_version")
    if version != SCHEMA:
        hint = "the desk knows no newer one" if version > SCHEMA else "let the bridge upgrade it first"
        raise files.CorruptSource(where, f"its schema is version {version}, not {SCHEMA}: {hint}")
    for table, columns in TABLES.items():
        found = database.columns(table)
        if not found:
            raise files.CorruptSource(where, f"it is no database of a bridge: there is no table {table}")
        if found != columns:
            raise files.CorruptSource(where, f"its table {table} has other columns than schema {SCHEMA} gives it")
    applied = [row[0] for row in database.rows("SELECT version FROM schema_migrations ORDER BY version")]
    if applied != list(range(1, SCHEMA + 1)):
        raise files.CorruptSource(where, "its list of applied migrations has a gap")


def _epoch(database: ForeignDatabase) -> str:
    row = database.first("SELECT value FROM bridge_metadata WHERE key = 'database_epoch'")
    return text(row[0], "database_epoch") if row else ""


def _namespaces(database: ForeignDatabase, where: str) -> tuple[str, ...]:
    rows = database.rows("SELECT namespace FROM memories UNION SELECT namespace FROM memory_tombstones ORDER BY 1")
    try:
        return tuple(text(row[0], "namespace") for row in rows)
    except BadInput as bad:
        raise files.CorruptSource(where, f"a namespace cannot be read: {bad.detail}") from bad


def text(value: object, name: str) -> str:
    """A cell as text; "" for NULL. `BadInput` for other types and for bytes that are no UTF-8."""
    if value is None:
        return ""
    if not isinstance(value, bytes):
        raise BadInput("invalid_value", f"{name} is no text", name)
    if len(value) > 4 * _TOO_LONG:
        raise BadInput("too_large", f"{name} is too long", name)
    return files.decode(value)


def texts_of(row: sqlite3.Row) -> dict[str, str]:
    """All texts of a row by their column; numbers are left out. SQLite itself cut a content that is far too long."""
    found = {name: text(row[name], name) for name in row.keys() if not isinstance(row[name], int | float)}  # noqa: SIM118
    if len(found.get("content", "")) >= _TOO_LONG:
        raise BadInput("too_large", "content is longer than 64 KiB", "content")
    return found


def listed(value: str, name: str) -> tuple[str, ...]:
    """The texts of a JSON list, as the bridge keeps tags."""
    return Members({name: strict_json.parse(value) if value else []}).texts(name)
