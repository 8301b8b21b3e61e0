"""`manage.py index_rebuild [--backend NAME] [--restart]`: build search indexes again from the records alone; none changes."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from evidence.backends.port import BackendFailed
from evidence.backends.registry import all_backends
from evidence.services.index_upkeep import rebuild_index

TOLD_EVERY = 10_000


class Command(BaseCommand):
    help = (
        "Build every search index again from the records. Searches go on meanwhile; interrupted, the next run goes on where"
        " this one was."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--backend", action="append", default=[], metavar="NAME", help="only this one; may be repeated"
        )
        parser.add_argument("--restart", action="store_true", help="from the first record, also after an interruption")

    def handle(self, **options: list[str] | bool) -> None:
        only = options["backend"]
        assert isinstance(only, list)
        known = {backend.name for backend in all_backends()}
        if unknown := sorted(set(only) - known):
            raise CommandError(f"There is no backend {unknown[0]} here; there are {', '.join(sorted(known))}.")
        try:
            done = rebuild_index(progress=self._tell, only=only, restart=bool(options["restart"]))
        except BackendFailed as error:
            raise CommandError(
                f"A backend did not answer: {error}. Run the command again: it goes on there."
            ) from error
        for rebuilt in done:
            self.stdout.write(f"{rebuilt.backend}: {rebuilt.kept} records indexed, {rebuilt.removed} leftovers removed")

    def _tell(self, backend: str, read: int) -> None:
        if read % TOLD_EVERY == 0:
            self.stderr.write(f"{backend}: {read} records read")
