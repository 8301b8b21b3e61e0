"""What a call can come to instead of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class DeskError(Exception):
    """The desk refused. `code` is stable; `members` has whatever else it said (`field`, `current_version`, `kinds` …)."""

    def __init__(self, members: Mapping[str, Any]) -> None:
        self.status = int(members.get("status", 0))
        self.code = str(members.get("code", "unknown"))
        self.detail = str(members.get("detail", ""))
        self.members = dict(members)
        super().__init__(f"{self.code}: {self.detail}")


class Unreachable(Exception):
    """No answer came. What was sent with a key may have been done; sent again with that key it is done once."""
