"""Words of signals between agents. (`vocab.Signal` is something else: what in a text reads like an attempt on its reader.)"""

from __future__ import annotations

from enum import StrEnum


class AgentSignalStatus(StrEnum):
    """Where a signal between agents stands. `expired` is never stored, and a claim whose lease is over counts as pending."""

    PENDING = "pending"
    CLAIMED = "claimed"
    ACKED = "acked"
    EXPIRED = "expired"


class SignalFault(StrEnum):
    """Why a signal is not claimed, extended or acknowledged."""

    NO_ELIGIBLE_SIGNAL = "no-eligible-signal"
    TOO_MANY_HELD = "too-many-held"
    MISSING = "missing"
    NOT_CLAIMABLE = "not-claimable"
    ALREADY_ACKED = "already-acked"
    EXPIRED = "expired"
    CLAIMED_BY_OTHER = "claimed-by-other"
    ALREADY_CLAIMED = "already-claimed"
    LEASE_EXPIRED = "lease-expired"
    NOT_CLAIMED = "not-claimed"
    CONSUMER_REQUIRED = "consumer-required"
    CLAIM_REQUIRED = "claim-required"
    STATE_CHANGED = "state-changed"
