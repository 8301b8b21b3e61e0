"""Judge the signals: on own texts that speak to a model, on own ordinary notes, and on files of labelled texts.

    python -m bench.judge_signals [--pairs FILE ...] [--ordinary FILE ...] [--kinds] [--misses]

A file has `text TAB label [TAB kind]`. A text counts as found when it has any signal at all. `--ordinary` files hold team
memories: their label is not read, only alarms are counted, and they stand in the pool as negatives.
"""

from __future__ import annotations

import argparse
import itertools
from collections import Counter, defaultdict
from pathlib import Path
from statistics import fmean

from bench import unseen_texts
from bench.labelled import Labelled, read
from bench.scores import Score
from evidence.rules.signals import findings, signals
from tests.rules import agent_notes, spoken_texts, work_notes
from tests.rules.ordinary_notes import ORDINARY
from tests.rules.signal_texts import POSITIVE, SPOKEN


def judge_own() -> None:
    """The tables of the tests: what must be seen, and what must not be."""
    for name, texts, wanted in (
        ("own: what each signal is for", list(itertools.chain.from_iterable(POSITIVE.values())), True),
        ("own: speaks to a model", (*SPOKEN, *spoken_texts.SPOKEN), True),
        ("own: ordinary notes", ORDINARY, False),
        ("own: notes about agents", agent_notes.NOTES, False),
        ("own: notes of work", work_notes.NOTES, False),
        ("own, unseen: attacks", unseen_texts.ATTACKS, True),
        ("own, unseen: notes", unseen_texts.NOTES, False),
    ):
        score = Score()
        for text in texts:
            score.count(wanted, bool(signals(text)))
        print(score.line(name))


def judge_file(path: Path, *, ordinary: bool, kinds: bool, show: bool) -> dict[str, Score]:
    """The figures of each half of a file; rows are shown of the half `dev` only."""
    halves: dict[str, Score] = defaultdict(Score)
    by_kind: dict[str, Score] = defaultdict(Score)
    why: Counter[str] = Counter()
    for row in read(path):
        found = bool(signals(row.text))
        wanted = row.wanted and not ordinary
        halves[row.half].count(wanted, found)
        by_kind[row.kind].count(wanted, found)
        why.update({each.signal.value for each in findings(row.text)} if found else ())
        if show and row.half == "dev" and wanted != found:
            _show(row, wanted)
    for half, score in sorted(halves.items()):
        print(score.line(f"{path.stem}: {half}"))
    if kinds:
        for kind, score in sorted(by_kind.items()):
            print("   ", score.line(kind or "-"))
        print("    seen:", ", ".join(f"{signal} {count}" for signal, count in why.most_common()))
    return halves


def _show(row: Labelled, wanted: bool) -> None:
    print("   ", "missed" if wanted else "false", row.kind, repr(row.text[:240]))
    for each in () if wanted else findings(row.text)[:3]:
        print("       ", each.signal, each.why, repr(row.text[each.start : each.end][:80]))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--pairs", type=Path, nargs="*", default=[])
    parser.add_argument("--ordinary", type=Path, nargs="*", default=[])
    parser.add_argument("--kinds", action="store_true", help="the figures of each kind that a file names")
    parser.add_argument("--misses", action="store_true", help="show the wrong answers of the half dev")
    options = parser.parse_args()
    judge_own()
    pool: dict[str, Score] = defaultdict(Score)
    means: dict[str, list[float]] = defaultdict(list)
    for paths, ordinary in ((options.pairs, False), (options.ordinary, True)):
        for path in paths:
            for half, score in judge_file(path, ordinary=ordinary, kinds=options.kinds, show=options.misses).items():
                pool[half].add(score)
                means[half].extend([score.f1] if score.hits + score.misses else [])
    for half, score in sorted(pool.items()):
        print(score.line(f"pooled: {half}"))
        print(f"mean of the files' F1: {half:<4}   {fmean(each):.3f}" if (each := means[half]) else "")


if __name__ == "__main__":
    main()
