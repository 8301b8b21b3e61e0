"""Memory lines `memory/<agent>.jsonl`: what an agent took from its chats. External ones are held, whatever their file says.

No line carries a check, so none arrives checked. Trust is the weaker of what the line states and what its channel gives.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evidence.exchange import files, strict_json
from evidence.exchange.agentx.layout import Checkout
from evidence.exchange.agentx.ledger import extra_of
from evidence.exchange.checked import unreadable, word
from evidence.exchange.items import EvidenceItem, ForeignDecision, Note, Place, Problem, Read
from evidence.rules.errors import BadInput
from evidence.rules.identity import computed_version, record_id
from evidence.rules.members import Members
from evidence.rules.records import Record, Scope, Source, Validity
from evidence.rules.vocab import (
    TRUST_ORDER,
    Access,
    Durability,
    Kind,
    Review,
    Trust,
    TrustClass,
    Volatility,
    trust_of_channel,
)

CATEGORIES = ("fact", "preference", "commitment", "task-state")
# Counters that AgentX moves whenever a line is used: no change of the line.
_COUNTERS = frozenset({"accessCount", "lastAccessed", "nextReview", "intervalDays"})
_KNOWN = frozenset(
    {"id", "agentId", "category", "content", "keywords", "review", "reviewedBy", "reviewedAt", "createdAt", "expiresAt"}
)


def read_memory(checkout: Checkout) -> Iterator[Read]:
    for name, path in checkout.memory_files():
        if path.is_symlink():
            yield Problem(Place(name), "invalid_value", "it is a link; links are not followed")
            continue
        agent = path.name.removesuffix(".jsonl")
        for number, line in files.read_lines(path):
            place = Place(name, line=number)
            try:
                if isinstance(line, BadInput):
                    raise line
                yield memory_item(strict_json.parse_object(files.decode(line)), place, agent)
            except BadInput as bad:
                yield Problem(place, bad.code, bad.detail)


def memory_item(line: dict[str, Any], place: Place, agent: str) -> EvidenceItem:
    members = Members(line)
    if members.required_text("agentId") != agent:
        raise BadInput("not_your_source", "agentId is not the agent that the file is named after", "agentId")
    category = members.text("category")
    if category == "secret":
        raise BadInput("secret_detected", "the line is of the category secret")
    if category not in CATEGORIES:
        raise BadInput("invalid_value", f"category has to be one of: {', '.join(CATEGORIES)}", "category")
    source = members.members("source") or Members({})
    trust = _trust(source)
    decided = _review(members)
    created = members.text("createdAt")
    return EvidenceItem(
        place=place,
        foreign_id=members.required_text("id"),
        agent=agent,
        digest=strict_json.digest_of(line, without=_COUNTERS),
        notes=(*unreadable("createdAt", created), *_review_notes(trust, decided)),
        decided=decided,
        extra=extra_of(line, _KNOWN | _COUNTERS),
        record=_record(members, agent, trust, category, decided),
        thread=_thread(source),
    )


def _record(members: Members, agent: str, trust: Trust, category: str, decided: ForeignDecision | None) -> Record:
    content = members.required_text("content")
    version = computed_version(excerpt="", content=content, summary="")
    source = Source(f"memory:{agent}/{members.required_text('id')}", version)
    external = trust == Trust.EXTERNAL
    rejected = decided is not None and decided.status == Review.REJECTED
    expires = members.text("expiresAt")
    return Record(
        id=record_id(source),
        kind=Kind.OBSERVATION,
        source=source,
        content=content,
        event_at=members.text("createdAt") or None,
        volatility=Volatility.WORK_STATE,
        scope=Scope(agent, Access.PRIVATE),
        trust=trust,
        review=Review.REJECTED if rejected else Review.HELD if external else None,
        trust_class=TrustClass.THIRD_PARTY_DOCUMENTATION if external else TrustClass.SINGLE_SESSION_OBSERVATION,
        durability=Durability.TASK if category == "task-state" else Durability.UNKNOWN,
        tags=members.texts("keywords"),
        valid=Validity(None, expires) if expires else None,
    )


def _trust(source: Members) -> Trust:
    """The weaker of the stated trust and the channel's; a channel that the contract does not list is external."""
    by_channel = trust_of_channel(source.text("channel"))
    stated = word("source.trust", source.text("trust"), Trust, default=by_channel)
    return min(Trust(stated), by_channel, key=TRUST_ORDER.index)


def _review(members: Members) -> ForeignDecision | None:
    review = members.text("review")
    if review in ("", Review.HELD):
        return None
    word("review", review, Review)
    return ForeignDecision(review, members.text("reviewedBy"), members.text("reviewedAt"))


def _review_notes(trust: Trust, decided: ForeignDecision | None) -> tuple[Note, ...]:
    if trust == Trust.EXTERNAL and decided and decided.status == Review.APPROVED:
        return (Note("review_kept_as_history", "AgentX approved it; external evidence is reviewed here again"),)
    return ()


def _thread(source: Members) -> str:
    """One chat is one source, however many lines it left."""
    chat, channel = source.text("chatId"), source.text("channel")
    return f"{channel}:{chat}" if chat else ""
