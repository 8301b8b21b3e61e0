"""Append-only, held by the database: triggers that refuse any change of decisions, feedback, runs and unpurged snapshots.

They refuse UPDATE, DELETE, TRUNCATE, and an INSERT onto an existing id, seq or key (SQLite's INSERT OR REPLACE deletes the
old row without firing delete triggers). SQLite drops triggers when it rebuilds a table, so they are put back after every
migrate. The one change that is allowed: purging a snapshot, that is setting body and salt to null together.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from evidence.rules.vocab import TERMINAL_ACTIONS

DECISION = "evidence_decision"
TOUCH = "evidence_decisiontouch"
SNAPSHOT = "evidence_snapshot"
FEEDBACK = "evidence_feedback"
RUN = "evidence_run"
WORK_ITEM = "evidence_runworkitem"
EVENT = "evidence_runevent"
ARTIFACT = "evidence_runartifact"
OUTCOME = "evidence_runoutcome"
MEMORY_LINK = "evidence_runmemorylink"
ANCHOR = "evidence_auditanchor"

_ENDINGS = ", ".join(f"'{action.value}'" for action in sorted(TERMINAL_ACTIONS))

_MESSAGE = "append-only: {table} rows are never changed"

_TAKEN = {
    DECISION: (  # constants of this module only, no input
        "SELECT 1 FROM evidence_decision d WHERE d.id = NEW.id"
        " OR (d.namespace = NEW.namespace AND d.seq = NEW.seq)"
        " OR (NEW.idempotency_key IS NOT NULL AND d.idempotency_key = NEW.idempotency_key)"
        " OR (NEW.undoes IS NOT NULL AND d.undoes = NEW.undoes)"
        f" OR (NEW.target_kind = 'held' AND NEW.action IN ({_ENDINGS}) AND d.target_kind = 'held'"
        f"     AND d.action IN ({_ENDINGS}) AND d.target_id = NEW.target_id AND d.target_version = NEW.target_version)"
    ),
    TOUCH: (
        "SELECT 1 FROM evidence_decisiontouch t WHERE t.id = NEW.id OR (t.decision_id = NEW.decision_id"
        " AND t.target_kind = NEW.target_kind AND t.target_id = NEW.target_id)"
    ),
    SNAPSHOT: "SELECT 1 FROM evidence_snapshot s WHERE s.id = NEW.id",
    FEEDBACK: (
        "SELECT 1 FROM evidence_feedback f WHERE f.id = NEW.id"
        " OR (NEW.supersedes_id IS NOT NULL AND f.supersedes_id = NEW.supersedes_id)"
        " OR (NEW.supersedes_id IS NULL AND f.supersedes_id IS NULL AND f.subject = NEW.subject)"
    ),
    RUN: (
        "SELECT 1 FROM evidence_run r WHERE r.id = NEW.id"
        " OR (NEW.key_hash IS NOT NULL AND r.namespace = NEW.namespace AND r.agent = NEW.agent"
        "     AND r.key_hash = NEW.key_hash)"
        " OR (NEW.origin_id IS NOT NULL AND r.namespace = NEW.namespace AND r.origin_system = NEW.origin_system"
        "     AND r.origin_id = NEW.origin_id)"
    ),
    WORK_ITEM: (
        "SELECT 1 FROM evidence_runworkitem w WHERE w.id = NEW.id OR (w.run_id = NEW.run_id AND w.number = NEW.number)"
        " OR (NEW.parent_id IS NULL AND w.parent_id IS NULL AND w.run_id = NEW.run_id)"
    ),
    EVENT: (
        "SELECT 1 FROM evidence_runevent e WHERE e.id = NEW.id OR (e.run_id = NEW.run_id AND e.sequence = NEW.sequence)"
        " OR (NEW.key_hash IS NOT NULL AND e.run_id = NEW.run_id AND e.key_hash = NEW.key_hash)"
        " OR (NEW.closes_id IS NOT NULL AND e.closes_id = NEW.closes_id)"
        " OR (NEW.receipt_results = 0 AND e.receipt_results = 0 AND e.receipt_hash = NEW.receipt_hash)"
    ),
    ARTIFACT: "SELECT 1 FROM evidence_runartifact a WHERE a.id = NEW.id OR a.event_id = NEW.event_id",
    OUTCOME: (
        "SELECT 1 FROM evidence_runoutcome o WHERE o.id = NEW.id"
        " OR (NEW.supersedes_id IS NOT NULL AND o.supersedes_id = NEW.supersedes_id)"
        " OR (NEW.supersedes_id IS NULL AND o.supersedes_id IS NULL AND o.run_id = NEW.run_id)"
        " OR (NEW.key_hash IS NOT NULL AND o.run_id = NEW.run_id AND o.key_hash = NEW.key_hash)"
    ),
    ANCHOR: (
        "SELECT 1 FROM evidence_auditanchor a WHERE a.id = NEW.id OR (a.namespace = NEW.namespace AND a.seq = NEW.seq)"
    ),
    MEMORY_LINK: "SELECT 1 FROM evidence_runmemorylink l WHERE l.id = NEW.id",
}

_PURGE_ONLY = "NEW.id = OLD.id AND NEW.created_at = OLD.created_at AND NEW.salt IS NULL AND NEW.body IS NULL"


def _sqlite() -> dict[str, str]:
    """Trigger name -> statement."""
    made: dict[str, str] = {}
    for table, taken in _TAKEN.items():
        refuse = f"SELECT RAISE(ABORT, '{_MESSAGE.format(table=table)}')"
        change_when = f"WHEN NOT ({_PURGE_ONLY})" if table == SNAPSHOT else ""
        made[f"{table}_no_update"] = (
            f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} {change_when} BEGIN {refuse}; END"
        )
        made[f"{table}_no_delete"] = f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} BEGIN {refuse}; END"
        made[f"{table}_no_replace"] = (
            f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} WHEN EXISTS ({taken}) BEGIN {refuse}; END"
        )
    return made


_POSTGRES_REFUSE = """
CREATE OR REPLACE FUNCTION evidence_append_only() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF TG_OP = 'UPDATE' AND TG_TABLE_NAME = 'evidence_snapshot' THEN
    IF NEW.id = OLD.id AND NEW.created_at = OLD.created_at AND NEW.salt IS NULL AND NEW.body IS NULL THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'append-only: % rows are never changed', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END
$body$
"""


def _postgres() -> dict[str, str]:
    made: dict[str, str] = {}
    for table in _TAKEN:
        made[f"{table}_no_change"] = (
            f"CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE ON {table}"
            " FOR EACH ROW EXECUTE FUNCTION evidence_append_only()"
        )
        made[f"{table}_no_truncate"] = (
            f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION evidence_append_only()"
        )
    return made


def _statements(connection: BaseDatabaseWrapper) -> dict[str, str]:
    return _postgres() if connection.vendor == "postgresql" else _sqlite()


def _table_of(trigger: str) -> str:
    return next(table for table in sorted(_TAKEN, key=len, reverse=True) if trigger.startswith(table + "_no_"))


def _existing(connection: BaseDatabaseWrapper) -> set[str]:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # A disabled trigger protects nothing: count only those that fire for ordinary sessions.
            cursor.execute(
                "SELECT t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
                " JOIN pg_namespace n ON n.oid = c.relnamespace"
                " WHERE NOT t.tgisinternal AND t.tgenabled IN ('O', 'A') AND n.nspname = current_schema()"
            )
        else:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        return {row[0] for row in cursor.fetchall()}


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """Names of triggers that should be there and are not; empty when decisions are protected."""
    return sorted(set(_statements(connection)) - _existing(connection))


def drop(connection: BaseDatabaseWrapper) -> None:
    """Take the triggers away; `lifted` does it for a purge, and nothing else of the desk."""
    with connection.cursor() as cursor:
        for name in sorted(_existing(connection) & set(_statements(connection))):
            on_table = f" ON {_table_of(name)}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}{on_table}")


@contextmanager
def lifted(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Without the triggers until the block ends, in the caller's transaction, whose failure puts them back. For purging."""
    if not connection.in_atomic_block:
        raise RuntimeError("triggers are lifted inside a transaction only")
    drop(connection)
    yield
    install(connection)


def install(connection: BaseDatabaseWrapper) -> None:
    """Put every trigger in place, replacing older definitions. Idempotent; does nothing before the tables exist."""
    tables = set(connection.introspection.table_names())
    if not set(_TAKEN) <= tables:
        return
    drop(connection)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_POSTGRES_REFUSE)
        for statement in _statements(connection).values():
            cursor.execute(statement)


def reinstall_after_migrate(using: str = "default", **_: Any) -> None:
    """`post_migrate` receiver."""
    install(connections[using])
