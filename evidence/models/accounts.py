"""People, agents, who may what, credentials and policy (DESIGN "The model", "Who may what"; contract 13).

A token is stored as a hash only. Nothing here decides about records.
"""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.utils import timezone

from evidence.models.base import NAME_LENGTH, NAMESPACE_LENGTH, WORD_LENGTH, new_id, one_of, word_field
from evidence.rules.characters import visible
from evidence.rules.vocab import Access, Mode, Role, Trust, TrustClass


class User(AbstractUser):
    """A person. `person_key` ties several accounts of one person together for four-eyes."""

    time_zone = models.CharField(max_length=64, default="UTC")
    # Empty: whatever the browser asks for.
    language = models.CharField(max_length=16, blank=True, default="")
    verified_identity = models.CharField(max_length=NAME_LENGTH, blank=True)
    shortcuts_on = models.BooleanField(default=True)

    @property
    def person_key(self) -> str:
        return self.verified_identity or f"user:{self.pk}"


class Agent(models.Model):
    """An agent that files and recalls; its id is the name that scopes and sources use, compared exactly."""

    id = models.CharField(max_length=NAME_LENGTH, primary_key=True)
    namespace = models.CharField(max_length=NAMESPACE_LENGTH, default="default", db_index=True)
    description = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return visible(self.id)


class MembershipQuerySet(models.QuerySet["Membership"]):
    def active(self) -> MembershipQuerySet:
        return self.filter(ended_at__isnull=True, user__is_active=True)

    def of(self, user: User, *roles: Role) -> MembershipQuerySet:
        return self.active().filter(user=user, role__in=roles)

    def covering(self, agent_id: str) -> MembershipQuerySet:
        return self.filter(Q(agent__isnull=True) | Q(agent_id=agent_id))


class Membership(models.Model):
    """A role of a person for one agent, or for all (agent none).

    `deputy`: an owner's stand-in, who may do what an owner may and is asked once the owner let a question lie.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = word_field(Role)
    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, null=True, blank=True, related_name="memberships")
    deputy = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = MembershipQuerySet.as_manager()

    class Meta:
        constraints = [
            one_of("membership", "role", Role),
            models.CheckConstraint(
                condition=Q(deputy=False) | Q(role=Role.OWNER.value), name="membership_deputy_of_owner"
            ),
            models.UniqueConstraint(
                fields=["user", "role", "agent"], condition=Q(ended_at__isnull=True), name="membership_once",
            ),
            models.UniqueConstraint(
                fields=["user", "role"], condition=Q(ended_at__isnull=True, agent__isnull=True),
                name="membership_for_all_once",
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return visible(f"{self.user} {self.role} of {self.agent_id or 'all agents'}")


class TokenQuerySet(models.QuerySet["Token"]):
    def live(self) -> TokenQuerySet:
        now = timezone.now()
        return self.filter(revoked_at__isnull=True).filter(Q(expires_at__isnull=True) | Q(expires_at__gt=now))


class Token(models.Model):
    """A bearer credential: of an agent in one namespace (`eda_`), or of a person (`edp_`). Hash only."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    secret_hash = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=12)
    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, null=True, blank=True, related_name="tokens")
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, blank=True, related_name="tokens")
    namespace = models.CharField(max_length=NAMESPACE_LENGTH, default="default")
    rights = models.JSONField(default=list)
    projects = models.JSONField(default=list)
    channel_class = word_field(Trust, default=Trust.INTERNAL)
    max_access = word_field(Access, default=Access.PRIVATE)
    trust_ceiling = models.CharField(max_length=WORD_LENGTH, blank=True)
    created_by = models.CharField(max_length=NAME_LENGTH, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects = TokenQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(agent__isnull=False, user__isnull=True) | Q(agent__isnull=True, user__isnull=False),
                name="token_of_agent_or_person",
            ),
            one_of("token", "channel_class", Trust),
            one_of("token", "max_access", Access),
            one_of("token", "trust_ceiling", TrustClass, blank=True),
        ]

    def __str__(self) -> str:
        return visible(f"…{self.hint} of {self.agent_id or self.user}")


class Policy(models.Model):
    """One version of the rules that people set; the newest is in force. Changed by a proposal of two people."""

    version = models.PositiveIntegerField(unique=True)
    mode = word_field(Mode, default=Mode.MANUAL)
    two_approvals = models.BooleanField(default=True, help_text="High-risk and L1 items take two people.")
    strict_four_eyes = models.BooleanField(default=False)
    compatibility = models.BooleanField(default=False)
    store_query_text = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.CharField(max_length=NAME_LENGTH, default="system")

    class Meta:
        ordering = ("-version",)
        verbose_name_plural = "policies"
        constraints = [one_of("policy", "mode", Mode)]

    def __str__(self) -> str:
        return f"policy {self.version} ({self.mode})"
