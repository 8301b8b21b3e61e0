"""From rows to the pure plan of an answer: gathers the situation of a question (contract 10 "Inquiry"). Reads only.

The page, the doors and the answer itself ask here, so that what was shown and what is done come from one place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from evidence.models import Evidence, HeldRecord, Inquiry, InquiryEvidence, User
from evidence.models.evidence import EvidenceQuerySet
from evidence.rules.answer_plans import plan_answer, plan_count
from evidence.rules.answer_steps import AnswerChoices, AnswerPlan, AnswerSituation, ItemState, SideState
from evidence.rules.answers import allowed_answers
from evidence.rules.identity import claim_key_hash, fact_source_id, scope_hash, scope_key, valid_key
from evidence.rules.labels import label_of_window, label_window
from evidence.rules.permissions import Refusal
from evidence.rules.planning import LabelPreview, Ref
from evidence.rules.records import Check, Claim, Reach, Record, Scope, Source
from evidence.rules.vocab import (
    NON_DURABLE,
    Access,
    Answer,
    HeldKind,
    InquiryStatus,
    Kind,
    Layer,
    Review,
    State,
    VerificationStatus,
    Volatility,
)
from evidence.selectors.planning import answer_permission, equal_proposals, label_preview, short_text, window_of
from evidence.selectors.policy import current_policy
from evidence.selectors.sides import NEVER_REVIEWED, YES_OR_NO, incoming_row, sides_asked

Span = tuple[datetime | None, datetime | None]
NEIGHBOURS = 50
TEXT_SHOWN = 160


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a person says beside the answer, as far as it was said."""

    value: str = ""
    scopes: Mapping[str, Scope] = field(default_factory=dict)
    validity: Mapping[str, Span] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows behind a question; sides only as far as they stand, the item only while it waits."""

    inquiry: Inquiry
    item: HeldRecord | None
    current: Evidence | None
    incoming: Evidence | None
    reports: tuple[Evidence, ...] = ()


def rows_of(inquiry: Inquiry, held: HeldRecord | None, rows: EvidenceQuerySet | None = None) -> Rows:
    """`rows`: where to look, locked where the caller is about to write."""
    found = rows if rows is not None else Evidence.objects.in_namespace(inquiry.namespace)
    current = found.filter(record_id=inquiry.current_record).first() if inquiry.current_record else None
    incoming = incoming_row(inquiry, held, found)
    reports = found.filter(
        pk__in=InquiryEvidence.objects.filter(inquiry=inquiry, is_report=True).values("evidence"), state=State.ACTIVE
    ).order_by("pk_uuid")  # fmt: skip
    item = held if held is not None and held.is_waiting else None
    return Rows(inquiry, item, _standing(current), _standing(incoming), () if item else tuple(reports))


def situation_of_answer(rows: Rows, *, user: User | None, now: datetime) -> AnswerSituation:
    inquiry, item = rows.inquiry, rows.item
    base = AnswerSituation(
        inquiry_id=str(inquiry.id), kind=inquiry.kind, agent=inquiry.agent_id,
        current=_side(rows.current, now), incoming=_side(rows.incoming, now), new_label=_new_label(rows, now),
        reports=tuple(_ref(row) for row in rows.reports), neighbours=tuple(_ref(row) for row in _neighbours(rows)),
        policy_version=current_policy().version,
    )  # fmt: skip
    if item is None:
        return base
    others = Inquiry.objects.open().filter(held=item).exclude(pk=inquiry.pk).order_by("id")
    is_fact = item.kind == HeldKind.FACT_PROPOSAL
    equals = equal_proposals(item) if is_fact else []
    approving, lasting = _refusals(item, user)
    return replace(
        base, item=_item_state(item),
        equals=tuple(Ref(str(row.id), row.version, row.agent_id) for row in equals),
        questions=tuple(Ref(str(row.id), row.version) for row in others), approving=approving, lasting=lasting,
    )  # fmt: skip


def _item_state(item: HeldRecord) -> ItemState:
    text = _short(item.claim_value or item.statement)
    return ItemState(str(item.id), item.kind, text, _content_of(item), item.agent_id)


def choices_of_answer(rows: Rows, answer: str, chosen: Chosen) -> AnswerChoices:
    """With the facts whose place the new one takes under these choices."""
    return AnswerChoices(
        value=chosen.value, current_scope=chosen.scopes.get("current"), incoming_scope=chosen.scopes.get("incoming"),
        displaced=tuple(_ref(row) for row in _displaced(rows, answer, chosen)),
    )  # fmt: skip


def answer_plan(
    rows: Rows,
    answer: str,
    chosen: Chosen,
    *,
    user: User | None,
    now: datetime,
    situation: AnswerSituation | None = None,
) -> AnswerPlan:
    known = situation or situation_of_answer(rows, user=user, now=now)
    return plan_answer(known, answer, choices_of_answer(rows, answer, chosen))


def answer_plans(inquiry: Inquiry, *, user: User | None, now: datetime) -> dict[Answer, AnswerPlan]:
    """One plan per answer that the question allows now; none once it is closed."""
    if inquiry.status != InquiryStatus.OPEN:
        return {}
    if inquiry.origin_system == NEVER_REVIEWED:
        return {word: plan_count(str(inquiry.id), word) for word in YES_OR_NO}
    rows = rows_of(inquiry, inquiry.held)
    situation = situation_of_answer(rows, user=user, now=now)
    allowed = allowed_answers(inquiry.kind, sides_asked(inquiry, rows.current, rows.incoming))
    return {
        word: answer_plan(rows, word, Chosen(), user=user, now=now, situation=situation) for word in allowed
    }  # fmt: skip


def claim_for(rows: Rows, value: str) -> Claim | None:
    """The claim with another value, of the first side that has one."""
    for side in (rows.item, rows.incoming, rows.current):
        if side is not None and side.claim is not None:
            return replace(side.claim, value=value)
    return None


def _standing(row: Evidence | None) -> Evidence | None:
    stands = row is not None and row.state == State.ACTIVE and row.review != Review.REJECTED
    return row if stands else None


def _side(row: Evidence | None, now: datetime) -> SideState | None:
    if row is None:
        return None
    return SideState(
        record_id=row.record_id, version=row.version, kind=row.kind, text=_text_of(row),
        label=label_of_window(window_of(row), now), confirmed=_confirmed(row, now), reviewed=row.approval is not None,
        has_claim=bool(row.claim_key), scope=row.scope,
    )  # fmt: skip


def _text_of(row: Evidence) -> str:
    return short_text(row) or _short(row.summary or row.excerpt or row.claim_value)


def _short(text: str) -> str:
    return text if len(text) <= TEXT_SHOWN else text[: TEXT_SHOWN - 1] + "…"


def _content_of(item: HeldRecord) -> str:
    """Changes with what the item claims and for whom, and when the verifier rejects it. A run that was due changes nothing."""
    rejected = item.verification_status == VerificationStatus.REJECTED
    return f"{item.content_hash} {scope_key(item.scope, item.reach)} {rejected}"


def _ref(row: Evidence) -> Ref:
    return Ref(row.record_id, row.version, _text_of(row))


def _confirmed(row: Evidence, now: datetime) -> LabelPreview:
    """The label of the row once it is checked now."""
    return _preview(row.volatility, row.ttl_days, row.scope, now)


def _preview(volatility: str, ttl_days: float | None, scope: Scope, now: datetime) -> LabelPreview:
    record = Record(
        id="", kind=Kind.FACT, source=Source("fact:preview"), content="", check=Check(now), volatility=volatility,
        ttl_days=ttl_days, scope=scope,
    )  # fmt: skip
    window = label_window(record)
    return LabelPreview(label_of_window(window, now), now, window.expires_at)


def _new_label(rows: Rows, now: datetime) -> LabelPreview | None:
    if rows.item is not None and rows.item.kind == HeldKind.FACT_PROPOSAL:
        return label_preview(rows.item, now, now)
    if rows.incoming is not None:
        return _confirmed(rows.incoming, now)
    return _preview(Volatility.WORK_STATE, None, own_scope(rows.inquiry), now)


def _facts(rows: Rows) -> EvidenceQuerySet:
    return Evidence.objects.in_namespace(rows.inquiry.namespace).active().filter(kind=Kind.FACT)


def _neighbours(rows: Rows) -> list[Evidence]:
    """Facts on the claims of either side."""
    keys = {side.claim_key for side in (rows.item, rows.incoming, rows.current) if side is not None and side.claim_key}
    if not keys:
        return []
    return list(_facts(rows).filter(claim_key__in=keys).order_by("pk_uuid")[:NEIGHBOURS])


def _displaced(rows: Rows, answer: str, chosen: Chosen) -> list[Evidence]:
    """Other active facts in the very place of the one that the answer makes; as `facts` finds them when it is made."""
    place = _place(rows, answer, chosen)
    if place is None:
        return []
    claim, scope, reach, start, text = place
    found = _facts(rows).filter(valid_key=valid_key(start)).order_by("pk_uuid")
    if claim is not None:
        on_claim = found.on_claim(rows.inquiry.namespace, claim_key_hash(claim))
        return list(on_claim.filter(scope_key=scope_hash(scope, reach)))
    source = fact_source_id(
        namespace=rows.inquiry.namespace, claim=None, statement=text, scope_key=scope_key(scope, reach)
    )  # fmt: skip
    return list(found.filter(claim_key="", source_id=source))


def _place(
    rows: Rows, answer: str, chosen: Chosen
) -> tuple[Claim | None, Scope, Reach | None, datetime | None, str] | None:
    side: HeldRecord | Evidence | None = rows.incoming
    if rows.item is not None and rows.item.kind == HeldKind.FACT_PROPOSAL:
        side = rows.item
    if answer not in _MAKING:
        return None
    if side is None:
        return None, own_scope(rows.inquiry), None, None, said_to(rows.inquiry, chosen.value)
    claim, text = side.claim, said_by(side)
    if answer == Answer.OTHER_VALUE:
        claim = claim_for(rows, chosen.value)
        text = text if claim is not None else chosen.value
    scope = chosen.scopes.get("incoming", side.scope) if answer == Answer.BOTH_SCOPE else side.scope
    span = chosen.validity.get("incoming") if answer == Answer.BOTH_TIME else None
    return claim, scope, side.reach, span[0] if span else side.valid_from, text


def own_scope(inquiry: Inquiry) -> Scope:
    """Who reads what is answered to a plain question: its agent, and nobody else."""
    return Scope(inquiry.agent_id, Access.PRIVATE)


def said_to(inquiry: Inquiry, value: str) -> str:
    """A plain question with its answer, as one text."""
    return f"{inquiry.question.strip()} {value}"


def said_by(side: HeldRecord | Evidence) -> str:
    """The text that a fact made of this has; where there is none, the claim speaks."""
    if isinstance(side, HeldRecord):
        return side.statement
    return side.content or side.summary or side.excerpt


_MAKING = frozenset({Answer.INCOMING, Answer.OTHER_VALUE, Answer.BOTH_SCOPE, Answer.BOTH_TIME})


def _refusals(item: HeldRecord, user: User | None) -> tuple[Refusal | None, Refusal | None]:
    """Why an answer may not approve the item, and why it may not make a fact of it at all (contract 8, 10 "Conversion")."""
    if item.kind == HeldKind.PROMOTION_PROPOSAL:
        refusal = Refusal("invalid_value", "An article is approved by a reviewer, not by an answer.")
        return refusal, refusal
    lasting = _lasting(item)
    if item.verification_status == VerificationStatus.REJECTED:
        words = "The verifier rejects the new one; its cause has to be corrected before it can count."
        return Refusal("verification_rejected", words), lasting
    return (answer_permission(item, user).refusal if user is not None else None), lasting


def _lasting(item: HeldRecord) -> Refusal | None:
    if item.kind != HeldKind.FACT_PROPOSAL:
        return None
    if item.layer == Layer.L1:
        return Refusal("ratification_required", "L1 memory is ratified expressly, by a reviewer who approves the item.")
    if item.durability in NON_DURABLE:
        words = (
            f"This was filed as {item.durability}: a reviewer who approves the item says for how long it should hold."
        )
        return Refusal("conversion_required", words)
    return None
