"""`manage.py audit_export [--namespace N] [--from T] [--to T] [--texts]`: a stretch of the audit as JSON lines.

tools/verify_audit.py verifies it anywhere, with nothing but Python.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from datetime import datetime

from django.core.management.base import BaseCommand, CommandError

from evidence.rules.times import read_time
from evidence.selectors.audit_export import exported


class Command(BaseCommand):
    help = "Write a stretch of an audit chain as JSON lines to standard output."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--namespace", default="default")
        parser.add_argument("--from", dest="begin", help="first instant, RFC 3339")
        parser.add_argument("--to", dest="end", help="first instant after it, RFC 3339")
        parser.add_argument("--texts", action="store_true", help="with the texts that the links commit to")

    def handle(self, *, namespace: str, begin: str | None, end: str | None, texts: bool, **options: object) -> None:
        for line in exported(namespace, begin=_instant(begin), end=_instant(end), texts=texts):
            self.stdout.write(json.dumps(line, ensure_ascii=False, sort_keys=True))


def _instant(text: str | None) -> datetime | None:
    if not text:
        return None
    found = read_time(text)
    if found is None:
        raise CommandError(f"{text!r} is no instant such as 2026-05-01T00:00:00Z.")
    return found
