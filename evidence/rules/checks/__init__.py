"""The verifier's checks (contract 8), one small function each, in the order of the contract's table.

Each gets the same `Question` and gives one `CheckResult`; `verifier` alone decides the status.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from evidence.rules.checks.origin import durability, layer, scope, trust
from evidence.rules.checks.question import PASS, REJECTED, REVIEW, CheckResult, Question
from evidence.rules.checks.standing import contradiction, evidence_found, match_review, redaction, tombstone
from evidence.rules.checks.texts import poisoning, secret, source_support

__all__ = ["CHECKS", "PASS", "REJECTED", "REVIEW", "CheckResult", "Question"]

CHECKS: Final[tuple[Callable[[Question], CheckResult], ...]] = (
    source_support,
    trust,
    scope,
    layer,
    durability,
    poisoning,
    match_review,
    redaction,
    tombstone,
    evidence_found,
    contradiction,
    secret,
)
"""This order is the order of the reasons."""
