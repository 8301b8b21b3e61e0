"""`manage.py up`: the whole desk with one command. Everything it does is in `reviewapp.runtime`."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from reviewapp.runtime.stack import up


class Command(BaseCommand):
    help = "Start broker, web, worker and timetable as one supervised process tree. Ctrl-C stops all."
    requires_system_checks: list[str] = []  # migrate runs them, once the database is there

    def handle(self, *args: Any, **options: Any) -> None:
        sys.exit(up())
