"""What must be done before the web may answer: tables, static files, demo data. Each step does nothing when it is done."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor

from reviewapp.runtime.console import Console
from reviewapp.runtime.settings import CannotStart


def migrate(console: Console) -> None:
    """Apply what is pending; the append-only triggers are put back by it. Raises CannotStart."""
    try:
        connections[DEFAULT_DB_ALIAS].ensure_connection()
    except DatabaseError as error:
        reason = str(error).strip().splitlines()[0]
        raise CannotStart(f"the database does not answer: {reason}. Start it, or correct DATABASE_URL") from error
    executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
    pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if pending:
        console.say(f"database: applying {len(pending)} migrations")
    call_command("migrate", interactive=False, verbosity=0)


def collect_static(console: Console) -> None:
    """Collect when any file changed since the last time (names, sizes and times are compared, not contents)."""
    if settings.DEBUG or static_is_current():
        return
    console.say("static files: collecting")
    call_command("collectstatic", interactive=False, verbosity=0)
    _static_stamp().write_text(_static_fingerprint(), encoding="ascii")


def static_is_current() -> bool:
    try:
        return _static_stamp().read_text(encoding="ascii") == _static_fingerprint()
    except OSError:
        return False


def _static_stamp() -> Path:
    return Path(settings.STATIC_ROOT) / ".collected"


def _static_fingerprint() -> str:
    lines = [str(settings.STORAGES["staticfiles"]["BACKEND"])]
    for finder in finders.get_finders():
        for name, storage in finder.list([]):
            facts = Path(storage.path(name)).stat()
            lines.append(f"{name} {facts.st_size} {facts.st_mtime_ns}")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def first_start() -> bool:
    """Nobody has an account yet."""
    return not get_user_model()._default_manager.exists()


def seed(console: Console) -> None:
    console.say("demo data: filling an empty desk (DEMO=0 leaves it empty)")
    call_command("seed", verbosity=0)


def demo_logins(data_dir: Path) -> str:
    """What `seed` left in `demo.json`: who may sign in and with which password. Empty without a demo."""
    try:
        demo = json.loads((data_dir / "demo.json").read_text(encoding="utf-8"))
        return f"sign in as {', '.join(demo['users'])}; the password is {demo['password']}"
    except (OSError, ValueError, KeyError, TypeError):
        return ""
