"""`manage.py signals_cleanup [--days N] [--apply]`: what of the signals between agents is over, and removing it."""

from __future__ import annotations

from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from evidence.services.signal_sweep import cleanup_signals

LONGEST = 36_500


class Command(BaseCommand):
    help = (
        "Say which signals between agents have been over for long enough. With --apply: remove them, as the sweep does."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=int, default=None, help="kept for so many days after their end")
        parser.add_argument("--apply", action="store_true", help="really remove them; without it nothing is touched")

    def handle(self, *, days: int | None, apply: bool, **_: object) -> None:
        keep = settings.SIGNAL_KEEP_DAYS if days is None else days
        if not 0 <= keep <= LONGEST:
            raise CommandError(f"--days has to be from 0 to {LONGEST:,}.")
        found = cleanup_signals(keep_days=keep, apply=apply)
        self.stdout.write(f"expired, not noted yet: {found['expired']}")
        self.stdout.write(f"over for {keep} days or longer: {found['removable']}")
        self.stdout.write(f"removed: {found['removed']}" if apply else "nothing was touched; --apply removes them")
