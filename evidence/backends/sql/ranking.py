"""Which of the matches come first: the share of what was asked for, rare words counting more. Pure, and equal on both databases.

How rare a word is, is read off the matches themselves: a database's own statistics would cost a scan of its whole index.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evidence.backends.sql.terms import Wanted

# Shares of the score; together 1. Coverage decides, the rest tells equals apart.
_COVERAGE, _CLOSE, _BRIEF = 0.85, 0.1, 0.05
_BRIEF_CHARACTERS = 400


@dataclass(slots=True)
class Match:
    """An index row that matches: its terms (the beginning of them), and the numbers of the asked terms that found it."""

    entry: int
    record_id: str
    source_version: str
    terms: str
    found: int = 0
    """Bits of the terms that the database found, also beyond the beginning of the text."""


def rank(matches: Iterable[Match], wanted: Wanted) -> list[tuple[float, Match]]:
    """Best first, newest first among equals; scores between 0 and 1."""
    rows = list(matches)
    if not wanted.terms:
        return [(1.0, row) for row in sorted(rows, key=lambda row: -row.entry)]
    padded = [f" {row.terms} " for row in rows]
    _complete(rows, padded, wanted)
    weights = _weights(rows, len(wanted.terms))
    # Rows share few combinations of found terms, so each combination's share is added up once.
    shares = {found: _share(found, weights) for found in {row.found for row in rows}}
    scores = _scores(rows, padded, shares, _runs(wanted))
    # Plain tuples sort several times faster than rows with a key function.
    order = [(score, row.entry, place) for place, (score, row) in enumerate(zip(scores, rows, strict=True))]
    order.sort(reverse=True)
    return [(round(score, 6), rows[place]) for score, _, place in order]


def _complete(rows: Sequence[Match], padded: Sequence[str], wanted: Wanted) -> None:
    """Look for the terms by which a row was not found; most were found by all of them."""
    everything = (1 << len(wanted.terms)) - 1
    needles = [(1 << number, f" {term} ") for number, term in enumerate(wanted.terms)]
    for row, text in zip(rows, padded, strict=True):
        if row.found != everything:
            for bit, needle in needles:
                if not row.found & bit and needle in text:
                    row.found |= bit


def _weights(rows: Sequence[Match], terms: int) -> list[float]:
    """Each term's share of the whole, by how few of the matches have it."""
    total = len(rows)
    having = [sum(1 for row in rows if row.found >> number & 1) for number in range(terms)]
    raw = [math.log(1 + (total - count + 0.5) / (count + 0.5)) for count in having]
    whole = sum(raw) or 1.0
    return [weight / whole for weight in raw]


def _runs(wanted: Wanted) -> list[str]:
    """Words that should stand together: the quoted phrases, else each pair of neighbours in the query."""
    if wanted.phrases:
        return [f" {phrase} " for phrase in wanted.phrases]
    return [f" {one} {other} " for one, other in zip(wanted.terms, wanted.terms[1:], strict=False)]


def _share(found: int, weights: Sequence[float]) -> float:
    return sum(weight for number, weight in enumerate(weights) if found >> number & 1)


def _scores(
    rows: Sequence[Match], padded: Sequence[str], shares: Mapping[int, float], runs: Sequence[str]
) -> list[float]:
    """One loop over thousands of rows, so nothing is called in it that need not be."""
    scores = []
    each = 1 / len(runs) if runs else 0.0
    for row, text in zip(rows, padded, strict=True):
        coverage = shares[row.found]
        close = coverage
        if runs:
            close = 0.0
            for run in runs:
                if run in text:
                    close += each
        brief = _BRIEF_CHARACTERS / (_BRIEF_CHARACTERS + len(text))
        scores.append(_COVERAGE * coverage + _CLOSE * close + _BRIEF * brief * coverage)
    return scores
