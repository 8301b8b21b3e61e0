"""Governance modes: what happens to a waiting item without a person's choice (contract 8, 6 "review preferred").

`manual`: nothing. `assisted`: eligible items are ticked in a batch, and a person still presses the key. `auto`: of those the
safest are carried out by the policy, which confirms nothing; the others stay ticked as in `assisted`. Says only what the mode
allows; ticking, carrying out and the audit row in the policy's name are the services' part. Knows no text and no clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from evidence.rules.reasons import TreatmentReason
from evidence.rules.vocab import (
    DURABLE,
    Durability,
    Eligibility,
    HeldKind,
    Layer,
    MatchKind,
    Mode,
    Risk,
    Treatment,
    Trust,
    TrustClass,
    VerificationStatus,
)

REVIEW_PREFERRED: frozenset[str] = frozenset(
    {TrustClass.ACCEPTED_CODE_REVIEW_OUTCOME, TrustClass.EXISTING_PROJECT_CONVENTION}
)
_QUIET_MATCHES: frozenset[str] = frozenset(
    {MatchKind.NEW, MatchKind.DUPLICATE, MatchKind.STRENGTHENS, MatchKind.UPDATES}
)


@dataclass(frozen=True, slots=True)
class Governed:
    """What a mode looks at of one waiting item.

    `trust_class` is the effective class (12.12), `counts_as` the verdict's `treated_as` (empty: the status itself), and
    `from_session_summary` whether any of its sources is one (`SourceName.is_session_summary`).
    """

    kind: str
    trust: str
    layer: str
    durability: str
    trust_class: str
    eligibility: str
    risk: str
    match_kind: str
    verification_status: str
    counts_as: str = ""
    from_session_summary: bool = False


_Table = tuple[tuple[TreatmentReason, Callable[[Governed], bool]], ...]


@dataclass(frozen=True, slots=True)
class Treated:
    """`reason`: the first thing that asks for a person, or `eligible`."""

    treatment: Treatment
    reason: TreatmentReason


def treat(item: Governed, mode: str) -> Treated:
    """What `mode` does with the item by itself. An unknown word, the mode's too, is one that asks for a person (12.3)."""
    if mode not in (Mode.ASSISTED, Mode.AUTO):
        return Treated(Treatment.WAIT, TreatmentReason.MANUAL)
    obstacle = _first(_OBSTACLES, item)
    if obstacle is not None:
        return Treated(Treatment.WAIT, obstacle)
    reservation = _first(_RESERVATIONS, item)
    applies = mode == Mode.AUTO and reservation is None
    return Treated(Treatment.APPLY if applies else Treatment.PRESELECT, reservation or TreatmentReason.ELIGIBLE)


def _first(table: _Table, item: Governed) -> TreatmentReason | None:
    return next((reason for reason, holds in table if holds(item)), None)


def _is_verified(item: Governed) -> bool:
    """Only a legacy status may count as better than it is; no verdict counts a rejected item as verified."""
    status = VerificationStatus.VERIFIED if _is_legacy(item) else item.verification_status
    return status == VerificationStatus.VERIFIED == (item.counts_as or item.verification_status)


def _is_legacy(item: Governed) -> bool:
    """No trust data at all. Where compatibility mode counts it as verified it is eligible for a person's batch (contract 8)."""
    return item.verification_status == VerificationStatus.LEGACY_UNVERIFIED


def _is_durable(item: Governed) -> bool:
    return item.durability in DURABLE or (_is_legacy(item) and item.durability == Durability.UNKNOWN)


def _is_review_only(item: Governed) -> bool:
    if item.eligibility == Eligibility.AUTO_CANDIDATE:
        return False
    preferred = item.trust_class in REVIEW_PREFERRED or _is_legacy(item)
    return item.eligibility != Eligibility.REVIEW_ONLY or not preferred


# What leaves the item to a person under every mode.
_OBSTACLES: _Table = (
    (TreatmentReason.NOT_A_FACT_PROPOSAL, lambda item: item.kind != HeldKind.FACT_PROPOSAL),
    (TreatmentReason.EXTERNAL, lambda item: item.trust not in (Trust.OPERATOR, Trust.INTERNAL)),
    (TreatmentReason.L1, lambda item: item.layer != Layer.L2),
    (TreatmentReason.NOT_VERIFIED, lambda item: not _is_verified(item)),
    (TreatmentReason.HIGH_RISK, lambda item: item.risk not in (Risk.LOW, Risk.MEDIUM)),
    (TreatmentReason.MATCH_NEEDS_REVIEW, lambda item: item.match_kind not in _QUIET_MATCHES),
    (TreatmentReason.NOT_DURABLE, lambda item: not _is_durable(item)),
    (TreatmentReason.REVIEW_ONLY, _is_review_only),
)
# What the policy may tick but not carry out.
_RESERVATIONS: _Table = (
    (TreatmentReason.LEGACY, _is_legacy),
    (TreatmentReason.REVIEW_PREFERRED, lambda item: item.eligibility != Eligibility.AUTO_CANDIDATE),
    (TreatmentReason.SESSION_SUMMARY, lambda item: item.from_session_summary),
    (TreatmentReason.NOT_LOW_RISK, lambda item: item.risk != Risk.LOW),
)
