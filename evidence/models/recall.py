"""What was searched and what was shown: index rows of the full-text backend, and the recall log.

Both are derived or operational: they can be rebuilt or thrown away without changing what is true.
"""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from evidence.models.base import NAME_LENGTH, NAMESPACE_LENGTH, new_id


class IndexEntry(models.Model):
    """One record's copy in one partition of one backend, under the source version that was sent."""

    backend = models.CharField(max_length=40, default="sql")
    namespace = models.CharField(max_length=NAMESPACE_LENGTH)
    partition = models.CharField(max_length=NAME_LENGTH * 2 + 10)
    record_id = models.CharField(max_length=64)
    source_version = models.CharField(max_length=600)
    text = models.TextField(blank=True)
    indexed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "index entries"
        constraints = [
            models.UniqueConstraint(fields=["backend", "namespace", "record_id", "partition"], name="indexentry_once")
        ]


class RecallLog(models.Model):
    """One answered recall. The query is kept as a hash; its text only where the policy says so."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    at = models.DateTimeField(default=timezone.now, db_index=True)
    namespace = models.CharField(max_length=NAMESPACE_LENGTH)
    agent = models.CharField(max_length=NAME_LENGTH)
    query_hash = models.CharField(max_length=64)
    query_text = models.CharField(max_length=1000, blank=True)
    mode = models.CharField(max_length=20, default="lexical")
    results = models.PositiveIntegerField(default=0)


class RecallItem(models.Model):
    """A record that a recall showed, with the label it went out under."""

    recall = models.ForeignKey(RecallLog, on_delete=models.CASCADE, related_name="items")
    namespace = models.CharField(max_length=NAMESPACE_LENGTH)
    record_id = models.CharField(max_length=64)
    label = models.CharField(max_length=20)
    rank = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["namespace", "record_id", "-at"], name="recallitem_by_record")]
