"""The fact ledger `_facts.json`: facts with their history, and fact proposals.

AgentX treats the whole file as corrupt when one required member is missing; so does this reader. Scope and trust are not in
the ledger: it is one for the whole node, so facts arrive public and internal (reference AgentX, section 9).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from evidence.exchange.agentx.layout import LEDGER, Checkout, entries_of, require_texts
from evidence.exchange.checked import SUMMARY_MAX, cut, objects, unreadable, word
from evidence.exchange.items import FactItem, ForeignDecision, Linked, Note, Place, Problem, ProposalItem, Read
from evidence.exchange.strict_json import digest_of
from evidence.rules.errors import BadInput
from evidence.rules.identity import computed_version, record_id
from evidence.rules.members import Members
from evidence.rules.records import Check, Claim, Record, Scope, Source
from evidence.rules.text import norm, sha256_hex
from evidence.rules.vocab import Access, Kind, State, Trust, TrustClass, Volatility

FACT_TEXTS = ("id", "subject", "attribute", "value", "source", "verifiedAt", "verifiedBy", "volatility")
PROPOSAL_TEXTS = ("id", "status", "claim", "source", "verifiedAt", "agentId")
# Who stands for the ledger where no agent of the node does: a fact's owner has to be an agent.
LEDGER_AGENT = "agentx"
TTL_MAX = 36_500
UNCHECKED = "(unchecked summary)"
_FACT_MEMBERS = frozenset((*FACT_TEXTS, "createdAt", "updatedAt", "ttlDays", "confirmedBy", "undated", "history"))
_PROPOSAL_MEMBERS = frozenset(
    (*PROPOSAL_TEXTS, "subject", "attribute", "value", "volatility", "verifiedBy", "createdAt", "decidedAt", "decidedBy",
     "reason")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ledger:
    facts: list[dict[str, Any]]
    proposals: list[dict[str, Any]]
    agents: frozenset[str]
    by_id: dict[str, dict[str, Any]] = field(default_factory=dict)


def load_ledger(checkout: Checkout) -> Ledger:
    """The ledger, empty when there is no file; `CorruptSource` when AgentX itself would refuse it."""
    document = checkout.document(LEDGER)
    if document is None and checkout.file(LEDGER) is None:
        return Ledger([], [], frozenset())
    facts = entries_of(document, "facts", LEDGER)
    proposals = entries_of(document, "proposals", LEDGER, required=False)
    require_texts(facts, FACT_TEXTS, "facts", LEDGER)
    require_texts(proposals, PROPOSAL_TEXTS, "proposals", LEDGER)
    agents = frozenset(proposal["agentId"] for proposal in proposals)
    return Ledger(facts, proposals, agents, {fact["id"]: fact for fact in facts})


def claim_of(members: Members) -> Claim | None:
    """The three parts, or none: a claim without one of them was unreadable to AgentX too."""
    parts = [members.text(name) for name in ("subject", "attribute", "value")]
    return Claim(*parts) if all(part.strip() for part in parts) else None


def statement_of(claim: Claim) -> str:
    return f"{claim.subject} {claim.attribute} is {claim.value}"


def extra_of(entry: dict[str, Any], known: frozenset[str]) -> dict[str, Any]:
    """Members that nobody interprets, kept for display."""
    return {name: value for name, value in entry.items() if name not in known}


# -- facts --


def read_facts(ledger: Ledger) -> Iterator[Read]:
    seen: set[str] = set()
    for number, fact in enumerate(ledger.facts):
        place = Place(LEDGER, part=f"facts[{number}]")
        try:
            if fact["id"] in seen:
                raise BadInput("malformed", "the ledger holds this id twice")
            seen.add(fact["id"])
            yield _fact_item(fact, place, ledger)
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)


def _fact_item(fact: dict[str, Any], place: Place, ledger: Ledger) -> FactItem:
    members = Members(fact)
    owner = _owner(members, ledger)
    undated = members.flag("undated")
    check = None if undated else _check(members, members.optional_text("confirmedBy"))
    record = _record(members, check, owner, version=members.text("updatedAt") or members.text("verifiedAt"))
    notes = unreadable("verifiedAt", members.text("verifiedAt"))
    if undated:
        notes = (*notes, Note("undated", "the ledger says undated: it arrives without a check"))
    if members.has("ttlDays") and record.ttl_days is None:
        notes = (*notes, Note("ttl_ignored", "ttlDays is no number of days from 0 to 36,500: the class applies"))
    return FactItem(
        place=place,
        foreign_id=members.required_text("id"),
        agent=owner,
        digest=digest_of(fact),
        notes=notes,
        record=record,
        history=_history(members, record, owner),
        extra=extra_of(fact, _FACT_MEMBERS),
    )


def _record(members: Members, check: Check | None, owner: str, *, version: str) -> Record:
    claim = claim_of(members)
    if claim is None:
        raise BadInput("invalid_value", "subject, attribute and value of a fact may not be empty")
    source = Source(f"fact:{members.required_text('id')}", version)
    return Record(
        id=record_id(source),
        kind=Kind.FACT,
        source=source,
        claim=claim,
        content=statement_of(claim),
        event_at=members.text("verifiedAt") if check else members.text("createdAt") or None,
        check=check,
        volatility=word("volatility", members.text("volatility"), Volatility),
        ttl_days=_ttl(members),
        scope=Scope(owner, Access.PUBLIC),
        trust=Trust.INTERNAL,
        trust_class=_trust_class(check),
        durability="unknown",
    )


def _ttl(members: Members) -> float | None:
    """Days, or none for what AgentX ignores as well (contract 12.2)."""
    value = members.number_or_none("ttlDays")
    return value if value is not None and 0 <= value <= TTL_MAX else None


def _check(members: Members, confirmed_by: str | None) -> Check:
    return Check(members.text("verifiedAt"), members.text("verifiedBy"), members.text("source"), confirmed_by)


def _trust_class(check: Check | None) -> TrustClass:
    """AgentX names no class: only a person confirms there; an agent's look-up was seen once; the rest is what one said."""
    if check is None:
        return TrustClass.AGENT_INFERENCE
    return TrustClass.USER_CORRECTION if check.confirmed_by else TrustClass.SINGLE_SESSION_OBSERVATION


def _owner(members: Members, ledger: Ledger) -> str:
    """The agent that checked it last; a person is none, so then an earlier agent of its history, or the ledger's."""
    names = [members.text("verifiedBy"), *(past.text("verifiedBy") for past in reversed(objects(members, "history")))]
    people = {"", "unknown", "operator", "owner", members.text("confirmedBy")}
    return next((name for name in names if name in ledger.agents or name not in people), LEDGER_AGENT)


def _history(members: Members, current: Record, owner: str) -> tuple[Record, ...]:
    """What the fact said before, oldest first, superseded. The ledger keeps neither versions nor who confirmed."""
    found: dict[str, Record] = {}
    for past in objects(members, "history"):
        assert current.claim is not None
        value = past.required_text("value")
        version = past.text("verifiedAt")
        if version in found or version == current.source.version:
            version = f"{version}#{sha256_hex(norm(value))[:8]}"
        claim = Claim(current.claim.subject, current.claim.attribute, value)
        source = Source(current.source.id, version)
        check = Check(past.text("verifiedAt"), past.text("verifiedBy"), past.text("source"))
        found[version] = Record(
            id=record_id(source), kind=Kind.FACT, source=source, claim=claim, content=statement_of(claim),
            event_at=past.text("verifiedAt"), check=check, volatility=current.volatility, ttl_days=current.ttl_days,
            scope=Scope(owner, Access.PUBLIC), trust=Trust.INTERNAL, state=State.SUPERSEDED,
            trust_class=_trust_class(check), durability="unknown",
        )  # fmt: skip
    records = list(found.values())
    successors = [*(record.id for record in records[1:]), current.id]
    return tuple(replace(record, superseded_by=by) for record, by in zip(records, successors, strict=False))


# -- fact proposals --


def read_proposals(ledger: Ledger) -> Iterator[Read]:
    seen: set[str] = set()
    for number, proposal in enumerate(ledger.proposals):
        place = Place(LEDGER, part=f"proposals[{number}]")
        try:
            if proposal["id"] in seen:
                raise BadInput("malformed", "the ledger holds this id twice")
            seen.add(proposal["id"])
            yield _proposal_item(proposal, place)
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)


def _proposal_item(proposal: dict[str, Any], place: Place) -> ProposalItem:
    members = Members(proposal)
    agent = members.required_text("agentId")
    verified_at, method = members.text("verifiedAt"), members.text("source")
    # A summary that cites no check was checked by nobody; its date is when it was written.
    check = None if method.endswith(UNCHECKED) else Check(verified_at, members.text("verifiedBy") or agent, method)
    return ProposalItem(
        place=place,
        foreign_id=members.required_text("id"),
        agent=agent,
        digest=digest_of(proposal),
        notes=unreadable("verifiedAt", verified_at),
        decided=decision_of(members),
        extra=extra_of(proposal, _PROPOSAL_MEMBERS),
        statement=members.required_text("claim"),
        claim=claim_of(members),
        event_at=verified_at,
        check=check,
        evidence=cited(check, agent, members.required_text("id"), members.text("chat")),
        volatility=word("volatility", members.text("volatility"), Volatility, default=Volatility.WORK_STATE),
        scope=Scope(agent, Access.PUBLIC),
        trust=Trust.INTERNAL,
        trust_class=TrustClass.AGENT_INFERENCE if check is None else TrustClass.SINGLE_SESSION_OBSERVATION,
    )


def cited(check: Check | None, agent: str, foreign_id: str, chat: str = "") -> tuple[Linked, ...]:
    """What a line names as its check, as evidence: that it was cited, not what it said. A line that cites none has none."""
    if check is None or not check.method:
        return ()
    summary = cut(f"Cited check: {check.method}", SUMMARY_MAX)
    source = Source(f"entry:{agent}/{foreign_id}", computed_version(excerpt="", content="", summary=summary))
    record = Record(
        id=record_id(source), kind=Kind.OBSERVATION, source=source, summary=summary, event_at=check.at,
        volatility=Volatility.WORK_STATE, scope=Scope(agent, Access.PRIVATE), trust=Trust.INTERNAL,
        trust_class=TrustClass.SINGLE_SESSION_OBSERVATION, durability="unknown",
    )  # fmt: skip
    return (Linked(record, chat),)


def decision_of(members: Members, *, waiting: str = "pending") -> ForeignDecision | None:
    """What AgentX decided: none while it waits; a status it does not know is refused."""
    status = members.text("status")
    if status == waiting:
        return None
    if status not in ("approved", "rejected"):
        raise BadInput("invalid_value", f"status has to be one of: {waiting}, approved, rejected", "status")
    return ForeignDecision(status, members.text("decidedBy"), members.text("decidedAt"), members.text("reason"))
