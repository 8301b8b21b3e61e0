"""One small function per answer: what becomes of the two sides and of the held item (contract 10).

All inside the answering transaction; the journal makes each answer undoable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from evidence.models import Evidence, HeldRecord, Inquiry
from evidence.rules.access import overlaps
from evidence.rules.records import Claim, Scope, Validity
from evidence.rules.resolving import validity_overlaps
from evidence.rules.vocab import Answer, HeldKind, HeldStatus, InquiryKind, Kind, ReasonCode, Review, State
from evidence.selectors.matching import links_of
from evidence.selectors.planning import equal_proposals, short_text
from evidence.services.actors import Actor
from evidence.services.closing import close_question, close_questions
from evidence.services.effects import Deed, accept_capture, end_held, stand_for
from evidence.services.equality import end_as_equal, link_to_record
from evidence.services.errors import Refused
from evidence.services.facts import (
    Checked,
    create_fact,
    create_fact_from,
    name_predecessors,
    refresh_record_check,
    rescope_record,
    retime_record,
    review_record,
    revoke_record,
    supersede_record,
)
from evidence.services.journal import Journal
from evidence.services.locks import lock_many_held
from evidence.services.promoting import open_promotion
from evidence.services.scopes import checked_scope

Span = tuple[datetime | None, datetime | None]


@dataclass(slots=True)
class AnswerDeed:
    inquiry: Inquiry
    held: HeldRecord | None
    current: Evidence | None
    incoming: Evidence | None
    answer: Answer
    actor: Actor
    now: datetime
    decision_id: UUID
    value: str
    scopes: Mapping[str, Scope]
    validity: Mapping[str, Span]
    reason: str
    journal: Journal = field(default_factory=Journal)
    words: list[str] = field(default_factory=list)
    # The same bookkeeping that `decide` uses, where a held item is decided by the answer.
    deed: Deed | None = None

    def say(self, sentence: str) -> None:
        self.words.append(sentence)

    @property
    def checked(self) -> Checked:
        """An answer confirms what it says is true, now."""
        return Checked(self.now, self.actor.name, "owner said", self.actor.name)


def carry_out_answer(deed: AnswerDeed) -> None:
    """Precondition: claim key, held item, question and both sides are locked; the answer is one of the allowed."""
    if deed.held is not None:
        deed.deed = Deed(
            deed.held, deed.decision_id, deed.actor, deed.now, deed.checked, deed.held.durability, str(deed.answer),
            journal=deed.journal,
        )  # fmt: skip
    _HANDLERS[deed.answer](deed)
    if deed.answer == Answer.NEED_EVIDENCE:
        return
    deed.inquiry.answer_value = deed.value
    deed.inquiry.save(update_fields=["answer_value"])
    if deed.inquiry.status == "open":
        close_question(deed.inquiry, answer=deed.answer, actor=deed.actor, journal=deed.journal, now=deed.now)
    if deed.held is not None:
        close_questions(deed.held, answer=deed.answer, actor=deed.actor, journal=deed.journal, now=deed.now)


def _current(deed: AnswerDeed) -> None:
    assert deed.current is not None
    if deed.current.kind == Kind.FACT:
        refresh_record_check(deed.current, deed.checked, deed.journal)
        deed.say(f"Confirmed “{short_text(deed.current)}”, checked now.")
    _turn_down(deed, by=deed.current)


def _incoming(deed: AnswerDeed) -> None:
    if _is_article(deed):
        _article_should_change(deed)
        return
    _supersede_current(deed)
    _make_fact(deed)


def _other_value(deed: AnswerDeed) -> None:
    if _is_article(deed):
        _article_should_change(deed)
        return
    claim = _claim_with(deed, deed.value)
    _supersede_current(deed)
    _make_fact(deed, claim=claim, statement="" if claim else deed.value)


def _both_scope(deed: AnswerDeed) -> None:
    assert deed.current is not None
    if set(deed.scopes) != {"current", "incoming"}:
        raise Refused("invalid_value", "Say who each of the two is for.", field="scopes")
    mine = checked_scope(deed.scopes["current"], own=deed.current.scope, field="scopes.current")
    theirs = checked_scope(deed.scopes["incoming"], own=_incoming_scope(deed), field="scopes.incoming")
    if overlaps(mine, theirs):
        raise Refused("invalid_value", "Nobody may be able to read both: the two scopes overlap.", field="scopes")
    rescope_record(deed.current, mine, deed.journal)
    refresh_record_check(deed.current, deed.checked, deed.journal)
    deed.say(f"“{short_text(deed.current)}” stays, for {_readers(mine)}.")
    _make_fact(deed, scope=theirs)


def _incoming_scope(deed: AnswerDeed) -> Scope:
    side = deed.held or deed.incoming
    assert side is not None  # both_scope is allowed only where both sides stand
    return side.scope


def _both_time(deed: AnswerDeed) -> None:
    assert deed.current is not None
    if set(deed.validity) != {"current", "incoming"}:
        raise Refused("invalid_value", "Say when each of the two held.", field="validity")
    mine, theirs = deed.validity["current"], deed.validity["incoming"]
    if validity_overlaps(Validity(*mine), Validity(*theirs)):
        raise Refused("invalid_value", "The two times overlap.", field="validity")
    retime_record(deed.current, mine, deed.journal)
    refresh_record_check(deed.current, deed.checked, deed.journal)
    deed.say(f"“{short_text(deed.current)}” stays, in its own time.")
    _make_fact(deed, valid=theirs)


def _neither(deed: AnswerDeed) -> None:
    if deed.current is not None and deed.current.state == State.ACTIVE and deed.current.approval is None:
        deed.say(f"Revoked “{short_text(deed.current)}”.")
        revoke_record(deed.current, deed.journal)
    _turn_down(deed, by=None)


def _need_evidence(deed: AnswerDeed) -> None:
    deed.journal.change(deed.inquiry, evidence_asked_at=deed.now)
    deed.say("The agent is asked for evidence; the question stays open.")


def _article_should_change(deed: AnswerDeed) -> None:
    assert deed.current is not None
    text = deed.value or (deed.held.statement if deed.held else short_text(deed.incoming) if deed.incoming else "")
    promotion = open_promotion(
        article=deed.current, text=text, old_value=deed.current.claim_value,
        new_value=deed.value or _new_value(deed), held=deed.held, actor=deed.actor, now=deed.now,
    )  # fmt: skip
    deed.journal.created(promotion)
    deed.say("A new text for the article is proposed for its review; the article stays as it is.")
    if deed.held is not None and deed.deed is not None:
        end_held(deed.held, deed.deed, HeldStatus.SUPERSEDED, reason_code=ReasonCode.OTHER, reason=deed.reason)
        HeldRecord.objects.filter(pk=deed.held.pk).update(replaced_by=promotion)
        if deed.held.kind == HeldKind.FACT_PROPOSAL:
            revoke_record(deed.held.fact_proposal.observation, deed.journal)


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
    return deed.current is not None and deed.current.approval is not None and deed.current.state == State.ACTIVE


def _supersede_current(deed: AnswerDeed) -> None:
    """What stood steps back first (one active fact per key); its successor is named when it exists."""
    if deed.current is None or deed.current.state != State.ACTIVE:
        return
    deed.say(f"Superseded “{short_text(deed.current)}”.")
    supersede_record(deed.current, by="", journal=deed.journal)


def _make_fact(
    deed: AnswerDeed, *, claim: Claim | None = None, statement: str = "", scope: Scope | None = None,
    valid: Span | None = None,
) -> None:  # fmt: skip
    """The fact that the answer says is true, from the held item or from the evidence that raised the question.

    What else stands in its very place gives way to it.
    """
    if deed.held is not None:
        fact = _fact_of_held(deed, deed.held, claim, statement, scope, valid)
    else:
        fact = _fact_of_evidence(deed, claim, statement, scope, valid)
    if fact is not None and deed.current is not None and deed.current.state == State.SUPERSEDED:
        deed.current.superseded_by = fact.record_id
        deed.current.save(update_fields=["superseded_by"])
    if fact is not None:
        name_predecessors(fact, deed.journal)
        gone = Evidence.objects.in_namespace(fact.namespace).filter(superseded_by=fact.record_id, kind=Kind.FACT)
        for row in gone.order_by("pk_uuid"):
            if row != deed.current:
                deed.say(f"Superseded “{short_text(row)}”, too.")


def _fact_of_held(
    deed: AnswerDeed, held: HeldRecord, claim: Claim | None, statement: str, scope: Scope | None, valid: Span | None
) -> Evidence | None:
    assert deed.deed is not None
    if held.kind == HeldKind.HELD_EVIDENCE:
        accept_capture(deed.deed, held.held_evidence.evidence)
        end_held(held, deed.deed, HeldStatus.APPROVED, reason_code="", reason=deed.reason)
        return None
    if held.kind == HeldKind.PROMOTION_PROPOSAL:
        raise Refused("invalid_value", "An article is approved by a reviewer, not by an answer.", field="answer")
    fact = create_fact(
        held, decision_id=deed.decision_id, checked=deed.checked, durability=held.durability, journal=deed.journal,
        claim=claim, scope=scope, valid=valid, statement=statement, replacing=True,
    )  # fmt: skip
    stand_for(deed.deed, fact)
    deed.say(f"“{short_text(fact)}” is the fact now, confirmed by you.")
    said_so = claim is None and not statement
    status = HeldStatus.APPROVED if said_so else HeldStatus.REJECTED
    if said_so:
        _close_equals(deed, held, fact)
    end_held(held, deed.deed, status, reason_code="" if said_so else ReasonCode.WRONG, reason=deed.reason)
    return fact


def _close_equals(deed: AnswerDeed, held: HeldRecord, fact: Evidence) -> None:
    assert deed.deed is not None
    for row in lock_many_held(one.pk for one in equal_proposals(held)).values():
        if not row.is_waiting:
            continue
        link_to_record(fact, links_of(row), deed.journal)
        end_as_equal(row, fact, deed.journal, deed.now)
        close_questions(row, answer="incoming", actor=deed.actor, journal=deed.journal, now=deed.now)
        deed.deed.closed.append(row)


def _fact_of_evidence(
    deed: AnswerDeed, claim: Claim | None, statement: str, scope: Scope | None, valid: Span | None
) -> Evidence:
    assert deed.incoming is not None
    fact = create_fact_from(
        deed.incoming, decision_id=deed.decision_id, checked=deed.checked, journal=deed.journal, claim=claim,
        scope=scope, valid=valid, statement=statement, replacing=True,
    )  # fmt: skip
    supersede_record(deed.incoming, by=fact.record_id, journal=deed.journal)
    deed.say(f"“{short_text(fact)}” is the fact now, confirmed by you.")
    return fact


def _turn_down(deed: AnswerDeed, *, by: Evidence | None) -> None:
    """The incoming side is not true: the item is rejected, or the evidence steps back."""
    if deed.inquiry.kind == InquiryKind.RECHECK:
        return
    held = deed.held
    if held is not None and deed.deed is not None:
        if held.kind == HeldKind.FACT_PROPOSAL:
            review_record(held.fact_proposal.observation, Review.REJECTED, deed.journal)
        elif held.kind == HeldKind.HELD_EVIDENCE:
            review_record(held.held_evidence.evidence, Review.REJECTED, deed.journal)
        end_held(held, deed.deed, HeldStatus.REJECTED, reason_code=ReasonCode.WRONG, reason=deed.reason)
        deed.say("The proposal is turned down; its agent is told.")
    elif deed.incoming is not None and deed.incoming.state == State.ACTIVE:
        supersede_record(deed.incoming, by=by.record_id if by else "", journal=deed.journal)
        deed.say("The report steps back.")


def _claim_with(deed: AnswerDeed, value: str) -> Claim | None:
    for side in (deed.held, deed.incoming, deed.current):
        if side is not None and side.claim is not None:
            return replace(side.claim, value=value)
    return None


def _new_value(deed: AnswerDeed) -> str:
    """The value that the incoming side gives the article's own claim."""
    for side in (deed.held, deed.incoming):
        if side is not None and deed.current is not None and side.claim_key == deed.current.claim_key:
            return side.claim_value
    return ""


def _readers(scope: Scope) -> str:
    names = ", ".join(scope.shared_with) or scope.owner
    return "everybody" if scope.access == "public" else names
