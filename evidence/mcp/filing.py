"""Tools that file: evidence, proposals, answers to questions. None of them decides anything; a person does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from evidence.mcp.caller import Call
from evidence.mcp.tools import Answer, Tool
from evidence.models import Evidence, HeldRecord
from evidence.rules.vocab import Right
from evidence.selectors import proposals
from evidence.selectors.answer_shapes import (
    EvidenceFiled,
    ForgetAnswer,
    ProposalAnswer,
    QuestionsAnswer,
    RecordAnswer,
)
from evidence.selectors.answers import evidence_json, finding_json, found_json, proposal_json, question_json
from evidence.selectors.questions import open_questions_of, sides_named
from evidence.selectors.recall import record_for
from evidence.selectors.tokens import reader_of
from evidence.services.annotating import annotate_record, forget_record
from evidence.services.drafts import PromotionTarget
from evidence.services.errors import Refused
from evidence.services.filing import FiledEvidence, file_evidence
from evidence.services.inquiry_evidence import bring_evidence
from evidence.services.proposing import file_proposal, withdraw_proposal
from evidence.services.reproposing import Wish, promote_record, revise_record
from evidence.services.request_shapes import EvidenceShape, ProposalShape
from evidence.services.tool_shapes import (
    AnnotateShape,
    ForgetShape,
    PromoteShape,
    ProposalShapeId,
    QuestionsShape,
    ReviseShape,
    WithdrawProposalShape,
)


def _store(call: Call, asked: EvidenceShape) -> Answer:
    filer = call.filer
    return _filed(call, file_evidence(filer=filer, draft=asked.to_draft(filer)))


def _filed(call: Call, filed: FiledEvidence) -> Answer:
    finding: dict[str, Any] | None = None
    if filed.finding is not None:
        found = filed.finding
        finding = {
            "outcome": str(found.outcome), "reason": found.reason, "current": found.current,
            "inquiry": str(found.inquiry_id) if found.inquiry_id else None,
            "held_id": str(found.held_id) if found.held_id else None,
        }  # fmt: skip
    held = str(filed.held.pk) if filed.held else None
    return evidence_json(
        filed.record, held_id=held, created=filed.created, finding=finding_json(call.token, finding)
    )  # fmt: skip


def _propose(call: Call, asked: ProposalShape) -> Answer:
    filer = call.filer
    return _proposal(call, file_proposal(filer=filer, draft=asked.to_draft(filer)).held)


def _status(call: Call, asked: ProposalShapeId) -> Answer:
    return proposal_json(_own(call, asked.proposal), call.token)


def _withdraw(call: Call, asked: WithdrawProposalShape) -> Answer:
    held = withdraw_proposal(held_id=_own(call, asked.proposal).pk, filer=call.filer, seen_version=asked.version)
    return _proposal(call, held)


def _revise(call: Call, asked: ReviseShape) -> Answer:
    filer = call.filer
    given = asked.model_dump(exclude={"record", "value", "volatility"}, exclude_none=True, by_alias=True)
    shape = ProposalShape.model_validate(given)
    draft = shape.to_draft(filer)
    if asked.volatility is None:
        draft = replace(draft, volatility="")
    return _proposal(call, revise_record(filer=filer, record_id=asked.record, value=asked.value, draft=draft).held)


def _promote(call: Call, asked: PromoteShape) -> Answer:
    wish = Wish(
        statement=asked.statement, rule_type=asked.rule_type, trust_class=asked.trust_class, durability=asked.durability,
        tags=tuple(asked.tags) if asked.tags is not None else None,
        target=PromotionTarget(**asked.target.model_dump()) if asked.target else None,
    )  # fmt: skip
    return _proposal(call, promote_record(filer=call.filer, record_id=asked.record, wish=wish).held)


def _annotate(call: Call, asked: AnnotateShape) -> Answer:
    row = annotate_record(filer=call.filer, record_id=asked.record, tags=asked.tags, title=asked.title)
    return _record(call, row)


def _forget(call: Call, asked: ForgetShape) -> Answer:
    done = forget_record(filer=call.filer, record_id=asked.record, reason=asked.reason)
    # A question that is somebody else's business is not theirs to name.
    own = done.inquiry is not None and done.inquiry.agent_id == call.token.agent_id
    return {
        "id": done.record.record_id, "forgotten": done.at_once,
        "question": str(done.inquiry.pk) if done.inquiry is not None and own else None, "grants": [],
    }  # fmt: skip


def _questions(call: Call, asked: QuestionsShape) -> Answer:
    if asked.question is None and asked.evidence is None:
        rows = open_questions_of(call.token)
        sides = sides_named(call.token.namespace, rows)
        return {"items": [question_json(row, call.token, sides) for row in rows], "grants": []}
    if asked.question is None or asked.evidence is None:
        field = "question" if asked.question is None else "evidence"
        raise Refused("invalid_value", "Evidence for a question needs both: question and evidence.", field=field)
    filer = call.filer
    came = bring_evidence(
        filer=filer, inquiry_id=_uuid(asked.question, "question"), draft=asked.evidence.to_draft(filer, "evidence.")
    )
    question = question_json(came.inquiry, call.token, sides_named(call.token.namespace, [came.inquiry]))
    filed = _filed(call, came.filed)
    filed.pop("finding", None)
    return {"evidence": filed, "attached": came.attached, "question": question, "grants": []}


def _record(call: Call, row: Evidence) -> Answer:
    found = record_for(
        reader=reader_of(call.token), namespace=call.token.namespace, record_id=row.record_id, now=call.now
    )
    assert found is not None  # the service refuses what recall would not show
    return found_json(found) | {"grants": []}


def _proposal(call: Call, held: HeldRecord) -> Answer:
    return proposal_json(_own(call, str(held.pk)), call.token)


def _own(call: Call, proposal_id: str) -> HeldRecord:
    held = proposals.own_proposal(call.token, _uuid(proposal_id, "proposal"))
    if held is None:
        raise Refused("not_found", "There is no such proposal.")
    return held


def _uuid(text: str, what: str) -> UUID:
    """An id that cannot be one is answered like one that does not exist."""
    try:
        return UUID(text)
    except ValueError as error:
        raise Refused("not_found", f"There is no such {what}.") from error


def _say_filed(answer: Answer) -> str:
    text = f"Filed as {answer['id']}." if answer["created"] else f"Known already as {answer['id']}; nothing changed."
    if answer["held_id"]:
        text += " It came from outside and is held until a person has looked at it."
    finding = answer.get("finding")
    if finding:
        text += f" About the record {finding['current']} it says: {finding['outcome']} ({finding['reason']})."
    return text


def _say_proposal(answer: Answer) -> str:
    verified = answer["verification"]
    text = f"Proposal {answer['id']} (version {answer['version']}): {answer['status']}; checks: {verified['status']}"
    if verified["reasons"]:
        text += f" ({', '.join(verified['reasons'])})"
    if answer.get("reason_code"):
        text += f"; decided: {answer['reason_code']}"
    if answer.get("record_id"):
        text += f"; it is now the record {answer['record_id']}"
    return (
        f"{text}. A person decides; until then nobody is shown it as true."
        if answer["status"] == "waiting"
        else f"{text}."
    )


def _say_annotated(answer: Answer) -> str:
    record = answer["record"]
    return f"{record['id']} is titled “{record['summary']}” and tagged: {', '.join(record['tags']) or 'nothing'}."


def _say_forgotten(answer: Answer) -> str:
    if answer["forgotten"]:
        return f"{answer['id']} is gone."
    return f"{answer['id']} is not yours alone: its owner is asked, and it stays until a person has decided."


def _say_question(one: Answer) -> str:
    return f"- [{one['id']}] {one['question']}" + (f" Wanted: {one['wanted']}" if one["wanted"] else "")


def _say_questions(answer: Answer) -> str:
    if "items" not in answer:
        new = "was put to the question" if answer["attached"] else "had come to the question before"
        return f"{answer['evidence']['id']} {new}; its owner answers it."
    lines = [_say_question(one) for one in answer["items"]]
    return "\n".join(lines) or "Nobody asks anything of you."


FILING: tuple[Tool, ...] = (  # type: ignore[type-arg]
    Tool(
        "store", "File evidence",
        "Store what you saw, as evidence: an excerpt or content, where it comes from (source) and when it was so (event_at). "
        "Filing changes no record. With a claim, the answer says what it means for what is known. The same source version "
        "again changes nothing.",
        Right.FILE, EvidenceShape, EvidenceFiled, _store, _say_filed,
    ),
    Tool(
        "propose", "Propose a fact",
        "Ask for something to be believed, with the evidence for it. It is checked and waits for a person; nobody is shown it "
        "as true until then. The same claim while one of yours waits adds its evidence to that one. With target: a proposal "
        "for an article.",
        Right.FILE, ProposalShape, ProposalAnswer, _propose, _say_proposal,
    ),
    Tool(
        "proposal_status", "What became of a proposal",
        "One of your own proposals: its checks, and the decision once there is one.",
        Right.FILE, ProposalShapeId, ProposalAnswer, _status, _say_proposal, reads=True,
    ),
    Tool(
        "withdraw", "Withdraw a proposal", "Take back one of your own proposals while it waits.",
        Right.FILE, WithdrawProposalShape, ProposalAnswer, _withdraw, _say_proposal, destroys=True, again=False,
    ),
    Tool(
        "revise", "Propose a correction",
        "Say what is true instead of a record, with evidence. It becomes a proposal to replace the record; a person decides, "
        "and until then the record stands.",
        Right.FILE, ReviseShape, ProposalAnswer, _revise, _say_proposal,
    ),
    Tool(
        "promote", "Propose an observation as more",
        "Propose that an observation becomes a fact (with rule_type), or part of an article (with target). A person decides.",
        Right.FILE, PromoteShape, ProposalAnswer, _promote, _say_proposal,
    ),
    Tool(
        "annotate", "Title and tag an observation",
        "Change tags and title of an observation that you filed. What it says stays as it is.",
        Right.FILE, AnnotateShape, RecordAnswer, _annotate, _say_annotated,
    ),
    Tool(
        "forget", "Forget",
        "Your own private observation goes at once, for good, if nothing rests on it. Of anything else its owner is asked.",
        Right.FILE, ForgetShape, ForgetAnswer, _forget, _say_forgotten, destroys=True,
    ),
    Tool(
        "open_questions", "Questions to you",
        "What owners want evidence for from you. With question and evidence: bring that evidence to that question.",
        Right.FILE, QuestionsShape, QuestionsAnswer, _questions, _say_questions,
    ),
)  # fmt: skip
