"""From places in a *plain* text (see `words.plain`) back to places in the text as it was written.

The rules read a normalised text; a page marks the original. Knows nothing of tokens or rules.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from evidence.rules.words import plain


class Places:
    """Maps spans of `plain(text)` to spans of `text`. Costs nothing where both are the same."""

    def __init__(self, text: str) -> None:
        self._size = len(text)
        self._starts: list[int] | None = None
        clear = plain(text)
        if clear == text:
            return
        starts: list[int] = []
        for start, cluster in _clusters(text):
            starts += [start] * len(plain(cluster))
        # Letters that join across clusters (Hangul in parts) leave no map: spans are then cut to the text.
        self._starts = starts if len(starts) == len(clear) else list(range(len(clear)))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span in the written text, never outside it."""
        if self._starts is None:
            return start, end
        first = self._starts[start] if start < len(self._starts) else self._size
        last = self._starts[end] if end < len(self._starts) else self._size
        return min(first, self._size), min(max(last, first), self._size)


def _clusters(text: str) -> Iterator[tuple[int, str]]:
    """Each letter with the marks that combine with it."""
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or not unicodedata.combining(text[at]):
            yield start, text[start:at]
            start = at
