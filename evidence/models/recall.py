"""What was searched and what was shown: index rows of the full-text backend, and the recall log.

Both are derived or operational: they can be rebuilt or thrown away without changing what is true.
"""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from evidence.models.base import NAME_LENGTH, NAMESPACE_LENGTH, SOURCE_LENGTH, new_id


class IndexEntry(models.Model):
    """What one backend holds of one record, and under which source version it was sent.

    For the full-text backend it is also the indexed row itself: `places` (partitions, kind, claim: where a search may look)
    and `terms` (the words, stemmed, in order). The primary key rises with time, so the newest matches come first by it.
    """

    id = models.BigAutoField(primary_key=True)
    backend = models.CharField(max_length=40, default="sql")
    namespace = models.CharField(max_length=NAMESPACE_LENGTH)
    record_id = models.CharField(max_length=64)
    source_version = models.CharField(max_length=SOURCE_LENGTH)
    partitions = models.JSONField(default=list)
    # A hash of everything that was sent: an equal one means that there is nothing to send.
    digest = models.CharField(max_length=64, blank=True)
    places = models.TextField(blank=True)
    terms = models.TextField(blank=True)
    indexed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "index entries"
        constraints = [models.UniqueConstraint(fields=["backend", "namespace", "record_id"], name="indexentry_once")]


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
    # All that is kept of the receipt; empty where none was given.
    receipt_hash = models.CharField(max_length=64, blank=True)


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
