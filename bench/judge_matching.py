"""Judge the matcher: precision, recall and F1 of opposition and likeness on pairs whose answer is known.

    python -m bench.judge_matching [--misses]                                       own tables and minimal pairs
    python -m bench.judge_matching --pairs FILE --format sick|paraphrase [--misses]      a labelled set of yours
    python -m bench.judge_matching --backlog FOLDER                                 a backlog with known groups

A set may come as its publisher gives it (SICK, MRPC, PAWS, QQP, STS-B) or as text, text, label in columns. FOLDER holds
`facts.jsonl`, `proposals.jsonl` and `groups.json` as in the samples; the groups are only compared with.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path

from bench.judge_backlog import judge_backlog
from bench.labelled_pairs import Labelled, read_pairs, strangers
from bench.minimal_pairs import HARMLESS_RULES, Pair, made_pairs, written_pairs
from evidence.rules.matching import match
from evidence.rules.opposition import oppose
from evidence.rules.records import Candidate, MemoryRecord
from evidence.rules.vocab import MatchKind
from tests.rules.harmless_pairs import HARMLESS
from tests.rules.opposed_pairs import OPPOSED

SAYS_THE_SAME = frozenset({MatchKind.DUPLICATE, MatchKind.STRENGTHENS})
TOGETHER = frozenset(MatchKind) - {MatchKind.NEW}
PARAPHRASES = ("wording", "form", "both deny", "team memory")


def kind(statement: str, existing: str, *, same_key: bool = False) -> MatchKind:
    return match(Candidate("c", statement), [MemoryRecord("m", existing)], same_key=same_key).kind


def figures(right: int, false: int, missed: int) -> str:
    """Precision, recall and F1 with the counts behind them."""
    precision, recall = right / max(right + false, 1), right / max(right + missed, 1)
    f1 = 2 * right / max(2 * right + false + missed, 1)
    return (
        f"precision {precision:.3f}  recall {recall:.3f}  F1 {f1:.3f}  ({right} right, {false} false, {missed} missed)"
    )


def judge_contradictions(pairs: list[Labelled], show: bool) -> None:
    """Opposition against the label `contradiction`."""
    found = [(pair, oppose(pair.one, pair.other)) for pair in pairs]
    right = sum(pair.label and opposed is not None for pair, opposed in found)
    false = [(pair, opposed) for pair, opposed in found if opposed and not pair.label]
    missed = [(pair, opposed) for pair, opposed in found if pair.label and not opposed]
    entailed = sum(pair.is_entailed for pair in pairs)
    print(f"contradictions, {len(pairs)} pairs: {figures(right, len(false), len(missed))}")
    print(f"   false conflicts on what follows: {sum(pair.is_entailed for pair, _ in false)}/{entailed}")
    for pair, opposed in (*false, *missed) if show else ():
        print("   ", "false" if opposed else "missed", pair.one, pair.other, opposed and opposed.reason, sep=" | ")


def judge_paraphrases(pairs: list[Labelled], show: bool) -> None:
    """Opposition on true paraphrases, and the kinds that `match` gives with and without being told the key."""
    true = [pair for pair in pairs if pair.label]
    opposed = [(pair, found) for pair in true if (found := oppose(pair.one, pair.other))]
    conflicts = sum(kind(pair.one, pair.other) == MatchKind.POTENTIAL_CONFLICT for pair in true)
    print(f"paraphrases: {len(true)} true, {len(pairs) - len(true)} not")
    print(
        f"   false conflicts: opposed {_rate(len(opposed), len(true))}, matched as conflict {_rate(conflicts, len(true))}"
    )
    for name, same_key, judged in (
        ("found by words", False, pairs),
        ("on one key", True, pairs),
        ("found by words, with strangers", False, [*pairs, *strangers(pairs)]),
    ):
        kinds = [(pair.label, kind(pair.one, pair.other, same_key=same_key)) for pair in judged]
        print(f"   {name}:")
        for label, wanted in (
            ("duplicate or strengthens", SAYS_THE_SAME),
            ("duplicate", {MatchKind.DUPLICATE}),
            ("any kind but new", TOGETHER),
        ):
            print(f"      {label:<26}{_against(kinds, wanted)}")
    for pair, found in opposed if show else ():
        print("    false", pair.one, pair.other, found.reason, sep=" | ")


def _against(kinds: list[tuple[bool, MatchKind]], wanted: Collection[MatchKind]) -> str:
    right = sum(label and found in wanted for label, found in kinds)
    false = sum(not label and found in wanted for label, found in kinds)
    return figures(right, false, sum(label for label, _ in kinds) - right)


def _rate(count: int, total: int) -> str:
    return f"{count}/{total} ({count / max(total, 1):.1%})"


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


def judge_minimal_pairs(name: str, pairs: Iterable[Pair], show: bool) -> None:
    """Opposition per rule; the second figure counts those that `match` finds without being told the key."""
    made, found, met = Counter[str](), Counter[str](), Counter[str]()
    for pair in pairs:
        opposed = oppose(pair.changed, pair.statement)
        made[pair.rule] += 1
        found[pair.rule] += opposed is not None
        met[pair.rule] += kind(pair.changed, pair.statement) == MatchKind.POTENTIAL_CONFLICT
        if show and (opposed is None) != (pair.rule in HARMLESS_RULES):
            print("   ", *pair, opposed and opposed.reason, sep=" | ")
    for rule, count in made.items():
        print(f"{name}, {rule}: {found[rule]}/{count} opposed, {met[rule]}/{count} matched as conflict")
    right = sum(count for rule, count in found.items() if rule not in HARMLESS_RULES)
    changed = sum(count for rule, count in made.items() if rule not in HARMLESS_RULES)
    print(f"{name}, all: {figures(right, found.total() - right, changed - right)}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pairs", type=Path, help="a file of labelled pairs")
    options.add_argument("--format", choices=("sick", "paraphrase"), default="paraphrase", help="what its labels say")
    options.add_argument("--backlog", type=Path)
    options.add_argument("--misses", action="store_true", help="show the pairs judged wrongly")
    chosen = options.parse_args()
    if chosen.pairs:
        judge = judge_contradictions if chosen.format == "sick" else judge_paraphrases
        judge(read_pairs(chosen.pairs, chosen.format), chosen.misses)
    elif chosen.backlog:
        judge_backlog(chosen.backlog)
    else:
        judge_tables(chosen.misses)
        judge_minimal_pairs("written pairs", written_pairs(), chosen.misses)
        plain = (pairs for name, pairs in HARMLESS.items() if name != "scene")  # of two scenes both may be
        texts = dict.fromkeys(text for pairs in plain for pair in pairs for text in pair if len(text) > 15)
        judge_minimal_pairs("made pairs", made_pairs(texts), chosen.misses)


if __name__ == "__main__":
    main()
