"""Whether a text says a claim word for word, and nothing in that sentence takes it back (contract 8.1).

The commonest way to cite, and the cheapest to judge: what stands there in the same words needs no closer reading.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from evidence.rules.antonyms import DENYING_STATES, DENYING_VERBS
from evidence.rules.lexicon import CJK_NEGATIONS, NEGATIONS
from evidence.rules.words import is_contraction, lower, plain

_CUT: Final = re.compile(r"[.!?;](?=\s|$)|[。！？；\n]")
_BOUND: Final = re.compile(r"[\s\"'“”„«(:,\[>*-]$")
_CLOSE: Final = re.compile(r"[\"'”»)\]]*(?:[.,;:!。，；]|$|\s[-–—(])")
_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_MOST_PLACES: Final = 4
_TAKING_BACK: Final = frozenset(
    """whether if unless until till false wrong untrue outdated obsolete previously formerly instead rather except only maybe
    perhaps ob falls wenn sofern bis früher ehemals falsch veraltet statt nur vielleicht si sauf jusqu seulement peut salvo hasta
    falso se tranne fino als tenzij behalve вместо кроме если""".split()
)


class Quote(NamedTuple):
    at: int
    """Which text."""
    start: int
    """Where in the *plain* text the claim begins."""


def find_quote(statement: str, texts: Sequence[str], language: str) -> Quote | None:
    """The first text that holds the whole claim, whatever the case, in a sentence without a word that may take it back."""
    clear = lower(plain(statement))
    needle = clear.rstrip(" .!。\n")
    if not needle.strip():
        return None
    for at, text in enumerate(texts):
        low = lower(plain(text))
        start = -1
        for _ in range(_MOST_PLACES):
            start = low.find(needle, start + 1)
            if start < 0:
                break
            if _is_said(low, start, start + len(needle), language):
                return Quote(at, start)
    return None


def _is_said(low: str, start: int, end: int, language: str) -> bool:
    before, after = low[:start], low[end:]
    if (before and not _BOUND.search(before)) or not _CLOSE.match(after):
        return False
    opening = max((cut.end() for cut in _CUT.finditer(before)), default=0)
    closing = _CUT.search(after)
    if closing and closing.group() in "?？":
        return False
    beside = f"{before[opening:]} {after[: closing.start()] if closing else after}"
    if not beside.isascii() and any(sign in beside for sign in CJK_NEGATIONS):
        return False
    return not any(word in _doubts(language) or is_contraction(word) for word in _WORD.findall(beside))


@lru_cache(maxsize=16)
def _doubts(language: str) -> frozenset[str]:
    return _TAKING_BACK | frozenset(NEGATIONS[language]) | frozenset(DENYING_VERBS) | DENYING_STATES
