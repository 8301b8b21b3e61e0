"""`manage.py index_rebuild`: build every search index again from the records alone. Searches go on; no record changes."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError

from evidence.backends.port import BackendFailed
from evidence.services.indexing import rebuild_index


class Command(BaseCommand):
    help = "Build every search index again from the records. Safe at any time, and again after an interruption."

    def handle(self, **_: object) -> None:
        try:
            rebuilt = rebuild_index(progress=self._tell)
        except BackendFailed as error:
            raise CommandError(f"A backend did not answer: {error}. Run the command again.") from error
        self.stdout.write(f"{rebuilt.kept} records indexed, {rebuilt.removed} leftovers removed")

    def _tell(self, read: int) -> None:
        if read % 10_000 == 0:
            self.stderr.write(f"{read} records read")
