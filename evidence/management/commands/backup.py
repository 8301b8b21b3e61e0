"""`manage.py backup [FILE]`: the whole database in one verified file, while the desk goes on."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from evidence.services.backups import back_up, verified
from evidence.services.errors import Refused


class Command(BaseCommand):
    help = "Write a backup of the database and read it back. Default: DATA_DIR/backups/."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?")
        parser.add_argument("--check", action="store_true", help="only verify FILE, which is a backup already")

    def handle(self, *, file: str | None = None, check: bool = False, **options: object) -> None:
        now = timezone.now()
        target = Path(file) if file else Path(settings.DATA_DIR) / "backups" / f"desk-{now:%Y%m%d-%H%M%S}.tar.gz"
        try:
            made = verified(target) if check else back_up(target=target, now=now)
        except Refused as refused:
            raise CommandError(refused.detail) from refused
        except OSError as error:
            raise CommandError(f"The file cannot be written or read ({error.strerror}).") from error
        links = sum(head["seq"] for head in made.manifest["heads"].values())
        self.stdout.write(f"{made.file}: {made.vendor}, of {made.manifest['made_at']}, {links} audit links, verified")
