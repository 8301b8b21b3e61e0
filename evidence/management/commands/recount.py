"""`manage.py recount`: take the counts behind the insights from the rows again. Writers wait meanwhile; nothing else changes."""

from __future__ import annotations

from django.core.management.base import BaseCommand

from evidence.models import Tally
from evidence.services.tallies import count_anew


class Command(BaseCommand):
    help = "Count anew what the insights show. Triggers keep the counts; this is for whoever doubts them."

    def handle(self, **_: object) -> None:
        before = _sums()
        count_anew()
        after = _sums()
        wrong = sum(before.get(key) != after.get(key) for key in before.keys() | after.keys())
        self.stdout.write(f"{len(after)} counts, {wrong} of them put right")


def _sums() -> dict[tuple[object, ...], int]:
    return Tally.objects.by("figure", "agent", "word", "detail", "slot")
