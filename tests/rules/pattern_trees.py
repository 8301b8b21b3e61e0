"""Looking into compiled patterns: which of their repeats have no end, and over what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from re import _constants as c  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any

_ONE_CHARACTER = {c.IN, c.LITERAL, c.NOT_LITERAL, c.ANY, c.CATEGORY}


def unbounded_groups(pattern: str, flags: int = 0) -> list[Any]:
    """Bodies of endless repeats that are more than one character: such a pattern can cost the square of a text's length."""
    found = _endless(parser.parse(pattern, flags))
    return [body for body in found if len(body) != 1 or body[0][0] not in _ONE_CHARACTER]


def _endless(tree: Any) -> Iterator[Any]:
    for operation, argument in tree:
        if operation in (c.MAX_REPEAT, c.MIN_REPEAT):
            if argument[1] == c.MAXREPEAT:
                yield argument[2]
            yield from _endless(argument[2])
        elif operation is c.BRANCH:
            for branch in argument[1]:
                yield from _endless(branch)
        elif operation is c.SUBPATTERN:
            yield from _endless(argument[3])
        elif operation in (c.ASSERT, c.ASSERT_NOT):
            yield from _endless(argument[1])


def patterns_of(module: ModuleType) -> list[re.Pattern[str]]:
    """Every pattern in the module's own names, tables included."""
    return list(_patterns(vars(module).values()))


def _patterns(values: Any) -> Iterator[re.Pattern[str]]:
    for value in values:
        if isinstance(value, re.Pattern):
            yield value
        elif isinstance(value, tuple):
            yield from _patterns(value)
        elif hasattr(value, "pattern") and isinstance(value.pattern, re.Pattern):
            yield value.pattern
