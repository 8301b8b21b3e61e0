"""The content words of a text with their places, and which of them another text holds (contract 8.1).

Whole words, stemmed or prefix-matched, of any script. Values (numbers, dates) are not words here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from evidence.rules.words import bigrams, cut, is_unspaced, readings

_SHORTEST: Final = 4
_LONG_ENOUGH: Final = 6
_MOST_OF_IT: Final = 0.6
_LAST_PART: Final = 5
_COMPOUNDING: Final = frozenset({"de", "nl"})


class Word(NamedTuple):
    form: str
    stem: str
    start: int
    end: int
    """Span in the *plain* text; of a joined word's part the span of the whole."""


@lru_cache(maxsize=512)
def wording_of(text: str, language: str) -> tuple[Word, ...]:
    """The words that say something, in order; joined words in parts, runs without spaces in pairs."""
    found: list[Word] = []
    for token, start, end in cut(text):
        if is_unspaced(token):
            found += (Word(pair, pair, start + at, start + at + len(pair)) for at, pair in enumerate(bigrams(token)))
        elif not token[0].isdigit():
            found += [Word(form, stem, start, end) for form, stem, is_stop in readings(token, language) if not is_stop]
    return tuple(found)


def begins_alike(one: str, other: str) -> bool:
    """Whether one is the beginning of the other and most of it, or six letters and more of it."""
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    if len(short) < _SHORTEST or not long.startswith(short):
        return False
    return len(short) >= _LONG_ENOUGH or len(short) >= _MOST_OF_IT * len(long)


def is_among(word: str, others: frozenset[str]) -> bool:
    """Whether a stem, or one that begins alike, is among others."""
    return word in others or any(begins_alike(word, other) for other in others)


class Wordings:
    """The words of several texts together, to ask which of them hold a word. Texts are named by their number."""

    def __init__(self, texts: Sequence[str], language: str) -> None:
        self._by_stem: dict[str, list[tuple[int, Word]]] = {}
        self._by_beginning: dict[str, list[tuple[int, Word]]] | None = None
        self._by_end: dict[str, list[tuple[int, Word]]] | None = None
        self._compounding = language in _COMPOUNDING
        for at, text in enumerate(texts):
            for word in wording_of(text, language):
                self._by_stem.setdefault(word.stem, []).append((at, word))

    def hits(self, form: str, stem: str) -> list[tuple[int, Word]]:
        """Where the word stands: under its stem, or else the first of every stem that begins alike (`deploy`,
        `deployment`); in languages that write compounds as one, also the last part of one (`Mailserver`, `Server`)."""
        return self._by_stem.get(stem) or self._alike(form, stem)

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(self._by_stem)

    def has(self, stem: str) -> bool:
        return stem in self._by_stem

    def holds(self, form: str, stem: str) -> bool:
        return bool(self.hits(form, stem))

    def _alike(self, form: str, stem: str) -> list[tuple[int, Word]]:
        if self._by_beginning is None:
            self._by_beginning = self._index(_beginnings)
        near = self._by_beginning.get(form[:_SHORTEST], []) + self._by_beginning.get(stem[:_SHORTEST], [])
        found = {hit[1].stem: hit for hit in near if begins_alike(form, hit[1].form) or begins_alike(stem, hit[1].stem)}
        return list(found.values()) or (self._ending(form) if self._compounding else [])

    def _ending(self, form: str) -> list[tuple[int, Word]]:
        if self._by_end is None:
            self._by_end = self._index(_ends)
        return [
            hit
            for hit in self._by_end.get(form[-_LAST_PART:], [])
            if min(len(form), len(hit[1].form)) >= _LAST_PART
            and (form.endswith(hit[1].form) or hit[1].form.endswith(form))
        ][:1]

    def _index(self, beginnings: Callable[[Word], frozenset[str]]) -> dict[str, list[tuple[int, Word]]]:
        found: dict[str, list[tuple[int, Word]]] = {}
        for hits in self._by_stem.values():
            for key in beginnings(hits[0][1]):
                found.setdefault(key, []).append(hits[0])
        return found


def _beginnings(word: Word) -> frozenset[str]:
    return frozenset({word.form[:_SHORTEST], word.stem[:_SHORTEST]})


def _ends(word: Word) -> frozenset[str]:
    return frozenset({word.form[-_LAST_PART:]})
