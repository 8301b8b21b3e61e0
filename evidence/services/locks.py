"""The order of locks, in one place: claim key, held rows (sorted), records (sorted), chain head last (DESIGN).

SQLite's IMMEDIATE transactions take turns by themselves; PostgreSQL takes an advisory lock for the claim key.
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.db import connection

from evidence.models import ClusterEntry, Evidence, HeldRecord, Inquiry
from evidence.rules.text import sha256_hex
from evidence.services.errors import Refused


def lock_claims(namespace: str, keys: Iterable[str]) -> None:
    """Let one transaction at a time decide about these claim keys. Released at its end. Keys are taken in sorted order."""
    if connection.vendor != "postgresql":
        return
    numbers = sorted({_number(namespace, key) for key in keys if key})
    with connection.cursor() as cursor:
        for number in numbers:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])


def lock_deciding(held_id: UUID | str) -> None:
    """Let one decision at a time be taken about this item's claim, and about what says nearly the same. First of all locks.

    Two people who approve two wordings of one thing at once, or two texts for one article, take turns, so that the second
    finds the first one's record.
    Raises `Refused` not_found.
    """
    columns = ("namespace", "claim_key", "statement_key", "promotion__target_source")
    seen = HeldRecord.objects.filter(pk=held_id).values_list(*columns).first()
    if seen is None:
        raise Refused("not_found", "There is no such item.")
    if connection.vendor != "postgresql":
        return
    cluster = ClusterEntry.objects.clustered().filter(pk=UUID(str(held_id))).values_list("cluster", flat=True).first()
    lock_claims(seen[0], [seen[1] or seen[2], *([str(cluster)] if cluster else []), seen[3] or ""])


def lock_held(held_id: UUID | str) -> HeldRecord:
    """The held row, locked. Raises `Refused` not_found."""
    row = HeldRecord.objects.select_for_update(of=("self",)).filter(pk=held_id).first()
    if row is None:
        raise Refused("not_found", "There is no such item.")
    return row


def lock_many_held(ids: Iterable[UUID | str]) -> dict[str, HeldRecord]:
    wanted = sorted(str(one) for one in ids)
    rows = HeldRecord.objects.select_for_update(of=("self",)).filter(pk__in=wanted).order_by("pk")
    return {str(row.pk): row for row in rows}


def lock_records(namespace: str, record_ids: Iterable[str]) -> dict[str, Evidence]:
    """Records by contract id, locked in the order of their keys."""
    rows = (
        Evidence.objects.select_for_update(of=("self",))
        .filter(namespace=namespace, record_id__in=sorted(set(record_ids)))
        .order_by("pk_uuid")
    )
    return {row.record_id: row for row in rows}


def lock_inquiry(inquiry_id: UUID | str) -> Inquiry:
    row = Inquiry.objects.select_for_update(of=("self",)).filter(pk=inquiry_id).first()
    if row is None:
        raise Refused("not_found", "There is no such question.")
    return row


def _number(namespace: str, key: str) -> int:
    """A signed 64-bit number for the lock table of PostgreSQL."""
    return int(sha256_hex("claim", namespace, key)[:16], 16) - (1 << 63)
