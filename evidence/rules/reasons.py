"""Why a rule answered as it did: stable codes, once, with plain words for pages and for `explain` users.

Only codes and words; the rules that give them are `resolving`, `usability`, `gate` and `governance`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class ResolveReason(StrEnum):
    """One per branch of contract 3."""

    INCOMING_DERIVED = "incoming_derived"
    INCOMING_NOT_USABLE = "incoming_not_usable"
    LATER_APPROVED_VERSION = "later_approved_version"
    NOT_LATER_APPROVED_VERSION = "not_later_approved_version"
    REVIEWED_ARTICLE = "reviewed_article"
    SAME_VALUE = "same_value"
    INCOMING_UNVERIFIED = "incoming_unverified"
    INCOMING_CONFIRMED = "incoming_confirmed"
    CURRENT_CONFIRMED = "current_confirmed"
    CURRENT_UNCHECKED = "current_unchecked"
    NEWER_CHECK = "newer_check"
    NOT_NEWER = "not_newer"


class UsableReason(StrEnum):
    """Why a record is not usable (contract 4); `USABLE` when it is."""

    USABLE = "usable"
    UNKNOWN_WORD = "unknown_word"
    NOT_ACTIVE = "not_active"
    HELD = "held"
    REJECTED = "rejected"
    EXTERNAL_UNREVIEWED = "external_unreviewed"
    NO_SOURCES = "no_sources"
    SECRET = "secret"  # noqa: S105 - the name of a finding, not a secret


class DropReason(StrEnum):
    """Why the gate dropped a hit (contract 5); for the operator, never for the agent."""

    UNKNOWN_ID = "unknown_id"
    NOT_USABLE = "not_usable"
    NOT_READABLE = "not_readable"
    OTHER_VERSION = "other_version"
    ISSUED_ID = "issued_id"
    INVALID_ID = "invalid_id"
    NO_SOURCES = "no_sources"
    UNKNOWN_SOURCE = "unknown_source"
    SOURCE_NOT_USABLE = "source_not_usable"
    SOURCE_NOT_READABLE = "source_not_readable"
    NO_COMMON_PARTITION = "no_common_partition"
    UNPARTITIONED_TEXT = "unpartitioned_text"


class TreatmentReason(StrEnum):
    """What decided how a governance mode treats a waiting item (contract 8)."""

    MANUAL = "manual"
    NOT_A_FACT_PROPOSAL = "not_a_fact_proposal"
    EXTERNAL = "external"
    L1 = "l1"
    NOT_VERIFIED = "not_verified"
    HIGH_RISK = "high_risk"
    MATCH_NEEDS_REVIEW = "match_needs_review"
    NOT_DURABLE = "not_durable"
    REVIEW_ONLY = "review_only"
    LEGACY = "legacy"
    REVIEW_PREFERRED = "review_preferred"
    SESSION_SUMMARY = "session_summary"
    NOT_LOW_RISK = "not_low_risk"
    ELIGIBLE = "eligible"


WORDS: Mapping[StrEnum, str] = {
    ResolveReason.INCOMING_DERIVED: "Text that a backend wrote is no evidence.",
    ResolveReason.INCOMING_NOT_USABLE: "The incoming record is not usable, so it is no evidence.",
    ResolveReason.LATER_APPROVED_VERSION: "A version of the same article that was approved later.",
    ResolveReason.NOT_LATER_APPROVED_VERSION: "A version of the same article, not approved later: nothing is rolled back.",
    ResolveReason.REVIEWED_ARTICLE: "A reviewed article stands until its own review changes it.",
    ResolveReason.SAME_VALUE: "Both say the same.",
    ResolveReason.INCOMING_UNVERIFIED: "Nobody checked the incoming value.",
    ResolveReason.INCOMING_CONFIRMED: "A person confirmed the incoming value.",
    ResolveReason.CURRENT_CONFIRMED: "A person confirmed the current value.",
    ResolveReason.CURRENT_UNCHECKED: "The current value has no check that can be read.",
    ResolveReason.NEWER_CHECK: "The incoming value was checked later.",
    ResolveReason.NOT_NEWER: "The incoming value was not checked later.",
    UsableReason.USABLE: "Usable.",
    UsableReason.UNKNOWN_WORD: "A field holds a word that is not in its list.",
    UsableReason.NOT_ACTIVE: "Superseded, revoked or deleted.",
    UsableReason.HELD: "Waits for review.",
    UsableReason.REJECTED: "Rejected in review.",
    UsableReason.EXTERNAL_UNREVIEWED: "Arrived from outside and nobody approved it.",
    UsableReason.NO_SOURCES: "Backend text that names no source.",
    UsableReason.SECRET: "Its text holds a secret.",
    DropReason.UNKNOWN_ID: "An id that was never issued.",
    DropReason.NOT_USABLE: "The record is not usable.",
    DropReason.NOT_READABLE: "The reader may not read the record.",
    DropReason.OTHER_VERSION: "Another source version than ours.",
    DropReason.ISSUED_ID: "Backend text under an id of one of our records.",
    DropReason.INVALID_ID: "Backend text under an id that cannot be a name.",
    DropReason.NO_SOURCES: "Backend text that names no source.",
    DropReason.UNKNOWN_SOURCE: "Backend text with an unknown source.",
    DropReason.SOURCE_NOT_USABLE: "Backend text with a source that is not usable.",
    DropReason.SOURCE_NOT_READABLE: "Backend text with a source that the reader may not read.",
    DropReason.NO_COMMON_PARTITION: "No partition that the reader searches holds every source.",
    DropReason.UNPARTITIONED_TEXT: "The backend does not keep its own text inside one partition.",
    TreatmentReason.MANUAL: "In this mode a person chooses everything.",
    TreatmentReason.NOT_A_FACT_PROPOSAL: "Reviewed text and what arrived from outside change only by a person's decision.",
    TreatmentReason.EXTERNAL: "It arrived from outside.",
    TreatmentReason.L1: "L1 memory has to be ratified by a person.",
    TreatmentReason.NOT_VERIFIED: "Its verification asks for a person.",
    TreatmentReason.HIGH_RISK: "High risk is never chosen by default.",
    TreatmentReason.MATCH_NEEDS_REVIEW: "A person has to decide between records.",
    TreatmentReason.NOT_DURABLE: "Nobody said that it should last.",
    TreatmentReason.REVIEW_ONLY: "Sources of this kind are for review only.",
    TreatmentReason.LEGACY: "Nothing is known of where it comes from; it counts as eligible in compatibility mode.",
    TreatmentReason.REVIEW_PREFERRED: "Review outcomes and conventions are preselected, and applied by a person.",
    TreatmentReason.SESSION_SUMMARY: "What a session summary claims is applied by a person.",
    TreatmentReason.NOT_LOW_RISK: "Only low risk is applied by policy.",
    TreatmentReason.ELIGIBLE: "Verified, eligible, and against nothing that stands.",
}
