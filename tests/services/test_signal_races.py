"""Many claimers at once, on both databases: each signal is in one hand at a time, acknowledged once, and nobody goes without."""

from __future__ import annotations

import threading
from collections import Counter

import pytest
from django.db import connection
from django.utils import timezone

from evidence.models import AgentSignal, Token
from evidence.rules.vocab import Action
from evidence.services.outbox import deliver_due
from evidence.services.signal_announcing import tell_agent
from evidence.services.signal_claiming import ack_signal, claim_next, claim_one
from evidence.services.signal_polling import poll
from evidence.services.signal_publishing import publish_signal
from evidence.services.signal_shapes import PollShape, SignalDraft
from tests.builders import a_token
from tests.services import make
from tests.services.test_races import THREADS, at_once

pytestmark = [pytest.mark.races, pytest.mark.django_db(transaction=True)]
JOBS = 48


def publish(token: Token, number: int) -> str:
    return str(publish_signal(token=token, draft=SignalDraft(content=f"Job {number}")).pk)


def test_each_is_claimed_by_one_and_acknowledged_once_and_all_get_some():
    token = a_token("ada").token
    wanted = {publish(token, number) for number in range(JOBS)}
    # Nobody takes a second one before all hold their first: a machine may start one thread after the others are through.
    first = threading.Barrier(THREADS, timeout=60)

    def work(number: int) -> list[str]:
        done: list[str] = []
        while (claimed := claim_next(token=token, worker=f"w{number}", seconds=300).signal) is not None:
            if not done:
                first.wait()
            ack_signal(token=token, signal_id=str(claimed.pk), worker=f"w{number}", claim=claimed.claims)
            done.append(str(claimed.pk))
        return done

    shares = at_once(work)
    acked = Counter(signal for share in shares for signal in share)  # type: ignore[attr-defined]
    assert acked == Counter(wanted)
    assert all(shares), "somebody went without"
    assert set(AgentSignal.objects.values_list("status", "claims").distinct()) == {("acked", 1)}


def test_one_signal_has_one_taker_and_one_end():
    token = a_token("ada").token
    signal = publish(token, 0)
    taken = at_once(lambda number: claim_one(token=token, signal_id=signal, worker=f"w{number}", seconds=60).signal)
    assert sorted(Counter(str(one) for one in taken).values()) == [1, THREADS - 1]
    holder = AgentSignal.objects.get(pk=signal).holder_worker
    ends = at_once(lambda _: str(ack_signal(token=token, signal_id=signal, worker=holder).pk))
    assert Counter(ends) == {signal: 1, "closed": THREADS - 1}


def test_whoever_reads_on_while_others_publish_misses_none():
    """Numbers appear in their order: a position never passes one that is committed later."""
    token = a_token("ada").token
    seen: list[str] = []

    def work(number: int) -> list[str]:
        if number:
            return [publish(token, number * 10 + each) for each in range(6)]
        cursor, met = "", []
        for _ in range(30):
            found = poll(token=token, asked=PollShape(since=cursor, limit=5), now=timezone.now())
            met += [str(row.pk) for row in found.rows]
            cursor = found.cursor
        seen.append(cursor)
        return met

    met, *published = at_once(work)
    rest = poll(token=token, asked=PollShape(since=seen[0], limit=100), now=timezone.now())
    everything = [*met, *(str(row.pk) for row in rest.rows)]  # type: ignore[misc]
    assert Counter(everything) == Counter(one for share in published for one in share)  # type: ignore[attr-defined]


def test_a_decision_that_is_delivered_by_all_workers_is_told_once():
    a_token("ops-agent")
    held = make.proposal()
    decision = make.act(held, make.reviewer(), Action.REJECT, reason_code="stale").decision

    def deliver(number: int) -> None:
        deliver_due(limit=5)
        tell_agent(str(decision.pk))
        connection.close()

    at_once(deliver)
    assert AgentSignal.objects.get().about["reason_code"] == "stale"
