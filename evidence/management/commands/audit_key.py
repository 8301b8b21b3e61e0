"""`manage.py audit_key [--rotate]`: the public keys that verify seals; `--rotate` seals with a new key from now on."""

from __future__ import annotations

import json
from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from evidence.services.audit_keys import public_keys, rotate_audit_key
from evidence.services.errors import Refused


class Command(BaseCommand):
    help = "Print the public keys that verify the audit's seals, as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--rotate", action="store_true", help="seal with a new key from now on")

    def handle(self, *, rotate: bool = False, **options: object) -> None:
        if rotate:
            try:
                rotate_audit_key()
            except Refused as refused:
                raise CommandError(refused.detail) from refused
        self.stdout.write(json.dumps({"keys": {name: key.hex() for name, key in public_keys().items()}}, indent=1))
