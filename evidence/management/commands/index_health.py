"""`manage.py index_health [--json]`: what each search index lacks, has too much, or has of old; exit 1 unless all is well."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from evidence.services.index_upkeep import index_health


class Command(BaseCommand):
    help = "Compare every search index with the records: missing, orphaned, stale entries. Exit 1 unless all is well."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true")

    def handle(self, **options: object) -> None:
        reports = index_health()
        if options["json"]:
            self.stdout.write(json.dumps({"ok": all(report.ok for report in reports), "backends": [
                report.as_dict() for report in reports
            ]}))  # fmt: skip
        else:
            for report in reports:
                self.stdout.write(
                    f"{report.backend}: {report.detail}; {report.entries} entries,"
                    f" {report.missing} missing, {report.orphaned} orphaned, {report.stale} stale"
                )
        if not all(report.ok for report in reports):
            sys.exit(1)
