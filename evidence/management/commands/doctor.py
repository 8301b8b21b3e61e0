"""`manage.py doctor`: what is wrong with this desk and how to mend it, a line each. Changes nothing.

Exit status 1 when anything fails; warnings leave it 0.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from evidence.selectors import health
from evidence.selectors.health import Finding, Level
from reviewapp.runtime import machine


def findings() -> Iterator[Finding]:
    """From the ground up: later ones often follow from earlier ones."""
    yield machine.python()
    yield from machine.system_checks()
    yield machine.secret_key()
    yield machine.data_dir()
    yield machine.disk()
    yield health.database()
    yield health.migrations()
    yield health.append_only()
    yield health.full_text()
    yield health.broker()
    yield health.worker()
    yield health.beat(settings.BEAT_HEARTBEAT_FILE)
    yield health.outbox(timezone.now())
    yield machine.static_files()
    yield machine.demo()


class Command(BaseCommand):
    help = "Say what is wrong with this desk and how to mend it."
    requires_system_checks: list[str] = []  # it reports them itself, beside everything else

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")

    def handle(self, *args: Any, **options: Any) -> None:
        found = list(findings())
        failed = any(finding.level is Level.FAIL for finding in found)
        if options["json"]:
            self.stdout.write(json.dumps({"ok": not failed, "findings": [finding.as_dict() for finding in found]}))
        else:
            self._print(found)
        if failed:
            sys.exit(1)

    def _print(self, found: list[Finding]) -> None:
        for finding in found:
            self.stdout.write(f"{finding.level:<5}{finding.name:<13}{finding.detail}")
            if finding.mend:
                self.stdout.write(f"{'':<18}-> {finding.mend}")
