"""The content words of a text with their places, and when two of them are one word (contract 8.1).

Whole words, stemmed or prefix-matched, of any script. Values (numbers, dates) are not words here.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from evidence.rules.words import TOKEN, bigrams, fold, is_unspaced, plain, readings

_SHORTEST: Final = 4
_LONG_ENOUGH: Final = 6
_MOST_OF_IT: Final = 0.6


class Word(NamedTuple):
    form: str
    stem: str
    start: int
    end: int
    """Span in the *plain* text; of a joined word's part the span of the whole."""


@lru_cache(maxsize=16384)
def wording_of(text: str, language: str) -> tuple[Word, ...]:
    """The words that say something, in order; joined words in parts, runs without spaces in pairs."""
    found: list[Word] = []
    for hit in TOKEN.finditer(plain(text)):
        token = fold(hit.group())
        if is_unspaced(token):
            found += (
                Word(pair, pair, hit.start() + at, hit.start() + at + len(pair))
                for at, pair in enumerate(bigrams(token))
            )
        elif not token[0].isdigit():
            found += (
                Word(piece.form, piece.stem, *hit.span()) for piece in readings(token, language) if not piece.is_stop
            )
    return tuple(found)


def same_word(one: Word, other: Word) -> bool:
    """Whether the forms or the stems of two words begin alike for most of the longer one (`deploy`, `deployment`)."""
    return begins_alike(one.form, other.form) or begins_alike(one.stem, other.stem)


def begins_alike(one: str, other: str) -> bool:
    """Whether one is the beginning of the other and most of it, or six letters and more of it."""
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    if len(short) < _SHORTEST or not long.startswith(short):
        return False
    return len(short) >= _LONG_ENOUGH or len(short) >= _MOST_OF_IT * len(long)
