"""What the card of one item is rendered with: the selector's view, turned into words, choices and keys for the template."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone

from evidence.models import Decision, Evidence, HeldRecord, User
from evidence.rules.planning import EffectKind
from evidence.rules.reasons import WORDS
from evidence.rules.vocab import DURABLE, MATCH_NEEDS_REVIEW, Durability, HeldKind, ReasonCode, Role
from evidence.selectors import items, queue
from evidence.selectors.bulk import origins_of
from evidence.selectors.cluster_mates import Together, together_of
from evidence.selectors.imports import foreign_of
from evidence.selectors.people import first_approval_counts, is_administrator
from evidence.selectors.queue import QueueFilter
from evidence.selectors.reach import reach_of
from evidence.services.undoing import UNDOABLE
from evidence.web import wording
from evidence.web.article_views import proposal_view
from evidence.web.changes import Changed
from evidence.web.findings import check_rows, marks_of, quotes_of, statement_marks
from evidence.web.forms import snooze_presets
from evidence.web.gates import DeskRequest
from evidence.web.mates import cluster_view
from evidence.web.ordering import order_words
from evidence.web.sentences import told

DIGITS = "1234567890"
CUES: dict[str, str] = {str(reason): words for reason, words in WORDS.items()}


@dataclass(frozen=True, slots=True)
class Code:
    value: str
    digit: str
    words: str


def codes(given: tuple[ReasonCode, ...]) -> list[Code]:
    """Reason codes with their digits, in the order of the vocabulary: nothing is preselected, nothing moves."""
    return [Code(code.value, digit, str(wording.REASONS[code])) for code, digit in zip(given, DIGITS, strict=False)]


@dataclass(frozen=True, slots=True)
class LeaseView:
    """Who holds the item: `mine` with token and seconds left, another `holder` until when, or free to claim."""

    mine: bool = False
    holder: str = ""
    until: datetime | None = None
    token: int = 0
    left: int = 0
    claimable: bool = False
    claim_url: str = ""

    @property
    def clock(self) -> str:
        return f"{self.left // 60}:{self.left % 60:02}"


def lease_view(held: HeldRecord, user: User, now: datetime, *, claimable: bool, claim_url: str = "") -> LeaseView:
    if held.leased_at(now) and held.lease_until is not None and held.lease_holder is not None:
        left = max(0, int((held.lease_until - now).total_seconds()))
        mine = held.lease_holder_id == user.pk
        return LeaseView(
            mine, "" if mine else held.lease_holder.get_username(), held.lease_until, held.lease_token, left
        )
    return LeaseView(claimable=claimable, claim_url=claim_url or reverse("lease", args=[held.id]))


def card_context(
    request: DeskRequest, held: HeldRecord, wanted: QueueFilter, *, claim_url: str = "",
    changed: Changed | None = None, drafts: Mapping[str, Any] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Everything that `_card.html` reads."""
    user, now = request.user, timezone.now()
    view = items.item_view(held, user, now)
    may_decide = view.decide_refusal is None
    have, need = view.approve.approvals
    marks = marks_of(view)
    to_read, passed = check_rows(view)
    return {
        "card_template": "evidence/parts/_card.html",
        "held": held,
        "view": view,
        "wanted": wanted,
        "changed": changed,
        "drafts": drafts or {},
        "key": uuid.uuid4().hex,
        "lease": lease_view(held, user, now, claimable=may_decide, claim_url=claim_url),
        "may_decide": may_decide,
        "may_review": view.standing.is_reviewer,
        "cannot_approve": view.approve.refusal is not None or view.approve_refusal is not None,
        "effects": grouped(view.approve.effects),
        "later_effects": grouped(view.later),
        "supersede_effects": grouped(view.replacing),
        "reach": reach_of(held, [shown.row.record_id for shown in view.current if not shown.same_value]),
        "cue_words": [told(CUES.get(cue, cue)) for cue in view.cues],
        "needs": {item.kind.value: item for item in view.approve.needs},
        "approvals_have": have,
        "approvals_need": need,
        "first_approval": first_approval_counts(held),
        "match_is_conflict": view.match_kind in MATCH_NEEDS_REVIEW,
        "checks": to_read,
        "passed": passed,
        "quotes": quotes_of(view, marks),
        "statement_marks": statement_marks(marks),
        "headline_base": _headline_base(view),
        "foreign": foreign_of(held.namespace, "held", str(held.pk)) if held.origin_id else [],
        "article": proposal_view(held, user, now) if held.kind == HeldKind.PROMOTION_PROPOSAL else None,
        "priority_words": order_words(held, user, now),
        "durable": [word.value for word in Durability if word in DURABLE],
        "reject_codes": codes(tuple(ReasonCode)),
        "origins": origins_of(held, view.links) if may_decide else [],
        "supersede_codes": codes(wording.SUPERSEDE_REASONS),
        "snoozes": snooze_presets(now),
        "today": timezone.localtime(now),
        "tomorrow": timezone.localtime(now) + timedelta(days=1),
        "cluster": cluster_view(held, user, now, view.approve, drafts=drafts or {}) if held.is_waiting else None,
        "linkable": {row.id for row in view.earlier if row.agent_id == held.agent_id},
        "result": result_of(held),
        "equals": (equals := equals_closed(view.last_decision)),
        "closed_with": items.closed_with(held, user) if equals else [],
        **undo_context(user),
        "may_undo_this": may_undo(view.last_decision, user),
        "may_amend": not held.is_waiting and may_undo(view.last_decision, user) and is_own(view.last_decision, user),
    }


def idle_context(request: DeskRequest, wanted: QueueFilter) -> dict[str, Any]:
    """Nothing to decide: why, and what comes next."""
    now = timezone.now()
    return {
        "card_template": "evidence/parts/_idle.html",
        "wanted": wanted,
        "idle": queue.idle(request.user, now),
        "may_review": Role.REVIEWER in items.roles_of(request.user),
        **undo_context(request.user),
    }


def undo_context(user: User) -> dict[str, Any]:
    last = items.last_undoable(user, UNDOABLE)
    together = together_of(last)
    return {
        "last": last,
        "last_together": together,
        "last_text": short(together.statement) if together else statement_of(last),
        "undo_url": undo_url(last, together),
        "undo_key": uuid.uuid4().hex,
    }


def undo_url(decision: Decision | None, together: Together | None) -> str:
    """What was decided together is taken back together."""
    if decision is None:
        return ""
    return reverse("cluster-undo", args=[together.job_id]) if together else reverse("undo", args=[decision.id])


def statement_of(decision: Decision | None) -> str:
    """A few words of what a decision was about."""
    if decision is None or decision.target_kind != "held":
        return ""
    return short(items.statement_by_id(decision.target_id))


def short(text: str) -> str:
    return text if len(text) <= 90 else f"{text[:89]}…"


def may_undo(decision: Decision | None, user: User) -> bool:
    if decision is None or decision.action not in UNDOABLE or items.was_undone(decision):
        return False
    return decision.actor_id == str(user.pk) or is_administrator(user)


def equals_closed(decision: Decision | None) -> int:
    """How many equal proposals closed with what was decided (scenario S26)."""
    effects = decision.effects if decision is not None else []
    return sum(effect["kind"] == EffectKind.CLOSE_EQUAL for effect in effects)


def is_own(decision: Decision | None, user: User) -> bool:
    return decision is not None and (decision.actor_kind, decision.actor_id) == ("person", str(user.pk))


@dataclass(frozen=True, slots=True)
class Counted:
    words: str
    count: int


def grouped(effects: Any) -> list[Counted]:
    """Effects in order; those in the very same words once, with their number."""
    return [Counted(told(words), number) for words, number in Counter(effect.words for effect in effects).items()]


def _headline_base(view: items.ItemView) -> str:
    """The text whose difference the heading marks: that of the one current record that says something else."""
    other = [shown.row.content for shown in view.current if not shown.same_value and not shown.reviewed]
    return other[0] if len(other) == 1 else ""


def result_of(held: HeldRecord) -> Evidence | None:
    """The record that a decision made of the item."""
    for detail in ("fact_proposal", "promotion"):
        result = getattr(getattr(held, detail, None), "result", None)
        if result is not None:
            return result  # type: ignore[no-any-return]
    return None
