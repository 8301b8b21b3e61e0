"""The ledger of what agents did: runs, their work items, events, artifacts, outcomes and what they did with records.

Those tables are append-only (`triggers`). What stands beside them (`RunState`, `WorkItemState`, `MemoryUtility`) follows from
them and can be made again at any time; it is kept with every write and held against the ledger before the next one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from django.db import connection, models
from django.db.models import Q
from django.utils import timezone

from evidence.models.base import NAME_LENGTH, NAMESPACE_LENGTH, new_id, one_of, word_field
from evidence.models.receipts import Feedback
from evidence.rules.characters import visible
from evidence.rules.run_vocab import (
    Evaluator,
    MemoryRelation,
    RunEventType,
    RunOutcomeWord,
    RunProfile,
    RunStatus,
    WorkItemStatus,
)
from evidence.rules.runs import MOVING
from evidence.rules.vocab import ActorKind

if TYPE_CHECKING:
    from evidence.models.accounts import User

WORKSPACE_LENGTH = 512
THREAD_LENGTH = 256
URI_LENGTH = 2_048
MOVING_WORDS = sorted(event.value for event in MOVING)


class RunQuerySet(models.QuerySet["Run"]):
    def visible_to(self, user: User) -> RunQuerySet:
        """Runs of agents that the person may see."""
        from evidence.models.visibility import agents_of

        seen = agents_of(user)
        return self if seen is None else self.filter(agent__in=seen)

    def own(self, namespace: str, agent: str) -> RunQuerySet:
        """An agent's own: a run is as private as a session (contract 4)."""
        return self.filter(namespace=namespace, agent=agent)


class Run(models.Model):
    """One run as it began. `key_hash` and `request_hash`: the same begin sent again is this run."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    namespace = models.CharField(max_length=NAMESPACE_LENGTH)
    agent = models.CharField(max_length=NAME_LENGTH)
    workspace_key = models.CharField(max_length=WORKSPACE_LENGTH)
    goal = models.TextField()
    thread = models.CharField(max_length=THREAD_LENGTH, blank=True)
    profile = word_field(RunProfile, default=RunProfile.OBSERVATIONAL)
    memory_scopes = models.JSONField(default=list)
    acceptance_criteria = models.JSONField(default=list)
    budget = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now)
    key_hash = models.CharField(max_length=64, null=True, blank=True)
    request_hash = models.CharField(max_length=64, blank=True)
    origin_system = models.CharField(max_length=40, blank=True)
    origin_id = models.CharField(max_length=200, null=True, blank=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        constraints = [
            one_of("run", "profile", RunProfile),
            models.UniqueConstraint(fields=["namespace", "agent", "key_hash"], name="run_key_once"),
            models.UniqueConstraint(fields=["namespace", "origin_system", "origin_id"], name="run_origin_once"),
        ]
        indexes = [
            models.Index(fields=["agent", "-at", "-id"], name="run_by_agent"),
            models.Index(fields=["-at", "-id"], name="run_newest"),
            models.Index(fields=["namespace", "workspace_key", "-at"], name="run_by_workspace"),
        ]

    def __str__(self) -> str:
        return visible(f"run {self.id} of {self.agent}")


class RunWorkItem(models.Model):
    """A part of a run's work, declared once. The first one of a run has no parent and its goal."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    run = models.ForeignKey(Run, on_delete=models.DO_NOTHING, related_name="work_items")
    parent = models.ForeignKey("self", on_delete=models.DO_NOTHING, null=True, blank=True, related_name="children")
    number = models.PositiveIntegerField()
    goal = models.TextField()
    owner = models.CharField(max_length=NAME_LENGTH, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="runworkitem_number_once"),
            models.UniqueConstraint(fields=["run"], condition=Q(parent__isnull=True), name="runworkitem_one_root"),
        ]


@dataclass(frozen=True, slots=True)
class Ends:
    """The last rows of a run's ledger: its newest event, the outcome that stands, and the last move of one work item."""

    last_sequence: int
    outcome: UUID | None
    moved_to: str
    moved_by: int


# One question for what every write has to know. The words stand in it as in the index, which SQLite would not take else.
_ENDS = f"""
SELECT (SELECT MAX(e.sequence) FROM evidence_runevent e WHERE e.run_id = %s),
 (SELECT o.id FROM evidence_runoutcome o WHERE o.run_id = %s
   AND NOT EXISTS (SELECT 1 FROM evidence_runoutcome l WHERE l.supersedes_id = o.id) LIMIT 1),
 (SELECT m.type || ' ' || m.sequence FROM evidence_runevent m WHERE m.work_item_id = %s
   AND m.type IN ({", ".join(f"'{word}'" for word in MOVING_WORDS)}) ORDER BY m.sequence DESC LIMIT 1)
"""  # noqa: S608 - words of the vocabulary only


class RunEventQuerySet(models.QuerySet["RunEvent"]):
    def ends(self, run_id: UUID, work_item: UUID | None) -> Ends:
        key = Run._meta.pk
        values = [
            None if one is None else key.get_db_prep_value(one, connection) for one in (run_id, run_id, work_item)
        ]
        with connection.cursor() as cursor:
            cursor.execute(_ENDS, values)
            last, outcome, move = cursor.fetchone()
        word, _, sequence = (move or " 0").partition(" ")
        return Ends(last or 0, None if outcome is None else UUID(str(outcome)), word, int(sequence))

    def moving(self) -> RunEventQuerySet:
        """Events that change the state of their work item."""
        return self.filter(type__in=MOVING_WORDS)


class RunEvent(models.Model):
    """What happened, numbered from 1 within its run. `closes`: the gap that this one fills."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    run = models.ForeignKey(Run, on_delete=models.DO_NOTHING, related_name="events")
    work_item = models.ForeignKey(RunWorkItem, on_delete=models.DO_NOTHING, related_name="events")
    sequence = models.PositiveIntegerField()
    type = word_field(RunEventType)
    summary = models.TextField()
    payload = models.JSONField(default=dict)
    evidence = models.JSONField(default=list)
    agent = models.CharField(max_length=NAME_LENGTH)
    at = models.DateTimeField(default=timezone.now)
    closes = models.OneToOneField("self", on_delete=models.DO_NOTHING, null=True, blank=True, related_name="closed_by")
    # Of a recall: all that is kept of the receipt, and how many results it showed.
    receipt_hash = models.CharField(max_length=64, blank=True)
    receipt_results = models.PositiveIntegerField(null=True, blank=True)
    key_hash = models.CharField(max_length=64, null=True, blank=True)
    request_hash = models.CharField(max_length=64, blank=True)

    objects = RunEventQuerySet.as_manager()

    class Meta:
        constraints = [
            one_of("runevent", "type", RunEventType),
            models.UniqueConstraint(fields=["run", "sequence"], name="runevent_sequence_once"),
            models.UniqueConstraint(fields=["run", "key_hash"], name="runevent_key_once"),
            models.UniqueConstraint(
                fields=["receipt_hash"], condition=Q(receipt_results=0), name="runevent_empty_receipt_once"
            ),
        ]
        indexes = [
            models.Index(fields=["work_item", "-sequence"], condition=Q(type__in=MOVING_WORDS), name="runevent_moving"),
            models.Index(fields=["run"], condition=Q(type="information_gap"), name="runevent_gaps"),
        ]


class RunArtifact(models.Model):
    """Where something lies that a run made; the desk never holds or fetches it."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    run = models.ForeignKey(Run, on_delete=models.DO_NOTHING, related_name="artifacts")
    work_item = models.ForeignKey(RunWorkItem, on_delete=models.DO_NOTHING, related_name="artifacts")
    event = models.OneToOneField(RunEvent, on_delete=models.DO_NOTHING, related_name="artifact")
    digest = models.CharField(max_length=64)
    mime_type = models.CharField(max_length=255)
    uri = models.CharField(max_length=URI_LENGTH)
    metadata = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now)


class RunOutcomeQuerySet(models.QuerySet["RunOutcome"]):
    def line(self, run_id: UUID) -> list[RunOutcome]:
        """A run's outcomes from the first to the one that stands."""
        by_before = {row.supersedes_id: row for row in self.filter(run_id=run_id)}
        line: list[RunOutcome] = []
        before: UUID | None = None
        while (row := by_before.get(before)) is not None:
            line.append(row)
            before = row.pk
        return line


class RunOutcome(models.Model):
    """How a run ended. The first has no predecessor, each later one names the one before: a line, never a tree.

    `by_kind`: who said so. An agent may name a person or a verifier as its judge; that stays what the agent says.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    run = models.ForeignKey(Run, on_delete=models.DO_NOTHING, related_name="outcomes")
    outcome = word_field(RunOutcomeWord)
    evaluator_type = word_field(Evaluator)
    evaluator = models.CharField(max_length=NAME_LENGTH, blank=True)
    evidence = models.JSONField(default=list)
    metrics = models.JSONField(default=dict)
    termination_reason = models.TextField(blank=True)
    supersedes = models.OneToOneField(
        "self", on_delete=models.DO_NOTHING, null=True, blank=True, related_name="superseded_by"
    )
    regression_of = models.ForeignKey(
        Run, on_delete=models.DO_NOTHING, null=True, blank=True, related_name="regressions"
    )
    by_kind = word_field(ActorKind)
    by_name = models.CharField(max_length=NAME_LENGTH)
    at = models.DateTimeField(default=timezone.now)
    key_hash = models.CharField(max_length=64, null=True, blank=True)
    request_hash = models.CharField(max_length=64, blank=True)

    objects = RunOutcomeQuerySet.as_manager()

    class Meta:
        constraints = [
            one_of("runoutcome", "outcome", RunOutcomeWord),
            one_of("runoutcome", "evaluator_type", Evaluator),
            one_of("runoutcome", "by_kind", ActorKind),
            models.UniqueConstraint(fields=["run"], condition=Q(supersedes__isnull=True), name="runoutcome_one_first"),
            models.UniqueConstraint(fields=["run", "key_hash"], name="runoutcome_key_once"),
            models.CheckConstraint(
                condition=~Q(outcome="verified_success") | Q(evaluator_type__in=["deterministic_verifier", "human"]),
                name="runoutcome_success_is_judged",
            ),
            models.CheckConstraint(
                condition=Q(outcome="regression", regression_of__isnull=False)
                | (~Q(outcome="regression") & Q(regression_of__isnull=True)),
                name="runoutcome_regression_of_a_run",
            ),
        ]


class MemoryLinkQuerySet(models.QuerySet["RunMemoryLink"]):
    def about(self, namespace: str, record_id: str) -> MemoryLinkQuerySet:
        return self.filter(namespace=namespace, record_id=record_id)

    def told(self) -> MemoryLinkQuerySet:
        """Those that a word about the record stands behind."""
        return self.filter(feedback__isnull=False)


class RunMemoryLink(models.Model):
    """What a run did with one version of a record. `label`: what it was shown under then.

    `review_required`: named by hand, with no recall of the same run behind it; it earns no credit.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    run = models.ForeignKey(Run, on_delete=models.DO_NOTHING, related_name="links")
    event = models.ForeignKey(RunEvent, on_delete=models.DO_NOTHING, related_name="links")
    source = models.ForeignKey(RunEvent, on_delete=models.DO_NOTHING, null=True, blank=True, related_name="followed_by")
    relation = word_field(MemoryRelation)
    namespace = models.CharField(max_length=NAMESPACE_LENGTH)
    record_id = models.CharField(max_length=64)
    content_version = models.CharField(max_length=64)
    label = models.CharField(max_length=20, blank=True)
    receipt_hash = models.CharField(max_length=64, blank=True)
    rank = models.PositiveIntegerField(null=True, blank=True)
    feedback = models.ForeignKey(Feedback, on_delete=models.DO_NOTHING, null=True, blank=True, related_name="run_links")
    review_required = models.BooleanField(default=False)
    at = models.DateTimeField(default=timezone.now)

    objects = MemoryLinkQuerySet.as_manager()

    class Meta:
        constraints = [
            one_of("runmemorylink", "relation", MemoryRelation),
            models.CheckConstraint(
                condition=Q(review_required=False) | Q(feedback__isnull=True), name="runmemorylink_by_hand_no_credit"
            ),
            models.CheckConstraint(
                condition=Q(relation="recalled", source__isnull=True, review_required=False)
                | (~Q(relation="recalled") & (Q(source__isnull=False) | Q(review_required=True))),
                name="runmemorylink_follows_a_recall",
            ),
        ]
        indexes = [
            models.Index(fields=["namespace", "record_id", "-at"], name="runmemorylink_by_record"),
            models.Index(
                fields=["namespace", "record_id", "content_version"], condition=Q(feedback__isnull=False),
                name="runmemorylink_told",
            ),
        ]  # fmt: skip


class RunState(models.Model):
    """Where a run stands: follows from its ledger. Its row is what writers of one run take turns on."""

    run = models.OneToOneField(Run, on_delete=models.DO_NOTHING, primary_key=True, related_name="state")
    status = word_field(RunStatus, default=RunStatus.ACTIVE)
    last_sequence = models.PositiveIntegerField(default=0)
    generation = models.PositiveIntegerField(default=1)
    open_items = models.PositiveIntegerField(default=1)
    blocked_items = models.PositiveIntegerField(default=0)
    open_gaps = models.PositiveIntegerField(default=0)
    outcome = models.ForeignKey(RunOutcome, on_delete=models.DO_NOTHING, null=True, blank=True, related_name="+")
    # When it ended first; a later outcome does not move it.
    ended_at = models.DateTimeField(null=True, blank=True)
    last_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [one_of("runstate", "status", RunStatus)]


class WorkItemState(models.Model):
    """Where a work item stands: follows from the last event that moved it."""

    work_item = models.OneToOneField(RunWorkItem, on_delete=models.DO_NOTHING, primary_key=True, related_name="state")
    run = models.ForeignKey(Run, on_delete=models.DO_NOTHING, related_name="+")
    status = word_field(WorkItemStatus, default=WorkItemStatus.ACTIVE)
    # The event that moved it last; 0 where none did.
    moved_by = models.PositiveIntegerField(default=0)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [one_of("workitemstate", "status", WorkItemStatus)]
        indexes = [models.Index(fields=["run", "status"], name="workitemstate_by_run")]


class MemoryUtility(models.Model):
    """What became of one version of a record in runs, counted. The score is fixed: nothing is ranked by this."""

    namespace = models.CharField(max_length=NAMESPACE_LENGTH)
    record_id = models.CharField(max_length=64)
    content_version = models.CharField(max_length=64)
    helpful = models.PositiveIntegerField(default=0)
    misleading = models.PositiveIntegerField(default=0)
    outdated = models.PositiveIntegerField(default=0)
    not_applicable = models.PositiveIntegerField(default=0)
    supporting = models.PositiveIntegerField(default=0)
    contradicting = models.PositiveIntegerField(default=0)
    score = models.FloatField(default=0.0)

    class Meta:
        verbose_name_plural = "memory utilities"
        constraints = [
            models.UniqueConstraint(fields=["namespace", "record_id", "content_version"], name="memoryutility_once"),
            models.CheckConstraint(condition=Q(score=0.0), name="memoryutility_ranks_nothing"),
        ]
