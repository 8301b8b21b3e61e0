"""A backup: the whole database as it was at one instant, in one file with a list of what is in it; read back once it is written.

The file is a gzipped tar of `manifest.json`, `database` and the public keys of the audit. Secrets of the data folder (the keys
that sign and seal) are not in it: keep those apart, or let a restored desk make new ones; what old keys sealed goes on counting.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from evidence.models import ChainHead
from evidence.rules.times import to_iso
from evidence.services.audit_keys import PUBLIC_FILE
from evidence.services.errors import Refused

FORMAT = "evidence-desk-backup"
VERSION = 1
MANIFEST, DATABASE = "manifest.json", "database"


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup says of itself."""

    file: Path
    manifest: Mapping[str, Any]

    @property
    def vendor(self) -> str:
        return str(self.manifest["vendor"])

    @property
    def migrations(self) -> frozenset[tuple[str, str]]:
        return frozenset((app, name) for app, name in self.manifest["migrations"])


def back_up(*, target: Path, now: datetime) -> Backup:
    """Write `target`, which must not be there yet, and verify it. Raises `Refused`; then nothing is left of it."""
    if target.exists():
        raise Refused("invalid_value", f"{target} exists already; a backup takes the place of nothing.", field="file")
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.part")
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".backup-") as folder:
            copy = Path(folder) / DATABASE
            copy_database(copy)
            _pack(draft, copy, now)
        made = verified(draft)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    return Backup(target, made.manifest)


def verified(file: Path) -> Backup:
    """The backup in this file, every digest held against its list and the database looked through. Raises `Refused`."""
    with tempfile.TemporaryDirectory(dir=file.parent, prefix=".verify-") as folder:
        return unpacked(file, Path(folder))


def unpacked(file: Path, folder: Path) -> Backup:
    """Lay the parts of a backup into `folder`, verified. Raises `Refused`."""
    try:
        with tarfile.open(file, "r:gz") as archive:
            manifest = json.loads(_member(archive, MANIFEST).read())
            if (manifest["format"], manifest["version"]) != (FORMAT, VERSION):
                raise Refused("invalid_value", "This is no backup that this version of the desk knows.", field="file")
            for name, told in manifest["files"].items():
                _lay(archive, name, told["sha256"], folder)
    except (OSError, tarfile.TarError, EOFError, ValueError, KeyError, TypeError) as error:
        detail = f"The backup cannot be read or is damaged ({type(error).__name__}: {error})."
        raise Refused("invalid_value", detail, field="file") from error
    made = Backup(file, manifest)
    _look_through(folder / DATABASE, made.vendor)
    return made


def copy_database(target: Path) -> None:
    """The state at one instant, while others go on writing."""
    config = connection.settings_dict
    if connection.vendor == "postgresql":
        _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={target}")
        return
    name = str(config["NAME"])
    with closing(sqlite3.connect(name, timeout=20)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)


def put_database(copy: Path) -> None:
    """Put this copy in the place of the database, whole or not at all on SQLite; on PostgreSQL the old one is emptied first."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("DROP SCHEMA public CASCADE")
            cursor.execute("CREATE SCHEMA public")
        connection.close()
        _run("pg_restore", "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", str(copy))
        return
    name = str(connection.settings_dict["NAME"])
    connection.close()
    with closing(sqlite3.connect(copy)) as source, closing(sqlite3.connect(name, timeout=20)) as target:
        source.backup(target)
        target.execute("PRAGMA journal_mode=WAL")


def _pack(draft: Path, copy: Path, now: datetime) -> None:
    parts = {DATABASE: copy}
    public = Path(settings.DATA_DIR) / PUBLIC_FILE
    if public.exists():
        parts[PUBLIC_FILE] = public
    manifest = {
        "format": FORMAT, "version": VERSION, "made_at": to_iso(now), "vendor": connection.vendor,
        "migrations": sorted(MigrationRecorder(connection).applied_migrations()),
        "heads": {head.namespace: {"seq": head.seq, "digest": head.digest} for head in ChainHead.objects.all()},
        "files": {name: {"sha256": _digest(file), "bytes": file.stat().st_size} for name, file in parts.items()},
    }  # fmt: skip
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as stream, tarfile.open(fileobj=stream, mode="w:gz", compresslevel=6) as archive:
        body = json.dumps(manifest, indent=1, sort_keys=True).encode()
        told = tarfile.TarInfo(MANIFEST)
        told.size, told.mode = len(body), 0o600
        archive.addfile(told, io.BytesIO(body))
        for name, file in parts.items():
            archive.add(file, arcname=name)


def _member(archive: tarfile.TarFile, name: str) -> Any:
    found = archive.extractfile(name) if archive.getmember(name).isfile() else None
    if found is None:
        raise ValueError(f"{name} is no file")
    return found


def _lay(archive: tarfile.TarFile, name: str, digest: str, folder: Path) -> None:
    """Names come from the list and are ours alone, so that no member can lead out of the folder."""
    if name not in (DATABASE, PUBLIC_FILE):
        raise ValueError(f"{name!r} is no part of a backup")
    with _member(archive, name) as source, (folder / name).open("xb") as target:
        shutil.copyfileobj(source, target, 1 << 20)
    if _digest(folder / name) != digest:
        raise ValueError(f"{name} is not what the list says")


def _look_through(database: Path, vendor: str) -> None:
    if vendor == "postgresql":
        _run("pg_restore", "--list", str(database), connects=False)
        return
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as link:
            faults = [row[0] for row in link.execute("PRAGMA integrity_check") if row[0] != "ok"]
    except sqlite3.Error as error:
        faults = [str(error)]
    if faults:
        raise Refused("invalid_value", f"The database in the backup is damaged: {faults[0]}", field="file")


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _run(program: str, *arguments: str, connects: bool = True) -> None:
    """A program of PostgreSQL on this database. Its password goes by the environment, never on the command line."""
    found = shutil.which(program)
    if found is None:
        raise Refused("invalid_value", f"{program} is not installed: PostgreSQL's client programs are needed.")
    config = connection.settings_dict
    given = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    env = dict(os.environ) | {name: str(config[key]) for name, key in given.items() if config.get(key)}
    options = config.get("OPTIONS", {})
    env |= {f"PG{name.upper()}": str(options[name]) for name in ("sslmode", "sslrootcert", "host") if options.get(name)}
    chosen = [f"--dbname={config['NAME']}"] if connects and program == "pg_restore" else []
    done = subprocess.run([found, *chosen, *arguments], env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refused("invalid_value", f"{program} failed: {done.stderr.strip().splitlines()[-1:] or done.returncode}")
