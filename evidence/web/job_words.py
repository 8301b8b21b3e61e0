"""How pages speak of bulk work."""

from __future__ import annotations

from dataclasses import dataclass

from evidence.rules.bulk import JobStatus
from evidence.rules.vocab import Action


@dataclass(frozen=True, slots=True)
class JobWords:
    """The action on the button, and what an item is when it is done."""

    do: str
    done: str


JOBS: dict[str, JobWords] = {
    Action.APPROVE: JobWords("Approve", "approved"),
    Action.REJECT: JobWords("Reject", "rejected"),
    Action.SNOOZE: JobWords("Snooze", "snoozed"),
    "undo": JobWords("Take back", "taken back"),
}

STATUSES: dict[str, str] = {
    JobStatus.PREPARING: "being prepared",
    JobStatus.PREVIEW: "preview, nothing done yet",
    JobStatus.WAITING: "waits for a worker",
    JobStatus.RUNNING: "running",
    JobStatus.DONE: "complete",
    JobStatus.FAILED: "failed",
    JobStatus.CANCELLED: "cancelled",
}

# What the heading says after the number when an item ended otherwise.
OUTCOMES: dict[str, str] = {
    "changed": "changed meanwhile",
    "refused": "refused",
    "gone": "gone",
    "skipped": "not reached",
}
