"""Questions `_questions.json`: contradictions become inquiries with both sides; gaps become plain questions to the owner.

A contradiction is a refused write to the node-wide ledger, so what was reported is public and internal as the ledger is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evidence.exchange.agentx.layout import QUESTIONS, Checkout, entries_of
from evidence.exchange.agentx.ledger import Ledger, claim_of, extra_of, statement_of
from evidence.exchange.checked import unreadable
from evidence.exchange.items import ForeignDecision, Note, Place, Problem, QuestionItem, Read
from evidence.exchange.strict_json import digest_of
from evidence.rules.errors import BadInput
from evidence.rules.identity import record_id
from evidence.rules.members import Members
from evidence.rules.records import Check, Record, Scope, Source
from evidence.rules.vocab import Access, InquiryKind, Kind, Trust, TrustClass, Volatility

KINDS = {
    "contradiction": InquiryKind.CONFLICT,
    "field": InquiryKind.QUESTION,
    "article": InquiryKind.QUESTION,
}
STATUSES = ("open", "answered", "dismissed")
# AgentX names nobody: whoever ran its command line outside an agent.
ANSWERED_BY = "operator"
UNDATED = "undated"
_KNOWN = frozenset({"id", "kind", "agentId", "question", "status", "asked", "answered", "answer", "proposed", "factId"})


def load_questions(checkout: Checkout) -> list[dict[str, Any]]:
    document = checkout.document(QUESTIONS)
    if document is None and checkout.file(QUESTIONS) is None:
        return []
    return entries_of(document, "questions", QUESTIONS)


def read_questions(questions: list[dict[str, Any]], ledger: Ledger) -> Iterator[Read]:
    for number, question in enumerate(questions):
        place = Place(QUESTIONS, part=f"questions[{number}]")
        try:
            yield _question_item(question, place, ledger)
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)


def _question_item(question: dict[str, Any], place: Place, ledger: Ledger) -> QuestionItem:
    members = Members(question)
    kind = KINDS.get(members.text("kind"))
    if kind is None:
        raise BadInput("invalid_value", f"kind has to be one of: {', '.join(KINDS)}", "kind")
    agent, asked = members.required_text("agentId"), members.text("asked")
    fact_id = members.text("factId")
    incoming = _incoming(members, agent, ledger) if kind == InquiryKind.CONFLICT else None
    return QuestionItem(
        place=place,
        foreign_id=members.required_text("id"),
        agent=agent,
        digest=digest_of(question),
        notes=(*unreadable("asked", asked), *_notes(members, ledger)),
        decided=_decided(members),
        extra=extra_of(question, _KNOWN),
        kind=kind,
        question=members.required_text("question"),
        asked_at=asked,
        current_source=f"fact:{fact_id}" if fact_id else "",
        incoming=incoming,
        answer=members.text("answer"),
    )


def _notes(members: Members, ledger: Ledger) -> tuple[Note, ...]:
    fact_id = members.text("factId")
    if fact_id and fact_id not in ledger.by_id:
        return (Note("side_gone", "the fact in question is no longer in the ledger"),)
    return ()


def _decided(members: Members) -> ForeignDecision | None:
    status = members.text("status")
    if status not in STATUSES:
        raise BadInput("invalid_value", f"status has to be one of: {', '.join(STATUSES)}", "status")
    return (
        None
        if status == "open"
        else ForeignDecision(status, ANSWERED_BY, members.text("answered"), members.text("answer"))
    )


def _incoming(members: Members, agent: str, ledger: Ledger) -> Record:
    """What was reported against the fact, as an observation of the agent that reported it."""
    proposed = members.members("proposed")
    if proposed is None:
        raise BadInput("invalid_value", "a contradiction says what was proposed", "proposed")
    fact = ledger.by_id.get(members.text("factId"), {})
    attribute = str(fact.get("attribute") or members.text("field").partition("=")[0])
    claim = claim_of(
        Members({"subject": members.text("subject"), "attribute": attribute, "value": proposed.text("value")})
    )
    if claim is None:
        raise BadInput("invalid_value", "a contradiction names subject, attribute and value", "proposed")
    verified_at = proposed.text("verifiedAt")
    dated = bool(verified_at) and verified_at != UNDATED
    check = Check(verified_at, proposed.text("verifiedBy"), proposed.text("source")) if dated else None
    source = Source(f"entry:{agent}/question-{members.required_text('id')}", "1")
    known = fact.get("volatility") in frozenset(Volatility)
    return Record(
        id=record_id(source),
        kind=Kind.OBSERVATION,
        source=source,
        claim=claim,
        content=statement_of(claim),
        event_at=verified_at if dated else members.text("asked") or None,
        check=check,
        volatility=fact["volatility"] if known else Volatility.WORK_STATE,
        scope=Scope(agent, Access.PUBLIC),
        trust=Trust.INTERNAL,
        trust_class=TrustClass.SINGLE_SESSION_OBSERVATION if dated else TrustClass.AGENT_INFERENCE,
        durability="unknown",
    )
