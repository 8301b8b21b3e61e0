"""`manage.py audit_verify [--quick] [--anchors FILE] [--json]`: walk every audit chain; exit 1 when one is broken."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict

from django.core.management.base import BaseCommand, CommandError

from evidence.rules.errors import BadInput
from evidence.selectors.audit import Anchor
from evidence.services.audit_verifying import read_anchors, verify_audit


class Command(BaseCommand):
    help = "Verify the hash chains of the audit, their seals and anchors. Exit 1 when one is broken."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--namespace", help="only this chain")
        parser.add_argument(
            "--anchors", metavar="FILE", help="anchors kept outside, against a chain that was cut or made anew"
        )
        parser.add_argument("--quick", action="store_true", help="only what came after the newest sealed anchor")
        parser.add_argument("--json", action="store_true")

    def handle(self, *, namespace: str | None = None, **options: object) -> None:
        report = verify_audit(
            namespace=namespace, anchors=_anchors(options.get("anchors")), quick=bool(options.get("quick"))
        )
        if options["json"]:
            told = {"ok": report.ok, "checked": report.checked, "purged": report.purged}
            self.stdout.write(json.dumps(told | {"broken": [asdict(one) for one in report.broken]}))
        else:
            self.stdout.write(f"{report.checked} links checked, {report.purged} texts purged")
            for fault in report.broken:
                self.stdout.write(f"BROKEN {fault.namespace}#{fault.seq} {fault.fault}: {fault.detail}")
        if not report.ok:
            sys.exit(1)


def _anchors(path: object) -> list[Anchor] | None:
    if not path:
        return None
    try:
        return read_anchors(str(path))
    except BadInput as bad:
        raise CommandError(bad.detail) from bad
