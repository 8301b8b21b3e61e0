"""`manage.py restore FILE [--replace]`: put a backup in the place of the database. Stop the desk first."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from evidence.services.backup_restoring import restore
from evidence.services.errors import Refused


class Command(BaseCommand):
    help = "Verify a backup and put it in the place of the database; what was there is kept as a backup of its own."
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--replace", action="store_true", help="also when this desk holds records already")

    def handle(self, *, file: str, replace: bool = False, **options: object) -> None:
        try:
            done = restore(file=Path(file), replace_all=replace, now=timezone.now())
        except Refused as refused:
            raise CommandError(refused.detail) from refused
        except OSError as error:
            raise CommandError(f"The file cannot be written or read ({error.strerror}).") from error
        if done.kept:
            self.stdout.write(f"what was here: {done.kept}")
        self.stdout.write(f"restored: {done.backup.manifest['made_at']}; {done.chain.checked} audit links checked")
        self.stdout.write("Receipts and sessions from before count no longer. Tokens do: revoke those that should not.")
        for fault in done.chain.broken:
            self.stdout.write(f"BROKEN {fault.namespace}#{fault.seq} {fault.fault}: {fault.detail}")
        if not done.chain.ok:
            sys.exit(1)
