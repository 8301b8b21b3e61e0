"""`manage.py seed`: demo accounts and a demo backlog for an empty desk; the logins go into `demo.json` of the data folder."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from evidence.services.seeding import seed


class Command(BaseCommand):
    help = "Fill an empty desk with the demo. Does nothing where anything is stored, unless --force."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--force", action="store_true", help="also into a desk that holds something already")

    def handle(self, *args: Any, **options: Any) -> None:
        seeded = seed(password=os.environ.get("DEMO_PASSWORD", ""), force=options["force"])
        if not seeded.done:
            if options["verbosity"]:
                self.stdout.write("The desk is not empty: nothing was changed (--force adds the demo all the same).")
            return
        if seeded.created:
            write_logins(Path(settings.DATA_DIR), seeded.created, seeded.password)
        if options["verbosity"]:
            self.stdout.write(f"Demo: {seeded.records} records, {seeded.waiting} proposals waiting.")
        if options["verbosity"] and seeded.created:
            self.stdout.write(f"Sign in as {', '.join(seeded.created)}; the password is {seeded.password}")


def write_logins(folder: Path, users: Sequence[str], password: str) -> None:
    """Readable by the operator only; complete or not there at all."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = folder / f".demo.json.{os.getpid()}"
    draft.unlink(missing_ok=True)
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        json.dump({"users": list(users), "password": password}, stream)
    draft.replace(folder / "demo.json")
