"""Shapes of where runs and their work stand, as badges show them: the word says it, the shape helps the eye."""

from __future__ import annotations

from evidence.rules.run_vocab import RunOutcomeWord, RunStatus, WorkItemStatus

# Words that labels and statuses have too keep the shape that they have there.
RUN_SHAPES: dict[str, str] = {
    RunStatus.ACTIVE: "▷",
    RunStatus.COMPLETED: "✓",
    RunStatus.FAILED: "✕",
    RunStatus.ABANDONED: "∅",
    WorkItemStatus.PENDING: "…",
    WorkItemStatus.BLOCKED: "■",
    RunOutcomeWord.VERIFIED_SUCCESS: "✓",
    RunOutcomeWord.PARTIAL_SUCCESS: "◐",
    RunOutcomeWord.USER_CORRECTED: "↩",
    RunOutcomeWord.REGRESSION: "▼",
}
