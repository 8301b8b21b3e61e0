"""Reading questions for people: the list, and one question with both sides as they were and as they are. Reads only."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db.models import Q

from evidence.models import (
    Decision,
    Evidence,
    HeldRecord,
    Inquiry,
    InquiryEvidence,
    Membership,
    RecallItem,
    RecordLink,
    Snapshot,
    User,
)
from evidence.models.inquiries import InquiryQuerySet
from evidence.models.visibility import agents_of
from evidence.rules.answer_steps import AnswerPlan
from evidence.rules.escalation import Level
from evidence.rules.labels import label_of_window
from evidence.rules.records import Scope
from evidence.rules.times import read_time
from evidence.rules.vocab import Answer, InquiryStatus, Role, State
from evidence.selectors.answer_plans import answer_plans
from evidence.selectors.items import decisions_about
from evidence.selectors.matching import links_of
from evidence.selectors.paging import Capped, Keyset, Page, capped_count, page
from evidence.selectors.people import is_administrator, is_owner
from evidence.selectors.planning import window_of
from evidence.selectors.sides import NEVER_REVIEWED

EVIDENCE_SHOWN = 5
ATTACHED_SHOWN = 20
AGENTS_SHOWN = 5
LATELY = timedelta(days=30)
RECALLS_COUNTED = 1_000
NEWEST = Keyset("inquiries", ("-asked_at", "-id"))


class Show(StrEnum):
    """What the list is narrowed to. `mine`: my turn. `agents`: waits for evidence from its agent."""

    ALL = ""
    MINE = "mine"
    OVERDUE = "overdue"
    ESCALATED = "escalated"
    AGENTS = "agents"


@dataclass(frozen=True, slots=True)
class Lately:
    """What agents got of a record in the last days: how often, who, and when last."""

    recalls: int = 0
    more: bool = False
    agents: tuple[tuple[str, int], ...] = ()
    last_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a question: the record as it is, and as it was when the question was asked. `gone` says it stands no more."""

    name: str
    record_id: str
    row: Evidence | None
    label: str
    snapshot: dict[str, Any]
    gone: bool
    lately: Lately
    # What stands behind it, as far as there is room: (polarity, record).
    evidence: tuple[tuple[str, Evidence], ...] = ()

    @property
    def value(self) -> str:
        """What this side says, in as few words as it has: the claim's value, else the text."""
        if self.row and (self.row.claim_value or self.row.content):
            return self.row.claim_value or self.row.content
        claim = self.snapshot.get("claim")
        return str(claim[2] if claim else self.snapshot.get("content") or self.snapshot.get("excerpt") or "")

    @property
    def text(self) -> str:
        """The whole statement, from the snapshot where the record was emptied."""
        return (self.row.content if self.row else "") or str(self.snapshot.get("content") or "")

    @property
    def source(self) -> str:
        return self.row.source_id if self.row else str(self.snapshot.get("source") or "")

    @property
    def turns_at(self) -> datetime | None:
        """When a verified label turns, or a stale one turned."""
        return self.row.expires_at if self.row and self.label in ("verified", "stale") else None

    @property
    def check_at(self) -> datetime | None:
        if self.row:
            return self.row.check_at
        check = self.snapshot.get("check") or {}
        return read_time(str(check.get("at") or ""))

    @property
    def checked_by(self) -> str:
        """Who checked, and who confirmed where that was another."""
        check = self.snapshot.get("check") or {}
        by = self.row.check_by if self.row else str(check.get("by") or "")
        confirmed = self.row.check_confirmed_by if self.row else str(check.get("confirmed_by") or "")
        return f"{by}, {confirmed}" if by and confirmed and by != confirmed else by or confirmed

    @property
    def scope(self) -> Scope:
        if self.row:
            return self.row.scope
        kept = self.snapshot.get("scope") or {}
        return Scope(str(kept.get("owner") or ""), str(kept.get("access") or ""), tuple(kept.get("shared_with") or ()))


@dataclass(frozen=True, slots=True)
class Offered:
    """An answer with its plan, and the digit that chooses it."""

    word: Answer
    plan: AnswerPlan
    digit: str


@dataclass(frozen=True, slots=True)
class InquiryView:
    row: Inquiry
    # In the order that was drawn by lot when the question was asked; the answers follow it.
    sides: list[Side]
    may_answer: bool
    answers: tuple[Offered, ...]
    decisions: list[Decision]
    attached: list[InquiryEvidence]
    overdue: bool
    before: UUID | None = None
    after: UUID | None = None
    # Whether the person may see the held item, which may be another agent's.
    may_open_item: bool = False

    @property
    def one_gone(self) -> bool:
        return any(side.gone for side in self.sides)


def listing(
    user: User, status: str, kind: str, *, show: str = "", after: str = "", limit: int = 50, now: datetime
) -> Page[Inquiry]:
    """One page, newest first."""
    rows = Inquiry.objects.visible_to(user).select_related("agent", "assigned_to")
    rows = rows.filter(status=status) if status else rows
    rows = rows.filter(kind=kind) if kind else rows
    if show == Show.MINE:
        rows = rows.filter(pk__in=turn_of(user).values("pk"))
    elif show == Show.OVERDUE:
        rows = rows.overdue(now)
    elif show == Show.ESCALATED:
        rows = rows.open().filter(escalation__gt=Level.OWNER)
    elif show == Show.AGENTS:
        rows = rows.open().filter(evidence_asked_at__isnull=False)
    return page(rows, NEWEST, after=after, limit=limit)


def turn_of(user: User) -> InquiryQuerySet:
    """Open questions that wait for this person: assigned, asked of nobody yet, or come to them because they lay."""
    own = Q(assigned_to=user) | Q(assigned_to__isnull=True, **_covered(agents_of(user, Role.OWNER)))
    stands_in = Membership.objects.of(user, Role.OWNER).filter(deputy=True).values_list("agent_id", flat=True)
    if agents := list(stands_in):
        own |= Q(escalation__gt=Level.OWNER, **_covered(None if None in agents else frozenset(filter(None, agents))))
    if is_administrator(user):
        own |= Q(escalation=Level.ADMINISTRATORS)
    return Inquiry.objects.visible_to(user).open().filter(own, evidence_asked_at__isnull=True)


def _covered(agents: frozenset[str] | None) -> dict[str, Any]:
    return {} if agents is None else {"agent_id__in": agents}


def open_count(user: User) -> Capped:
    return capped_count(Inquiry.objects.visible_to(user).open())


def next_for(user: User, *, after: Inquiry | None = None) -> Inquiry | None:
    """The question that this person answers next: the one that is due first, of those whose turn is theirs."""
    rows = turn_of(user).filter(pk__in=Inquiry.objects.answerable_by(user).values("pk")).order_by("due_at", "id")
    rows = rows.exclude(origin_system=NEVER_REVIEWED)  # a list and a page of its own
    if after is not None:
        rows = rows.exclude(pk=after.pk)
    return rows.first()


def visible_inquiry(user: User, inquiry_id: UUID) -> Inquiry | None:
    rows = Inquiry.objects.visible_to(user).select_related(
        "agent", "held", "current_snapshot", "incoming_snapshot", "assigned_to"
    )
    return rows.filter(pk=inquiry_id).first()


def inquiry_view(row: Inquiry, user: User, now: datetime) -> InquiryView:
    sides = [_side(row, name, now) for name in ("current", "incoming")]
    present = [side for side in sides if side.record_id or side.snapshot]
    drawn = present[::-1] if row.incoming_first else present
    is_open = row.status == InquiryStatus.OPEN
    may = is_open and is_owner(user, row.agent_id)
    before, after = _neighbours(row, user) if may else (None, None)
    attached = row.attached.select_related("evidence").order_by("-at", "-pk")[:ATTACHED_SHOWN]
    return InquiryView(
        row, drawn, may, offered(row, user, now) if may else (), decisions_about("inquiry", str(row.id)), list(attached),
        is_open and row.evidence_asked_at is None and row.due_at is not None and row.due_at <= now, before, after,
        row.held_id is not None and HeldRecord.objects.visible_to(user).filter(pk=row.held_id).exists(),
    )  # fmt: skip


def offered(row: Inquiry, user: User, now: datetime) -> tuple[Offered, ...]:
    """The allowed answers with their plans; the two sides in the order in which they stand on the page."""
    plans = answer_plans(row, user=user, now=now)
    words = list(plans)
    if row.incoming_first and Answer.CURRENT in plans and Answer.INCOMING in plans:
        words.remove(Answer.INCOMING)
        words.insert(0, Answer.INCOMING)
    return tuple(Offered(word, plans[word], str(digit)) for digit, word in enumerate(words, 1))


def _neighbours(row: Inquiry, user: User) -> tuple[UUID | None, UUID | None]:
    """The questions before and after this one, of those that this person may answer."""
    rows = Inquiry.objects.answerable_by(user).filter(evidence_asked_at__isnull=True).exclude(pk=row.pk)
    due = row.due_at
    if due is None:
        return None, rows.order_by("due_at", "id").values_list("pk", flat=True).first()
    later = rows.filter(Q(due_at__gt=due) | Q(due_at=due, id__gt=row.id)).order_by("due_at", "id")
    earlier = rows.filter(Q(due_at__lt=due) | Q(due_at=due, id__lt=row.id)).order_by("-due_at", "-id")
    return earlier.values_list("pk", flat=True).first(), later.values_list("pk", flat=True).first()


def _side(row: Inquiry, name: str, now: datetime) -> Side:
    record_id = row.current_record if name == "current" else row.incoming_record
    snapshot = _body(row.current_snapshot if name == "current" else row.incoming_snapshot)
    found = Evidence.objects.in_namespace(row.namespace).filter(record_id=record_id).first() if record_id else None
    gone = bool(record_id) and (found is None or found.state != State.ACTIVE)
    label = label_of_window(window_of(found), now) if found else ""
    behind = _behind(row, name, found)
    lately = _lately(row.namespace, record_id, now) if record_id else Lately()
    return Side(name, record_id, found, label, snapshot, gone and row.status == InquiryStatus.OPEN, lately, behind)


def _lately(namespace: str, record_id: str, now: datetime) -> Lately:
    shown = RecallItem.objects.filter(namespace=namespace, record_id=record_id, at__gte=now - LATELY, at__lte=now)
    rows = list(shown.order_by("-at").values_list("recall__agent", "at")[: RECALLS_COUNTED + 1])
    by_agent = Counter(agent for agent, _ in rows[:RECALLS_COUNTED])
    return Lately(
        min(len(rows), RECALLS_COUNTED), len(rows) > RECALLS_COUNTED, tuple(by_agent.most_common(AGENTS_SHOWN)),
        rows[0][1] if rows else None,
    )  # fmt: skip


def _behind(row: Inquiry, name: str, found: Evidence | None) -> tuple[tuple[str, Evidence], ...]:
    """Evidence of the held item for what is proposed, of the record for what stands."""
    if name == "incoming" and row.held is not None:
        return tuple((link.polarity, link.evidence) for link in links_of(row.held)[:EVIDENCE_SHOWN])
    if found is None:
        return ()
    links = RecordLink.objects.filter(record=found).select_related("evidence").order_by("id")[:EVIDENCE_SHOWN]
    return tuple((link.polarity, link.evidence) for link in links)


def _body(snapshot: Snapshot | None) -> dict[str, Any]:
    if snapshot is None or not snapshot.body:
        return {}
    try:
        body = json.loads(snapshot.body)
    except ValueError:
        return {"content": snapshot.body}
    return body if isinstance(body, dict) else {"content": str(body)}
