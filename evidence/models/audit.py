"""The audit: decisions, append-only and hash-chained per namespace, and the snapshots that hold their texts.

A `Decision` holds no free text, only salted commitments to it: SHA-256(salt || body) of a `Snapshot`. A purge deletes body
and salt of the snapshot and the chain still verifies (DESIGN "The model"). Database triggers refuse changes (`triggers`).
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from evidence.models.base import NAME_LENGTH, NAMESPACE_LENGTH, WORD_LENGTH, new_id, one_of, word_field
from evidence.rules.characters import visible
from evidence.rules.vocab import TERMINAL_ACTIONS, ActorKind, AuditAction, Door

SYSTEM_NAMESPACE = "_system"
_TERMINAL = sorted(action.value for action in TERMINAL_ACTIONS)


class Snapshot(models.Model):
    """A text as it was: what was on the screen, a reason, plan and effects, one side of a question."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    salt = models.BinaryField(null=True)
    body = models.TextField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    purged_at = models.DateTimeField(null=True, blank=True)


class DecisionQuerySet(models.QuerySet["Decision"]):
    def visible_to(self, user: object) -> DecisionQuerySet:
        from evidence.models.visibility import agents_of

        seen = agents_of(user)  # type: ignore[arg-type]
        return self if seen is None else self.filter(agent__in=seen)

    def newest_first(self) -> DecisionQuerySet:
        return self.order_by("-id")

    def about(self, target_kind: str, target_id: str) -> DecisionQuerySet:
        return self.filter(target_kind=target_kind, target_id=target_id)


class Decision(models.Model):
    """One audit row. Never changed, never deleted; everything but `digest` and `seal` is under the digest."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    namespace = models.CharField(max_length=NAMESPACE_LENGTH)
    seq = models.PositiveBigIntegerField()
    prev = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    at = models.DateTimeField()
    actor_kind = word_field(ActorKind)
    actor_id = models.CharField(max_length=NAME_LENGTH)
    actor_name = models.CharField(max_length=NAME_LENGTH)
    door = word_field(Door)
    action = word_field(AuditAction)
    reason_code = models.CharField(max_length=WORD_LENGTH, blank=True)
    agent = models.CharField(max_length=NAME_LENGTH, blank=True)
    target_kind = models.CharField(max_length=20)  # held, record, inquiry, token, membership, policy, import
    target_id = models.CharField(max_length=64)
    target_version = models.PositiveIntegerField(default=0)
    policy_version = models.PositiveIntegerField(default=0)
    idempotency_key = models.CharField(max_length=200, null=True, blank=True)
    bulk_id = models.UUIDField(null=True, blank=True)
    undoes = models.UUIDField(null=True, blank=True)
    amends = models.UUIDField(null=True, blank=True)
    solo = models.BooleanField(default=False)
    # Ids and words only: what else was touched, under which version, and what the item's words were.
    effects = models.JSONField(default=list)
    commitments = models.JSONField(default=dict)
    # [kind, id, version] of everything it changed: what `DecisionTouch` repeats for searching, here under the digest.
    touched = models.JSONField(default=list)
    # `key id:signature` over place and digest (`rules.chain.sealed_text`); empty where the desk had no usable key.
    seal = models.CharField(max_length=160, blank=True)

    objects = DecisionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["namespace", "seq"], name="decision_seq_once"),
            models.UniqueConstraint(fields=["idempotency_key"], name="decision_key_once"),
            models.UniqueConstraint(
                fields=["target_id", "target_version"],
                condition=Q(target_kind="held", action__in=_TERMINAL),
                name="decision_one_ending_per_version",
            ),
            models.UniqueConstraint(fields=["undoes"], name="decision_undone_once"),
            one_of("decision", "actor_kind", ActorKind),
            one_of("decision", "door", Door),
            one_of("decision", "action", AuditAction),
        ]
        indexes = [
            models.Index(fields=["target_kind", "target_id"], name="decision_by_target"),
            models.Index(fields=["actor_id", "-id"], name="decision_by_actor"),
            models.Index(fields=["action", "-id"], name="decision_by_action"),
            models.Index(fields=["agent", "-id"], name="decision_by_agent"),
            models.Index(fields=["bulk_id"], condition=Q(bulk_id__isnull=False), name="decision_by_bulk"),
        ]

    def __str__(self) -> str:
        return visible(f"{self.namespace}#{self.seq} {self.action}")


class DecisionTouch(models.Model):
    """Which decision left which object at which version: undo asks it who came later, pages ask it for a history."""

    decision = models.ForeignKey(Decision, on_delete=models.DO_NOTHING, related_name="touches")
    target_kind = models.CharField(max_length=20)
    target_id = models.CharField(max_length=64)
    version = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["decision", "target_kind", "target_id"], name="decisiontouch_once")
        ]
        indexes = [models.Index(fields=["target_kind", "target_id", "version"], name="decisiontouch_by_target")]


class AuditAnchor(models.Model):
    """Where a chain stood at an instant, kept here and outside: a chain that was cut or written anew does not pass it."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    namespace = models.CharField(max_length=NAMESPACE_LENGTH)
    seq = models.PositiveBigIntegerField()
    digest = models.CharField(max_length=64)
    seal = models.CharField(max_length=160, blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["namespace", "seq"], name="auditanchor_once")]
        indexes = [models.Index(fields=["at"], name="auditanchor_at")]

    def __str__(self) -> str:
        return visible(f"{self.namespace}#{self.seq}")


class ChainHead(models.Model):
    """The newest link of a namespace's chain; locked last, after held rows (sorted) and the claim key."""

    namespace = models.CharField(max_length=NAMESPACE_LENGTH, primary_key=True)
    seq = models.PositiveBigIntegerField(default=0)
    digest = models.CharField(max_length=64, default="0" * 64)

    def __str__(self) -> str:
        return visible(f"{self.namespace}#{self.seq}")
