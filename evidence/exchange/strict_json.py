"""JSON as these files must have it: one reading only. Duplicate members, NaN and bottomless nesting are refused.

A parser that takes the last of two equal members would let a file say one thing to a person and another to us.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any, NoReturn

from evidence.rules.errors import BadInput

MALFORMED = "malformed"
DEPTH_MAX = 32


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BadInput(MALFORMED, "an object names the same member twice")
    return found


def _no_constant(_word: str) -> NoReturn:
    raise BadInput(MALFORMED, "NaN and Infinity are not JSON")


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise BadInput(MALFORMED, "it holds a number that is too large")
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_members, parse_constant=_no_constant, parse_float=_number)


def parse(text: str) -> Any:
    """The value, or `BadInput` malformed with the place but never the text."""
    try:
        value = _DECODER.decode(text.strip())
        _check_depth(value)
        return value
    except json.JSONDecodeError as error:
        raise BadInput(MALFORMED, f"it is not JSON (line {error.lineno}, column {error.colno})") from error
    except RecursionError as error:
        raise BadInput(MALFORMED, "it is nested too deeply") from error
    except ValueError as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(MALFORMED, "it holds a number that is too large") from error


def _check_depth(value: Any) -> None:
    """What is nested deeper than anybody writes would only break whoever walks through it."""
    level = [value]
    for _depth in range(DEPTH_MAX):
        level = [
            member
            for one in level
            if isinstance(one, dict | list)
            for member in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return
    raise BadInput(MALFORMED, "it is nested too deeply")


def parse_object(text: str) -> dict[str, Any]:
    value = parse(text)
    if isinstance(value, dict):
        return value
    hint = "; an array is no line format: put one object on each line" if isinstance(value, list) else ""
    raise BadInput(MALFORMED, f"one JSON object is expected{hint}")


def digest_of(value: Mapping[str, object], *, without: frozenset[str] = frozenset()) -> str:
    """64 hex digits that name an entry as it came, whatever the order of its members; `without` leaves counters out."""
    seen = {name: member for name, member in value.items() if name not in without}
    return hashlib.sha256(json.dumps(seen, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
