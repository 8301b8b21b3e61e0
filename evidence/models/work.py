"""Work to be done outside the request, and what keeps repeated requests harmless: outbox, jobs, idempotency.

Delivery is at least once; a unique outbox key and idempotent tasks make it once in effect (stack: outbox + poke + sweep).
"""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils import timezone

from evidence.models.accounts import User
from evidence.models.base import NAME_LENGTH, WORD_LENGTH, new_id


class OutboxQuerySet(models.QuerySet["Outbox"]):
    def due(self, now: datetime) -> OutboxQuerySet:
        return self.filter(done_at__isnull=True, available_at__lte=now).order_by("available_at", "id")


class Outbox(models.Model):
    """A message written in the same transaction as the change it tells of."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    key = models.CharField(max_length=200, unique=True)
    topic = models.CharField(max_length=WORD_LENGTH)
    subject = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)
    available_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveIntegerField(default=0)
    done_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=300, blank=True)

    objects = OutboxQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "outbox"
        indexes = [
            models.Index(fields=["available_at", "id"], condition=Q(done_at__isnull=True), name="outbox_due"),
            models.Index(fields=["done_at"], condition=Q(done_at__isnull=False), name="outbox_done"),
        ]


class Job(models.Model):
    """A long piece of work; its progress is computed from its rows, never from a counter."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=WORD_LENGTH)  # bulk, import
    # preview (frozen, nothing done yet), waiting, running, done, failed, cancelled
    status = models.CharField(max_length=WORD_LENGTH, default="waiting")
    created_by = models.CharField(max_length=NAME_LENGTH, blank=True)
    owner = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="jobs")
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)
    detail = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["owner", "-created_at"], name="job_owner_newest")]


class JobItem(models.Model):
    """One line or one held record of a job, with its own outcome."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="items")
    position = models.PositiveIntegerField()
    subject = models.CharField(max_length=600, blank=True)
    version = models.PositiveIntegerField(null=True, blank=True)
    # Of a bulk: what the preview showed, and whether the person left the item in.
    plan_digest = models.CharField(max_length=64, blank=True)
    selected = models.BooleanField(default=True)
    outcome = models.CharField(max_length=WORD_LENGTH, blank=True)  # created, unchanged, held, refused, changed …
    code = models.CharField(max_length=WORD_LENGTH, blank=True)
    detail = models.CharField(max_length=600, blank=True)
    result_id = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["job", "position"], name="jobitem_once")]
        indexes = [models.Index(fields=["subject"], condition=~Q(subject=""), name="jobitem_subject")]


class IdempotencyKey(models.Model):
    """A request that was seen (doors "Idempotency-Key"): a keyed hash of its body and the ids of its result; 24 hours."""

    scope = models.CharField(max_length=64, unique=True)  # hash of credential, method, path, key
    body_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)  # 0 while in flight
    result = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)
