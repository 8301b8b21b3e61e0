"""When each sweep runs: plain data for beat, versioned with the code. Imports no task and no model."""

from __future__ import annotations

from typing import Any

SECONDS: dict[str, float] = {
    "outbox": 10.0,
    "verify": 60.0,
    "leases": 60.0,
    "expiry": 900.0,
    "inquiries": 900.0,
    "orphans": 900.0,
    "retention": 3600.0,
    "tallies": 300.0,
    "clusters": 60.0,
    "index": 60.0,
    "telling": 60.0,
    "signals": 300.0,
    "anchors": 3600.0,
}

# A sweep that could not start before the next one is due is dropped: the next one does its work.
SCHEDULE: dict[str, dict[str, Any]] = {
    f"sweep-{name}": {
        "task": "evidence.sweep",
        "schedule": seconds,
        "args": (name,),
        "options": {"expires": seconds},
    }
    for name, seconds in SECONDS.items()
}
