"""Taking signals: claim, extend, acknowledge. One taker at a time, decided under the row's lock; a lease ends by itself.

A refusal carries the exact `reason`. What an agent may not read is missing, whether it is there or not.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import connection, transaction
from django.utils import timezone

from evidence.models import AgentSignal, Token
from evidence.models.agent_signals import AgentSignalQuerySet
from evidence.rules.signal_states import (
    MOST_HELD,
    Consumer,
    ack_fault,
    claim_fault,
    extend_fault,
    lease_end,
)
from evidence.rules.signal_vocab import AgentSignalStatus, SignalFault
from evidence.rules.text import uuid_of
from evidence.services.errors import Refused
from evidence.services.signal_shapes import ClaimShape
from evidence.services.texts import NAME_MAX, check_text
from evidence.services.turns import turn_to_write

# Code of the doors, and what is said of it.
_WORDS: dict[SignalFault, tuple[str, str]] = {
    SignalFault.MISSING: ("not_found", "There is no such signal."),
    SignalFault.NOT_CLAIMABLE: ("closed", "The signal is for another agent."),
    SignalFault.ALREADY_ACKED: ("closed", "The signal was acknowledged already."),
    SignalFault.EXPIRED: ("closed", "The signal has expired."),
    SignalFault.CLAIMED_BY_OTHER: ("version_conflict", "Another consumer holds the signal."),
    SignalFault.ALREADY_CLAIMED: ("version_conflict", "You hold the signal already; extend its lease instead."),
    SignalFault.LEASE_EXPIRED: ("version_conflict", "The lease is over; claim the signal anew."),
    SignalFault.NOT_CLAIMED: ("version_conflict", "Nobody holds the signal."),
    SignalFault.CONSUMER_REQUIRED: ("version_conflict", "A worker of yours holds the signal; say which in consumer."),
    SignalFault.CLAIM_REQUIRED: ("version_conflict", "The signal has to be claimed before it is acknowledged."),
    SignalFault.STATE_CHANGED: ("version_conflict", "The signal was claimed again since the claim that you name."),
    SignalFault.TOO_MANY_HELD: ("in_progress", f"You hold {MOST_HELD} signals; acknowledge some of them first."),
}


@dataclass(frozen=True, slots=True)
class Claimed:
    """The signal that was taken; none, and why."""

    signal: AgentSignal | None
    reason: SignalFault | None = None


def claim(*, token: Token, asked: ClaimShape, now: datetime) -> Claimed:
    """As a door is asked: the one that is named, or the next one. Raises `Refused` with the `reason`."""
    arguments = asked.to_arguments()
    if asked.signal is None:
        return claim_next(token=token, tags=tuple(asked.tags), now=now, **arguments)
    return claim_one(token=token, signal_id=asked.signal, now=now, **arguments)


def claim_next(
    *, token: Token, worker: str = "", seconds: int, tags: tuple[str, ...] = (), now: datetime | None = None
) -> Claimed:
    """Take what has waited longest of what is for everybody or for this agent. Nothing there is an answer, no error."""
    who, at = _consumer(token, worker), now or timezone.now()
    with turn_to_write(), transaction.atomic():
        if _holds_too_many(token.namespace, who, at):
            return Claimed(None, SignalFault.TOO_MANY_HELD)
        row = _take_free(token.namespace, who, tags, at)
        if row is None:
            return Claimed(None, SignalFault.NO_ELIGIBLE_SIGNAL)
        _hold(row, who, seconds, at)
    return Claimed(row)


def claim_one(*, token: Token, signal_id: str, worker: str = "", seconds: int, now: datetime | None = None) -> Claimed:
    """Take this one. Raises `Refused` with the `reason`."""
    who, at = _consumer(token, worker), now or timezone.now()
    with turn_to_write(), transaction.atomic():
        row = _locked(token, signal_id)
        _refuse(claim_fault(row.standing, who, at))
        if _holds_too_many(token.namespace, who, at):
            _refuse(SignalFault.TOO_MANY_HELD)
        _hold(row, who, seconds, at)
    return Claimed(row)


def extend_lease(
    *,
    token: Token,
    signal_id: str,
    worker: str = "",
    seconds: int,
    claim: int | None = None,
    now: datetime | None = None,
) -> AgentSignal:
    """So much longer, from the end of the lease. Raises `Refused` with the `reason`."""
    who, at = _consumer(token, worker), now or timezone.now()
    with turn_to_write(), transaction.atomic():
        row = _locked(token, signal_id)
        _refuse(extend_fault(row.standing, who, at, claim))
        assert row.lease_until is not None
        row.lease_until = row.free_at = max(row.lease_until, lease_end(row.lease_until, seconds, row.standing, at))
        row.save(update_fields=["lease_until", "free_at"])
    return row


def ack_signal(
    *, token: Token, signal_id: str, worker: str = "", claim: int | None = None, now: datetime | None = None
) -> AgentSignal:
    """Done with it, for good. Raises `Refused` with the `reason`."""
    who, at = _consumer(token, worker), now or timezone.now()
    with turn_to_write(), transaction.atomic():
        row = _locked(token, signal_id)
        _refuse(ack_fault(row.standing, who, at, claim))
        # Clocks of two machines differ: an end never stands before its beginning.
        row.acked_at = row.ended_at = max(at, row.claimed_at or at)
        row.status, row.lease_until = AgentSignalStatus.ACKED, None
        row.holder_agent, row.holder_worker = who.agent, who.worker
        row.save(update_fields=["acked_at", "ended_at", "status", "lease_until", "holder_agent", "holder_worker"])
    return row


def _consumer(token: Token, worker: str) -> Consumer:
    check_text("consumer", worker, longest=NAME_MAX)
    return Consumer(token.agent_id or "", worker)


def _holds_too_many(namespace: str, who: Consumer, now: datetime) -> bool:
    held = (
        AgentSignal.objects.held_by(namespace, who, now)
        .order_by("lease_until")
        .values_list("pk", flat=True)[:MOST_HELD]
    )
    return len(held) >= MOST_HELD


def _take_free(namespace: str, who: Consumer, tags: tuple[str, ...], now: datetime) -> AgentSignal | None:
    """Locked. Of the two lanes first the one whose head has waited longer; where somebody else got in between, the other."""
    lanes = [AgentSignal.objects.free(namespace, to, now).tagged(tags) for to in ("", who.agent)]
    heads = [(head, at) for at, lane in enumerate(lanes) if (head := lane.values_list("free_at", "sequence").first())]
    for _, at in sorted(heads):
        row = _unlocked(lanes[at]).first()
        if row is not None:
            return row
    return None


def _unlocked(rows: AgentSignalQuerySet) -> AgentSignalQuerySet:
    """Pass over what another claimer has in its hands at this moment; on SQLite nobody has."""
    if connection.features.has_select_for_update_skip_locked:
        return rows.select_for_update(of=("self",), skip_locked=True)
    return rows


def _hold(row: AgentSignal, who: Consumer, seconds: int, now: datetime) -> None:
    start = max(now, row.created_at)
    row.status, row.holder_agent, row.holder_worker = AgentSignalStatus.CLAIMED, who.agent, who.worker
    row.claims += 1
    row.lease_until = row.free_at = lease_end(start, seconds, row.standing, now)
    row.claimed_at = min(start, row.lease_until)
    row.save(
        update_fields=["status", "holder_agent", "holder_worker", "claims", "claimed_at", "lease_until", "free_at"]
    )


def _locked(token: Token, signal_id: str) -> AgentSignal:
    rows = AgentSignal.objects.readable_by(token.namespace, token.agent_id or "")
    pk = uuid_of(signal_id)
    row = rows.select_for_update(of=("self",)).filter(pk=pk).first() if pk else None
    if row is None:
        raise no_such_signal()
    return row


def no_such_signal() -> Refused:
    return _refused(SignalFault.MISSING)


def _refuse(fault: SignalFault | None) -> None:
    if fault is not None:
        raise _refused(fault)


def _refused(fault: SignalFault) -> Refused:
    code, detail = _WORDS[fault]
    return Refused(code, detail, reason=str(fault))
