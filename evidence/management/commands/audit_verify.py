"""`manage.py audit_verify [--json]`: walk every audit chain; exit 1 when one is broken."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict

from django.core.management.base import BaseCommand

from evidence.selectors.audit import verify_chain


class Command(BaseCommand):
    help = "Verify the hash chains of the audit. Exit 1 when one is broken."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--namespace", help="only this chain")
        parser.add_argument("--json", action="store_true")

    def handle(self, *, namespace: str | None = None, **options: object) -> None:
        report = verify_chain(namespace)
        if options["json"]:
            told = {"ok": report.ok, "checked": report.checked, "purged": report.purged}
            self.stdout.write(json.dumps(told | {"broken": [asdict(one) for one in report.broken]}))
        else:
            self.stdout.write(f"{report.checked} links checked, {report.purged} texts purged")
            for fault in report.broken:
                self.stdout.write(f"BROKEN {fault.namespace}#{fault.seq}: {fault.detail}")
        if not report.ok:
            sys.exit(1)
