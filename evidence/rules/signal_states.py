"""Signals between agents: where one stands at a time, and whether it may be claimed, extended or acknowledged. Pure.

Nothing here waits for a sweep: a lease that is over is over at its instant, and so is a signal that has expired.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from evidence.rules.signal_vocab import AgentSignalStatus as Status
from evidence.rules.signal_vocab import SignalFault as Fault

# One lease, and how far ahead of now a claim can ever reach by being extended.
LEAST_LEASE, DEFAULT_LEASE, LONGEST_LEASE = 1, 300, 3_600
FURTHEST = timedelta(hours=24)
# A consumer with this many claims in hand takes no further one: the rest is for others.
MOST_HELD = 100


@dataclass(frozen=True, slots=True)
class Consumer:
    """Who takes signals: an agent, and which of its workers where it has several."""

    agent: str
    worker: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """What is stored of a signal's way. `claims` counts how often it was claimed, and so names its last claim."""

    stored: Status = Status.PENDING
    recipient: str = ""
    holder: Consumer | None = None
    lease_until: datetime | None = None
    expires_at: datetime | None = None
    claims: int = 0
    claim_required: bool = False


def status_of(signal: Standing, now: datetime) -> Status:
    """Acknowledged is for good; else expiry comes before a lease, and a lease that is over leaves the signal pending."""
    if signal.stored == Status.ACKED:
        return Status.ACKED
    if signal.expires_at is not None and signal.expires_at <= now:
        return Status.EXPIRED
    if signal.stored == Status.CLAIMED and not _is_over(signal, now):
        return Status.CLAIMED
    return Status.PENDING


def is_for(signal: Standing, agent: str) -> bool:
    """Whether this agent may take it; its publisher may read one to another agent, and not more."""
    return signal.recipient in ("", agent)


def claim_fault(signal: Standing, who: Consumer, now: datetime) -> Fault | None:
    if (ended := _ended(signal, now)) is not None:
        return ended
    if not is_for(signal, who.agent):
        return Fault.NOT_CLAIMABLE
    if status_of(signal, now) == Status.PENDING:
        return None
    return Fault.ALREADY_CLAIMED if signal.holder == who else Fault.CLAIMED_BY_OTHER


def extend_fault(signal: Standing, who: Consumer, now: datetime, claim: int | None = None) -> Fault | None:
    """`claim`: which claim the caller means; another one since is not theirs, even under the same name."""
    if (ended := _ended(signal, now)) is not None:
        return ended
    if signal.stored != Status.CLAIMED:
        return Fault.NOT_CLAIMED
    if _is_over(signal, now):
        return Fault.LEASE_EXPIRED
    return _not_theirs(signal, who, claim)


def ack_fault(signal: Standing, who: Consumer, now: datetime, claim: int | None = None) -> Fault | None:
    """Whoever holds it; of one that nobody holds, whoever may take it, unless it wants to be claimed first."""
    if (ended := _ended(signal, now)) is not None:
        return ended
    if signal.stored == Status.CLAIMED:
        return Fault.LEASE_EXPIRED if _is_over(signal, now) else _not_theirs(signal, who, claim)
    if not is_for(signal, who.agent):
        return Fault.NOT_CLAIMABLE
    if signal.claim_required:
        return Fault.CLAIM_REQUIRED
    return None if claim in (None, signal.claims) else Fault.STATE_CHANGED


def lease_end(start: datetime, seconds: int, signal: Standing, now: datetime) -> datetime:
    """A lease of so many seconds from `start`: never past the signal's own end, nor further ahead than anybody may reach."""
    ends = [start + timedelta(seconds=seconds), now + FURTHEST]
    return min([*ends, signal.expires_at] if signal.expires_at is not None else ends)


def _ended(signal: Standing, now: datetime) -> Fault | None:
    faults = {Status.ACKED: Fault.ALREADY_ACKED, Status.EXPIRED: Fault.EXPIRED}
    return faults.get(status_of(signal, now))


def _is_over(signal: Standing, now: datetime) -> bool:
    return signal.lease_until is None or signal.lease_until <= now


def _not_theirs(signal: Standing, who: Consumer, claim: int | None) -> Fault | None:
    if signal.holder != who:
        nameless = signal.holder is not None and signal.holder.agent == who.agent and not who.worker
        return Fault.CONSUMER_REQUIRED if nameless else Fault.CLAIMED_BY_OTHER
    return None if claim in (None, signal.claims) else Fault.STATE_CHANGED
