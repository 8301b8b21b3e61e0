"""What a purge looks for in a text or a JSON value, and what it leaves of it (contract 8; DESIGN "The model"). Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

PURGED = "[purged]"
SHORTEST = 12
"""Shorter texts are left where others say them: "active" stands in half of all records."""
CUT = 60
"""A place that shows only the beginning of a text shows at least so much of it."""


def purgeable(texts: Iterable[str]) -> list[str]:
    """The texts that can be told from ordinary words, longest first, so that none is taken apart by one that it holds."""
    return sorted({text for text in texts if len(text) >= SHORTEST}, key=len, reverse=True)


def forms_of(texts: Sequence[str]) -> list[str]:
    """What to look for: the texts, how they begin where they are cut, and both as they stand in a text that is JSON itself."""
    plain = [*texts, *(text[:CUT] for text in texts if len(text) > CUT)]
    escaped = [json.dumps(text, ensure_ascii=ascii_only)[1:-1] for text in plain for ascii_only in (False, True)]
    return list(dict.fromkeys([*plain, *escaped]))


def without(value: object, texts: Sequence[str]) -> object:
    """The value, a text or JSON, without the texts; what holds one of them in another form goes as a whole."""
    if isinstance(value, dict):
        return {without(name, texts): without(one, texts) for name, one in value.items()}
    if isinstance(value, list):
        return [without(one, texts) for one in value]
    if not isinstance(value, str):
        return value
    for text in texts:
        value = value.replace(text, PURGED)
    return PURGED if any(form in value for form in forms_of(texts)) else value
