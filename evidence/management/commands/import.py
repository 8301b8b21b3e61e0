"""`manage.py import FORMAT PATH`: bring in what another system holds, and say line by line what became of it.

Exit status: 0 all well; 3 something was reported and the rest went in; 1 nothing was taken (a corrupt or missing source).
"""

# ruff: noqa: N999 - the command is called import

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from evidence.exchange.files import CorruptSource
from evidence.exchange.registry import FORMATS
from evidence.services.errors import Refused
from evidence.services.import_report import ImportOutcome, Line, Report, shown_corrupt
from evidence.services.importing import run_import
from evidence.services.texts import NAME_MAX, check_text


class Command(BaseCommand):
    help = "Import records, proposals and questions. Running it again changes nothing; nothing outside is written."

    def add_arguments(self, parser: CommandParser) -> None:
        formats = "; ".join(f"{one.name}: {one.takes}" for one in FORMATS.values())
        parser.add_argument("format", metavar="FORMAT", choices=list(FORMATS), help=formats)
        parser.add_argument("path", metavar="PATH", type=Path)
        parser.add_argument(
            "--namespace", metavar="N",
            help="whose claims these are (default: the namespaces that bridge and pi name themselves, else default)",
        )  # fmt: skip
        parser.add_argument("--dry-run", action="store_true", help="the same report; nothing is stored")
        parser.add_argument("--json", action="store_true", dest="as_json", help="the report as one JSON document")
        parser.add_argument("--all", action="store_true", dest="all_lines", help="also the lines that need no words")

    def handle(self, *args: Any, **options: Any) -> None:
        printer = _Printer(self, as_json=options["as_json"], all_lines=options["all_lines"])
        try:
            namespace = check_text("namespace", (options["namespace"] or "").strip(), longest=NAME_MAX)
            if options["namespace"] is not None and not namespace:
                raise CommandError("--namespace is empty")
            report = run_import(
                format_name=options["format"], path=options["path"], namespace=namespace, dry_run=options["dry_run"],
                on_line=printer.line,
            )  # fmt: skip
        except CorruptSource as corrupt:
            raise CommandError(f"nothing was imported: {shown_corrupt(corrupt)}") from corrupt
        except Refused as refused:
            raise CommandError(f"nothing was imported: {refused.detail}") from refused
        except OSError as error:
            raise CommandError(f"stopped: the source could not be read further ({type(error).__name__})") from error
        printer.end(report)
        if report.exit_status:
            sys.exit(report.exit_status)


class _Printer:
    """Writes lines as they come, so that a report of a million lines needs no memory."""

    def __init__(self, command: Command, *, as_json: bool, all_lines: bool) -> None:
        self.out = command.stdout
        self.as_json = as_json
        self.all_lines = all_lines
        self.separator = '{"lines": ['

    def line(self, line: Line) -> None:
        said_before = line.outcome == ImportOutcome.UNCHANGED and not line.serious
        if not self.all_lines and (said_before or not line.code):
            return
        if self.as_json:
            self.out.write(f"{self.separator}\n{json.dumps(line.as_dict())}", ending="")
            self.separator = ","
            return
        words = ": ".join(part for part in (line.code, line.detail) if part)
        self.out.write(f"{line.outcome.value:<9} {line.place}  {words or line.result}")

    def end(self, report: Report) -> None:
        if self.as_json:
            opening = self.separator if self.separator != "," else ""
            self.out.write(f'{opening}\n], "report": {json.dumps(report.as_dict())}}}')
            return
        counts = ", ".join(
            f"{report.counts[outcome]} {outcome.value}" for outcome in _SHOWN if _worth_showing(report, outcome)
        )
        kind = (
            "dry run, nothing stored" if report.dry_run else f"report {report.job_id or 'not stored: nothing changed'}"
        )
        self.out.write(f"{report.format} {report.source} -> {report.namespace}: {report.read} read, {counts} ({kind})")


_SHOWN = (
    ImportOutcome.CREATED, ImportOutcome.CHANGED, ImportOutcome.UNCHANGED, ImportOutcome.HELD, ImportOutcome.REFUSED,
)  # fmt: skip


def _worth_showing(report: Report, outcome: ImportOutcome) -> bool:
    return outcome != ImportOutcome.CHANGED or report.counts[outcome] > 0
