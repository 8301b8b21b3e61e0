"""Whether the parts that the desk stands on are in order: database, triggers, broker, worker, outbox. Reads only.

Both readiness (`/health/ready`) and `manage.py doctor` ask here, so that they cannot disagree. Every finding says how to
mend what it found; none raises.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path

from celery import current_app
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from evidence.models import Outbox, fulltext, heldwords, triggers

BROKER_TIMEOUT_SECONDS = 1.0
HEARTBEAT_STALE_SECONDS = 60.0
OUTBOX_LATE = timedelta(minutes=2)


class Level(StrEnum):
    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor: what was looked at, how it stands, what it said, and how to mend it (empty when ok)."""

    name: str
    level: Level
    detail: str
    mend: str = ""

    def as_dict(self) -> dict[str, str]:
        return asdict(self)


def database() -> Finding:
    """Reachable, and in the mode that the services count on (SQLite: WAL and IMMEDIATE)."""
    try:
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                return _sqlite(str(cursor.execute("PRAGMA journal_mode").fetchone()[0]))
            cursor.execute("SHOW server_version")
            return Finding("database", Level.OK, f"{connection.vendor} {cursor.fetchone()[0]}")
    except Exception as error:
        return Finding("database", Level.FAIL, _said(error), "Check DATABASE_URL, and that the server runs.")


def _sqlite(journal: str) -> Finding:
    from sqlite3 import sqlite_version

    mode = str(connection.settings_dict.get("OPTIONS", {}).get("transaction_mode") or "DEFERRED")
    detail = f"sqlite {sqlite_version}, journal {journal}, transactions {mode}"
    if journal == "wal" and mode.upper() == "IMMEDIATE":
        return Finding("database", Level.OK, detail)
    mend = "Use the settings as they come; WAL needs a local disk, not a network share."
    return Finding("database", Level.FAIL, detail, mend)


def migrations() -> Finding:
    try:
        executor = MigrationExecutor(connection)
        pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except Exception as error:
        return Finding("migrations", Level.FAIL, _said(error), "Make the database reachable first.")
    if not pending:
        return Finding("migrations", Level.OK, "all applied")
    names = ", ".join(f"{step.app_label}.{step.name}" for step, _ in pending[:3])
    return Finding("migrations", Level.FAIL, f"{len(pending)} pending: {names}", "Run: manage.py migrate")


def append_only() -> Finding:
    """The triggers that keep decisions as they were written."""
    try:
        absent = triggers.missing(connection)
    except Exception as error:
        return Finding("append_only", Level.FAIL, _said(error), "Make the database reachable first.")
    if not absent:
        return Finding("append_only", Level.OK, "decisions are protected by triggers")
    detail = f"missing: {', '.join(absent)}"
    return Finding("append_only", Level.FAIL, detail, "Run: manage.py migrate (it puts them back), then audit_verify.")


def full_text() -> Finding:
    """The search structures over records and over the queue. Without them a search is an error."""
    try:
        absent = [*fulltext.missing(connection), *heldwords.missing(connection)]
    except Exception as error:
        return Finding("full_text", Level.FAIL, _said(error), "Make the database reachable first.")
    if not absent:
        return Finding("full_text", Level.OK, "records and the queue can be searched by their words")
    return Finding(
        "full_text", Level.FAIL, f"missing: {', '.join(absent)}", "Run: manage.py migrate (it fills them too)."
    )


def broker() -> Finding:
    """Whether a message could be handed over now. Without it decisions stay right; follow-up work waits in the outbox."""
    try:
        with current_app.connection_for_write() as link:
            link.ensure_connection(max_retries=0, timeout=BROKER_TIMEOUT_SECONDS)
            return Finding("broker", Level.OK, f"{link.transport.driver_type} answers")
    except Exception as error:
        return Finding("broker", Level.WARN, _said(error), "Start the desk with `manage.py up`, or check REDIS_URL.")


def worker() -> Finding:
    try:
        answers = current_app.control.ping(timeout=BROKER_TIMEOUT_SECONDS)
    except Exception as error:
        return Finding("worker", Level.WARN, _said(error), "The broker must answer first.")
    if not answers:
        mend = "Start one: `manage.py up`, or `celery -A reviewapp worker -P threads`."
        return Finding("worker", Level.WARN, "no worker answers", mend)
    return Finding("worker", Level.OK, ", ".join(sorted(name for answer in answers for name in answer)))


def outbox(now: datetime) -> Finding:
    """How long the oldest due message has waited. Late means that no worker sends, or that one message always fails."""
    try:
        oldest = Outbox.objects.due(now).first()
    except Exception as error:
        return Finding("outbox", Level.FAIL, _said(error), "Run: manage.py migrate")
    if oldest is None:
        return Finding("outbox", Level.OK, "nothing waits")
    waited = now - oldest.available_at
    detail = f"oldest due message has waited {int(waited.total_seconds())} s"
    if waited <= OUTBOX_LATE:
        return Finding("outbox", Level.OK, detail)
    return Finding("outbox", Level.WARN, detail, "Start a worker and beat, or run: manage.py sweep outbox")


def beat(heartbeat: Path) -> Finding:
    """The timetable's sign of life. It is a file of this machine: with beat elsewhere the warning means nothing."""
    mend = "Start beat once for the whole installation: `manage.py up`, or `celery -A reviewapp beat`."
    try:
        age = time.time() - heartbeat.stat().st_mtime
    except OSError:
        return Finding("beat", Level.WARN, "no sign of life on this machine", mend)
    if age > HEARTBEAT_STALE_SECONDS:
        return Finding("beat", Level.WARN, f"last sign of life {int(age)} s ago", mend)
    return Finding("beat", Level.OK, f"last sign of life {int(age)} s ago")


def readiness() -> list[Finding]:
    """What must hold before requests are sent here. A lost broker only degrades: decisions do not need it."""
    looks: tuple[Callable[[], Finding], ...] = (
        database,
        migrations,
        append_only,
        broker,
        lambda: outbox(timezone.now()),
    )
    return [look() for look in looks]


def _said(error: Exception) -> str:
    """The error in one line. Addresses may carry a password, so what stands before an @ is left out."""
    words = str(error).strip().splitlines()
    first = words[0] if words else ""
    return f"{type(error).__name__}: {first.rsplit('@', 1)[-1]}"
