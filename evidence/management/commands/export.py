"""`manage.py export FORMAT PATH`: records and waiting proposals of a namespace, written to a new file or folder.

The formats `…-decisions` carry decisions back into the store at PATH that their items were imported from: a plan is shown, and
`--apply` carries it out. Exit status: 0 all well; 1 nothing, or not all, was written. Approvals, decisions and their chain
travel with a backup.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from evidence.exchange.files import CorruptSource
from evidence.services.errors import Refused
from evidence.services.exporting import WRITERS, run_export
from evidence.services.import_report import shown_corrupt
from evidence.services.texts import NAME_MAX, check_text
from evidence.services.writing_back import WRITE_BACKS


class Command(BaseCommand):
    help = "Write records and waiting proposals out. An export is a copy for reading or moving; it is no authority."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "format", metavar="FORMAT", choices=[*WRITERS, *WRITE_BACKS], help=", ".join([*WRITERS, *WRITE_BACKS])
        )
        parser.add_argument(
            "path", metavar="PATH", type=Path, help="a path that nothing lies at yet; of decisions: the store"
        )
        parser.add_argument("--namespace", metavar="N", help="whose claims (default: default; of decisions: all)")
        parser.add_argument("--apply", action="store_true", help="decisions only: carry the plan out")
        parser.add_argument(
            "--python", default="", metavar="PYTHON", help="bridge-decisions: the Python that has agent-memory-bridge"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["format"] in WRITE_BACKS:
            return self._write_back(options)
        try:
            namespace = check_text("namespace", (options["namespace"] or "default").strip(), longest=NAME_MAX)
            count = run_export(format_name=options["format"], path=options["path"], namespace=namespace)
        except Refused as refused:
            raise CommandError(f"nothing was exported: {refused.detail}") from refused
        except OSError as error:
            raise CommandError(f"nothing was exported: it cannot be written ({error.strerror})") from error
        self.stdout.write(f"{options['format']} {namespace}: {count} entries written")
        return None

    def _write_back(self, options: dict[str, Any]) -> None:
        try:
            result = WRITE_BACKS[options["format"]](
                path=options["path"], namespace=(options["namespace"] or "").strip(), apply=options["apply"],
                python=options["python"],
            )  # fmt: skip
        except CorruptSource as corrupt:
            raise CommandError(f"nothing was written: {shown_corrupt(corrupt)}") from corrupt
        except Refused as refused:
            raise CommandError(f"stopped: {refused.detail}") from refused
        for line in result.planned:
            self.stdout.write(line)
        if result.written is None:
            self.stdout.write(f"{len(result.planned)} decisions to write; nothing was written (--apply does it)")
        else:
            self.stdout.write(
                f"{result.written} decisions written (log {result.job_id or 'none: there was nothing to write'})"
            )
