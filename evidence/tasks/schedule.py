"""When each sweep runs: plain data for beat, versioned with the code. Imports no task and no model."""

from __future__ import annotations

from typing import Any

SCHEDULE: dict[str, dict[str, Any]] = {}
