"""What an owner was asked about a fact, and what became of it: one row for each turn of a record, one of them open.

Which facts are due is not kept here but follows from their own instants (`Evidence.to_recheck`). A row says since when it was
asked, whether its owner was told, until when it was put off. The sweep `expiry` keeps rows and instants together; nothing that
a page shows waits for it. No constraint reaches the record: checking one would lock rows that people decide about.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Exists, OuterRef, Q, Subquery

from evidence.models.base import NAME_LENGTH, NAMESPACE_LENGTH
from evidence.models.evidence import Evidence, EvidenceQuerySet


class RecheckQuerySet(models.QuerySet["RecheckItem"]):
    def open(self) -> RecheckQuerySet:
        return self.filter(closed_at__isnull=True)

    def asleep(self, now: datetime) -> RecheckQuerySet:
        return self.open().filter(snoozed_until__gt=now)

    def about(self, record: Any, turns_at: Any) -> RecheckQuerySet:
        """Of one turn of one record."""
        return self.filter(record=record, turns_at=turns_at)

    def of(self, records: Collection[Any]) -> RecheckQuerySet:
        return self.filter(record__in=records)

    def closed(self) -> RecheckQuerySet:
        return self.filter(closed_at__isnull=False)

    def due_again(self, due: EvidenceQuerySet) -> RecheckQuerySet:
        """Closed ones of a turn that is due all the same: what settled it was undone."""
        same = self.closed().about(OuterRef("pk"), OuterRef("recheck_turns_at")).values("id")[:1]
        taken = RecheckItem.objects.open().filter(record=OuterRef("pk"))
        found = due.exclude(Exists(taken)).annotate(closed_item=Subquery(same)).filter(closed_item__isnull=False)
        return self.filter(id__in=found.values("closed_item"))

    def settled(self, now: datetime) -> RecheckQuerySet:
        """Open ones whose record is not due any more: checked again, revoked, superseded, deleted, or due for another turn."""
        still = Evidence.objects.to_recheck(now).filter(pk=OuterRef("record"), recheck_turns_at=OuterRef("turns_at"))
        return self.open().exclude(Exists(still))

    def untold(self) -> RecheckQuerySet:
        return self.open().filter(told_at__isnull=True)


class RecheckItem(models.Model):
    id = models.BigAutoField(primary_key=True)
    record = models.ForeignKey(
        Evidence, on_delete=models.CASCADE, related_name="rechecks", db_constraint=False, db_index=False
    )
    turns_at = models.DateTimeField()
    agent = models.CharField(max_length=NAME_LENGTH)
    namespace = models.CharField(max_length=NAMESPACE_LENGTH)
    opened_at = models.DateTimeField()
    told_at = models.DateTimeField(null=True, blank=True)
    snoozed_until = models.DateTimeField(null=True, blank=True)
    snoozed_by = models.CharField(max_length=NAME_LENGTH, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = RecheckQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["record", "turns_at"], name="recheckitem_once_a_turn"),
            models.UniqueConstraint(
                fields=["record"], condition=Q(closed_at__isnull=True), name="recheckitem_one_open"
            ),
        ]
        indexes = [
            models.Index(
                fields=["agent", "id"],
                condition=Q(closed_at__isnull=True, told_at__isnull=True),
                name="recheckitem_untold",
            ),
            models.Index(
                fields=["agent", "snoozed_until"],
                condition=Q(closed_at__isnull=True, snoozed_until__isnull=False),
                name="recheckitem_asleep",
            ),
            models.Index(fields=["closed_at"], condition=Q(closed_at__isnull=False), name="recheckitem_closed"),
        ]

    def __str__(self) -> str:
        return f"re-check {self.pk}"
