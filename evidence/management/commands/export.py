"""`manage.py export FORMAT PATH`: records and waiting proposals of a namespace, written to a new file or folder.

Exit status: 0 all well; 1 nothing was written. Approvals, decisions and their chain travel with a backup.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from evidence.services.errors import Refused
from evidence.services.exporting import WRITERS, run_export
from evidence.services.texts import NAME_MAX, check_text


class Command(BaseCommand):
    help = "Write records and waiting proposals out. An export is a copy for reading or moving; it is no authority."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("format", metavar="FORMAT", choices=list(WRITERS), help=", ".join(WRITERS))
        parser.add_argument("path", metavar="PATH", type=Path, help="a path that nothing lies at yet")
        parser.add_argument("--namespace", default="default", metavar="N", help="whose claims (default: default)")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            namespace = check_text("namespace", options["namespace"].strip(), longest=NAME_MAX)
            count = run_export(format_name=options["format"], path=options["path"], namespace=namespace)
        except Refused as refused:
            raise CommandError(f"nothing was exported: {refused.detail}") from refused
        except OSError as error:
            raise CommandError(f"nothing was exported: it cannot be written ({error.strerror})") from error
        self.stdout.write(f"{options['format']} {namespace}: {count} entries written")
