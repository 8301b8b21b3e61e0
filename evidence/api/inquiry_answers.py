"""Questions as JSON for people: whole, with every answer's plan. What agents get of them: `selectors.answers`."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.conf import settings

from evidence.models import Decision, Evidence, Inquiry
from evidence.rules.answer_steps import AnswerPlan, Step
from evidence.rules.escalation import Level
from evidence.rules.records import Scope
from evidence.rules.vocab import InquiryStatus
from evidence.selectors.answers import instant
from evidence.selectors.inquiries import InquiryView, Side


def inquiry_row(row: Inquiry, now: datetime) -> dict[str, Any]:
    """A question in a list."""
    is_open = row.status == InquiryStatus.OPEN
    overdue = is_open and row.evidence_asked_at is None and row.due_at is not None and row.due_at <= now
    return {
        "id": str(row.id), "version": row.version, "kind": row.kind, "status": row.status, "severity": row.severity,
        "agent": row.agent_id, "namespace": row.namespace, "question": row.question, "asked_at": instant(row.asked_at),
        "due_at": instant(row.due_at), "overdue": overdue, "touches": row.touches,
        "assigned_to": row.assigned_to.get_username() if row.assigned_to else None,
        "escalated_to": Level(row.escalation).name.lower() if row.escalation else None,
        "evidence_asked_at": instant(row.evidence_asked_at), "held_id": str(row.held_id) if row.held_id else None,
        "url": f"{settings.PUBLIC_URL}/inquiries/{row.id}/",
    }  # fmt: skip


def inquiry_json(view: InquiryView, now: datetime) -> dict[str, Any]:
    """All that the page shows. The sides stand in the order that was drawn by lot."""
    row = view.row
    return inquiry_row(row, now) | {
        "sides": [_side(side) for side in view.sides],
        "evidence_wanted": row.evidence_wanted or None,
        "attached": [
            {
                "id": one.evidence.record_id, "text": _text(one.evidence), "at": instant(one.at), "by": one.filed_by,
                "report": one.is_report, "review": one.evidence.review or None,
            }
            for one in view.attached
        ],
        "may_answer": view.may_answer,
        "answers": [_plan(offer.plan) for offer in view.answers],
        "answer": row.answer or None, "answer_value": row.answer_value or None, "answered_by": row.answered_by or None,
        "answered_at": instant(row.answered_at), "decision": str(row.decision_id) if row.decision_id else None,
        "grants": [],
    }  # fmt: skip


def answered_json(decision: Decision, row: Inquiry, following: Inquiry | None, now: datetime) -> dict[str, Any]:
    return {
        "decision": {
            "id": str(decision.id), "digest": decision.digest, "seq": decision.seq, "action": decision.action,
            "at": instant(decision.at), "solo": decision.solo,
        },
        "effects": decision.effects,
        "inquiry": inquiry_row(row, now) | {"answer": row.answer or None},
        "next": str(following.pk) if following is not None else None,
        "grants": [],
    }  # fmt: skip


def _side(side: Side) -> dict[str, Any]:
    return {
        "side": side.name, "id": side.record_id or None, "gone": side.gone, "value": side.value, "text": side.text,
        "source": side.source, "label": side.label or None, "expires_at": instant(side.turns_at),
        "check": {"at": instant(side.check_at), "by": side.checked_by or None}, "scope": _scope(side.scope),
        "evidence": [{"id": piece.record_id, "polarity": polarity, "text": _text(piece)} for polarity, piece in side.evidence],
        "recalls": {"days": 30, "count": side.lately.recalls, "more": side.lately.more, "last_at": instant(side.lately.last_at)},
    }  # fmt: skip


def _scope(scope: Scope) -> dict[str, Any]:
    return {"owner": scope.owner, "access": scope.access, "shared_with": list(scope.shared_with)}


def _plan(plan: AnswerPlan) -> dict[str, Any]:
    refusal = {"code": plan.refusal.code, "detail": plan.refusal.detail} if plan.refusal else None
    return {
        "answer": plan.answer, "plan_digest": plan.digest, "plan": [_step(step) for step in plan.steps], "refusal": refusal,
    }  # fmt: skip


def _step(step: Step) -> dict[str, Any]:
    label = {"label": step.label.label, "expires_at": instant(step.label.expires_at)} if step.label else None
    return step.as_dict() | {"words": step.words, "label": label}


def _text(row: Evidence) -> str:
    return row.excerpt or row.content or row.summary
