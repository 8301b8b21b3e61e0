"""Questions to owners: which of two is true, is this still true (contract 10 "Inquiry").

Both sides are kept as snapshots, so a question stays readable when one side goes.
"""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils import timezone

from evidence.models.accounts import Agent, User
from evidence.models.audit import Snapshot
from evidence.models.base import NAME_LENGTH, NAMESPACE_LENGTH, SOURCE_LENGTH, new_id, one_of, word_field
from evidence.models.evidence import Evidence
from evidence.models.held import HeldRecord
from evidence.rules.vocab import Answer, InquiryKind, InquiryStatus, Risk, Role


class InquiryQuerySet(models.QuerySet["Inquiry"]):
    def open(self) -> InquiryQuerySet:
        return self.filter(status=InquiryStatus.OPEN)

    def visible_to(self, user: User) -> InquiryQuerySet:
        from evidence.models.visibility import agents_of

        seen = agents_of(user)
        return self if seen is None else self.filter(agent_id__in=seen)

    def answerable_by(self, user: User) -> InquiryQuerySet:
        """Open questions about agents that this person owns."""
        from evidence.models.visibility import agents_of

        seen = agents_of(user, Role.OWNER)
        return self.open() if seen is None else self.open().filter(agent_id__in=seen)

    def concerning(self, agent_id: str, namespace: str) -> InquiryQuerySet:
        """Those for which this agent has the evidence: about what it proposes, whoever is asked; else its own."""
        return self.filter(Q(held__agent_id=agent_id) | Q(held__isnull=True, agent_id=agent_id), namespace=namespace)

    def for_agent(self, agent_id: str, namespace: str) -> InquiryQuerySet:
        """Open questions that wait for evidence from this agent."""
        return self.open().concerning(agent_id, namespace).filter(evidence_asked_at__isnull=False)

    def overdue(self, now: datetime) -> InquiryQuerySet:
        """Open, past their date, and not waiting for the agent: somebody lets them lie."""
        return self.open().filter(due_at__lte=now, evidence_asked_at__isnull=True)

    def naming(self, namespace: str, record_ids: list[str]) -> InquiryQuerySet:
        """Open questions of which one side is among these records (recall shows both sides, contract 5)."""
        return self.open().filter(
            Q(current_record__in=record_ids) | Q(incoming_record__in=record_ids), namespace=namespace
        )


class Inquiry(models.Model):
    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = word_field(InquiryKind)
    status = word_field(InquiryStatus, default=InquiryStatus.OPEN)
    version = models.PositiveIntegerField(default=1)
    severity = word_field(Risk, default=Risk.MEDIUM)
    namespace = models.CharField(max_length=NAMESPACE_LENGTH, default="default")
    agent = models.ForeignKey(Agent, on_delete=models.PROTECT, related_name="inquiries")
    question = models.TextField()
    twin_key = models.CharField(max_length=64)
    held = models.ForeignKey(HeldRecord, on_delete=models.SET_NULL, null=True, blank=True, related_name="inquiries")
    current_record = models.CharField(max_length=64, blank=True)
    incoming_record = models.CharField(max_length=64, blank=True)
    current_snapshot = models.ForeignKey(Snapshot, on_delete=models.DO_NOTHING, null=True, related_name="+")
    incoming_snapshot = models.ForeignKey(Snapshot, on_delete=models.DO_NOTHING, null=True, related_name="+")
    # Which side stands left was drawn by lot once and is kept (position bias).
    incoming_first = models.BooleanField(default=False)
    asked_at = models.DateTimeField(default=timezone.now)
    touched_at = models.DateTimeField(default=timezone.now)
    touches = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(null=True, blank=True)
    assigned_to = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    # How far it was escalated (rules/escalation.py), and when last; each step happens once.
    escalation = models.PositiveSmallIntegerField(default=0)
    escalated_at = models.DateTimeField(null=True, blank=True)
    # Set while the question is with the agent: since when, and what was asked for.
    evidence_asked_at = models.DateTimeField(null=True, blank=True)
    evidence_wanted = models.TextField(blank=True)
    evidence_came_at = models.DateTimeField(null=True, blank=True)
    answer = word_field(Answer, blank=True, default="")
    answer_value = models.TextField(blank=True)
    answered_by = models.CharField(max_length=NAME_LENGTH, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    decision_id = models.UUIDField(null=True, blank=True)
    origin_system = models.CharField(max_length=40, blank=True)
    origin_id = models.CharField(max_length=SOURCE_LENGTH, blank=True)

    objects = InquiryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "inquiries"
        constraints = [
            one_of("inquiry", "kind", InquiryKind),
            one_of("inquiry", "status", InquiryStatus),
            one_of("inquiry", "severity", Risk),
            one_of("inquiry", "answer", Answer, blank=True),
            models.UniqueConstraint(
                fields=["namespace", "twin_key"], condition=Q(status="open"), name="inquiry_one_open_twin"
            ),
            models.UniqueConstraint(
                fields=["namespace", "origin_system", "origin_id"],
                condition=~Q(origin_id=""),
                name="inquiry_origin_once",
            ),
        ]
        indexes = [
            models.Index(fields=["status", "agent", "-asked_at"], name="inquiry_by_agent"),
            models.Index(fields=["status", "asked_at"], condition=Q(status="open"), name="inquiry_open_since"),
            models.Index(fields=["due_at"], condition=Q(status="open"), name="inquiry_open_due"),
            models.Index(
                fields=["assigned_to", "-asked_at"], condition=Q(status="open"), name="inquiry_open_assigned"
            ),
            models.Index(
                fields=["agent", "-asked_at"], condition=Q(status="open", evidence_asked_at__isnull=False),
                name="inquiry_with_agent",
            ),
            models.Index(fields=["namespace", "current_record"], condition=Q(status="open"), name="inquiry_current"),
            models.Index(fields=["namespace", "incoming_record"], condition=Q(status="open"), name="inquiry_incoming"),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


class InquiryEvidenceQuerySet(models.QuerySet["InquiryEvidence"]):
    def reports_on(self, namespace: str, record_ids: list[str]) -> InquiryEvidenceQuerySet:
        """Further reports among these records, to questions that are open."""
        return self.filter(
            is_report=True, evidence__namespace=namespace, evidence__record_id__in=record_ids,
            inquiry__status=InquiryStatus.OPEN,
        )  # fmt: skip


class InquiryEvidence(models.Model):
    """Evidence that came to an open question: the agent's answer to it, or another report of what one side says."""

    inquiry = models.ForeignKey(Inquiry, on_delete=models.CASCADE, related_name="attached")
    evidence = models.ForeignKey(Evidence, on_delete=models.CASCADE, related_name="attached_to")
    # A report says what the incoming side says: what becomes of that side becomes of it.
    is_report = models.BooleanField(default=False)
    filed_by = models.CharField(max_length=NAME_LENGTH, blank=True)
    at = models.DateTimeField(default=timezone.now)

    objects = InquiryEvidenceQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "inquiry evidence"
        constraints = [models.UniqueConstraint(fields=["inquiry", "evidence"], name="inquiry_evidence_once")]

    def __str__(self) -> str:
        return f"{self.evidence_id} to {self.inquiry_id}"
