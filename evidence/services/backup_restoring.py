"""Putting a backup in the place of the database: checked first, the old state kept, receipts and sessions ended, and told of."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import structlog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader

from evidence.models import SYSTEM_NAMESPACE, Decision, Evidence, HeldRecord, User
from evidence.rules.vocab import AuditAction, Door
from evidence.selectors.audit import ChainReport
from evidence.services import audit
from evidence.services.actors import Actor
from evidence.services.audit_keys import PUBLIC_FILE
from evidence.services.audit_verifying import verify_audit
from evidence.services.backups import Backup, back_up, put_database, unpacked
from evidence.services.errors import Refused
from evidence.services.key_files import replace
from evidence.services.receipts import rotate_epoch

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put back, where the state before it lies (none: there was nothing), and how its audit stands."""

    backup: Backup
    kept: Path | None
    chain: ChainReport


def restore(*, file: Path, replace_all: bool, now: datetime) -> Restored:
    """Verify, keep what is here, put the backup in its place, bring it up to date. Raises `Refused` before anything changes.

    Older backups are migrated; one of a newer version of the desk is refused. Receipts of recalls end (a new epoch), and so do
    all sessions: who was signed out since must not be signed in again.
    """
    folder = Path(settings.DATA_DIR) / "backups"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".restore-") as laid:
        backup = unpacked(file, Path(laid))
        _check_fits(backup)
        filled = _is_filled()
        if filled and not replace_all:
            detail = "This desk holds records already. To put the backup in their place, say --replace."
            raise Refused("invalid_value", detail, field="replace")
        kept = back_up(target=folder / f"before-restore-{now:%Y%m%d-%H%M%S-%f}.tar.gz", now=now) if filled else None
        _put(Path(laid) / "database", kept)
        call_command("migrate", verbosity=0, interactive=False)
        _publish_keys(Path(laid) / PUBLIC_FILE)
    _begin_anew(backup, now)
    return Restored(backup, kept.file if kept else None, verify_audit())


def _put(copy: Path, kept: Backup | None) -> None:
    """On PostgreSQL the old tables are gone before the new ones come: who is told that it failed has to know where they are."""
    try:
        put_database(copy)
    except Refused as refused:
        where = f" What was here is in {kept.file}: restore that." if kept else ""
        raise Refused(refused.code, f"{refused.detail}{where}", field="file") from refused


def _check_fits(backup: Backup) -> None:
    if backup.vendor != connection.vendor:
        detail = f"The backup is of {backup.vendor}, this desk runs on {connection.vendor}."
        raise Refused("invalid_value", detail, field="file")
    known = set(MigrationLoader(None, ignore_no_migrations=True).disk_migrations)
    foreign = sorted(backup.migrations - known)
    if foreign:
        detail = f"The backup was made by a newer version of the desk ({foreign[0][0]} {foreign[0][1]})."
        raise Refused("invalid_value", detail, field="file")


def _is_filled() -> bool:
    return any(model.objects.exists() for model in (Decision, HeldRecord, Evidence, User))


def _publish_keys(file: Path) -> None:
    """The public keys that sealed the backup's audit, beside those of this desk."""
    if not file.exists():
        return
    target = Path(settings.DATA_DIR) / PUBLIC_FILE
    rows = [*_keys(target), *_keys(file)]
    replace(target, json.dumps({"keys": list({row["id"]: row for row in rows}.values())}, indent=1) + "\n")
    target.chmod(0o644)


def _keys(file: Path) -> list[dict[str, str]]:
    return list(json.loads(file.read_text(encoding="ascii"))["keys"]) if file.exists() else []


def _begin_anew(backup: Backup, now: datetime) -> None:
    with transaction.atomic():
        Session.objects.all().delete()
        rotate_epoch(now=now)
        told = audit.keep({"made_at": backup.manifest["made_at"], "heads": backup.manifest["heads"]})
        audit.append(
            namespace=SYSTEM_NAMESPACE, actor=Actor.system(Door.COMMAND), action=AuditAction.RESTORE,
            target_kind="database", target_id=str(backup.manifest["made_at"])[:64], snapshots={"manifest": told},
        )  # fmt: skip
    log.info("backup_restored", made_at=backup.manifest["made_at"])
