"""`manage.py compact`: make the database forget what was deleted, and remove backups from before the newest purge."""

from __future__ import annotations

from django.core.management.base import BaseCommand
from django.utils import timezone

from evidence.services.purging import compact


class Command(BaseCommand):
    help = "Rewrite the database without what was deleted, and remove backups that are older than the newest purge."

    def handle(self, **options: object) -> None:
        gone = compact(now=timezone.now())
        self.stdout.write(f"compacted; {gone} backup{'' if gone == 1 else 's'} from before the newest purge removed")
