"""Keeping the counts small and, should anybody ever doubt them, counting anew. What pages read never changes by it."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from evidence.models import Tally
from evidence.models.tallies import EVIDENCE, HELD, INQUIRY, SLOTS_A_DAY, TABLE, Figure, recount, slot_of

CHUNK = 5_000
CHUNKS = 40
# No page looks further back; refusals, which nothing else remembers, are kept.
KEEP = timedelta(days=100)

_KEY = ("figure", "agent", "word", "detail", "slot")
_ADD = (
    f"INSERT INTO {TABLE}({', '.join(_KEY)}, number, merged) VALUES (%s, %s, %s, %s, %s, %s, %s)"  # noqa: S608 - our own names
    f" ON CONFLICT ({', '.join(_KEY)}) WHERE merged DO UPDATE SET number = {TABLE}.number + EXCLUDED.number"
)


def merge_tallies(*, now: datetime | None = None) -> int:
    """Sweep: put the rows that came since into one row for each of their words and times. Returns how many were merged.

    Two at once take different rows; whoever reads meanwhile sees the rows or their sum, never both.
    """
    slot = slot_of(now or timezone.now())
    old = [Figure.FILED, Figure.ENDED, Figure.JUDGED]
    Tally.objects.filter(figure__in=old, slot__lt=slot - KEEP.days * SLOTS_A_DAY).delete()
    merged = 0
    for _ in range(CHUNKS):
        taken = _merge_some(slot - SLOTS_A_DAY)
        merged += taken
        if taken < CHUNK:
            break
    return merged


def count_anew() -> None:
    """Throw the counts away and take them from the rows; writers wait meanwhile."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(f"LOCK TABLE {HELD}, {EVIDENCE}, {INQUIRY} IN SHARE MODE")
        recount(connection)


def _merge_some(past: int) -> int:
    """When a check began or ended to hold is asked only from now on: before `past` it no longer matters when."""
    with transaction.atomic():
        over = Q(figure=Figure.LABEL, slot__gt=0, slot__lt=past)
        rows = list(_locked(Q(merged=False)))
        rows += _locked(over & Q(merged=True))[: CHUNK - len(rows)]
        sums: Counter[tuple[str | int, ...]] = Counter()
        for _, figure, *words, slot, number in rows:
            forgotten = figure == Figure.LABEL and 0 < slot < past
            sums[figure, *words, 0 if forgotten else slot] += number
        with connection.cursor() as cursor:
            # In one order, so that two of these wait for each other and do not block each other for good.
            cursor.executemany(_ADD, [(*key, number, True) for key, number in sorted(sums.items()) if number])
        Tally.objects.filter(pk__in=[row[0] for row in rows]).delete()
    return len(rows)


def _locked(wanted: Q) -> list[tuple[int, str, str, str, str, int, int]]:
    found = Tally.objects.filter(wanted).order_by("id")
    if connection.features.has_select_for_update_skip_locked:
        found = found.select_for_update(skip_locked=True)
    return list(found.values_list("id", *_KEY, "number")[:CHUNK])
