"""Held contributions to the wiki `_contributions/held.json`: patches that AgentX did not dare to apply. Each is a claim.

A patch names a page and either one attribute with its value or a summary; removing something claims nothing and is reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from evidence.exchange.agentx.layout import CONTRIBUTIONS, Checkout, entries_of
from evidence.exchange.agentx.ledger import cited, claim_of, decision_of, extra_of, statement_of
from evidence.exchange.checked import unreadable
from evidence.exchange.items import ForeignDecision, Place, Problem, ProposalItem, Read
from evidence.exchange.strict_json import digest_of
from evidence.rules.errors import BadInput
from evidence.rules.members import Members
from evidence.rules.records import Check, Scope
from evidence.rules.vocab import Access, Trust, TrustClass

KINDS = ("add", "correct", "create")
_KNOWN = frozenset({"id", "status", "decidedBy", "decidedAt"})


def load_contributions(checkout: Checkout) -> list[dict[str, Any]]:
    document = checkout.document(CONTRIBUTIONS)
    if document is None and checkout.file(CONTRIBUTIONS) is None:
        return []
    return entries_of({"held": document}, "held", CONTRIBUTIONS)


def read_contributions(contributions: list[dict[str, Any]]) -> Iterator[Read]:
    for number, entry in enumerate(contributions):
        place = Place(CONTRIBUTIONS, part=f"[{number}]")
        try:
            yield _item(entry, place)
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)


def _item(entry: dict[str, Any], place: Place) -> ProposalItem:
    members = Members(entry)
    patch = members.members("patch")
    if patch is None:
        raise BadInput("invalid_value", "patch is required", "patch")
    if patch.text("kind") not in KINDS:
        raise BadInput("invalid_value", "the patch takes something away; it claims nothing that could be decided here")
    agent, checked_at = patch.required_text("agentId"), patch.text("checkedAt")
    page = patch.required_text("page")
    claim = claim_of(Members({"subject": page, "attribute": patch.raw("attribute"), "value": patch.raw("value")}))
    if claim is None and not patch.text("summary"):
        raise BadInput("invalid_value", "the patch has neither an attribute with its value nor a summary", "patch")
    method = patch.text("source")
    check = Check(checked_at, agent, method) if method and checked_at else None
    return ProposalItem(
        place=place,
        foreign_id=members.required_text("id"),
        agent=agent,
        digest=digest_of(entry),
        notes=unreadable("checkedAt", checked_at),
        decided=_decision(members),
        extra=extra_of(entry, _KNOWN),
        statement=statement_of(claim) if claim else f"{page}: {patch.text('summary')}",
        claim=claim,
        event_at=checked_at,
        check=check,
        evidence=cited(check, agent, members.required_text("id")),
        scope=Scope(agent, Access.PUBLIC),
        trust=Trust.INTERNAL,
        trust_class=TrustClass.SINGLE_SESSION_OBSERVATION,
    )


def _decision(members: Members) -> ForeignDecision | None:
    """Its `reason` says why it was held, not why it was decided so."""
    decided = decision_of(members, waiting="held")
    return replace(decided, reason="") if decided else None
