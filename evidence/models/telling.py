"""Telling people: what happened (`News`), for whom (`Notice`), in which message (`Delivery`), as they want it.

Ids and words of the vocabulary only: every text is read, with the reader's rights, when it is shown or sent. So a purge has
nothing to find here but the ids, by which `News.objects.about` finds it.
"""

from __future__ import annotations

import secrets
from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils import timezone

from evidence.models.accounts import User
from evidence.models.base import NAME_LENGTH, NAMESPACE_LENGTH, WORD_LENGTH, new_id, one_of, word_field
from evidence.rules.characters import visible
from evidence.rules.telling import (
    MORNING,
    OPEN_STATES,
    Channel,
    Choice,
    DeliveryState,
    HookFormat,
    NoticeKind,
    SubjectKind,
)
from evidence.rules.vocab import Role


class NewsQuerySet(models.QuerySet["News"]):
    def about(self, kind: str, subject_id: str) -> NewsQuerySet:
        return self.filter(subject_kind=kind, subject_id=subject_id)

    def untold(self) -> NewsQuerySet:
        return self.filter(told_at__isnull=True)


class News(models.Model):
    """One thing that happened; the same key is the same thing. `people` and `role`: who it is for; `by_user`: who did it."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    key = models.CharField(max_length=64, unique=True)
    kind = word_field(NoticeKind)
    subject_kind = word_field(SubjectKind)
    subject_id = models.CharField(max_length=NAME_LENGTH)
    agent = models.CharField(max_length=NAME_LENGTH, blank=True)
    namespace = models.CharField(max_length=NAMESPACE_LENGTH, blank=True)
    role = word_field(Role, blank=True, default="")
    people = models.JSONField(default=list)
    by_user = models.BigIntegerField(null=True, blank=True)
    at = models.DateTimeField(default=timezone.now)
    told_at = models.DateTimeField(null=True, blank=True)

    objects = NewsQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "news"
        constraints = [
            one_of("news", "kind", NoticeKind),
            one_of("news", "subject_kind", SubjectKind),
            one_of("news", "role", Role, blank=True),
        ]
        indexes = [
            models.Index(fields=["subject_kind", "subject_id"], name="news_about"),
            models.Index(fields=["at"], name="news_at"),
            models.Index(fields=["at"], condition=Q(told_at__isnull=True), name="news_untold"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


class WebhookQuerySet(models.QuerySet["Webhook"]):
    def active(self) -> WebhookQuerySet:
        return self.filter(active=True)


def new_salt() -> str:
    return secrets.token_hex(32)


class Webhook(models.Model):
    """A place that is called. Its secret is made from `salt` and the installation's key (`services/webhooks.py`), so that a
    copy of the database signs nothing. `target` may itself be a credential: no page and no log shows it whole."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(max_length=60)
    target = models.CharField(max_length=500)
    host = models.CharField(max_length=255)
    format = word_field(HookFormat, default=HookFormat.GENERIC)
    kinds = models.JSONField(default=list)
    # Agents whose news it gets; empty: all.
    agents = models.JSONField(default=list, blank=True)
    salt = models.CharField(max_length=64, default=new_salt)
    active = models.BooleanField(default=True)
    created_by = models.CharField(max_length=NAME_LENGTH, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    failures = models.PositiveIntegerField(default=0)
    last_success_at = models.DateTimeField(null=True, blank=True)
    last_failure_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=WORD_LENGTH, blank=True)

    objects = WebhookQuerySet.as_manager()

    class Meta:
        ordering = ("name",)
        constraints = [
            one_of("webhook", "format", HookFormat),
            models.UniqueConstraint(fields=["name"], name="webhook_name_once"),
        ]

    def __str__(self) -> str:
        return visible(f"{self.name} ({self.host})")


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    def inbox_of(self, user: User) -> DeliveryQuerySet:
        return self.filter(user=user, channel=Channel.INBOX)

    def unread(self) -> DeliveryQuerySet:
        return self.filter(channel=Channel.INBOX, read_at__isnull=True)

    def due(self, now: datetime) -> DeliveryQuerySet:
        return self.filter(state__in=OPEN_STATES, due_at__lte=now)

    def lost(self, now: datetime) -> DeliveryQuerySet:
        """Taken by somebody who has not been heard of since."""
        return self.filter(state__in=[DeliveryState.CLAIMED, DeliveryState.HANDING], claimed_until__lte=now)

    def in_trouble(self) -> DeliveryQuerySet:
        """What did not arrive, or may not have."""
        return self.filter(state__in=[DeliveryState.DEAD, DeliveryState.DOUBTFUL])


class Delivery(models.Model):
    """One message to one place: an entry of an inbox, a mail, a call.

    `claim` is a fencing token: it rises with whoever takes the message, and only the last one can go on with it.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    channel = word_field(Channel)
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, blank=True, related_name="deliveries")
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, null=True, blank=True, related_name="deliveries")
    # inbox:<user>, mail:<user>, hook:<webhook>; and what is collected together there: a lane, in an inbox a kind.
    endpoint = models.CharField(max_length=64)
    lane = models.CharField(max_length=WORD_LENGTH)
    state = word_field(DeliveryState, default=DeliveryState.COLLECTING)
    # Things in it. A counter, because an inbox lists many entries; `Notice` holds the things.
    count = models.PositiveIntegerField(default=0)
    first_at = models.DateTimeField(default=timezone.now)
    last_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    claim = models.PositiveIntegerField(default=0)
    claimed_until = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=WORD_LENGTH, blank=True)
    read_at = models.DateTimeField(null=True, blank=True)

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "deliveries"
        constraints = [
            one_of("delivery", "channel", Channel),
            one_of("delivery", "state", DeliveryState),
            models.CheckConstraint(
                condition=Q(channel="webhook", user__isnull=True, webhook__isnull=False)
                | (~Q(channel="webhook") & Q(user__isnull=False, webhook__isnull=True)),
                name="delivery_of_person_or_webhook",
            ),
            models.UniqueConstraint(
                fields=["endpoint", "lane"], condition=Q(state="collecting"), name="delivery_one_collecting"
            ),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(state__in=["collecting", "waiting"]), name="delivery_due"),
            models.Index(
                fields=["claimed_until"], condition=Q(state__in=["claimed", "handing"]), name="delivery_claimed"
            ),
            models.Index(fields=["endpoint", "-sent_at"], name="delivery_last_sent"),
            models.Index(fields=["state", "-id"], condition=Q(state__in=["dead", "doubtful"]), name="delivery_trouble"),
            models.Index(fields=["user", "-id"], condition=Q(channel="inbox"), name="delivery_inbox"),
            models.Index(
                fields=["user", "-id"], condition=Q(channel="inbox", read_at__isnull=True), name="delivery_unread"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.channel} {self.id}"


class Notice(models.Model):
    """One thing for one place. That it is unique makes a second run of any task harmless."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    news = models.ForeignKey(News, on_delete=models.CASCADE, related_name="notices")
    endpoint = models.CharField(max_length=64)
    delivery = models.ForeignKey(Delivery, on_delete=models.CASCADE, related_name="notices")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["news", "endpoint"], name="notice_once")]
        indexes = [models.Index(fields=["delivery", "id"], name="notice_of_delivery")]

    def __str__(self) -> str:
        return f"{self.news_id} to {self.endpoint}"


class Preference(models.Model):
    """What a person chose for one kind on one channel; what stands nowhere is the default of `rules/telling.py`."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="preferences")
    kind = word_field(NoticeKind)
    channel = word_field(Channel)
    choice = word_field(Choice)

    class Meta:
        constraints = [
            one_of("preference", "kind", NoticeKind),
            one_of("preference", "channel", Channel),
            one_of("preference", "choice", Choice),
            models.UniqueConstraint(fields=["user", "kind", "channel"], name="preference_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.channel}: {self.choice}"


class TellingHours(models.Model):
    """When a person wants no mail, and when their digest; minutes after midnight of their time zone."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, primary_key=True, related_name="telling_hours")
    quiet_from = models.PositiveSmallIntegerField(null=True, blank=True)
    quiet_until = models.PositiveSmallIntegerField(null=True, blank=True)
    digest_at = models.PositiveSmallIntegerField(default=MORNING)

    class Meta:
        verbose_name_plural = "telling hours"
        constraints = [
            models.CheckConstraint(
                condition=Q(quiet_from__isnull=True) | Q(quiet_from__lt=1440), name="tellinghours_quiet_from"
            ),
            models.CheckConstraint(
                condition=Q(quiet_until__isnull=True) | Q(quiet_until__lt=1440), name="tellinghours_quiet_until"
            ),
            models.CheckConstraint(condition=Q(digest_at__lt=1440), name="tellinghours_digest_at"),
        ]
