"""`manage.py verify [--outdated]`: run the verifier over waiting items now, without a worker."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from evidence.models import HeldRecord
from evidence.services.verification import verify_held


class Command(BaseCommand):
    help = "Verify every waiting item that is not verified yet; with --outdated, look at all of them again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--outdated", action="store_true", help="also those that were verified before")

    def handle(self, **options: object) -> None:
        waiting = HeldRecord.objects.waiting() if options["outdated"] else HeldRecord.objects.needing_verification()
        done = 0
        for pk in waiting.order_by("id").values_list("id", flat=True).iterator(chunk_size=500):
            done += verify_held(held_id=pk) is not None
        self.stdout.write(f"{done} verified")
