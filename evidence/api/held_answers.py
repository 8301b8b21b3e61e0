"""Held items as JSON for people: in a list, whole with every action's plan, and what a decision came to."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.conf import settings

from evidence.models import Decision, Evidence, HeldRecord, Inquiry, RecallItem, User, Verification
from evidence.rules.permissions import Refusal
from evidence.rules.planning import Effect, LabelPreview, Plan
from evidence.rules.vocab import Action, HeldKind, VerificationStatus
from evidence.selectors.answers import instant
from evidence.selectors.items import ItemView, Shown
from evidence.services.leasing import Lease

_APPROVING = (Action.APPROVE, Action.SUPERSEDE)


def held_row(held: HeldRecord, now: datetime) -> dict[str, Any]:
    """An item in a list."""
    leased = held.leased_at(now) and held.lease_holder is not None
    return {
        "id": str(held.id), "version": held.version, "kind": held.kind, "statement": held.statement,
        "agent": held.agent_id, "namespace": held.namespace, "status": held.status, "risk": held.risk,
        "match_kind": held.match_kind, "priority": held.priority, "created_at": instant(held.created_at),
        "expires_at": instant(held.expires_at),
        "leased_by": held.lease_holder.get_username() if leased and held.lease_holder else None,
        "origin": {"system": held.origin_system, "id": held.origin_id} if held.origin_id else None,
        "url": f"{settings.PUBLIC_URL}/queue/{held.id}/",
    }  # fmt: skip


def lease_json(lease: Lease) -> dict[str, Any]:
    """Somebody else's token is theirs."""
    return {
        "until": instant(lease.until), "token": lease.token if lease.mine else None, "holder": lease.holder,
        "mine": lease.mine,
    }  # fmt: skip


def held_json(view: ItemView, user: User, now: datetime) -> dict[str, Any]:
    """All that the page shows."""
    held = view.held
    claim, refused = held.claim, {action: refusal_of(view, action) for action in Action}
    return held_row(held, now) | {
        "claim": {"subject": claim.subject, "attribute": claim.attribute, "value": claim.value} if claim else None,
        "article": _article(held), "volatility": held.volatility, "ttl_days": held.ttl_days,
        "durability": held.durability, "trust_class": held.trust_class,
        "effective_trust_class": held.effective_trust_class, "trust": held.trust, "layer": held.layer,
        "rule_type": held.rule_type, "tags": list(held.tags), "eligibility": held.eligibility,
        "independent_sources": held.independent_sources, "flags": list(held.flags),
        "event_at": instant(held.event_at) or held.event_at_text or None,
        "check": {
            "at": instant(held.check_at) or held.check_at_text or None, "by": held.check_by, "method": held.check_method,
        } if held.has_check else None,
        "valid": {"from": instant(held.valid_from), "until": instant(held.valid_until)},
        "reach": {"level": held.reach_level, "ref": held.reach_ref} if held.reach else None,
        "scope": {
            "owner": held.scope_owner, "access": held.scope_access, "shared_with": list(held.scope_shared_with),
            "project": held.scope_project or None,
        },
        "supersedes": list(held.supersedes), "filed_by": held.filed_by, "snoozed_until": instant(held.snoozed_until),
        "match": {"kind": view.match_kind, "cues": list(view.cues)},
        "verification": verification_json(held, view.verification),
        "evidence": [_evidence(link.evidence) | {"polarity": link.polarity} for link in view.links],
        "more_evidence": view.more_evidence,
        "current": [_current(shown) for shown in view.current],
        "questions": [_question(row) for row in view.questions],
        "earlier": [_earlier(row, held) for row in view.earlier],
        "decisions": [decision_json(row) for row in view.decisions],
        "ending": _ending(held),
        "plans": {action.value: plan_json(view.plans[action.value]) for action in Action},
        "allowed_actions": [action.value for action in Action if refused[action] is None],
        "not_allowed": [
            {"action": action.value, "code": why.code, "detail": why.detail} for action, why in refused.items() if why
        ],
        "solo": view.solo,
        "grants": [],
    }  # fmt: skip


def refusal_of(view: ItemView, action: Action) -> Refusal | None:
    """Why this person may not, or why it cannot be done as things are."""
    made = view.plans[action.value]
    return (view.approve_refusal if action in _APPROVING else view.decide_refusal) or made.refusal


def plan_json(made: Plan) -> dict[str, Any]:
    have, need = made.approvals
    return {
        "plan_digest": made.digest,
        "plan": [_step(effect) for effect in made.effects],
        "needs": [{"code": need_.kind.value, "detail": need_.detail} for need_ in made.needs],
        "labels": {name: _preview(label) for name, label in made.labels.items()},
        "approvals": {"have": have, "need": need},
    }


def decision_json(row: Decision) -> dict[str, Any]:
    """A link of the audit chain."""
    return {
        "id": str(row.id), "digest": row.digest, "seq": row.seq, "action": row.action, "at": instant(row.at),
        "by": row.actor_name, "reason_code": row.reason_code or None, "solo": row.solo,
        "amends": str(row.amends) if row.amends else None, "undoes": str(row.undoes) if row.undoes else None,
    }  # fmt: skip


def verification_json(held: HeldRecord, latest: Verification | None) -> dict[str, Any]:
    """The newest run; while one is due there is none that counts."""
    if latest is None or held.verification_status == VerificationStatus.PENDING:
        return {"status": str(VerificationStatus.PENDING), "reasons": [], "checks": []}
    return {"status": str(latest.status), "reasons": list(latest.reasons), "checks": list(latest.checks)}


def shown_json(item: RecallItem) -> dict[str, Any]:
    """A recall that showed what was taken back."""
    return {
        "at": instant(item.at), "agent": item.recall.agent, "record_id": item.record_id, "label": item.label,
    }  # fmt: skip


def state_json(held: HeldRecord) -> dict[str, Any]:
    """Where an item stands: what the next request about it has to name."""
    return {"id": str(held.id), "version": held.version, "status": held.status}


def _step(effect: Effect) -> dict[str, Any]:
    return effect.as_dict() | {"words": effect.words}


def _preview(label: LabelPreview) -> dict[str, Any]:
    return {"label": label.label, "at": instant(label.at), "expires_at": instant(label.expires_at)}


def _article(held: HeldRecord) -> dict[str, Any] | None:
    if held.kind != HeldKind.PROMOTION_PROPOSAL:
        return None
    article = held.promotion
    return {
        "source": article.target_source, "base_version": article.base_version, "title": article.title,
        "content": article.content,
    }  # fmt: skip


def _evidence(row: Evidence) -> dict[str, Any]:
    return {
        "id": row.record_id, "kind": row.kind, "source": row.source_id, "content": row.content, "summary": row.summary,
        "excerpt": row.excerpt, "trust_class": row.trust_class, "event_at": instant(row.event_at) or row.event_at_text or None,
        "state": row.state, "review": row.review or None,
    }  # fmt: skip


def _current(shown: Shown) -> dict[str, Any]:
    row = shown.row
    return {
        "id": row.record_id, "kind": row.kind, "content": row.content, "value": row.claim_value or None,
        "label": shown.label, "expires_at": instant(row.expires_at), "reviewed": shown.reviewed,
        "same_value": shown.same_value,
    }  # fmt: skip


def _question(row: Inquiry) -> dict[str, Any]:
    return {"id": str(row.id), "version": row.version, "kind": row.kind, "question": row.question}


def _earlier(row: HeldRecord, held: HeldRecord) -> dict[str, Any]:
    """What became of the same claim before; another agent's item is told of without its id, as on the page."""
    return {
        "id": str(row.id) if row.agent_id == held.agent_id else None, "status": row.status,
        "reason_code": row.reason_code or None, "decided_at": instant(row.decided_at),
    }  # fmt: skip


def _ending(held: HeldRecord) -> dict[str, Any] | None:
    if held.is_waiting:
        return None
    return {
        "reason_code": held.reason_code or None, "reason": held.reason or None, "decided_at": instant(held.decided_at),
        "decision": str(held.decision_id) if held.decision_id else None,
    }  # fmt: skip
