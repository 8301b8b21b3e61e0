"""Carrying out a plan: one small function per kind of effect, all inside the deciding transaction.

The plan says what happens; nothing here decides anew. Order: what is replaced goes first (one active fact per key).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from evidence.models import Evidence, HeldRecord, Inquiry
from evidence.rules.planning import Effect, EffectKind
from evidence.rules.records import Claim
from evidence.rules.vocab import Action, HeldKind, HeldStatus, Kind, Review, State
from evidence.selectors.matching import links_of
from evidence.selectors.planning import current_article
from evidence.services.actors import Actor, Filer
from evidence.services.closing import close_questions
from evidence.services.equality import end_as_equal, link_to_record
from evidence.services.errors import Refused
from evidence.services.facts import (
    Checked,
    active_record,
    create_fact,
    name_predecessors,
    refresh_record_check,
    review_record,
    supersede_record,
)
from evidence.services.filing import older_versions
from evidence.services.findings import ask_about_facts, find
from evidence.services.inquiring import whom_to_ask
from evidence.services.journal import Journal
from evidence.services.locks import lock_many_held, lock_records
from evidence.services.rows import claim_columns, fill, scope_columns


@dataclass(slots=True)
class Deed:
    """What the effects of one decision share. `result` is the record that stands at the end."""

    held: HeldRecord
    decision_id: UUID
    actor: Actor
    now: datetime
    checked: Checked | None
    durability: str
    answer: str
    journal: Journal = field(default_factory=Journal)
    result: Evidence | None = None
    # Equal proposals that closed with this one: the service writes an audit row for each.
    closed: list[HeldRecord] = field(default_factory=list)


_ORDER = (
    EffectKind.SUPERSEDE_RECORD, EffectKind.CREATE_RECORD, EffectKind.WRITE_ARTICLE, EffectKind.APPROVE_EVIDENCE,
    EffectKind.LINK_EVIDENCE, EffectKind.REFRESH_CHECK, EffectKind.REJECT, EffectKind.CLOSE_EQUAL,
    EffectKind.CLOSE_QUESTION,
)  # fmt: skip


def carry_out(deed: Deed, effects: Sequence[Effect]) -> None:
    """Do all effects of a plan. Precondition: claim key and held row are locked; the plan is the one that was seen."""
    # All at once and in one order: two decisions that replace each other's records take turns.
    lock_records(deed.held.namespace, [effect.target_id for effect in effects if effect.target_kind == "record"])
    replaced: list[Evidence] = []
    for effect in sorted(effects, key=lambda effect: _ORDER.index(effect.kind)):
        if effect.kind == EffectKind.SUPERSEDE_RECORD:
            row = active_record(deed.held.namespace, effect.target_id, effect.version or None)
            supersede_record(row, by="", journal=deed.journal)
            replaced.append(row)
        else:
            _HANDLERS[effect.kind](deed, effect)
    for row in replaced:
        # Known only now: the successor's id depends on this decision's.
        row.superseded_by = deed.result.record_id if deed.result else ""
        row.save(update_fields=["superseded_by"])
    if deed.result is not None:
        name_predecessors(deed.result, deed.journal)


def end_held(held: HeldRecord, deed: Deed, status: HeldStatus, *, reason_code: str, reason: str) -> None:
    """Give the item its final status; a lease ends with it."""
    deed.journal.change(
        held, status=status, reason_code=reason_code, reason=reason, decided_at=deed.now, updated_at=deed.now,
        lease_holder_id=None, lease_until=None,
    )  # fmt: skip


def _create(deed: Deed, effect: Effect) -> None:
    assert deed.checked is not None
    held = deed.held
    fact = create_fact(
        held, decision_id=deed.decision_id, checked=deed.checked, durability=deed.durability, journal=deed.journal
    )
    stand_for(deed, fact)


def stand_for(deed: Deed, record: Evidence) -> None:
    """The record takes over from the held observation and gets the item's evidence behind it."""
    held = deed.held
    deed.result = record
    observation = held.fact_proposal.observation
    if observation.state == State.ACTIVE:
        deed.journal.change(observation, state=State.SUPERSEDED, superseded_by=record.record_id)
    held.fact_proposal.result = record
    held.fact_proposal.save(update_fields=["result"])
    link_to_record(record, links_of(held), deed.journal)


def _link(deed: Deed, effect: Effect) -> None:
    stand_for(deed, active_record(deed.held.namespace, effect.target_id, effect.version or None))


def _refresh(deed: Deed, effect: Effect) -> None:
    assert deed.checked is not None
    row = active_record(deed.held.namespace, effect.target_id)
    refresh_record_check(row, deed.checked, deed.journal)


def _write_article(deed: Deed, effect: Effect) -> None:
    """A new version of the article, carrying its approval; the version before is superseded (contract 10)."""
    held, promotion = deed.held, deed.held.promotion
    before = current_article(held.namespace, promotion.target_source)
    row = Evidence(
        namespace=held.namespace, kind=Kind.ARTICLE, source_id=promotion.target_source,
        source_version=str(deed.decision_id), content=promotion.content, summary=promotion.title[:300], tags=held.tags,
        event_at=deed.now, volatility="stable", **scope_columns(before.scope if before else held.scope),
        trust=held.trust, review=Review.APPROVED, approval_by=deed.actor.name, approval_at=deed.now,
        approval_proposal=str(held.id), trust_class=held.effective_trust_class, durability=deed.durability,
        filed_by=held.filed_by, origin_system=held.origin_system, origin_id=held.origin_id,
    )  # fmt: skip
    if before is not None:
        locked = active_record(held.namespace, before.record_id)
        if locked.source_version != promotion.base_version:
            raise Refused("base_changed", "The article changed since this text was written against it.")
        _claim(row, held.claim or locked.claim)
        fill(row)
        supersede_record(locked, by=row.record_id, journal=deed.journal)
    else:
        _claim(row, held.claim)
    fill(row)
    _take_up(deed, row)
    row.save(force_insert=True)
    deed.journal.created(row)
    promotion.result = row
    promotion.save(update_fields=["result"])
    deed.result = row
    link_to_record(row, links_of(held), deed.journal)
    for inquiry in ask_about_facts(row, asked=whom_to_ask(row, held.agent_id)):
        deed.journal.created(inquiry)


def _take_up(deed: Deed, row: Evidence) -> None:
    """Unreviewed versions of the article that stand behind the proposal: what they say is in the new text, or turned down."""
    ids = [link.evidence.record_id for link in links_of(deed.held) if link.evidence.source_id == row.source_id]
    for version in lock_records(row.namespace, ids).values():
        if version.state == State.ACTIVE and version.kind == Kind.ARTICLE and not version.approval_by:
            supersede_record(version, by=row.record_id, journal=deed.journal)


def _claim(row: Evidence, claim: Claim | None) -> None:
    for name, value in claim_columns(claim).items():
        setattr(row, name, value)


def _approve_evidence(deed: Deed, effect: Effect) -> None:
    row = active_record(deed.held.namespace, effect.target_id)
    accept_capture(deed, row)


def accept_capture(deed: Deed, row: Evidence) -> None:
    """External text counts from now on: it replaces the version before, and what it says of a fact is found and asked.

    The review is all that changes of it (contract 10 "Held evidence").
    """
    held = deed.held
    review_record(row, Review.APPROVED, deed.journal)
    deed.result = row
    for old in older_versions(row):
        supersede_record(old, by=row.record_id, journal=deed.journal)
    filer = Filer(held.agent, held.namespace, Actor.system(deed.actor.door))
    finding = find(filer, row, deed.now)
    if finding is None or not finding.made:
        return
    if finding.inquiry_id is not None:
        deed.journal.created(Inquiry.objects.get(pk=finding.inquiry_id))
    if finding.held_id is not None:
        deed.journal.created(HeldRecord.objects.get(pk=finding.held_id))


def _reject(deed: Deed, effect: Effect) -> None:
    held = deed.held
    if held.kind == HeldKind.FACT_PROPOSAL:
        review_record(held.fact_proposal.observation, Review.REJECTED, deed.journal)
    elif held.kind == HeldKind.HELD_EVIDENCE:
        review_record(held.held_evidence.evidence, Review.REJECTED, deed.journal)


def _close_equal(deed: Deed, effect: Effect) -> None:
    row = lock_many_held([effect.target_id]).get(effect.target_id)
    if row is None or not row.is_waiting or row.version != effect.version:
        raise Refused("version_conflict", "An equal proposal changed since.", held=effect.target_id)
    assert deed.result is not None
    link_to_record(deed.result, links_of(row), deed.journal)
    end_as_equal(row, deed.result, deed.journal, deed.now)
    close_questions(row, answer="incoming", actor=deed.actor, journal=deed.journal, now=deed.now)
    deed.closed.append(row)


def _close_question(deed: Deed, effect: Effect) -> None:
    close_questions(deed.held, answer=deed.answer, actor=deed.actor, journal=deed.journal, now=deed.now)


_HANDLERS: dict[EffectKind, Callable[[Deed, Effect], None]] = {
    EffectKind.CREATE_RECORD: _create,
    EffectKind.LINK_EVIDENCE: _link,
    EffectKind.REFRESH_CHECK: _refresh,
    EffectKind.WRITE_ARTICLE: _write_article,
    EffectKind.APPROVE_EVIDENCE: _approve_evidence,
    EffectKind.REJECT: _reject,
    EffectKind.CLOSE_EQUAL: _close_equal,
    EffectKind.CLOSE_QUESTION: _close_question,
}

ANSWER_OF: dict[str, str] = {Action.APPROVE: "incoming", Action.SUPERSEDE: "incoming", Action.REJECT: "current"}
