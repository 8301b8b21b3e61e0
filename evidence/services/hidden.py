"""What is refused because it would hold hidden reasoning, a conversation or a receipt, wherever it stands in what is written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evidence.rules.hidden_reasoning import Hidden, first_hidden
from evidence.services.errors import Refused
from evidence.services.request_errors import path_of

# The code of the doors, and what is said behind the name of the member.
Words = Mapping[Hidden, tuple[str, str]]
TOO_DEEP = ("invalid_value", "is nested too deeply")


def check_nothing_hidden(members: Mapping[str, Any], words: Words) -> None:
    """Raises `Refused` hidden_reasoning for the first member, at whatever depth, that may not be kept."""
    for field, value in members.items():
        found = first_hidden(value)
        if found is not None:
            code, said = words[found.kind]
            place = path_of((field, *found.path))
            raise Refused(code, f"{place} {said}.", field=place, kinds=[str(found.kind)])
