"""What was searched and what was shown: index rows of the full-text backend, and the recall log.

Both are derived or operational: they can be rebuilt or thrown away without changing what is true.
"""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from evidence.models.base import NAME_LENGTH, NAMESPACE_LENGTH, SOURCE_LENGTH, WORD_LENGTH, new_id


class IndexEntry(models.Model):
    """What one backend holds of one record, and under which source version it was sent.

    For the full-text backend it is also the indexed row itself: `places` (partitions, kind, claim: where a search may look)
    and `terms` (the words, stemmed, in order). The primary key rises with time, so the newest matches come first by it.
    Of any other backend it is what is known of its copies: `partitions` are all where one may be, also while it is being sent,
    and the digest is empty until the backend said that it has it.
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


class IndexWalk(models.Model):
    """How far the walk over all records has come that brings one backend up to date; `rebuilding`: it sends everything anew."""

    backend = models.CharField(max_length=40, unique=True)
    after = models.UUIDField(null=True, blank=True)
    rebuilding = models.BooleanField(default=False)
    kept = models.PositiveIntegerField(default=0)


class VectorEntry(models.Model):
    """A record's text as a point of a model's space, and where it may be found. One that has the same text under the same model
    need not be computed again. The primary key rises with every change of a row's content, so that readers see what is new.
    """

    id = models.BigAutoField(primary_key=True)
    namespace = models.CharField(max_length=NAMESPACE_LENGTH)
    record_id = models.CharField(max_length=64)
    source_version = models.CharField(max_length=SOURCE_LENGTH)
    kind = models.CharField(max_length=WORD_LENGTH)
    claim_key = models.CharField(max_length=64, blank=True)
    partitions = models.JSONField(default=list)
    model = models.CharField(max_length=60)
    text_hash = models.CharField(max_length=64)
    # Half-precision numbers of length 1; empty where the model knows no word of the text.
    vector = models.BinaryField()

    class Meta:
        verbose_name_plural = "vector entries"
        constraints = [models.UniqueConstraint(fields=["namespace", "record_id"], name="vectorentry_once")]


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

    class Meta:
        indexes = [models.Index(fields=["namespace", "agent", "-at"], name="recalllog_by_agent")]


class RecallItem(models.Model):
    """A record that a recall showed, with the label it went out under."""

    recall = models.ForeignKey(RecallLog, on_delete=models.CASCADE, related_name="items")
    namespace = models.CharField(max_length=NAMESPACE_LENGTH)
    record_id = models.CharField(max_length=64)
    label = models.CharField(max_length=20)
    rank = models.PositiveIntegerField()
    at = models.DateTimeField()
    # Of text that a backend wrote, which is kept nowhere else: hashes of its runs of words, to know it again (contract 6).
    runs = models.JSONField(default=list)

    class Meta:
        indexes = [models.Index(fields=["namespace", "record_id", "-at"], name="recallitem_by_record")]
