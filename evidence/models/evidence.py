"""Evidence: the contract's one record shape (contract 1), and the links between records.

Content is never edited in place; a correction is a new version that supersedes. The label's instants are columns, so that
no page, answer or filter depends on a sweep having run (contract 2).
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from evidence.models.base import NAME_LENGTH, NAMESPACE_LENGTH, SOURCE_LENGTH, WORD_LENGTH, new_id, one_of, word_field
from evidence.rules.rechecks import DEFAULT_LEAD
from evidence.rules.records import Approval, Check, Claim, MemoryRecord, Reach, Record, Scope, Source, Validity
from evidence.rules.times import Instant
from evidence.rules.vocab import (
    Access,
    Durability,
    Kind,
    Layer,
    Polarity,
    Redaction,
    Review,
    State,
    Trust,
    TrustClass,
    Volatility,
)

if TYPE_CHECKING:
    from evidence.models.accounts import User


LONGEST_LEAD = DEFAULT_LEAD.most


def instant(moment: datetime | None, text: str) -> Instant:
    """What the rules read: the parsed instant, or the text as it came where it could not be read."""
    return moment if moment is not None else (text or None)


class EvidenceQuerySet(models.QuerySet["Evidence"]):
    def in_namespace(self, namespace: str) -> EvidenceQuerySet:
        return self.filter(namespace=namespace)

    def active(self) -> EvidenceQuerySet:
        return self.filter(state=State.ACTIVE)

    def standing(self) -> EvidenceQuerySet:
        """Active facts and approved articles: what a candidate is matched against (contract 7)."""
        return (
            self.active()
            .filter(Q(kind=Kind.FACT) | Q(kind=Kind.ARTICLE, approval_by__gt=""))
            .exclude(review__in=[Review.HELD, Review.REJECTED])
        )

    def on_claim(self, namespace: str, claim_key: str) -> EvidenceQuerySet:
        return self.filter(namespace=namespace, claim_key=claim_key).exclude(claim_key="")

    def on_topic(self, namespace: str, match_key: str) -> EvidenceQuerySet:
        return self.filter(namespace=namespace, match_key=match_key).exclude(match_key="")

    def from_origin(self, namespace: str, system: str, foreign_id: str) -> EvidenceQuerySet:
        return self.filter(namespace=namespace, origin_system=system, origin_id=foreign_id).exclude(origin_id="")

    def curated(self) -> EvidenceQuerySet:
        """Facts and articles: what a person browses first."""
        return self.filter(kind__in=[Kind.FACT, Kind.ARTICLE])

    def visible_to(self, user: User) -> EvidenceQuerySet:
        """Records whose owner is an agent that this person reviews, owns or audits (DESIGN "Who may what")."""
        from evidence.models.visibility import agents_of

        seen = agents_of(user)
        return self if seen is None else self.filter(scope_owner__in=seen)

    def turning(self, *, before: datetime) -> EvidenceQuerySet:
        """Dated active records whose label is stale or turns before the instant."""
        return self.active().filter(label_base="dated", expires_at__isnull=False, expires_at__lte=before)

    def to_recheck(self, now: datetime) -> EvidenceQuerySet:
        """Facts whose owner is asked whether they are still true (`rules.rechecks`), whether a sweep has run or not.

        One whose time is over and that another fact on its claim has followed is history: nobody is asked.
        """
        followed = Evidence.objects.filter(
            namespace=OuterRef("namespace"), claim_key=OuterRef("claim_key"), state=State.ACTIVE, kind=Kind.FACT,
            valid_from__gte=OuterRef("valid_until"), valid_from__lte=now,
        ).exclude(claim_key="")  # fmt: skip
        due = self.active().filter(recheck_turns_at__isnull=False, recheck_turns_at__lte=now + LONGEST_LEAD)
        return due.filter(recheck_at__lte=now).exclude(Q(valid_until__lte=now) & Exists(followed))

    def without_recheck(self) -> EvidenceQuerySet:
        """Those of whose present turn no re-check is kept, open or closed."""
        from evidence.models.rechecks import RecheckItem

        return self.exclude(Exists(RecheckItem.objects.about(OuterRef("pk"), OuterRef("recheck_turns_at"))))

    def awake(self, now: datetime) -> EvidenceQuerySet:
        """Without what somebody put off, as long as it is about the same turn."""
        from evidence.models.rechecks import RecheckItem

        return self.exclude(Exists(RecheckItem.objects.asleep(now).about(OuterRef("pk"), OuterRef("recheck_turns_at"))))


class Evidence(models.Model):
    """One version of one source in one namespace. `record_id` is the contract's id; unique with the namespace."""

    pk_uuid = models.UUIDField(primary_key=True, default=new_id, editable=False, db_column="id")
    namespace = models.CharField(max_length=NAMESPACE_LENGTH, default="default")
    record_id = models.CharField(max_length=64)
    kind = word_field(Kind)
    source_id = models.CharField(max_length=SOURCE_LENGTH)
    source_version = models.CharField(max_length=SOURCE_LENGTH)

    claim_subject = models.TextField(blank=True)
    claim_attribute = models.TextField(blank=True)
    claim_value = models.TextField(blank=True)
    claim_key = models.CharField(max_length=64, blank=True)
    value_key = models.CharField(max_length=64, blank=True)
    match_key = models.CharField(max_length=64, blank=True)
    content = models.TextField(blank=True)
    content_hash = models.CharField(max_length=64, blank=True)
    tags = models.JSONField(default=list)
    rule_type = models.CharField(max_length=NAME_LENGTH, blank=True)
    layer = word_field(Layer, default=Layer.L2)
    reach_level = models.CharField(max_length=WORD_LENGTH, blank=True)
    reach_ref = models.CharField(max_length=NAME_LENGTH, blank=True)
    relations = models.JSONField(default=dict)

    valid_from = models.DateTimeField(null=True, blank=True)
    valid_until = models.DateTimeField(null=True, blank=True)
    valid_key = models.CharField(max_length=40, blank=True)
    event_at = models.DateTimeField(null=True, blank=True)
    event_at_text = models.CharField(max_length=64, blank=True)
    ingested_at = models.DateTimeField(default=timezone.now)

    check_at = models.DateTimeField(null=True, blank=True)
    check_at_text = models.CharField(max_length=64, blank=True)
    check_by = models.CharField(max_length=NAME_LENGTH, blank=True)
    check_method = models.CharField(max_length=300, blank=True)
    check_confirmed_by = models.CharField(max_length=NAME_LENGTH, blank=True)
    has_check = models.BooleanField(default=False)
    volatility = word_field(Volatility, default=Volatility.WORK_STATE)
    ttl_days = models.FloatField(null=True, blank=True)
    label_base = models.CharField(max_length=10, default="unverified")
    verified_from = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    # Computed with the label (`rules.rechecks`): when its owner is asked, when it turns, and where one look settles it.
    recheck_at = models.DateTimeField(null=True, blank=True)
    recheck_turns_at = models.DateTimeField(null=True, blank=True)
    recheck_key = models.CharField(max_length=64, blank=True)

    scope_owner = models.CharField(max_length=NAME_LENGTH)
    scope_access = word_field(Access, default=Access.PRIVATE)
    scope_shared_with = models.JSONField(default=list)
    scope_project = models.CharField(max_length=NAME_LENGTH, blank=True)
    scope_key = models.CharField(max_length=64, blank=True)

    trust = word_field(Trust, default=Trust.EXTERNAL)
    review = word_field(Review, blank=True, default="")
    approval_by = models.CharField(max_length=NAME_LENGTH, blank=True)
    approval_at = models.DateTimeField(null=True, blank=True)
    approval_at_text = models.CharField(max_length=64, blank=True)
    approval_proposal = models.CharField(max_length=NAME_LENGTH, blank=True)
    state = word_field(State, default=State.ACTIVE)
    superseded_by = models.CharField(max_length=64, blank=True)
    derived_from = models.JSONField(default=list)

    trust_class = word_field(TrustClass, default=TrustClass.UNKNOWN)
    durability = word_field(Durability, default=Durability.UNKNOWN)
    polarity = word_field(Polarity, default=Polarity.SUPPORTS)
    summary = models.CharField(max_length=300, blank=True)
    excerpt = models.CharField(max_length=1000, blank=True)
    redaction = word_field(Redaction, default=Redaction.NONE)
    thread = models.CharField(max_length=NAME_LENGTH, blank=True)
    filed_by = models.CharField(max_length=NAME_LENGTH, blank=True)
    # The record whose text this repeats, which its filer had been served: it supports nothing (contract 6).
    echoes = models.CharField(max_length=100, blank=True)
    origin_system = models.CharField(max_length=40, blank=True)
    origin_id = models.CharField(max_length=SOURCE_LENGTH, blank=True)
    # Rises with every change of state, check, review or scope: what a plan saw is compared with it.
    version = models.PositiveIntegerField(default=1)

    objects = EvidenceQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "evidence"
        constraints = [
            models.UniqueConstraint(fields=["namespace", "record_id"], name="evidence_id_once"),
            models.UniqueConstraint(
                fields=["namespace", "claim_key", "scope_key", "valid_key"],
                condition=Q(kind="fact", state="active") & ~Q(claim_key=""),
                name="evidence_one_active_fact",
            ),
            # Without a claim, the source stands for what is said and who reads it.
            models.UniqueConstraint(
                fields=["namespace", "source_id", "valid_key"],
                condition=Q(kind="fact", state="active", claim_key=""),
                name="evidence_one_active_statement",
            ),
            # An unapproved new version may stand beside the approved one until a person decides (contract 3.3).
            models.UniqueConstraint(
                fields=["namespace", "source_id"],
                condition=Q(kind="article", state="active") & ~Q(approval_by=""),
                name="evidence_one_approved_article",
            ),
            one_of("evidence", "kind", Kind),
            one_of("evidence", "layer", Layer),
            one_of("evidence", "volatility", Volatility),
            one_of("evidence", "scope_access", Access),
            one_of("evidence", "trust", Trust),
            one_of("evidence", "review", Review, blank=True),
            one_of("evidence", "state", State),
            one_of("evidence", "trust_class", TrustClass),
            one_of("evidence", "durability", Durability),
            one_of("evidence", "polarity", Polarity),
            one_of("evidence", "redaction", Redaction),
            models.CheckConstraint(
                condition=Q(approval_by="") | Q(kind="article"), name="evidence_only_articles_are_approved"
            ),
        ]
        indexes = [
            # Only of rows that have the key, so that the many without it spoil no estimate. SQLite takes such an index only
            # where the question repeats its condition: ask by `on_claim`, `on_topic`, `from_origin`.
            models.Index(
                fields=["namespace", "claim_key", "pk_uuid"], condition=~Q(claim_key=""), name="evidence_by_claim_id"
            ),
            models.Index(
                fields=["namespace", "match_key", "pk_uuid"], condition=~Q(match_key=""), name="evidence_by_match_id"
            ),
            models.Index(fields=["namespace", "source_id"], name="evidence_by_source"),
            models.Index(fields=["kind", "state", "-ingested_at"], name="evidence_by_kind"),
            # SQLite takes a partial index only where equality begins it too.
            models.Index(
                fields=["state", "label_base", "expires_at"],
                condition=Q(state="active", label_base="dated"),
                name="evidence_turning",
            ),
            models.Index(
                fields=["state", "label_base", "verified_from"],
                condition=Q(state="active", label_base="dated"),
                name="evidence_beginning",
            ),
            # What an owner is asked about, the oldest turn first: of everybody, of one agent, of one place.
            models.Index(
                fields=["state", "recheck_turns_at", "pk_uuid", "recheck_at"],
                condition=Q(state="active", recheck_turns_at__isnull=False),
                name="evidence_rechecks",
            ),
            models.Index(
                fields=["scope_owner", "state", "recheck_turns_at", "pk_uuid", "recheck_at"],
                condition=Q(state="active", recheck_turns_at__isnull=False),
                name="evidence_rechecks_of",
            ),
            models.Index(
                fields=["recheck_key", "state", "recheck_turns_at", "pk_uuid"],
                condition=Q(state="active", recheck_turns_at__isnull=False),
                name="evidence_rechecks_there",
            ),
            models.Index(
                fields=["namespace", "origin_system", "origin_id"],
                condition=~Q(origin_id=""),
                name="evidence_by_origin",
            ),
            # A link to a record names no namespace.
            models.Index(fields=["record_id"], name="evidence_by_record"),
        ]

    def __str__(self) -> str:
        return self.record_id

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
        at = instant(self.check_at, self.check_at_text)
        return Check(at=at, by=self.check_by, method=self.check_method, confirmed_by=self.check_confirmed_by or None)

    @property
    def approval(self) -> Approval | None:
        if not self.approval_by:
            return None
        return Approval(self.approval_by, instant(self.approval_at, self.approval_at_text), self.approval_proposal)

    @property
    def validity(self) -> Validity | None:
        return Validity(self.valid_from, self.valid_until) if self.valid_from or self.valid_until else None

    def to_record(self) -> Record:
        """The row as the rules see it."""
        return Record(
            id=self.record_id, kind=self.kind, source=Source(self.source_id, self.source_version), claim=self.claim,
            content=self.content, namespace=self.namespace, tags=tuple(self.tags), rule_type=self.rule_type,
            layer=self.layer, reach=self.reach, valid=self.validity,
            event_at=instant(self.event_at, self.event_at_text), ingested_at=self.ingested_at, check=self.check_value,
            volatility=self.volatility, ttl_days=self.ttl_days, scope=self.scope, trust=self.trust,
            review=self.review or None, approval=self.approval, state=self.state,
            superseded_by=self.superseded_by or None, derived_from=tuple(self.derived_from),
            trust_class=self.trust_class, durability=self.durability, polarity=self.polarity, summary=self.summary,
            excerpt=self.excerpt, redaction=self.redaction,
        )  # fmt: skip

    def to_memory_record(self) -> MemoryRecord:
        """The row as the matcher sees it (contract 7)."""
        return MemoryRecord(
            id=self.record_id, statement=self.content, claim=self.claim, tags=tuple(self.tags),
            rule_type=self.rule_type, profile=self.namespace, reach=self.reach, status=self.state,
            check=self.check_value, threads=(self.thread,) if self.thread else (), kind=self.kind,
            approval=self.approval, source=Source(self.source_id, self.source_version), volatility=self.volatility,
            ttl_days=self.ttl_days,
        )  # fmt: skip


class RecordLink(models.Model):
    """Evidence that stands behind a record; a proposal that was closed as equal leaves its evidence here."""

    record = models.ForeignKey(Evidence, on_delete=models.CASCADE, related_name="backing")
    evidence = models.ForeignKey(Evidence, on_delete=models.CASCADE, related_name="backs")
    polarity = word_field(Polarity, default=Polarity.SUPPORTS)
    held_id = models.UUIDField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["record", "evidence"], name="recordlink_once"),
            one_of("recordlink", "polarity", Polarity),
        ]


class Tombstone(models.Model):
    """What was deleted and must not come back (contract 8.7): ids and fingerprints, no text."""

    namespace = models.CharField(max_length=NAMESPACE_LENGTH)
    record_id = models.CharField(max_length=64)
    statement_fingerprint = models.CharField(max_length=64, blank=True)
    claim_fingerprint = models.CharField(max_length=64, blank=True)
    source_id = models.CharField(max_length=SOURCE_LENGTH, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    decision_id = models.UUIDField(null=True, blank=True)
    # The first of the two administrators who have to agree that it goes.
    lift_asked_by = models.ForeignKey(
        "evidence.User", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["namespace", "record_id"], name="tombstone_once")]
        indexes = [
            models.Index(fields=["namespace", "statement_fingerprint"], name="tombstone_by_statement"),
            models.Index(fields=["namespace", "claim_fingerprint"], name="tombstone_by_claim"),
        ]
