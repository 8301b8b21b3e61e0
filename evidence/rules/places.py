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
        clear = plain(text)
        self._spans: list[tuple[int, int]] | None = None
        if clear == text:
            return
        spans = [span for span in _clusters(text) for _ in plain(text[slice(*span)])]
        # Letters that join across clusters (Hangul in parts) leave no map: spans are then cut to the text.
        cut = [(min(at, len(text) - 1), min(at + 1, len(text))) for at in range(len(clear))]
        self._spans = spans if len(spans) == len(clear) else cut

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span in the written text; letters with marks are never cut in two."""
        if self._spans is None or start >= end:
            return start, end
        return self._spans[start][0], self._spans[end - 1][1]


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Each letter with the marks that combine with it."""
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or not unicodedata.combining(text[at]):
            yield start, at
            start = at
