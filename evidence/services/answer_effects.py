"""One small function per answer: what becomes of the two sides and of the held item (contract 10).

All inside the answering transaction; the journal makes each answer undoable. What is done is noted step by step, so that
the answer can be held against the plan that was shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from evidence.models import Evidence, HeldRecord, Inquiry
from evidence.rules.access import overlaps
from evidence.rules.answer_steps import StepKind
from evidence.rules.records import Claim, Scope, Validity
from evidence.rules.resolving import validity_overlaps
from evidence.rules.vocab import Answer, HeldKind, HeldStatus, InquiryKind, Kind, ReasonCode, Review, State
from evidence.selectors.answer_plans import Chosen, Rows, Span, claim_for, own_scope, said_to
from evidence.selectors.matching import links_of
from evidence.selectors.planning import equal_proposals, short_text
from evidence.services.actors import Actor
from evidence.services.attaching import put_behind
from evidence.services.closing import close_question
from evidence.services.effects import Deed, end_held, stand_for
from evidence.services.equality import end_as_equal, link_to_record
from evidence.services.errors import Refused
from evidence.services.facts import (
    Checked,
    create_fact,
    create_fact_from,
    create_fact_said,
    name_predecessors,
    refresh_record_check,
    rescope_record,
    retime_record,
    review_record,
    revoke_record,
    supersede_record,
)
from evidence.services.filing import older_versions
from evidence.services.journal import Journal
from evidence.services.locks import lock_many_held
from evidence.services.promoting import open_promotion
from evidence.services.scopes import checked_scope


@dataclass(slots=True)
class AnswerDeed:
    rows: Rows
    answer: Answer
    chosen: Chosen
    actor: Actor
    now: datetime
    decision_id: UUID
    reason: str
    journal: Journal = field(default_factory=Journal)
    # (kind, target) of every step that was taken; the plan's are compared with them.
    done: set[tuple[str, str]] = field(default_factory=set)
    # The same bookkeeping that `decide` uses, where a held item is decided by the answer.
    deed: Deed | None = None

    def did(self, kind: StepKind, target_id: object) -> None:
        self.done.add((kind.value, str(target_id)))

    @property
    def inquiry(self) -> Inquiry:
        return self.rows.inquiry

    @property
    def item(self) -> HeldRecord | None:
        return self.rows.item

    @property
    def current(self) -> Evidence | None:
        return self.rows.current

    @property
    def incoming(self) -> Evidence | None:
        return self.rows.incoming

    @property
    def checked(self) -> Checked:
        """An answer confirms what it says is true, now."""
        return Checked(self.now, self.actor.name, "owner said", self.actor.name)

    @property
    def capture(self) -> Evidence | None:
        """The text from outside that the held item is about, if it is one."""
        is_capture = self.item is not None and self.item.kind == HeldKind.HELD_EVIDENCE
        return self.incoming if is_capture else None


def carry_out_answer(deed: AnswerDeed) -> None:
    """Precondition: claim key, held item, question and both sides are locked; the answer is one of the allowed."""
    if deed.item is not None:
        deed.deed = Deed(
            deed.item, deed.decision_id, deed.actor, deed.now, deed.checked, deed.item.durability, str(deed.answer),
            journal=deed.journal,
        )  # fmt: skip
    _HANDLERS[deed.answer](deed)
    if not deed.done:
        deed.did(StepKind.KEEP_RECORD, deed.inquiry.pk)
    if deed.answer == Answer.NEED_EVIDENCE:
        return
    deed.inquiry.answer_value = deed.chosen.value
    deed.inquiry.save(update_fields=["answer_value"])
    _close(deed, deed.inquiry)
    if deed.item is not None:
        others = Inquiry.objects.open().select_for_update(of=("self",)).filter(held=deed.item)
        for other in others.exclude(pk=deed.inquiry.pk).order_by("pk"):
            _close(deed, other)
            deed.did(StepKind.CLOSE_QUESTION, other.pk)


def _close(deed: AnswerDeed, inquiry: Inquiry) -> None:
    close_question(inquiry, answer=deed.answer, actor=deed.actor, journal=deed.journal, now=deed.now)


def _current(deed: AnswerDeed) -> None:
    if deed.current is not None:
        _confirm(deed, deed.current)
    _turn_down(deed, by=deed.current)


def _incoming(deed: AnswerDeed) -> None:
    if _is_article(deed):
        _article_should_change(deed)
        return
    _supersede_current(deed)
    _said_so(deed)


def _other_value(deed: AnswerDeed) -> None:
    if _is_article(deed):
        _article_should_change(deed)
        return
    claim = claim_for(deed.rows, deed.chosen.value)
    _supersede_current(deed)
    fact = _make_fact(deed, claim=claim, statement="" if claim else deed.chosen.value)
    _turn_down(deed, by=fact)


def _both_scope(deed: AnswerDeed) -> None:
    assert deed.current is not None
    scopes = deed.chosen.scopes
    if set(scopes) != {"current", "incoming"}:
        raise Refused("invalid_value", "Say who each of the two is for.", field="scopes")
    mine = checked_scope(scopes["current"], own=deed.current.scope, field="scopes.current")
    theirs = checked_scope(scopes["incoming"], own=_incoming_scope(deed), field="scopes.incoming")
    if overlaps(mine, theirs):
        raise Refused("invalid_value", "Nobody may be able to read both: the two scopes overlap.", field="scopes")
    rescope_record(deed.current, mine, deed.journal)
    deed.did(StepKind.RESCOPE_RECORD, deed.current.record_id)
    if deed.current.kind != Kind.ARTICLE:
        _confirm(deed, deed.current)
    _said_so(deed, scope=theirs)


def _incoming_scope(deed: AnswerDeed) -> Scope:
    side = deed.item or deed.incoming
    assert side is not None  # both_scope is allowed only where both sides stand
    return side.scope


def _both_time(deed: AnswerDeed) -> None:
    assert deed.current is not None
    validity = deed.chosen.validity
    if set(validity) != {"current", "incoming"}:
        raise Refused("invalid_value", "Say when each of the two held.", field="validity")
    mine, theirs = validity["current"], validity["incoming"]
    for name, span in validity.items():
        if span[0] is not None and span[1] is not None and span[0] >= span[1]:
            raise Refused("invalid_value", "A time ends after it begins.", field=f"validity.{name}")
    if validity_overlaps(Validity(*mine), Validity(*theirs)):
        raise Refused("invalid_value", "The two times overlap.", field="validity")
    retime_record(deed.current, mine, deed.journal)
    deed.did(StepKind.RETIME_RECORD, deed.current.record_id)
    if deed.current.kind != Kind.ARTICLE:
        _confirm(deed, deed.current)
    _said_so(deed, valid=theirs)


def _neither(deed: AnswerDeed) -> None:
    if _is_article(deed):
        assert deed.current is not None
        deed.did(StepKind.KEEP_RECORD, deed.current.record_id)
    elif deed.current is not None:
        revoke_record(deed.current, deed.journal)
        deed.did(StepKind.REVOKE_RECORD, deed.current.record_id)
    _turn_down(deed, by=None)


def _need_evidence(deed: AnswerDeed) -> None:
    deed.journal.change(deed.inquiry, evidence_asked_at=deed.now, evidence_wanted=deed.reason)
    deed.did(StepKind.ASK_AGENT, deed.inquiry.pk)


def _article_should_change(deed: AnswerDeed) -> None:
    assert deed.current is not None
    promotion = open_promotion(
        article=deed.current, text=_new_text(deed), old_value=deed.current.claim_value,
        new_value=deed.chosen.value or _new_value(deed), held=deed.item, actor=deed.actor, now=deed.now,
        incoming=deed.incoming,
    )  # fmt: skip
    deed.journal.created(promotion)
    deed.did(StepKind.OPEN_PROPOSAL, deed.current.record_id)
    deed.did(StepKind.KEEP_RECORD, deed.current.record_id)
    if deed.item is not None and deed.deed is not None:
        end_held(deed.item, deed.deed, HeldStatus.SUPERSEDED, reason_code=ReasonCode.OTHER, reason=deed.reason)
        deed.did(StepKind.REPLACE_ITEM, deed.item.pk)
        HeldRecord.objects.filter(pk=deed.item.pk).update(replaced_by=promotion)
        if deed.item.kind == HeldKind.FACT_PROPOSAL:
            revoke_record(deed.item.fact_proposal.observation, deed.journal)


_HANDLERS: dict[Answer, Callable[[AnswerDeed], None]] = {
    Answer.CURRENT: _current,
    Answer.INCOMING: _incoming,
    Answer.OTHER_VALUE: _other_value,
    Answer.BOTH_SCOPE: _both_scope,
    Answer.BOTH_TIME: _both_time,
    Answer.NEITHER: _neither,
    Answer.NEED_EVIDENCE: _need_evidence,
    Answer.ARTICLE_SHOULD_CHANGE: _article_should_change,
}


def _is_article(deed: AnswerDeed) -> bool:
    return deed.current is not None and deed.current.approval is not None


def _confirm(deed: AnswerDeed, row: Evidence) -> None:
    """No check of an article is ever read (contract 2): it stays as it is."""
    if row.kind == Kind.ARTICLE:
        deed.did(StepKind.KEEP_RECORD, row.record_id)
        return
    refresh_record_check(row, deed.checked, deed.journal)
    deed.did(StepKind.CONFIRM_RECORD, row.record_id)


def _supersede_current(deed: AnswerDeed) -> None:
    """What stood steps back first (one active fact per key); its successor is named when it exists."""
    if deed.current is not None:
        supersede_record(deed.current, by="", journal=deed.journal)
        deed.did(StepKind.SUPERSEDE_RECORD, deed.current.record_id)


def _said_so(deed: AnswerDeed, *, scope: Scope | None = None, valid: Span | None = None) -> None:
    """The incoming side is true: it becomes the fact, and the item that waits for it is approved."""
    if deed.capture is not None:
        _accept_capture(deed, deed.capture)
    if deed.capture is not None and not deed.capture.claim_key and deed.current is None:
        # Nothing is claimed and nothing contradicted: it is confirmed as what it is.
        _confirm(deed, deed.capture)
    else:
        fact = _make_fact(deed, scope=scope, valid=valid)
        if deed.item is None or deed.capture is not None:
            _step_back(deed, by=fact)
    if deed.item is not None and deed.deed is not None:
        end_held(deed.item, deed.deed, HeldStatus.APPROVED, reason_code="", reason=deed.reason)
        deed.did(StepKind.APPROVE_ITEM, deed.item.pk)


def _accept_capture(deed: AnswerDeed, row: Evidence) -> None:
    """What it says of a fact is answered here; no finding is made of it, unlike where a reviewer lets it in."""
    review_record(row, Review.APPROVED, deed.journal)
    deed.did(StepKind.APPROVE_EVIDENCE, row.record_id)
    for old in older_versions(row):
        supersede_record(old, by=row.record_id, journal=deed.journal)


def _make_fact(
    deed: AnswerDeed, *, claim: Claim | None = None, statement: str = "", scope: Scope | None = None,
    valid: Span | None = None,
) -> Evidence:  # fmt: skip
    """The fact that the answer says is true, from the held item or from the evidence that raised the question.

    What else stands in its very place gives way to it.
    """
    said_so = claim is None and not statement
    if deed.item is not None and deed.deed is not None and deed.capture is None:
        fact = create_fact(
            deed.item, decision_id=deed.decision_id, checked=deed.checked, durability=deed.item.durability,
            journal=deed.journal, claim=claim, scope=scope, valid=valid, statement=statement, replacing=True,
        )  # fmt: skip
        stand_for(deed.deed, fact)
        if said_so:
            _close_equals(deed, deed.item, fact)
    elif deed.incoming is None:
        # Plainly asked, without sides: the fact is the question with its answer, for the agent alone.
        fact = create_fact_said(
            said_to(deed.inquiry, statement), namespace=deed.inquiry.namespace, scope=own_scope(deed.inquiry),
            decision_id=deed.decision_id, checked=deed.checked, journal=deed.journal,
        )  # fmt: skip
        put_behind(deed.inquiry, None, fact, deed.journal)
    else:
        fact = create_fact_from(
            deed.incoming, decision_id=deed.decision_id, checked=deed.checked, journal=deed.journal, claim=claim,
            scope=scope, valid=valid, statement=statement, replacing=True,
        )  # fmt: skip
        put_behind(deed.inquiry, deed.incoming, fact, deed.journal)
    deed.did(StepKind.CREATE_RECORD, deed.inquiry.pk)
    if deed.current is not None and deed.current.state == State.SUPERSEDED:
        deed.current.superseded_by = fact.record_id
        deed.current.save(update_fields=["superseded_by"])
    name_predecessors(fact, deed.journal)
    gone = Evidence.objects.in_namespace(fact.namespace).filter(superseded_by=fact.record_id, kind=Kind.FACT)
    for row in gone.order_by("pk_uuid"):
        deed.did(StepKind.SUPERSEDE_RECORD, row.record_id)
    return fact


def _close_equals(deed: AnswerDeed, held: HeldRecord, fact: Evidence) -> None:
    assert deed.deed is not None
    for row in lock_many_held(one.pk for one in equal_proposals(held)).values():
        if not row.is_waiting:
            continue
        link_to_record(fact, links_of(row), deed.journal)
        end_as_equal(row, fact, deed.journal, deed.now)
        for question in Inquiry.objects.open().select_for_update(of=("self",)).filter(held=row).order_by("pk"):
            close_question(question, answer="incoming", actor=deed.actor, journal=deed.journal, now=deed.now)
        deed.deed.closed.append(row)
        deed.did(StepKind.CLOSE_EQUAL, row.pk)


def _turn_down(deed: AnswerDeed, *, by: Evidence | None) -> None:
    """The incoming side is not true: the item is rejected, or the reports step back."""
    if deed.inquiry.kind == InquiryKind.RECHECK:
        return
    if deed.item is None or deed.deed is None:
        _step_back(deed, by=by)
        return
    observation = deed.capture
    if deed.item.kind == HeldKind.FACT_PROPOSAL:
        observation = deed.item.fact_proposal.observation
    if observation is not None and observation.state == State.ACTIVE:
        review_record(observation, Review.REJECTED, deed.journal)
    end_held(deed.item, deed.deed, HeldStatus.REJECTED, reason_code=ReasonCode.WRONG, reason=deed.reason)
    deed.did(StepKind.REJECT_ITEM, deed.item.pk)


def _step_back(deed: AnswerDeed, *, by: Evidence | None) -> None:
    """Reports of the incoming side stand behind what the answer says is true."""
    for row in (deed.incoming, *deed.rows.reports):
        if row is not None and row.state == State.ACTIVE:
            supersede_record(row, by=by.record_id if by else "", journal=deed.journal)
            deed.did(StepKind.SUPERSEDE_RECORD, row.record_id)


def _new_text(deed: AnswerDeed) -> str:
    """What the article should say instead: the value that was given, else what is proposed or reported."""
    if deed.chosen.value or deed.item is None:
        return deed.chosen.value or (short_text(deed.incoming) if deed.incoming else "")
    return deed.item.statement


def _new_value(deed: AnswerDeed) -> str:
    """The value that the incoming side gives the article's own claim."""
    for side in (deed.item, deed.incoming):
        if side is not None and deed.current is not None and side.claim_key == deed.current.claim_key:
            return side.claim_value
    return ""
