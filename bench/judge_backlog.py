"""Judge the matcher on a backlog whose groups are known: clusters of one claim, near misses, contradictions."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any

from evidence.rules.matching import Match, match
from evidence.rules.records import Approval, Candidate, Check, Claim, MemoryRecord
from evidence.rules.vocab import MatchKind


def judge_backlog(folder: Path) -> None:
    """Proposals against the records with their claims; then by words alone, as if nobody had filed a claim."""
    facts = [json.loads(line) for line in (folder / "facts.jsonl").read_text().splitlines()]
    proposals = {p["id"]: p for p in map(json.loads, (folder / "proposals.jsonl").read_text().splitlines())}
    groups = json.loads((folder / "groups.json").read_text())
    for with_claims in (True, False):
        records = [_record(fact, with_claims) for fact in facts]
        matches = {p["id"]: match(_candidate(p, with_claims), records) for p in proposals.values()}
        kinds = dict(Counter(found.kind for found in matches.values()))
        print("backlog,", "claims:" if with_claims else "words:", kinds)
        named = [p for p, fact in groups["contradicts"].items() if _conflicts(matches[p], fact)]
        print(f"   contradictions found with the right record: {len(named)}/{len(groups['contradicts'])}")
        others = [
            p for p, m in matches.items() if m.kind == MatchKind.POTENTIAL_CONFLICT and p not in groups["contradicts"]
        ]
        print("   further conflicts:", [(proposals[p]["statement"], matches[p].cues) for p in others])
    _judge_groups({name: p["statement"] for name, p in proposals.items()}, groups)


def _judge_groups(text: dict[str, str], groups: dict[str, Any]) -> None:
    """Proposals against each other by words alone: clusters come together, near misses and strangers do not."""
    pairs = [pair for members in groups["clusters"].values() for pair in itertools.combinations(members, 2)]
    print("   pairs of one cluster:", dict(Counter(_kind(text[a], text[b]) for a, b in pairs)))
    near = [(miss, member) for miss, cluster in groups["near_miss"].items() for member in groups["clusters"][cluster]]
    print("   near misses against the cluster:", dict(Counter(_kind(text[a], text[b]) for a, b in near)))
    known = {frozenset(pair) for pair in (*pairs, *near)}
    others = [pair for pair in itertools.combinations(text, 2) if frozenset(pair) not in known]
    glued = [(text[a], text[b]) for a, b in others if _kind(text[a], text[b]) != MatchKind.NEW]
    print(f"   strangers brought together: {len(glued)}/{len(others)}", glued)


def _kind(statement: str, existing: str) -> MatchKind:
    return match(Candidate("c", statement), [MemoryRecord("m", existing)]).kind


def _conflicts(found: Match, fact: str) -> bool:
    return found.kind in {MatchKind.POTENTIAL_CONFLICT, MatchKind.AMBIGUOUS} and fact in found.matched


def _candidate(data: dict[str, Any], with_claims: bool) -> Candidate:
    claim = Claim(**data["claim"]) if with_claims and data["claim"] else None
    threads = tuple(item["thread"] for item in data["evidence"] if item.get("thread"))
    return Candidate(
        data["id"], data["statement"], claim=claim, tags=tuple(data["tags"]), threads=threads, trust=data["trust"]
    )


def _record(data: dict[str, Any], with_claims: bool) -> MemoryRecord:
    return MemoryRecord(
        data["id"],
        data["content"],
        claim=Claim(**data["claim"]) if with_claims and data["claim"] else None,
        tags=tuple(data["tags"]),
        kind=data["kind"],
        check=Check(**data["check"]) if data["check"] else None,
        approval=Approval(**data["approval"]) if data["approval"] else None,
    )
