"""From rows to the pure plan: gathers the situation of a held item (DESIGN "One way to decide"). Reads only.

The page, the API and `decide` ask here, so that what was shown and what is done come from one place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from evidence.models import Evidence, HeldRecord, Inquiry, User
from evidence.models.evidence import EvidenceQuerySet
from evidence.rules.access import overlaps
from evidence.rules.identity import fact_source_id, scope_hash, scope_key, valid_key
from evidence.rules.labels import LabelWindow, label_of_window, label_window
from evidence.rules.permissions import Verdict, approvals_needed, may_approve_by_answer, may_decide
from evidence.rules.planning import Affected, Choices, LabelPreview, Plan, Ref, Situation, plan
from evidence.rules.records import Check, Record, Source
from evidence.rules.vocab import Action, HeldKind, Kind, MatchKind, State
from evidence.selectors.matching import Matching, links_of, matching_of
from evidence.selectors.people import first_approval_counts, other_reviewer_exists, standpoint_of
from evidence.selectors.policy import current_policy

EQUALS_SHOWN = 200
TEXT_SHOWN = 160
_SAME = frozenset({MatchKind.DUPLICATE, MatchKind.STRENGTHENS})


def situation_of(
    held: HeldRecord, *, user: User | None, now: datetime, named: Sequence[str] = (), matching: Matching | None = None
) -> Situation:
    """Everything that the outcome depends on. `named` are the records that the person wants replaced."""
    policy = current_policy()
    other = other_reviewer_exists(user, held.agent_id)
    base = Situation(
        held_id=str(held.id), kind=held.kind, status=held.status, agent=held.agent_id, match_kind=held.match_kind,
        risk=held.risk, layer=held.layer, durability=held.durability, verification_status=held.verification_status,
        policy_version=policy.version, approvals_have=int(first_approval_counts(held)),
        approvals_needed=approvals_needed(
            risk=held.risk, layer=held.layer, two_approvals=policy.two_approvals, other_reviewer_exists=other
        ),
        questions=tuple(open_questions(held)),
    )  # fmt: skip
    if held.kind == HeldKind.PROMOTION_PROPOSAL:
        return replace(base, **_article_part(held))
    if held.kind == HeldKind.HELD_EVIDENCE:
        return replace(base, evidence_record=held.held_evidence.evidence.record_id)
    return replace(base, **_fact_part(held, now, named, matching))


def plain_situation(held: HeldRecord, *, policy_version: int, questions: Sequence[Ref]) -> Situation:
    """All that rejecting, snoozing and asking depend on: they neither match nor replace anything."""
    return Situation(
        held_id=str(held.id), kind=held.kind, status=held.status, agent=held.agent_id, match_kind=held.match_kind,
        risk=held.risk, layer=held.layer, durability=held.durability, verification_status=held.verification_status,
        policy_version=policy_version, questions=tuple(questions),
    )  # fmt: skip


def plan_for(
    held: HeldRecord, *, action: Action, user: User | None, now: datetime, choices: Choices | None = None
) -> Plan:
    chosen = choices or Choices()
    return plan(situation_of(held, user=user, now=now, named=chosen.supersedes), action, chosen)


def plans_for(held: HeldRecord, user: User | None, now: datetime) -> dict[Action, Plan]:
    """One plan per action, from one look at the database."""
    situation = situation_of(held, user=user, now=now)
    return {action: plan(situation, action) for action in Action}


def permission(held: HeldRecord, user: User, action: Action) -> Verdict:
    """Whether this person may, and whether it would be solo."""
    policy = current_policy()
    return may_decide(
        action, standpoint_of(user, held), risk=held.risk, layer=held.layer, strict=policy.strict_four_eyes,
        two_approvals=policy.two_approvals,
    )  # fmt: skip


def answer_permission(held: HeldRecord, user: User) -> Verdict:
    """Whether this person may approve the item by answering its question, and whether it would be solo."""
    policy = current_policy()
    return may_approve_by_answer(
        standpoint_of(user, held), risk=held.risk, layer=held.layer, strict=policy.strict_four_eyes,
        two_approvals=policy.two_approvals, approvals_have=int(first_approval_counts(held)),
    )  # fmt: skip


def open_questions(held: HeldRecord) -> list[Ref]:
    rows = Inquiry.objects.open().filter(held=held).order_by("id")
    return [Ref(str(row.id), row.version, row.question) for row in rows]


def equal_proposals(held: HeldRecord) -> list[HeldRecord]:
    """Other waiting proposals of the same claim whose readers overlap: they close, credited, when this one is approved."""
    rows = HeldRecord.objects.equal_to(held).order_by("id")[:EQUALS_SHOWN]
    return [row for row in rows if overlaps(row.scope, held.scope)]


def fact_source_of(held: HeldRecord) -> str:
    """The source id of the fact that an approval makes (contract 10)."""
    return fact_source_id(
        namespace=held.namespace, claim=held.claim, statement=held.statement,
        scope_key=scope_key(held.scope, held.reach),
    )  # fmt: skip


def label_preview(held: HeldRecord, at: datetime, now: datetime) -> LabelPreview:
    """The label that an approval gives when the claim counts as checked at `at`."""
    record = Record(
        id="", kind=Kind.FACT, source=Source("fact:preview"), content=held.statement, check=Check(at),
        volatility=held.volatility, ttl_days=held.ttl_days, scope=held.scope, trust=held.trust,
    )  # fmt: skip
    window = label_window(record)
    return LabelPreview(label_of_window(window, now), at, window.expires_at)


def source_date(held: HeldRecord, now: datetime) -> datetime | None:
    """The date of the source: its check, else when it happened; none where unreadable, missing or in the future."""
    at = held.check_at if held.has_check else held.event_at
    return at if at is not None and at <= now else None


def window_of(row: Evidence) -> LabelWindow:
    return LabelWindow(row.label_base, row.verified_from, row.expires_at)  # type: ignore[arg-type]


def _fact_part(held: HeldRecord, now: datetime, named: Sequence[str], matching: Matching | None) -> dict[str, Any]:
    found = matching or matching_of(held, links_of(held), now)
    kind = found.match.kind
    rows = {row.record_id: row for row in found.matched()} | {row.record_id: row for row in _on_same_key(held)}
    wanted = Evidence.objects.in_namespace(held.namespace).filter(record_id__in=list(named)[:EQUALS_SHOWN])
    at = source_date(held, now)
    return {
        "match_kind": kind,
        "affected": tuple(
            _affected(held, row, kind, now) for _, row in sorted(rows.items()) if row.state == State.ACTIVE
        ),
        "named": tuple(_affected(held, row, kind, now) for row in wanted.order_by("record_id")),
        "equals": tuple(Ref(str(row.id), row.version, row.agent_id) for row in equal_proposals(held)),
        "source_label": label_preview(held, at, now) if at else None,
        "now_label": label_preview(held, now, now),
    }


def _on_same_key(held: HeldRecord) -> list[Evidence]:
    """What an approval would collide with: the active fact on the very same key; without a claim, of the same source."""
    active = Evidence.objects.in_namespace(held.namespace).active().filter(
        kind=Kind.FACT, valid_key=valid_key(held.valid_from)
    )  # fmt: skip
    if not held.claim_key:
        return list(active.filter(source_id=fact_source_of(held), claim_key=""))
    on_claim = active.on_claim(held.namespace, held.claim_key)
    return list(on_claim.filter(scope_key=scope_hash(held.scope, held.reach)))


def _affected(held: HeldRecord, row: Evidence, kind: MatchKind, now: datetime) -> Affected:
    if held.claim_key and row.claim_key:
        same = held.claim_key == row.claim_key and held.value_key == row.value_key
    else:
        same = kind in _SAME
    return Affected(
        record_id=row.record_id, version=row.version, kind=row.kind, text=short_text(row),
        label=label_of_window(window_of(row), now), reviewed=row.approval is not None, same_value=same,
        on_key=_holds_key(held, row),
    )  # fmt: skip


def _holds_key(held: HeldRecord, row: Evidence) -> bool:
    """Whether the row would stand in the way of the fact that an approval makes (one active fact per key)."""
    if row.kind != Kind.FACT or row.valid_key != valid_key(held.valid_from) or row.claim_key != held.claim_key:
        return False
    if not held.claim_key:
        return row.source_id == fact_source_of(held)
    return row.scope_key == scope_hash(held.scope, held.reach)


def short_text(row: Evidence) -> str:
    """What a person recognises the record by: its value, else its text, cut for one line."""
    text = row.claim_value if row.claim_key else row.content
    return text if len(text) <= TEXT_SHOWN else text[: TEXT_SHOWN - 1] + "…"


def _article_part(held: HeldRecord) -> dict[str, Any]:
    promotion = held.promotion
    current = current_article_version(held.namespace, promotion.target_source)
    moved = bool(promotion.base_version) and promotion.base_version != current
    return {
        "target_source": promotion.target_source,
        "base_version": promotion.base_version,
        "current_version": current,
        "target_gone": moved and target_is_gone(held.namespace, promotion.target_source),
        "base_unknown": moved
        and not article_versions(held.namespace, promotion.target_source)
        .filter(source_version=promotion.base_version)
        .exists(),
    }


def article_versions(namespace: str, source_id: str) -> EvidenceQuerySet:
    """Every version of an article that was ever here."""
    return Evidence.objects.in_namespace(namespace).filter(source_id=source_id, kind=Kind.ARTICLE)


def target_is_gone(namespace: str, source_id: str) -> bool:
    """Whether the article was here and none of its versions stands any more (contract 10 "Expired")."""
    versions = article_versions(namespace, source_id)
    return not versions.active().exists() and versions.exists()


def current_article(namespace: str, source_id: str) -> Evidence | None:
    """The article as it stands: the approved version, else the newest active one that is not held."""
    rows = article_versions(namespace, source_id).active()
    approved = rows.exclude(approval_by="").first()
    return approved or rows.exclude(review__in=["held", "rejected"]).order_by("-ingested_at").first()


def current_article_version(namespace: str, source_id: str) -> str:
    row = current_article(namespace, source_id)
    return row.source_version if row else ""
