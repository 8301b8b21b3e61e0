"""Reading questions for people: the list, and one question with both sides as they were and as they are. Reads only."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from evidence.models import Decision, Evidence, Inquiry, RecordLink, Snapshot, User
from evidence.rules.labels import label_of_window
from evidence.rules.vocab import Answer, InquiryStatus, State
from evidence.selectors.items import decisions_about
from evidence.selectors.matching import links_of
from evidence.selectors.paging import Capped, Keyset, Page, capped_count, page
from evidence.selectors.people import is_owner
from evidence.selectors.planning import window_of
from evidence.selectors.sides import answers_of

EVIDENCE_SHOWN = 5
NEWEST = Keyset("inquiries", ("-asked_at", "-id"))


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a question: the record as it is, and as it was when the question was asked. `gone` says it stands no more."""

    name: str
    record_id: str
    row: Evidence | None
    label: str
    snapshot: dict[str, Any]
    gone: bool
    # What stands behind it, as far as there is room: (polarity, record).
    evidence: tuple[tuple[str, Evidence], ...] = ()

    @property
    def value(self) -> str:
        """What this side says, in as few words as it has: the claim's value, else the text."""
        if self.row and (self.row.claim_value or self.row.content):
            return self.row.claim_value or self.row.content
        claim = self.snapshot.get("claim")
        return str(claim[2] if claim else self.snapshot.get("content") or "")

    @property
    def text(self) -> str:
        """The whole statement, from the snapshot where the record was emptied."""
        return (self.row.content if self.row else "") or str(self.snapshot.get("content") or "")


@dataclass(frozen=True, slots=True)
class InquiryView:
    row: Inquiry
    # In the order that was drawn by lot when the question was asked.
    sides: list[Side]
    may_answer: bool
    answers: tuple[Answer, ...]
    decisions: list[Decision]


def listing(
    user: User, status: str, kind: str, *, mine: bool = False, after: str = "", limit: int = 50
) -> Page[Inquiry]:
    """One page, newest first. `mine`: only open questions that this person may answer as an owner."""
    rows = Inquiry.objects.answerable_by(user) if mine else Inquiry.objects.visible_to(user)
    rows = rows.select_related("agent")
    rows = rows.filter(status=status) if status else rows
    rows = rows.filter(kind=kind) if kind else rows
    return page(rows, NEWEST, after=after, limit=limit)


def open_count(user: User) -> Capped:
    return capped_count(Inquiry.objects.visible_to(user).open())


def visible_inquiry(user: User, inquiry_id: UUID) -> Inquiry | None:
    rows = Inquiry.objects.visible_to(user).select_related("agent", "held", "current_snapshot", "incoming_snapshot")
    return rows.filter(pk=inquiry_id).first()


def inquiry_view(row: Inquiry, user: User, now: datetime) -> InquiryView:
    sides = [_side(row, name, now) for name in ("current", "incoming")]
    present = [side for side in sides if side.record_id or side.snapshot]
    drawn = present[::-1] if row.incoming_first else present
    is_open = row.status == InquiryStatus.OPEN
    may = is_open and is_owner(user, row.agent_id)
    answers = answers_of(row) if is_open else ()
    return InquiryView(row, drawn, may, answers, decisions_about("inquiry", str(row.id)))


def _side(row: Inquiry, name: str, now: datetime) -> Side:
    record_id = row.current_record if name == "current" else row.incoming_record
    snapshot = _body(row.current_snapshot if name == "current" else row.incoming_snapshot)
    found = Evidence.objects.in_namespace(row.namespace).filter(record_id=record_id).first() if record_id else None
    gone = bool(record_id) and (found is None or found.state != State.ACTIVE)
    label = label_of_window(window_of(found), now) if found else ""
    behind = _behind(row, name, found)
    return Side(name, record_id, found, label, snapshot, gone and row.status == InquiryStatus.OPEN, behind)


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
