"""The one queue: what waits for a person, with its three detail tables (DESIGN "The model"; contract 10).

`version` rises on statement, claim, evidence, scope, status or verification result; never on lease, heartbeat, snooze,
priority or presence. Only services write here.
"""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from evidence.models.accounts import Agent, User
from evidence.models.base import NAME_LENGTH, NAMESPACE_LENGTH, SOURCE_LENGTH, WORD_LENGTH, new_id, one_of, word_field
from evidence.models.evidence import Evidence, instant
from evidence.rules.lots import LOTS
from evidence.rules.records import Candidate, Check, Claim, Reach, Scope
from evidence.rules.vocab import (
    Access,
    Durability,
    Eligibility,
    HeldKind,
    HeldStatus,
    Layer,
    MatchKind,
    Polarity,
    Risk,
    Trust,
    TrustClass,
    VerificationStatus,
    Volatility,
)

if TYPE_CHECKING:
    from collections.abc import Iterable


# Below every priority. The condition holds for all rows, and shows the planner which index has the order: without it SQLite
# may prefer another index on the same columns, and sort everything.
LEAST_PRIORITY = -(2**62)


def new_lot() -> int:
    """An item's number in the draw (`rules.lots`)."""
    return secrets.randbelow(LOTS)


class HeldQuerySet(models.QuerySet["HeldRecord"]):
    def waiting(self) -> HeldQuerySet:
        return self.filter(status=HeldStatus.WAITING)

    def in_namespace(self, namespace: str) -> HeldQuerySet:
        return self.filter(namespace=namespace)

    def visible_to(self, user: User) -> HeldQuerySet:
        from evidence.models.visibility import agents_of

        seen = agents_of(user)
        return self if seen is None else self.filter(agent_id__in=seen)

    def reviewable_by(self, user: User) -> HeldQuerySet:
        """Items of agents for whom this person has a reviewer membership."""
        from evidence.models.visibility import agents_of
        from evidence.rules.vocab import Role

        seen = agents_of(user, Role.REVIEWER)
        return self if seen is None else self.filter(agent_id__in=seen)

    def awake(self, now: datetime) -> HeldQuerySet:
        return self.filter(Q(snoozed_until__isnull=True) | Q(snoozed_until__lte=now))

    def free_for(self, user: User, now: datetime) -> HeldQuerySet:
        """Not leased by somebody else right now."""
        return self.filter(Q(lease_until__isnull=True) | Q(lease_until__lte=now) | Q(lease_holder=user))

    def open_to(self, user: User) -> HeldQuerySet:
        """Without what waits for somebody else: this person gave the first of two approvals, and it still counts."""
        same = Q(first_approval_version=F("version")) | Q(first_approval_hash=F("content_hash"))
        return self.exclude(Q(first_approver=user, first_approver__isnull=False) & same)

    def in_order(self) -> HeldQuerySet:
        return self.filter(priority__gte=LEAST_PRIORITY).order_by("priority", "id")

    def equal_to(self, held: HeldRecord) -> HeldQuerySet:
        """Other waiting fact proposals that say the same (contract 10): by claim and value, else by statement."""
        same = self.waiting().filter(namespace=held.namespace, kind=HeldKind.FACT_PROPOSAL).exclude(pk=held.pk)
        if held.claim_key:
            return same.filter(claim_key=held.claim_key, value_key=held.value_key)
        # Without any key nothing is known of what it says.
        return same.filter(claim_key="", statement_key=held.statement_key) if held.statement_key else self.none()

    def saying(self, held: HeldRecord) -> HeldQuerySet:
        """Items on the same claim, whatever its value, or with the very same statement, itself among them; by index.

        Where nothing is known of what it says (a capture), that is nothing, and not all the others of which nothing is known.
        """
        same = self.filter(namespace=held.namespace, claim_key=held.claim_key)
        if held.claim_key:
            return same
        return same.filter(statement_key=held.statement_key) if held.statement_key else self.none()

    def on_claim(self, namespace: str, claim_key: str) -> HeldQuerySet:
        return self.filter(namespace=namespace, claim_key=claim_key) if claim_key else self.none()

    def on_topic(self, namespace: str, match_key: str) -> HeldQuerySet:
        """What waits on a topic key. SQLite takes an index of only some rows where the question repeats its condition."""
        return self.waiting().filter(namespace=namespace, match_key=match_key).exclude(match_key="")

    def from_origin(self, namespace: str, system: str, foreign_id: str) -> HeldQuerySet:
        return self.filter(namespace=namespace, origin_system=system, origin_id=foreign_id).exclude(origin_id="")

    def needing_verification(self) -> HeldQuerySet:
        return self.waiting().filter(verification_status=VerificationStatus.PENDING)


class HeldRecord(models.Model):
    """What waits: every column that lists, search and filters read. Its id is the proposal's id everywhere."""

    # Not stored: this row was just drawn by lot for somebody who has not claimed it yet (`selectors.picking`).
    drawn = False

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = word_field(HeldKind)
    agent = models.ForeignKey(Agent, on_delete=models.PROTECT, related_name="held")
    namespace = models.CharField(max_length=NAMESPACE_LENGTH, default="default")
    statement = models.TextField()
    statement_key = models.CharField(max_length=64, blank=True)
    claim_subject = models.TextField(blank=True)
    claim_attribute = models.TextField(blank=True)
    claim_value = models.TextField(blank=True)
    claim_key = models.CharField(max_length=64, blank=True)
    value_key = models.CharField(max_length=64, blank=True)
    match_key = models.CharField(max_length=64, blank=True)
    content_hash = models.CharField(max_length=64, blank=True)

    status = word_field(HeldStatus, default=HeldStatus.WAITING)
    version = models.PositiveIntegerField(default=1)
    match_kind = word_field(MatchKind, default=MatchKind.NEW)
    matched = models.JSONField(default=list)
    match_cues = models.JSONField(default=list)
    risk = word_field(Risk, default=Risk.MEDIUM)
    eligibility = word_field(Eligibility, default=Eligibility.REVIEW_ONLY)
    verification_status = word_field(VerificationStatus, default=VerificationStatus.PENDING)
    flags = models.JSONField(default=list)
    independent_sources = models.PositiveIntegerField(default=0)

    priority = models.BigIntegerField(default=0)
    priority_parts = models.JSONField(default=dict)
    lease_holder = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="leases")
    lease_until = models.DateTimeField(null=True, blank=True)
    lease_token = models.PositiveIntegerField(default=0)
    lease_by_lot = models.BooleanField(default=False)
    lot = models.PositiveIntegerField(default=new_lot, editable=False)
    snoozed_until = models.DateTimeField(null=True, blank=True)
    snoozed_by = models.CharField(max_length=NAME_LENGTH, blank=True)

    trust = word_field(Trust, default=Trust.EXTERNAL)
    trust_class = word_field(TrustClass, default=TrustClass.UNKNOWN)
    effective_trust_class = word_field(TrustClass, default=TrustClass.UNKNOWN)
    durability = word_field(Durability, default=Durability.UNKNOWN)
    layer = word_field(Layer, default=Layer.L2)
    rule_type = models.CharField(max_length=NAME_LENGTH, blank=True)
    tags = models.JSONField(default=list)
    reach_level = models.CharField(max_length=WORD_LENGTH, blank=True)
    reach_ref = models.CharField(max_length=NAME_LENGTH, blank=True)
    supersedes = models.JSONField(default=list)
    volatility = word_field(Volatility, default=Volatility.WORK_STATE)
    ttl_days = models.FloatField(null=True, blank=True)
    valid_from = models.DateTimeField(null=True, blank=True)
    valid_until = models.DateTimeField(null=True, blank=True)
    event_at = models.DateTimeField(null=True, blank=True)
    event_at_text = models.CharField(max_length=64, blank=True)
    check_at = models.DateTimeField(null=True, blank=True)
    check_at_text = models.CharField(max_length=64, blank=True)
    check_by = models.CharField(max_length=NAME_LENGTH, blank=True)
    check_method = models.CharField(max_length=300, blank=True)
    has_check = models.BooleanField(default=False)
    # When the label that an approval "as of the source's date" gives would turn; lists and `expires:` read it.
    expires_at = models.DateTimeField(null=True, blank=True)
    scope_owner = models.CharField(max_length=NAME_LENGTH)
    scope_access = word_field(Access, default=Access.PRIVATE)
    scope_shared_with = models.JSONField(default=list)
    scope_project = models.CharField(max_length=NAME_LENGTH, blank=True)

    # Four eyes: who last changed what is claimed (contract 10 "Edit"), and who gave the first of two approvals.
    meaning_editor = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    last_editor = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    first_approver = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    first_approval_hash = models.CharField(max_length=64, blank=True)
    first_approval_version = models.PositiveIntegerField(null=True, blank=True)

    origin_system = models.CharField(max_length=40, blank=True)
    origin_id = models.CharField(max_length=SOURCE_LENGTH, blank=True)
    filed_by = models.CharField(max_length=NAME_LENGTH, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    decided_at = models.DateTimeField(null=True, blank=True)
    decision_id = models.UUIDField(null=True, blank=True)
    reason_code = models.CharField(max_length=WORD_LENGTH, blank=True)
    reason = models.TextField(blank=True)
    replaced_by = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="replaces")

    objects = HeldQuerySet.as_manager()

    class Meta:
        constraints = [
            one_of("held", "kind", HeldKind),
            one_of("held", "status", HeldStatus),
            one_of("held", "match_kind", MatchKind),
            one_of("held", "risk", Risk),
            one_of("held", "eligibility", Eligibility),
            one_of("held", "verification_status", VerificationStatus),
            one_of("held", "trust", Trust),
            one_of("held", "trust_class", TrustClass),
            one_of("held", "effective_trust_class", TrustClass),
            one_of("held", "durability", Durability),
            one_of("held", "layer", Layer),
            one_of("held", "volatility", Volatility),
            one_of("held", "scope_access", Access),
            models.UniqueConstraint(
                fields=["namespace", "agent", "claim_key", "value_key"],
                condition=Q(status="waiting", kind="fact_proposal") & ~Q(claim_key=""),
                name="held_same_claim_waits_once",
            ),
            models.UniqueConstraint(
                fields=["namespace", "origin_system", "origin_id"],
                condition=~Q(origin_id=""),
                name="held_origin_once",
            ),
        ]
        indexes = [
            models.Index(fields=["status", "priority", "id"], name="held_queue"),
            models.Index(fields=["status", "kind", "priority", "id"], name="held_queue_kind"),
            models.Index(fields=["status", "agent", "priority", "id"], name="held_queue_agent"),
            models.Index(fields=["status", "risk", "priority", "id"], name="held_queue_risk"),
            models.Index(fields=["status", "match_kind", "priority", "id"], name="held_queue_match"),
            models.Index(fields=["status", "expires_at"], name="held_expiring"),
            models.Index(fields=["status", "-decided_at"], name="held_decided"),
            models.Index(fields=["created_at", "id"], name="held_filed"),
            models.Index(fields=["status", "agent", "created_at"], condition=Q(status="waiting"), name="held_oldest"),
            models.Index(fields=["status", "lot"], condition=Q(status="waiting"), name="held_lots"),
            models.Index(fields=["status", "agent", "lot"], condition=Q(status="waiting"), name="held_lots_agent"),
            models.Index(fields=["namespace", "claim_key", "status"], name="held_by_claim"),
            models.Index(fields=["namespace", "statement_key", "status"], name="held_by_statement"),
            models.Index(
                fields=["namespace", "match_key", "id"],
                condition=Q(status="waiting") & ~Q(match_key=""),
                name="held_by_topic",
            ),
            models.Index(fields=["status", "lease_until"], condition=Q(lease_until__isnull=False), name="held_leased"),
            models.Index(
                fields=["status", "snoozed_until"], condition=Q(snoozed_until__isnull=False), name="held_snoozed"
            ),
            models.Index(
                fields=["id"], condition=Q(status="waiting", verification_status="pending"), name="held_unverified"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"

    @property
    def claim(self) -> Claim | None:
        if not self.claim_key:
            return None
        return Claim(self.claim_subject, self.claim_attribute, self.claim_value)

    @property
    def scope(self) -> Scope:
        return Scope(
            owner=self.scope_owner,
            access=self.scope_access,
            shared_with=tuple(self.scope_shared_with),
            project=self.scope_project or None,
        )

    @property
    def reach(self) -> Reach | None:
        return Reach(self.reach_level, self.reach_ref) if self.reach_level or self.reach_ref else None

    @property
    def check_value(self) -> Check | None:
        if not self.has_check:
            return None
        return Check(instant(self.check_at, self.check_at_text), by=self.check_by, method=self.check_method)

    @property
    def is_waiting(self) -> bool:
        return self.status == HeldStatus.WAITING

    def leased_at(self, now: datetime) -> bool:
        return bool(self.lease_until and self.lease_until > now and self.lease_holder_id)

    def to_candidate(self, *, evidence_ids: Iterable[str], threads: Iterable[str] = ()) -> Candidate:
        """The row as the matcher and the verifier see it (contract 7, 8)."""
        return Candidate(
            id=str(self.id), statement=self.statement, claim=self.claim, tags=tuple(self.tags),
            rule_type=self.rule_type, profile=self.namespace, reach=self.reach, layer=self.layer,
            trust_class=self.trust_class, durability=self.durability, evidence_ids=tuple(evidence_ids),
            supersedes=tuple(self.supersedes), check=self.check_value, threads=tuple(threads),
            volatility=self.volatility, ttl_days=self.ttl_days, trust=self.trust,
        )  # fmt: skip


class FactProposal(models.Model):
    """A fact that an agent proposes; backed by one held observation (source `proposal:<held id>`)."""

    held = models.OneToOneField(HeldRecord, on_delete=models.CASCADE, primary_key=True, related_name="fact_proposal")
    observation = models.OneToOneField(Evidence, on_delete=models.PROTECT, related_name="proposal")
    result = models.ForeignKey(Evidence, on_delete=models.SET_NULL, null=True, blank=True, related_name="came_from")


class PromotionProposal(models.Model):
    """A new text for a wiki article, bound to the version it was written against."""

    held = models.OneToOneField(HeldRecord, on_delete=models.CASCADE, primary_key=True, related_name="promotion")
    target_source = models.CharField(max_length=SOURCE_LENGTH)
    base_version = models.CharField(max_length=SOURCE_LENGTH, blank=True)
    title = models.CharField(max_length=300)
    content = models.TextField()
    article_type = models.CharField(max_length=NAME_LENGTH, blank=True)
    related = models.JSONField(default=list)
    agents = models.JSONField(default=list)
    occurrences = models.PositiveIntegerField(default=1)
    result = models.ForeignKey(Evidence, on_delete=models.SET_NULL, null=True, blank=True, related_name="promoted_from")


class HeldEvidence(models.Model):
    """An external capture that waits for its review (contract 4: external counts only when approved)."""

    held = models.OneToOneField(HeldRecord, on_delete=models.CASCADE, primary_key=True, related_name="held_evidence")
    evidence = models.OneToOneField(Evidence, on_delete=models.PROTECT, related_name="holding")


class HeldLinkQuerySet(models.QuerySet["HeldLink"]):
    def linked(self) -> HeldLinkQuerySet:
        return self.filter(unlinked_at__isnull=True)


class HeldLink(models.Model):
    """Evidence linked to a held record; unlinking keeps the row, so that history stays readable."""

    held = models.ForeignKey(HeldRecord, on_delete=models.CASCADE, related_name="links")
    evidence = models.ForeignKey(Evidence, on_delete=models.PROTECT, related_name="linked_by")
    polarity = word_field(Polarity, default=Polarity.SUPPORTS)
    # A credited proposal's evidence arrives here from the equal one that was closed.
    credited_from = models.UUIDField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    unlinked_at = models.DateTimeField(null=True, blank=True)
    unlinked_by = models.CharField(max_length=NAME_LENGTH, blank=True)

    objects = HeldLinkQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["held", "evidence"], name="heldlink_once"),
            one_of("heldlink", "polarity", Polarity),
        ]


class Verification(models.Model):
    """One run of the verifier, bound to the hash of what it read (contract 8). At most one per held and hash."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    held = models.ForeignKey(HeldRecord, on_delete=models.CASCADE, related_name="verifications")
    input_hash = models.CharField(max_length=64)
    status = word_field(VerificationStatus)
    reasons = models.JSONField(default=list)
    checks = models.JSONField(default=list)
    match_reason = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["held", "input_hash"], name="verification_once"),
            one_of("verification", "status", VerificationStatus),
        ]
        indexes = [models.Index(fields=["held", "-created_at"], name="verification_latest")]


class HeldSkip(models.Model):
    """A person skipped an item: theirs alone, and it comes back only after everything else was seen."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="skips")
    held = models.ForeignKey(HeldRecord, on_delete=models.CASCADE, related_name="skips")
    skipped_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "held"], name="heldskip_once")]
        indexes = [models.Index(fields=["user", "-skipped_at"], name="heldskip_newest")]
