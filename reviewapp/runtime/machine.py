"""What `doctor` looks at outside the database: interpreter, settings, folder, disk, static files, demo. Changes nothing."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from django.conf import settings
from django.core import checks

from evidence.selectors.health import Finding, Level
from reviewapp.runtime import prepare

OLDEST_PYTHON = (3, 11)
LITTLE_DISK = 1024**3
NO_DISK = 100 * 1024**2
FOLDER = "data_dir"


def python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] >= OLDEST_PYTHON:
        return Finding("python", Level.OK, version)
    return Finding("python", Level.FAIL, version, "Install Python 3.11 or newer, delete .venv, run make up.")


def system_checks() -> list[Finding]:
    """Django's own checks and ours (evidence.checks), those about settings."""
    found = [message for message in checks.run_checks() if not message.is_silenced()]
    if not found:
        return [Finding("settings", Level.OK, "no complaint")]
    return [_as_finding(message) for message in found]


def _as_finding(message: checks.CheckMessage) -> Finding:
    level = Level.FAIL if message.is_serious() else Level.WARN
    return Finding("settings", level, f"{message.id}: {message.msg}", str(message.hint or ""))


def secret_key() -> Finding:
    """Where the key comes from, and that nobody else on this machine can read it."""
    if os.environ.get("SECRET_KEY"):
        return Finding("secret_key", Level.OK, "from the environment")
    file = Path(settings.DATA_DIR) / "secret_key"
    if not file.exists():
        return Finding(
            "secret_key", Level.FAIL, f"{file} is gone", "Restore it, or start again: everybody signs in anew."
        )
    if file.stat().st_mode & 0o077:
        return Finding("secret_key", Level.FAIL, f"{file} can be read by others", f"Run: chmod 600 {file}")
    return Finding("secret_key", Level.OK, f"kept in {file}")


def data_dir() -> Finding:
    folder = Path(settings.DATA_DIR)
    if not folder.is_dir():
        return Finding(FOLDER, Level.FAIL, f"{folder} does not exist", "Run: manage.py up")
    if not os.access(folder, os.W_OK | os.X_OK):
        return Finding(
            FOLDER, Level.FAIL, f"{folder} cannot be written", "Give it to the desk's user, or set DATA_DIR."
        )
    if folder.stat().st_mode & 0o007:
        return Finding(
            FOLDER, Level.WARN, f"{folder} is open to every user of this machine", f"Run: chmod o-rwx {folder}"
        )
    return Finding(FOLDER, Level.OK, str(folder))


def disk() -> Finding:
    free = shutil.disk_usage(_existing(Path(settings.DATA_DIR))).free
    detail = f"{free / 1024**3:.1f} GiB free"
    if free < NO_DISK:
        return Finding("disk", Level.FAIL, detail, "Free some space; a full disk stops every decision.")
    if free < LITTLE_DISK:
        return Finding("disk", Level.WARN, detail, "Free some space before an import.")
    return Finding("disk", Level.OK, detail)


def _existing(folder: Path) -> Path:
    return folder if folder.exists() else _existing(folder.parent)


def static_files() -> Finding:
    if settings.DEBUG:
        return Finding("static_files", Level.OK, "served from where they lie (DEBUG)")
    if prepare.static_is_current():
        return Finding("static_files", Level.OK, "collected")
    mend = "Run: manage.py up, or manage.py collectstatic"
    return Finding("static_files", Level.WARN, "not collected since the last change", mend)


def demo() -> Finding:
    """Demo accounts with a known password have no place on a desk that others can reach."""
    if not prepare.demo_logins(Path(settings.DATA_DIR)):
        return Finding("demo", Level.OK, "no demo accounts")
    exposed = not set(settings.ALLOWED_HOSTS) <= {"localhost", "127.0.0.1", "[::1]"}
    if exposed:
        mend = "Deactivate the demo accounts in the admin site and delete demo.json, or start a new desk with DEMO=0."
        return Finding("demo", Level.WARN, "demo accounts on a desk that other machines can reach", mend)
    return Finding("demo", Level.OK, "demo accounts, this machine only")
