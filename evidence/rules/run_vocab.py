"""The words of the run ledger; those of everything else stand in `vocab`."""

from __future__ import annotations

from enum import StrEnum


class RunEventType(StrEnum):
    """What a run can say of itself. The last ones of the bridge's second schema are in it, and what closes a gap."""

    PLAN_CREATED = "plan_created"
    WORK_ITEM_STARTED = "work_item_started"
    CHECKPOINT = "checkpoint"
    OBSERVATION = "observation"
    HYPOTHESIS = "hypothesis"
    HYPOTHESIS_CONFIRMED = "hypothesis_confirmed"
    HYPOTHESIS_REJECTED = "hypothesis_rejected"
    TOOL_RESULT = "tool_result"
    TEST_FAILURE = "test_failure"
    DECISION = "decision"
    BLOCKER = "blocker"
    MEMORY_RECALLED = "memory_recalled"
    MEMORY_APPLIED = "memory_applied"
    MEMORY_REJECTED = "memory_rejected"
    ARTIFACT_CREATED = "artifact_created"
    COMPACTION_BOUNDARY = "compaction_boundary"
    WORK_ITEM_COMPLETED = "work_item_completed"
    WORK_ITEM_FAILED = "work_item_failed"
    WORK_ITEM_ABANDONED = "work_item_abandoned"
    PREFLIGHT_REVIEW = "preflight_review"
    TEST_RESULT = "test_result"
    RISK_IDENTIFIED = "risk_identified"
    INFORMATION_GAP = "information_gap"
    INFORMATION_GAP_CLOSED = "information_gap_closed"
    VERIFICATION_RESULT = "verification_result"
    WORK_ITEM_RESUMED = "work_item_resumed"
    BLOCKER_RESOLVED = "blocker_resolved"


class WorkItemStatus(StrEnum):
    PENDING = "pending"
    ACTIVE = "active"
    BLOCKED = "blocked"
    COMPLETED = "completed"
    FAILED = "failed"
    ABANDONED = "abandoned"


class RunStatus(StrEnum):
    """A run without an outcome is active; the others follow from its newest outcome."""

    ACTIVE = "active"
    COMPLETED = "completed"
    FAILED = "failed"
    ABANDONED = "abandoned"


class RunOutcomeWord(StrEnum):
    VERIFIED_SUCCESS = "verified_success"
    PARTIAL_SUCCESS = "partial_success"
    UNVERIFIED = "unverified"
    USER_CORRECTED = "user_corrected"
    REGRESSION = "regression"
    FAILED = "failed"
    ABANDONED = "abandoned"


class Evaluator(StrEnum):
    """Who judged how a run ended, as its agent says."""

    AGENT = "agent"
    DETERMINISTIC_VERIFIER = "deterministic_verifier"
    HUMAN = "human"
    SYSTEM = "system"


class MemoryRelation(StrEnum):
    """What a run did with a record."""

    RECALLED = "recalled"
    APPLIED = "applied"
    REJECTED = "rejected"


class RunProfile(StrEnum):
    """What a run wanted to be held to, where it came from; one rule holds for all here."""

    LEGACY = "legacy-v1"
    OBSERVATIONAL = "observational"
    GOVERNED = "governed-v2"
