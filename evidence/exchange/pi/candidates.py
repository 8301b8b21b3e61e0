"""The inbox: candidates wait here as they wait there; patched and rejected ones are history.

What pi made of a candidate (match, verification, eligibility, risk) is shown and never taken over: it is computed here anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from evidence.exchange.checked import unreadable, word
from evidence.exchange.items import ForeignDecision, Note, Place, Problem, ProposalItem, Read
from evidence.exchange.pi.layout import INBOX, PI_AGENT, Known, Store
from evidence.exchange.pi.past import Operation, deleted_source
from evidence.exchange.pi.records import reach_of
from evidence.exchange.strict_json import digest_of
from evidence.rules.errors import BadInput
from evidence.rules.identity import record_id
from evidence.rules.members import Members
from evidence.rules.records import Reach, Scope
from evidence.rules.vocab import Access, Durability, ReachLevel, Trust, TrustClass, Volatility

EVIDENCE_MAX = 50
_SUPERSEDES = re.compile(r"\bsupersedes[ :]+([A-Za-z0-9_-]+)", re.IGNORECASE)
_KNOWN = frozenset(
    "id profile_id created_at text tags evidence_ids status ruleType primary_trust_class durability_signal".split()
)
# pi computes these anew at every run, so a change of them is no change of the candidate.
_COMPUTED = frozenset(
    "normalized_key match_kind matched_memory_ids match_reasons verification_status verification_result".split()
)


def read_candidates(store: Store, known: Known, operations: Mapping[str, Operation]) -> Iterator[Read]:
    seen: set[str] = set()
    for place, line in store.lines(INBOX):
        try:
            if isinstance(line, BadInput):
                raise line
            if line.get("id") in seen:
                raise BadInput("malformed", "the inbox holds this id already, further up")
            item = _item(line, place, known, operations)
            seen.add(item.foreign_id)
            yield item
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)


def _item(line: dict[str, Any], place: Place, known: Known, operations: Mapping[str, Operation]) -> ProposalItem:
    members = Members(line)
    foreign_id, created = members.required_text("id"), members.text("created_at")
    operation = operations.get(foreign_id)
    ids = members.texts("evidence_ids")
    notes = (
        (Note("cut", f"only {EVIDENCE_MAX} of its pieces of evidence were taken"),) if len(ids) > EVIDENCE_MAX else ()
    )
    extra = {name: value for name, value in line.items() if name not in _KNOWN and value not in ([], None, "")}
    if operation:
        extra["patch"] = operation.shown
    return ProposalItem(
        place=place,
        foreign_id=foreign_id,
        agent=PI_AGENT,
        digest=digest_of(line | {"patch": operation.shown if operation else {}}, without=_COMPUTED),
        namespace=members.text("profile_id"),
        notes=(*unreadable("created_at", created), *notes),
        decided=_decided(members, operation),
        extra=extra | {"line_digest": candidate_digest(line)},
        statement=members.required_text("text"),
        evidence_ids=tuple(known.evidence.get(one, one) for one in ids[:EVIDENCE_MAX]),
        event_at=created,
        volatility=Volatility.WORK_STATE,
        scope=Scope(PI_AGENT, Access.PUBLIC),
        trust=Trust.INTERNAL,
        trust_class=word(
            "primary_trust_class", members.text("primary_trust_class"), TrustClass, default=TrustClass.UNKNOWN
        ),
        durability=word("durability_signal", members.text("durability_signal"), Durability, default=Durability.UNKNOWN),
        rule_type=members.text("ruleType"),
        tags=tuple(tag for tag in members.texts("tags") if not tag.startswith("supersedes:")),
        reach=_reach(members),
        supersedes=_targets(foreign_id, members, known),
    )


def candidate_digest(line: Mapping[str, Any]) -> str:
    """A candidate by what it says and whether it is still new; what pi computes of it may change."""
    said = ("id", "text", "status", "tags", "evidence_ids", "profile_id", "ruleType")
    return digest_of({name: line.get(name) for name in said})


def _reach(members: Members) -> Reach:
    """For what it would hold: its own single target, else the project that it was captured in, as pi has it."""
    targets = members.raw_list("scope_targets")
    if len(targets) == 1:
        return reach_of(Members(targets[0], "scope_targets[0]"))
    source = members.members("source")
    folder = source.text("cwd").rstrip("/").rpartition("/")[2] if source else ""
    return Reach(ReachLevel.PROJECT, folder) if folder else Reach(ReachLevel.GLOBAL, "")


def _targets(foreign_id: str, members: Members, known: Known) -> tuple[str, ...]:
    """The records that it names as replaced, and the deleted one that it would bring back under its own id."""
    named = [tag.removeprefix("supersedes:") for tag in members.texts("tags") if tag.startswith("supersedes:")]
    named += _SUPERSEDES.findall(members.text("text"))
    found = [record_id(known.records[one]) for one in dict.fromkeys(named) if one in known.records]
    own = f"mem{foreign_id.removeprefix('cap')}" if foreign_id.startswith("cap") else foreign_id
    gone = [one for one in (foreign_id, own) if one in known.deleted]
    found += [record_id(known.records.get(one) or deleted_source(one)) for one in gone]
    return tuple(dict.fromkeys(found))


def _decided(members: Members, operation: Operation | None) -> ForeignDecision | None:
    status = members.text("status")
    if status == "new":
        return None
    if status == "rejected":
        return ForeignDecision("rejected")
    if status != "patched":
        raise BadInput("invalid_value", "status has to be one of: new, patched, rejected", "status")
    if operation is None:
        return ForeignDecision("approved")
    return ForeignDecision("approved", "", operation.applied_at, f"{operation.patch} {operation.op_id}")
