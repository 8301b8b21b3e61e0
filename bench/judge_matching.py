"""Judge the matcher: on tables of pairs, on minimal pairs made from statements, and on a backlog whose groups are known.

    python -m bench.judge_matching [--backlog FOLDER] [--misses]

FOLDER holds `facts.jsonl`, `proposals.jsonl` and `groups.json` as in the samples. The groups are only compared with.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from bench.minimal_pairs import minimal_pairs
from evidence.rules.matching import match
from evidence.rules.opposition import oppose
from evidence.rules.records import Approval, Candidate, Check, Claim, MemoryRecord
from evidence.rules.vocab import MatchKind
from tests.rules.harmless_pairs import HARMLESS
from tests.rules.opposed_pairs import OPPOSED

TOGETHER = {
    MatchKind.DUPLICATE,
    MatchKind.STRENGTHENS,
    MatchKind.UPDATES,
    MatchKind.POTENTIAL_CONFLICT,
    MatchKind.AMBIGUOUS,
}
PARAPHRASES = ("wording", "form", "both deny", "team memory")


def kind(statement: str, existing: str, *, same_key: bool = False) -> MatchKind:
    return match(Candidate("c", statement), [MemoryRecord("m", existing)], same_key=same_key).kind


def judge_tables(show: bool) -> None:
    """Precision and recall of opposition on the tables of the tests, and of `new` and `duplicate` on their rewordings."""
    opposed = [pair for pairs in OPPOSED.values() for pair in pairs]
    harmless = [pair for pairs in HARMLESS.values() for pair in pairs]
    found, wrong = [p for p in opposed if oppose(*p)], [p for p in harmless if oppose(*p)]
    print(f"tables: opposed {len(found)}/{len(opposed)}, false {len(wrong)}/{len(harmless)}")
    reworded = [pair for name in PARAPHRASES for pair in HARMLESS[name]]
    print("rewordings, any key:", dict(Counter(kind(*pair) for pair in reworded)))
    print("rewordings, on one key:", dict(Counter(kind(*pair, same_key=True) for pair in reworded)))
    if show:
        for pair in (*(p for p in opposed if p not in found), *wrong):
            print("   ", *pair, sep=" | ")


def judge_minimal_pairs(statements: Iterable[str], show: bool) -> None:
    """Recall of opposition per rule; the second figure counts those that `match` finds without being told the key."""
    made, found, met = Counter[str](), Counter[str](), Counter[str]()
    for pair in minimal_pairs(statements):
        made[pair.rule] += 1
        is_found = oppose(pair.changed, pair.statement) is not None
        found[pair.rule] += is_found
        met[pair.rule] += kind(pair.changed, pair.statement) == MatchKind.POTENTIAL_CONFLICT
        if show and not is_found:
            print("   ", *pair, sep=" | ")
    for rule, count in made.items():
        print(f"minimal pairs, {rule}: {found[rule]}/{count} opposed, {met[rule]}/{count} matched as conflict")
    print(
        f"minimal pairs, all: {found.total()}/{made.total()} opposed, {met.total()}/{made.total()} matched as conflict"
    )


def judge_backlog(folder: Path) -> None:
    """Proposals against the records with their claims; then by words alone, as if nobody had filed a claim."""
    facts = [json.loads(line) for line in (folder / "facts.jsonl").read_text().splitlines()]
    proposals = {p["id"]: p for p in map(json.loads, (folder / "proposals.jsonl").read_text().splitlines())}
    groups = json.loads((folder / "groups.json").read_text())
    for with_claims in (True, False):
        records = [_record(fact, with_claims) for fact in facts]
        matches = {p["id"]: match(_candidate(p, with_claims), records) for p in proposals.values()}
        print(
            "backlog,", "claims:" if with_claims else "words:", dict(Counter(found.kind for found in matches.values()))
        )
        named = [p for p, fact in groups["contradicts"].items() if _conflicts(matches[p], fact)]
        print(f"   contradictions found with the right record: {len(named)}/{len(groups['contradicts'])}")
        others = [
            p for p, m in matches.items() if m.kind == MatchKind.POTENTIAL_CONFLICT and p not in groups["contradicts"]
        ]
        print("   further conflicts:", [(proposals[p]["statement"], matches[p].cues) for p in others])
    judge_groups(proposals, groups)


def judge_groups(proposals: dict[str, dict], groups: dict) -> None:  # type: ignore[type-arg]
    """Proposals against each other by words alone: clusters come together, near misses and strangers do not."""
    text = {name: p["statement"] for name, p in proposals.items()}
    pairs = [pair for members in groups["clusters"].values() for pair in itertools.combinations(members, 2)]
    kinds = Counter(kind(text[a], text[b]) for a, b in pairs)
    print("   pairs of one cluster:", dict(kinds))
    near = [(miss, member) for miss, cluster in groups["near_miss"].items() for member in groups["clusters"][cluster]]
    print("   near misses against the cluster:", dict(Counter(kind(text[a], text[b]) for a, b in near)))
    known = {frozenset(pair) for pair in (*pairs, *near)}
    strangers = [pair for pair in itertools.combinations(text, 2) if frozenset(pair) not in known]
    glued = [(text[a], text[b]) for a, b in strangers if kind(text[a], text[b]) in TOGETHER]
    print(f"   strangers brought together: {len(glued)}/{len(strangers)}", glued)


def _conflicts(found: object, fact: str) -> bool:
    return getattr(found, "kind", None) in {MatchKind.POTENTIAL_CONFLICT, MatchKind.AMBIGUOUS} and fact in getattr(
        found, "matched", ()
    )


def _candidate(data: dict, with_claims: bool) -> Candidate:  # type: ignore[type-arg]
    claim = Claim(**data["claim"]) if with_claims and data["claim"] else None
    threads = tuple(item["thread"] for item in data["evidence"] if item.get("thread"))
    return Candidate(
        data["id"], data["statement"], claim=claim, tags=tuple(data["tags"]), threads=threads, trust=data["trust"]
    )


def _record(data: dict, with_claims: bool) -> MemoryRecord:  # type: ignore[type-arg]
    return MemoryRecord(
        data["id"],
        data["content"],
        claim=Claim(**data["claim"]) if with_claims and data["claim"] else None,
        tags=tuple(data["tags"]),
        kind=data["kind"],
        check=Check(**data["check"]) if data["check"] else None,
        approval=Approval(**data["approval"]) if data["approval"] else None,
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--backlog", type=Path)
    options.add_argument("--misses", action="store_true", help="show the pairs judged wrongly")
    chosen = options.parse_args()
    judge_tables(chosen.misses)
    statements = dict.fromkeys(text for pairs in HARMLESS.values() for pair in pairs for text in pair if len(text) > 15)
    judge_minimal_pairs(statements, chosen.misses)
    if chosen.backlog:
        judge_backlog(chosen.backlog)


if __name__ == "__main__":
    main()
