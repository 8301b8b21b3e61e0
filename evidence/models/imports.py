"""What came from elsewhere: which foreign item became which row here, and what the other system said of it.

Makes importing repeatable (an item whose digest is known is not stored again) and foreign ids searchable. Everything here is
history for display: no rule reads it, and a purge of its target removes it.
"""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from evidence.models.base import NAMESPACE_LENGTH, SOURCE_LENGTH, WORD_LENGTH, new_id
from evidence.rules.characters import visible


class ImportedItemQuerySet(models.QuerySet["ImportedItem"]):
    def of_target(self, kind: str, target_id: str) -> ImportedItemQuerySet:
        return self.filter(target_kind=kind, target_id=target_id)


class ImportedItem(models.Model):
    """One item of another system in one namespace. `kind` keeps ids of different lists of that system apart."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    namespace = models.CharField(max_length=NAMESPACE_LENGTH)
    system = models.CharField(max_length=WORD_LENGTH)
    kind = models.CharField(max_length=20)  # record, proposal, question
    foreign_id = models.CharField(max_length=SOURCE_LENGTH)
    digest = models.CharField(max_length=64)
    target_kind = models.CharField(max_length=20)  # record, held, inquiry
    target_id = models.CharField(max_length=64)
    # What the other system decided: status, by, at, reason; empty while it waits there too.
    decided = models.JSONField(default=dict)
    extra = models.JSONField(default=dict)
    first_seen_at = models.DateTimeField(default=timezone.now)
    changed_at = models.DateTimeField(default=timezone.now)

    objects = ImportedItemQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["namespace", "system", "kind", "foreign_id"], name="importeditem_once")
        ]
        indexes = [models.Index(fields=["target_kind", "target_id"], name="importeditem_by_target")]

    def __str__(self) -> str:
        return visible(f"{self.system} {self.foreign_id}")
