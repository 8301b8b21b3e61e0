"""What receipts of recalls are bound to, and what agents say of what they were shown (doors "Recall").

Feedback is append-only (`triggers`): a word is corrected or taken back by another row, never changed.
"""

from __future__ import annotations

import secrets

from django.db import models
from django.db.models import Q
from django.utils import timezone

from evidence.models.base import NAME_LENGTH, NAMESPACE_LENGTH, WORD_LENGTH, new_id, one_of, word_field
from evidence.rules.vocab import FeedbackOutcome, FeedbackType

REASON_LENGTH = 280


def new_mark() -> str:
    return secrets.token_hex(16)


class DeskMark(models.Model):
    """Which desk this is, and since which restore: one row. A receipt of another epoch counts for nothing."""

    ONLY = 1

    id = models.PositiveSmallIntegerField(primary_key=True, default=ONLY)
    instance = models.CharField(max_length=32, default=new_mark)
    epoch = models.CharField(max_length=32, default=new_mark)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="deskmark_only")]


class FeedbackQuerySet(models.QuerySet["Feedback"]):
    def heads(self) -> FeedbackQuerySet:
        """The last word of each chain."""
        return self.filter(superseded_by__isnull=True)

    def effective(self) -> FeedbackQuerySet:
        """Heads that say something: what was taken back says nothing."""
        return self.heads().exclude(type=FeedbackType.RETRACTION)

    def about(self, namespace: str, record_id: str) -> FeedbackQuerySet:
        return self.filter(namespace=namespace, record_id=record_id)


class Feedback(models.Model):
    """One word of an agent about one result. `subject` names the chain: whose word, about which record, for which query."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    at = models.DateTimeField(default=timezone.now)
    namespace = models.CharField(max_length=NAMESPACE_LENGTH)
    agent = models.CharField(max_length=NAME_LENGTH)
    subject = models.CharField(max_length=64)
    receipt_hash = models.CharField(max_length=64)
    record_id = models.CharField(max_length=64)
    content_version = models.CharField(max_length=32)
    query_hash = models.CharField(max_length=64)
    mode = models.CharField(max_length=20)
    rank = models.PositiveIntegerField()
    type = word_field(FeedbackType)
    outcome = models.CharField(max_length=WORD_LENGTH, blank=True)
    reason = models.CharField(max_length=REASON_LENGTH, blank=True)
    supersedes = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="superseded_by"
    )

    objects = FeedbackQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "feedback"
        constraints = [
            one_of("feedback", "type", FeedbackType),
            one_of("feedback", "outcome", FeedbackOutcome, blank=True),
            models.UniqueConstraint(fields=["subject"], condition=Q(supersedes__isnull=True), name="feedback_one_root"),
            models.CheckConstraint(
                condition=Q(type="vote", supersedes__isnull=True) | (~Q(type="vote") & Q(supersedes__isnull=False)),
                name="feedback_vote_is_root",
            ),
            models.CheckConstraint(condition=Q(type="retraction") | ~Q(outcome=""), name="feedback_says_something"),
        ]
        indexes = [
            models.Index(fields=["namespace", "record_id", "-at"], name="feedback_by_record"),
            models.Index(fields=["agent", "-at"], name="feedback_by_agent"),
        ]
