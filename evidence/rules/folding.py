"""A text brought to its plainest form for pattern rules, with the way back to the places in the original.

Invisible characters go, styled and look-alike letters become plain, accents drop, case folds. Rules match on `text`
and report with `span`, so that a page can highlight the original. Nothing here knows a pattern.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from evidence.rules.characters import strip_hidden
from evidence.rules.confusables import LOOKALIKES, confusable_words

_PUNCTUATION = str.maketrans("‘’‚‛′“”„‟″«»‐‑‒–—―−…\u00a0", '\'\'\'\'\'"""""""-------. ')


@dataclass(frozen=True, slots=True)
class Folded:
    """The plain text, and for each of its characters the place in the original (none: the same place)."""

    text: str
    original: str
    places: tuple[int, ...] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """A span of the plain text as a span of the original."""
        if self.places is None or end <= start:
            return start, end
        return self.places[start], self.places[end - 1] + 1


@lru_cache(maxsize=16384)
def _plain(char: str) -> str:
    """One character as its plain form: NFKD, without accents, case folded; nothing for an invisible one."""
    if not strip_hidden(char):
        return ""
    parts = unicodedata.normalize("NFKD", char.translate(_PUNCTUATION))
    return unicodedata.normalize("NFC", "".join(part for part in parts if not "\u0300" <= part <= "\u036f")).casefold()


def fold(text: str) -> Folded:
    """The plain form of the text (see the module); ASCII text only changes its case."""
    if text.isascii():
        return Folded(text.lower(), text)
    deceiving = {place for start, end in confusable_words(text) for place in range(start, end)}
    letters: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        plain = _plain(char)
        if place in deceiving and not plain.isascii():
            plain = LOOKALIKES.get(char, plain).lower()
        letters.append(plain)
        places.extend([place] * len(plain))
    return Folded("".join(letters), text, tuple(places))
