"""The deterministic verifier (contract 8): all checks always run; their outcomes make the status.

A pure function of what it is given; binding a verdict to the hash of what was read is the services' part, and what a
verdict allows (eligibility, modes, decisions) is not said here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from evidence.rules.checks import CHECKS, REJECTED, CheckResult, Question
from evidence.rules.matching import match
from evidence.rules.records import Candidate, LinkedEvidence, MemoryRecord, Tombstone
from evidence.rules.vocab import VerificationStatus

__all__ = ["CheckResult", "Verdict", "verify"]

# What a record without any trust data must fail by its nature; anything else weighs in every mode.
_LEGACY_REASONS: Final = frozenset(
    {"low_trust_source", "unknown_durability", "missing_evidence", "source_not_supportive"}
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """`reasons` in the order of the contract's table; `checks` holds every check's result, passed ones too.

    `treated_as` is what the status counts as: itself, except that `legacy_unverified` counts as `review_required`, and in
    compatibility mode as `verified` where nothing but the missing trust data speaks against it.
    """

    status: VerificationStatus
    reasons: tuple[str, ...]
    checks: tuple[CheckResult, ...]
    treated_as: VerificationStatus


def verify(
    candidate: Candidate,
    evidence: Sequence[LinkedEvidence],
    tombstones: Sequence[Tombstone],
    records: Sequence[MemoryRecord] | None = None,
    *,
    now: datetime | None = None,
    compatibility: bool = False,
) -> Verdict:
    """Run every check of contract 8. Evidence that the candidate does not name is not linked to it.

    With `records` and no `match_kind` the candidate is matched here; without both, matching is not judged. `compatibility`
    is the mode that an administrator must choose; it never counts where a match needs review.
    """
    kind: str | None = candidate.match_kind
    matched: tuple[str, ...] = ()
    if kind is None and records is not None:
        found = match(candidate, records, now=now)
        kind, matched = found.kind, found.matched
    question = Question(candidate, evidence, tombstones, kind, matched)
    checks = tuple(check(question) for check in CHECKS)
    reasons = tuple(check.reason for check in checks if check.reason)
    status = _status(candidate, checks, reasons)
    return Verdict(status, reasons, checks, _treated_as(status, reasons, compatibility=compatibility))


def _status(candidate: Candidate, checks: Sequence[CheckResult], reasons: Sequence[str]) -> VerificationStatus:
    """Rejected; else legacy without any trust data (contract 12.14); else review for any reason; else verified."""
    if any(check.outcome == REJECTED for check in checks):
        return VerificationStatus.REJECTED
    if not candidate.trust_class and not candidate.durability and not candidate.evidence_ids:
        return VerificationStatus.LEGACY_UNVERIFIED
    return VerificationStatus.REVIEW_REQUIRED if reasons else VerificationStatus.VERIFIED


def _treated_as(status: VerificationStatus, reasons: Sequence[str], *, compatibility: bool) -> VerificationStatus:
    if status != VerificationStatus.LEGACY_UNVERIFIED:
        return status
    eligible = compatibility and frozenset(reasons) <= _LEGACY_REASONS
    return VerificationStatus.VERIFIED if eligible else VerificationStatus.REVIEW_REQUIRED
