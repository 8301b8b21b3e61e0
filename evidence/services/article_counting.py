"""Counting the articles that nobody reviewed as reviewed: one question to their owner, yes or no (contract 13).

The list is frozen when the question is asked: yes approves exactly the versions that were shown, one decision for each under
one bulk id; no leaves all as they are. Until then, and after a no, each is unverified.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from evidence.models import Agent, Decision, Evidence, Inquiry
from evidence.models.base import new_id
from evidence.models.visibility import agents_of
from evidence.rules.times import to_iso
from evidence.rules.vocab import ActorKind, Answer, AuditAction, InquiryKind, Kind, Review, Risk, State
from evidence.selectors.articles import never_reviewed
from evidence.selectors.people import is_owner
from evidence.selectors.sides import NEVER_REVIEWED, YES_OR_NO
from evidence.services import audit
from evidence.services.actors import Actor
from evidence.services.answer_limits import lock_open_inquiry
from evidence.services.closing import close_question
from evidence.services.errors import Refused
from evidence.services.indexing import sync_index
from evidence.services.inquiring import open_inquiry
from evidence.services.journal import Journal
from evidence.services.locks import lock_claims, lock_inquiry
from evidence.services.rows import label_columns
from evidence.services.texts import REASON_MAX, check_text
from evidence.services.undoing import undo

# What one question lists. Where there are more it says so, and they are asked about after it.
MOST = 500
ORIGIN = NEVER_REVIEWED
YES, NO = YES_OR_NO


@dataclass(frozen=True, slots=True)
class Asked:
    """`inquiry` none: nothing to ask, or `refused` at `refused_at` before. `made` false: it was open already."""

    inquiry: Inquiry | None
    made: bool = False
    refused_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Counted:
    """`approved`: how many; `changed`: of those that were shown, how many are another version by now."""

    decision: Decision
    inquiry: Inquiry
    approved: int
    changed: int


def is_count_question(inquiry: Inquiry) -> bool:
    return inquiry.origin_system == ORIGIN


def ask_about_never_reviewed(*, agent_id: str, namespace: str, actor: Actor, again: bool = False) -> Asked:
    """Open the question, unless it is open, or was answered with no and nobody asks for it `again`."""
    with transaction.atomic():
        lock_claims(namespace, [f"{ORIGIN}:{agent_id}"])
        mine = Inquiry.objects.filter(agent_id=agent_id, namespace=namespace, origin_system=ORIGIN).order_by("-id")
        known = mine.open().first()
        if known is not None:
            return Asked(known)
        refused = mine.filter(answer=NO).first()
        if refused is not None and not again:
            return Asked(None, refused_at=refused.answered_at)
        found = never_reviewed(agent_id, namespace, MOST + 1)
        rows = found[:MOST]
        if not rows or not Agent.objects.filter(pk=agent_id).exists():
            return Asked(None)
        made = open_inquiry(
            kind=InquiryKind.QUESTION, severity=Risk.MEDIUM, agent_id=agent_id, namespace=namespace,
            question=f"Nobody reviewed the listed articles of {agent_id}. Should they all count as reviewed?",
            current=None, incoming=None, origin=(ORIGIN, ""),
        )  # fmt: skip
        kept = {"articles": [_listed(row) for row in rows], "asked_by": actor.name, "more": len(found) > MOST}
        made.current_snapshot = audit.keep(kept)
        made.save(update_fields=["current_snapshot"])
        return Asked(made, made=True)


def ask_as_owner(*, agent_id: str, namespace: str, actor: Actor) -> Asked:
    """A person asks it of themself, as an owner of the agent. 403 for who is none, 404 for what they may not see."""
    seen = agents_of(actor.user) if actor.user is not None else frozenset()
    may_see = seen is None or agent_id in seen
    if actor.user is None or not may_see or not Agent.objects.filter(pk=agent_id).exists():
        raise Refused("not_found", "There is no such agent.")
    if not is_owner(actor.user, agent_id):
        raise Refused("not_reviewer", "Only an owner of the agent may count its articles as reviewed.")
    return ask_about_never_reviewed(agent_id=agent_id, namespace=namespace, actor=actor, again=True)


def listed_in(inquiry: Inquiry) -> list[dict[str, Any]]:
    """The articles that the question is about, as they were shown."""
    found: list[dict[str, Any]] = _kept(inquiry).get("articles", [])
    return found


def has_more(inquiry: Inquiry) -> bool:
    """Whether there were more than it lists when it was asked: those are not decided with it."""
    return bool(_kept(inquiry).get("more"))


def _kept(inquiry: Inquiry) -> dict[str, Any]:
    kept = inquiry.current_snapshot
    found: dict[str, Any] = json.loads(kept.body) if kept is not None and kept.body else {}
    return found


def answer_never_reviewed(
    *, inquiry_id: UUID | str, answer: Answer, seen_version: int, actor: Actor, key: str | None, reason: str = ""
) -> Counted:
    """Yes or no, in the caller's transaction: `answering` has looked for a replay and checked the texts."""
    if answer not in YES_OR_NO:
        raise Refused(
            "invalid_value", f"Here the answers are: {YES} (yes), {NO} (no).", field="answer",
            allowed=[str(one) for one in YES_OR_NO],
        )  # fmt: skip
    seen = Inquiry.objects.select_related("current_snapshot").get(pk=inquiry_id)
    shown = listed_in(seen)
    rows = _still_as_shown(seen, shown) if answer == YES else []
    inquiry = _locked(inquiry_id, seen_version, actor)
    now, journal, bulk = timezone.now(), Journal(), new_id()
    close_question(inquiry, answer=answer, actor=actor, journal=journal, now=now)
    snapshots = {
        "shown": audit.keep({"question": inquiry.question, "answer": str(answer), "articles": shown}),
        "journal": audit.keep({"journal": journal.entries}),
    }
    if reason:
        snapshots["reason"] = audit.keep(reason)
    decision = audit.append(
        namespace=inquiry.namespace, actor=actor, action=AuditAction.ANSWER, target_kind="inquiry",
        target_id=str(inquiry.id), target_version=seen_version, agent=inquiry.agent_id, snapshots=snapshots,
        effects=[{"kind": str(answer), "target_kind": "inquiry", "target_id": str(inquiry.id)}],
        touches=journal.touches(), idempotency_key=key, bulk_id=bulk if rows else None,
    )  # fmt: skip
    Inquiry.objects.filter(pk=inquiry.pk).update(decision_id=decision.id)
    for row in rows:
        _approve(row, inquiry, actor, now, bulk)
    return Counted(decision, inquiry, len(rows), len(shown) - len(rows) if answer == YES else 0)


def undo_never_reviewed(*, inquiry_id: UUID | str, actor: Actor, reason: str = "") -> tuple[int, int]:
    """Take the answer back with all that it approved; returns how many, and how many were decided since and stay.

    The question is open again afterwards.
    """
    check_text("reason", reason, longest=REASON_MAX)
    inquiry = Inquiry.objects.filter(pk=inquiry_id, origin_system=ORIGIN).first()
    answered = Decision.objects.filter(pk=inquiry.decision_id).first() if inquiry and inquiry.decision_id else None
    if inquiry is None or answered is None:
        raise Refused("undo_blocked", "This question was not answered.")
    made = Decision.objects.filter(bulk_id=answered.bulk_id, action=AuditAction.APPROVE).order_by("-seq")
    bulk = list(made) if answered.bulk_id is not None else []
    undone = set(Decision.objects.filter(undoes__in=[one.id for one in bulk]).values_list("undoes", flat=True))
    taken, left = 0, 0
    for one in bulk:
        if one.id in undone:
            continue
        try:
            undo(decision_id=one.id, actor=actor, reason=reason, bulk_id=answered.bulk_id)
            taken += 1
        except Refused as refused:
            if refused.code != "undo_blocked":
                raise
            left += 1
    undo(decision_id=answered.id, actor=actor, reason=reason)
    return taken, left


def _listed(row: Evidence) -> dict[str, Any]:
    return {
        "id": row.record_id, "content": row.content_hash, "readers": row.scope_key,
        "source": row.source_id, "source_version": row.source_version,
        "title": row.summary, "ingested_at": to_iso(row.ingested_at),
    }  # fmt: skip


def _still_as_shown(inquiry: Inquiry, shown: list[dict[str, Any]]) -> list[Evidence]:
    """The listed records, locked, that still say what was shown to the same readers, and that nobody reviewed meanwhile."""
    asked = {one["id"]: (one["content"], one["readers"]) for one in shown}
    lock_claims(inquiry.namespace, [one["source"] for one in shown])
    rows = list(
        Evidence.objects.in_namespace(inquiry.namespace)
        .select_for_update(of=("self",))
        .filter(record_id__in=asked, kind=Kind.ARTICLE)
        .order_by("pk_uuid")
    )
    sources = [row.source_id for row in rows]
    reviewed = set(
        Evidence.objects.in_namespace(inquiry.namespace)
        .active()
        .filter(source_id__in=sources, kind=Kind.ARTICLE, approval_by__gt="")
        .values_list("source_id", flat=True)
    )
    return [
        row
        for row in rows
        if (row.content_hash, row.scope_key) == asked[row.record_id]
        and row.state == State.ACTIVE
        and row.source_id not in reviewed
    ]


def _locked(inquiry_id: UUID | str, seen_version: int, actor: Actor) -> Inquiry:
    user = actor.user
    if user is None or not Inquiry.objects.visible_to(user).filter(pk=inquiry_id).exists():
        raise Refused("not_found", "There is no such question.")
    if not is_owner(user, lock_inquiry(inquiry_id).agent_id):
        raise Refused("not_reviewer", "The owner of the agent answers this.")
    return lock_open_inquiry(inquiry_id, seen_version)


def _approve(row: Evidence, inquiry: Inquiry, actor: Actor, now: datetime, bulk: UUID) -> None:
    """The approval of one version, as a decision of its own; its label follows."""
    assert actor.kind == ActorKind.PERSON
    journal, version = Journal(), row.version
    approval = {
        "approval_by": actor.name, "approval_at": now, "approval_at_text": "", "approval_proposal": str(inquiry.id),
        "review": Review.APPROVED,
    }  # fmt: skip
    probe = Evidence(**{field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields} | approval)
    journal.change(row, **approval, **label_columns(probe))
    audit.append(
        namespace=row.namespace, actor=actor, action=AuditAction.APPROVE, target_kind="record", target_id=str(row.pk),
        target_version=version, agent=inquiry.agent_id, bulk_id=bulk,
        effects=[{"kind": "approve_version", "target_kind": "record", "target_id": row.record_id}],
        snapshots={"shown": audit.keep(_listed(row)), "journal": audit.keep({"journal": journal.entries})},
        touches=journal.touches(),
    )  # fmt: skip
    sync_index(record_pk=row.pk)
