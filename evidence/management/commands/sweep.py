"""`manage.py sweep [NAME]`: run one sweep, or all of them, now."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from evidence.services import afterwards  # noqa: F401 - registers the outbox handlers
from evidence.services.sweeps import SWEEPS


class Command(BaseCommand):
    help = "Run one sweep, or all of them, now."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", choices=sorted(SWEEPS))

    def handle(self, *, name: str | None = None, **_: object) -> None:
        for chosen in [name] if name else list(SWEEPS):
            self.stdout.write(f"{chosen}: {SWEEPS[chosen]()}")
