"""Keeping the counts small and, should anybody ever doubt them, counting anew. What they say never changes by merging."""

from __future__ import annotations

from collections import Counter

from django.db import connection, transaction

from evidence.models import Tally
from evidence.models.tallies import EVIDENCE, HELD, INQUIRY, TABLE, recount

CHUNK = 5_000
CHUNKS = 40

_KEY = ("figure", "agent", "word", "detail", "slot")
_ADD = (
    f"INSERT INTO {TABLE}({', '.join(_KEY)}, number, merged) VALUES (%s, %s, %s, %s, %s, %s, %s)"  # noqa: S608 - our own names
    f" ON CONFLICT ({', '.join(_KEY)}) WHERE merged DO UPDATE SET number = {TABLE}.number + EXCLUDED.number"
)


def merge_tallies() -> int:
    """Sweep: put the rows that came since into one row for each of their words and times. Returns how many were merged.

    Two at once take different rows; whoever reads meanwhile sees the rows or their sum, never both.
    """
    merged = 0
    for _ in range(CHUNKS):
        taken = _merge_some()
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


def _merge_some() -> int:
    with transaction.atomic():
        fresh = Tally.objects.filter(merged=False).order_by("id")
        if connection.features.has_select_for_update_skip_locked:
            fresh = fresh.select_for_update(skip_locked=True)
        rows = list(fresh.values_list("id", *_KEY, "number")[:CHUNK])
        sums: Counter[tuple[str | int, ...]] = Counter()
        for _, *key, number in rows:
            sums[tuple(key)] += number
        with connection.cursor() as cursor:
            # In one order, so that two of these wait for each other and do not block each other for good.
            cursor.executemany(_ADD, [(*key, number, True) for key, number in sorted(sums.items()) if number])
        Tally.objects.filter(pk__in=[row[0] for row in rows]).delete()
    return len(rows)
