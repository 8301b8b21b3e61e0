"""Read sets of labelled sentence pairs, in the form their publishers give them or as plain columns. Nothing is kept.

Two questions are asked of such sets: do the two sentences contradict each other (`sick`), do they say the same
(`paraphrase`). Columns are found by their head line; without one: text, text, label.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Labelled(NamedTuple):
    one: str
    other: str
    label: bool
    is_entailed: bool = False
    """Of a set with three labels: the second follows from the first, so that a conflict is plainly false."""


_TEXTS = (
    ("sentence_a", "sentence_b"),
    ("#1 string", "#2 string"),
    ("sentence1", "sentence2"),
    ("question1", "question2"),
    ("text1", "text2"),
)
_LABELS = ("entailment_judgment", "entailment_label", "quality", "is_duplicate", "label", "score", "gold_label")
_STS_COLUMNS = 7
_SAME_FROM, _OTHER_BELOW = 4.0, 3.0
"""Of graded likeness (0 to 5): the same from 4, something else below 3; what lies between is left out."""


def read_pairs(path: Path, form: str) -> list[Labelled]:
    """The pairs of a file; `form` is `sick` (three labels) or `paraphrase` (0/1, or graded 0 to 5)."""
    rows = _rows(path)
    columns = _columns(rows[0])
    if columns is None:
        columns = (5, 6, 4) if len(rows[0]) >= _STS_COLUMNS else (0, 1, 2)
    else:
        rows = rows[1:]
    grades = {row[columns[2]] for row in rows if len(row) > max(columns)}
    is_graded = form == "paraphrase" and not grades <= {"0", "1"}
    found = (_labelled(row, columns, form, is_graded) for row in rows if len(row) > max(columns))
    return [pair for pair in found if pair]


def _rows(path: Path) -> list[list[str]]:
    text = path.read_text(encoding="utf-8-sig")
    if path.suffix == ".csv":
        return list(csv.reader(text.splitlines()))
    return [line.split("\t") for line in text.split("\n") if line.strip()]


def _columns(head: list[str]) -> tuple[int, int, int] | None:
    names = [name.strip().casefold() for name in head]
    for one, other in _TEXTS:
        if one in names and other in names:
            label = next(name for name in _LABELS if name in names)
            return names.index(one), names.index(other), names.index(label)
    return None


def _labelled(row: list[str], columns: tuple[int, int, int], form: str, is_graded: bool) -> Labelled | None:
    one, other, label = (row[at].strip() for at in columns)
    if form == "sick":
        word = label.upper()
        return Labelled(one, other, word.startswith("CONTRADICT"), word.startswith("ENTAIL"))
    if not is_graded:
        return Labelled(one, other, label == "1")
    grade = float(label)
    return Labelled(one, other, grade >= _SAME_FROM) if grade >= _SAME_FROM or grade < _OTHER_BELOW else None


def strangers(pairs: list[Labelled], step: int = 7) -> Iterator[Labelled]:
    """As many pairs of sentences that have nothing to do with each other: each with one some rows further on."""
    for at, pair in enumerate(pairs):
        other = pairs[(at + step) % len(pairs)]
        if {pair.one, pair.other}.isdisjoint({other.one, other.other}):
            yield Labelled(pair.one, other.other, False)
