"""Signals between agents: published once, taken by one consumer at a time under a lease, acknowledged once, or expired.

`free_at` is when somebody may take it: when it was published, and while it is claimed the end of the lease. What has waited
longest is taken first, so that one signal that nobody finishes holds up no other. Constraints keep each row in one of its states.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from evidence.models.base import NAME_LENGTH, NAMESPACE_LENGTH, SOURCE_LENGTH, WORD_LENGTH, new_id, one_of, word_field
from evidence.rules.signal_states import Consumer, Standing, status_of
from evidence.rules.signal_vocab import AgentSignalStatus
from evidence.rules.vocab import ActorKind

_STORED = [AgentSignalStatus.PENDING, AgentSignalStatus.CLAIMED, AgentSignalStatus.ACKED]


class SignalHead(models.Model):
    """The last number that a namespace gave: locked by who publishes, so that numbers appear in their order and without gaps."""

    namespace = models.CharField(max_length=NAMESPACE_LENGTH, primary_key=True)
    sequence = models.PositiveBigIntegerField(default=0)


class AgentSignalQuerySet(models.QuerySet["AgentSignal"]):
    def readable_by(self, namespace: str, agent: str) -> AgentSignalQuerySet:
        """To everybody in the namespace, to this agent, or of its own."""
        return self.filter(Q(recipient__in=["", agent]) | Q(publisher=agent), namespace=namespace)

    def after(self, sequence: int) -> AgentSignalQuerySet:
        return self.filter(sequence__gt=sequence).order_by("sequence")

    def free(self, namespace: str, recipient: str, now: datetime) -> AgentSignalQuerySet:
        """What can be taken of one lane (to everybody, or to one agent), who has waited longest first."""
        live = Q(expires_at__isnull=True) | Q(expires_at__gt=now)
        rows = self.filter(live, namespace=namespace, recipient=recipient, ended_at__isnull=True, free_at__lte=now)
        return rows.order_by("free_at", "sequence")

    def held_by(self, namespace: str, consumer: Consumer, now: datetime) -> AgentSignalQuerySet:
        return self.filter(
            namespace=namespace, holder_agent=consumer.agent, holder_worker=consumer.worker,
            status=AgentSignalStatus.CLAIMED, ended_at__isnull=True, lease_until__gt=now,
        )  # fmt: skip

    def tagged(self, tags: Iterable[str]) -> AgentSignalQuerySet:
        """With any of these tags; all where none is named."""
        names = list(tags)
        return (
            self.filter(Exists(AgentSignalTag.objects.filter(signal=OuterRef("pk"), tag__in=names))) if names else self
        )

    def in_state(self, status: str, now: datetime) -> AgentSignalQuerySet:
        """By where they stand now, as `status_of` has it; all where no status is named."""
        gone = Q(expires_at__isnull=False, expires_at__lte=now)
        open_ = ~Q(status=AgentSignalStatus.ACKED) & ~gone
        held = Q(status=AgentSignalStatus.CLAIMED, lease_until__gt=now)
        states = {
            AgentSignalStatus.ACKED: Q(status=AgentSignalStatus.ACKED),
            AgentSignalStatus.EXPIRED: ~Q(status=AgentSignalStatus.ACKED) & gone,
            AgentSignalStatus.CLAIMED: open_ & held,
            AgentSignalStatus.PENDING: open_ & ~(Q(lease_until__isnull=False) & held),
        }
        return self.filter(states[AgentSignalStatus(status)]) if status else self

    def lapsed(self, now: datetime) -> AgentSignalQuerySet:
        """Expired, and not yet noted as over."""
        return self.filter(ended_at__isnull=True, expires_at__lte=now)

    def over_before(self, when: datetime) -> AgentSignalQuerySet:
        """Acknowledged or expired before that."""
        return self.filter(ended_at__lt=when).order_by("ended_at")


class AgentSignal(models.Model):
    """One signal. `publisher` is empty where the desk itself speaks; `recipient` is empty where everybody may take it.

    `key`: what it tells of, where that is told once. `ended_at`: acknowledged, or expired and noted as that by a sweep.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    namespace = models.CharField(max_length=NAMESPACE_LENGTH)
    sequence = models.PositiveBigIntegerField()
    key = models.CharField(max_length=64, null=True, blank=True)
    publisher = models.CharField(max_length=NAME_LENGTH, blank=True)
    publisher_kind = word_field(ActorKind, default=ActorKind.AGENT)
    recipient = models.CharField(max_length=NAME_LENGTH, blank=True)
    title = models.CharField(max_length=300, blank=True)
    content = models.TextField()
    tags = models.JSONField(default=list)
    correlation_id = models.CharField(max_length=NAME_LENGTH, blank=True)
    about = models.JSONField(default=dict)
    # What reads like an attempt on whoever reads it (`rules.signals`), as it was found when it came.
    flags = models.JSONField(default=list)
    claim_required = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    status = models.CharField(max_length=WORD_LENGTH, default=AgentSignalStatus.PENDING)
    free_at = models.DateTimeField(default=timezone.now)
    holder_agent = models.CharField(max_length=NAME_LENGTH, blank=True)
    holder_worker = models.CharField(max_length=NAME_LENGTH, blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    claims = models.PositiveIntegerField(default=0)
    acked_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    origin_system = models.CharField(max_length=WORD_LENGTH, blank=True)
    origin_id = models.CharField(max_length=SOURCE_LENGTH, blank=True)

    objects = AgentSignalQuerySet.as_manager()

    class Meta:
        constraints = [
            one_of("agentsignal", "publisher_kind", ActorKind),
            models.UniqueConstraint(fields=["namespace", "sequence"], name="agentsignal_number"),
            models.UniqueConstraint(fields=["namespace", "key"], name="agentsignal_told_once"),
            models.CheckConstraint(condition=Q(status__in=_STORED), name="agentsignal_status"),
            models.CheckConstraint(
                condition=~Q(status="pending")
                | Q(holder_agent="", holder_worker="", claimed_at__isnull=True, lease_until__isnull=True),
                name="agentsignal_pending_is_free",
            ),
            models.CheckConstraint(
                # A comparison with NULL refuses nothing, so what has to be there is named.
                condition=~Q(status="claimed")
                | (
                    ~Q(holder_agent="")
                    & Q(claimed_at__isnull=False, lease_until__isnull=False, claims__gt=0)
                    & Q(lease_until__gte=F("claimed_at"))
                ),
                name="agentsignal_claimed_has_lease",
            ),
            models.CheckConstraint(
                condition=Q(lease_until__isnull=True)
                | Q(expires_at__isnull=True)
                | Q(lease_until__lte=F("expires_at")),
                name="agentsignal_lease_in_time",
            ),
            models.CheckConstraint(
                condition=Q(status="acked", acked_at__isnull=False, ended_at__isnull=False, lease_until__isnull=True)
                | (~Q(status="acked") & Q(acked_at__isnull=True)),
                name="agentsignal_acked_is_over",
            ),
            models.CheckConstraint(
                condition=Q(acked_at__isnull=True) | Q(claimed_at__isnull=True) | Q(acked_at__gte=F("claimed_at")),
                name="agentsignal_acked_after_claim",
            ),
        ]
        indexes = [
            models.Index(
                fields=["namespace", "recipient", "free_at", "sequence"], condition=Q(ended_at__isnull=True),
                name="agentsignal_free",
            ),
            models.Index(fields=["expires_at"], condition=Q(ended_at__isnull=True), name="agentsignal_expiring"),
            models.Index(fields=["ended_at"], condition=Q(ended_at__isnull=False), name="agentsignal_over"),
            # Only what is claimed has a lease: what a consumer finished long ago is not walked again with each claim.
            models.Index(
                fields=["namespace", "holder_agent", "holder_worker", "lease_until"],
                condition=Q(lease_until__isnull=False), name="agentsignal_held",
            ),
            models.Index(fields=["publisher", "-id"], name="agentsignal_publisher"),
            models.Index(fields=["recipient", "-id"], name="agentsignal_recipient"),
            models.Index(fields=["holder_agent", "-id"], name="agentsignal_holder"),
        ]  # fmt: skip

    @property
    def holder(self) -> Consumer | None:
        return Consumer(self.holder_agent, self.holder_worker) if self.holder_agent else None

    @property
    def standing(self) -> Standing:
        return Standing(
            AgentSignalStatus(self.status), self.recipient, self.holder, self.lease_until, self.expires_at, self.claims,
            self.claim_required,
        )  # fmt: skip

    def status_at(self, now: datetime) -> AgentSignalStatus:
        return status_of(self.standing, now)


class AgentSignalTag(models.Model):
    """A tag of a signal, to be looked for."""

    signal = models.ForeignKey(AgentSignal, on_delete=models.CASCADE, related_name="tag_rows")
    tag = models.CharField(max_length=NAME_LENGTH)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["signal", "tag"], name="agentsignaltag_once")]
        indexes = [models.Index(fields=["tag", "signal"], name="agentsignaltag_by_tag")]
