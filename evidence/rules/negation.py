"""Negations of a text, in plain form, with where they stand (contract 12.7).

Finds them only; what a negation denies is for `frames`, whether another text asserts that for `opposition`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from evidence.rules.lexicon import CJK_NEGATIONS, CJK_POSITIVE, NEGATIONS
from evidence.rules.spans import Taken
from evidence.rules.words import cut, is_contraction, is_unspaced, language_of, letter_runs, lower, plain

_HARMLESS: Final = re.compile(
    r"\bno (?:more|less|fewer|later|earlier|sooner|higher|lower|longer) than\b|\bno (?:matter|doubt|wonder)\b|\bnothing but\b"
    r"|\bnot (?:only|just|merely|more|less|fewer|later|earlier|above|below|over|under|to mention)\b|\bwhether or not\b|\bor not\b"
    r"|\bif not\b|\bwhy not\b|\bno\. ?\d|\bnicht nur\b|\bnicht (?:mehr|weniger|später) als\b|\bnon solo\b|\bno s[oó]lo\b"
    r"|\bnão (?:só|apenas)\b|\bpas seulement\b|\bpas (?:plus|moins) de\b|\bniet alleen\b|\bniet meer dan\b|\bне только\b"
)
_NO_LONGER: Final = re.compile(
    (
        r"\bno longer\b|\bnot? (?:\w+ ){0,4}?any\s*more\b|\bnicht (?:mehr|länger)\b|\bkeine?[mnrs]? mehr\b"
        r"|\b(?:ne |n')(?:\S+ ){1,3}?plus\b|\bya no\b|\bnon (?:\S+ ){1,3}?più\b|\bjá não\b|\bniet (?:meer|langer)\b|\bбольше не\b"
    ).replace(" ", r"\s+")  # however wide the gap is
)
_NE_PAS: Final = re.compile(r"\b(?:ne |n')(?:\S+ ){1,3}?(?:pas|jamais|rien|aucune?|ni|guère)\b")
_NE_QUE: Final = re.compile(r"\b(?:ne |n')(?:\S+ ){1,3}?(?:que\b|qu')")
_IN_WORDS: Final = re.compile(
    r"\b(?:refrain(?:s|ed|ing)?|abstain(?:s|ed|ing)?) from\b|\bdecid(?:es?|ed|ing) against\b|\bsteers? clear of\b"
    r"|\b(?:keeps?|stays?|stayed|kept) away from\b|\bfar from\b"
)
_NO_ONE: Final = re.compile(r"\bno[ -]one\b")
_ANYMORE: Final = re.compile(r"\bany ?more\b")


class Negation(NamedTuple):
    plain: str
    """`not`, `no`, `never`, `without` or `no longer`."""
    start: int
    end: int
    """Span in the *plain* text; of a phrase ("ne sont pas") the span of the whole."""


def negations(text: str, language: str | None = None) -> tuple[str, ...]:
    """The plain forms of a text's negations, in order; harmless phrases ("no more than") are none (contract 12.7)."""
    return tuple(found.plain for found in negation_spans(text, language))


def negation_spans(text: str, language: str | None = None) -> tuple[Negation, ...]:
    """As `negations`, with spans in the plain text."""
    return _spans(text, language or language_of(text))


@lru_cache(maxsize=16384)
def _spans(text: str, language: str) -> tuple[Negation, ...]:
    words = _denying_words(text, language)
    if not words and _OPENERS.isdisjoint(letter_runs(text)):
        return ()
    low = lower(plain(text))
    taken = Taken(len(low))
    for pattern in (_HARMLESS, _NE_QUE) if language == "fr" else (_HARMLESS,):
        for harmless in pattern.finditer(low):
            taken.cover(*harmless.span())
    found = [*_phrases(low, language, taken), *_single(words, low, language, taken)]
    return tuple(sorted(found, key=lambda negation: negation.start))


_OPENERS: Final = frozenset(
    """no not nicht kein keins keine keinm keinn keinr keinem keinen keiner keines ne n ya non já niet больше refrain refrains
    refrained refraining abstain abstains abstained abstaining decide decides decided deciding steer steers keep keeps stay
    stays stayed kept far""".split()
)
"""The first words of all phrases that deny: a text with none of them holds no phrase."""


def _denying_words(text: str, language: str) -> list[tuple[str, int, int]]:
    """The tokens that may deny by themselves; in scripts without spaces any run."""
    known = NEGATIONS[language]
    return [
        token
        for token in cut(text)
        if token[0] in known or is_contraction(token[0]) or (token[0] >= "\u0e00" and is_unspaced(token[0]))
    ]


def _phrases(low: str, language: str, taken: Taken) -> list[Negation]:
    """Negations of several words, each counted once however many of its words deny."""
    found: list[Negation] = []
    for hit in _NO_LONGER.finditer(low):
        if taken.is_free(hit.start(), hit.start() + 1):
            taken.cover(*hit.span())
            start, end = hit.span()
            # "not used any more": the words between are what is denied, so the span ends with the "not".
            found.append(Negation("no longer", start, start + 3 if low.startswith("not", start) else end))
    for pattern, cue in ((_NO_ONE, "no"), (_IN_WORDS, "not")) if language == "en" else ():
        for hit in pattern.finditer(low):
            if taken.is_free(*hit.span()):
                taken.cover(*hit.span())
                found.append(Negation(cue, *hit.span()))
    for hit in _NE_PAS.finditer(low) if language == "fr" else ():
        if taken.is_free(hit.start(), hit.start() + 1):
            taken.cover(*hit.span())
            found.append(Negation(NEGATIONS["fr"].get(hit.group().split()[-1], "not"), *hit.span()))
    return found


def _single(words: Sequence[tuple[str, int, int]], low: str, language: str, taken: Taken) -> Iterator[Negation]:
    known = NEGATIONS[language]
    for word, start, end in words:
        if not taken.is_free(start, start + 1):
            continue
        if is_unspaced(word):
            yield from _unspaced(low[start:end], start)
        elif word in known:
            yield Negation(known[word], start, end)
        else:
            later = _ANYMORE.search(low, end, end + 60)
            is_past = later is not None and "." not in low[end : later.start()]
            yield Negation("no longer" if is_past else "not", start, end)


def _unspaced(run: str, offset: int) -> Iterator[Negation]:
    at = 0
    while at < len(run):
        harmless = next((word for word in CJK_POSITIVE if run.startswith(word, at)), None)
        denial = None if harmless else next((word for word in CJK_NEGATIONS if run.startswith(word, at)), None)
        if denial:
            yield Negation(CJK_NEGATIONS[denial], offset + at, offset + at + len(denial))
        at += len(harmless or denial or "x")
