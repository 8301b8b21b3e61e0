"""`manage.py receipts`: which key signs receipts; a new key; and, after a restore, a new epoch."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from evidence.services.errors import Refused
from evidence.services.receipt_keys import NoKeys, receipt_keys, rotate_keys
from evidence.services.receipts import mark_of_desk, rotate_epoch


class Command(BaseCommand):
    help = (
        "Say which key signs receipts of recalls, and since when receipts count. "
        "--rotate-key puts a new key in front; --new-epoch ends every receipt, as a restore has to."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--rotate-key", action="store_true", help="sign with a new key from now on")
        parser.add_argument("--new-epoch", action="store_true", help="the database was restored: end all receipts")

    def handle(self, *, rotate_key: bool, new_epoch: bool, **_: object) -> None:
        try:
            if rotate_key:
                rotate_keys()
            keys = receipt_keys()
        except (NoKeys, Refused) as error:
            raise CommandError(str(error)) from error
        mark = rotate_epoch() if new_epoch else mark_of_desk()
        self.stdout.write(
            f"key {keys.current} ({len(keys.by_id)} known), epoch since {mark.since:%Y-%m-%d %H:%M:%S} UTC"
        )
