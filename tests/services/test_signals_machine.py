"""Any sequence of signals published, taken, held longer, finished and left lying, held against a model of a few lines."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from evidence.models import AgentSignal
from evidence.services.errors import Refused
from evidence.services.signal_claiming import ack_signal, claim_next, claim_one, extend_lease
from evidence.services.signal_polling import poll
from evidence.services.signal_publishing import publish_signal
from evidence.services.signal_shapes import PollShape, SignalDraft
from evidence.services.signal_sweep import cleanup_signals
from tests.builders import a_token

BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
WHO = st.sampled_from([("ada", ""), ("ada", "w1"), ("bob", "")])
TO = st.sampled_from(["", "", "ada", "bob"])
SECONDS = st.sampled_from([1, 5, 30])
WHICH = st.integers(0, 5)


@dataclass
class Model:
    """Seconds since the beginning. `lease` none: nobody has claimed it since it was published."""

    pk: str
    to: str
    ends: int | None
    first: bool
    free: int
    holder: tuple[str, str] | None = None
    lease: int | None = None
    claims: int = 0
    done: bool = False

    def state(self, now: int) -> str:
        if self.done:
            return "acked"
        if self.ends is not None and self.ends <= now:
            return "expired"
        return "claimed" if self.lease is not None and self.lease > now else "pending"

    def over(self, now: int) -> str:
        return {"acked": "already-acked", "expired": "expired"}.get(self.state(now), "")

    def readable(self, agent: str) -> bool:
        return self.to in ("", agent) or agent == "ada"

    def theirs(self, who: tuple[str, str]) -> str:
        if self.holder == who:
            return ""
        assert self.holder is not None
        return "consumer-required" if self.holder[0] == who[0] and not who[1] else "claimed-by-other"


class Signals(RuleBasedStateMachine):
    """Ada publishes; ada, a worker of hers and bob take. The clock is the test's."""

    @initialize()
    def begin(self) -> None:
        # The examples share a database, and no namespace.
        namespace = uuid.uuid4().hex
        self.tokens = {agent: a_token(agent, namespace=namespace).token for agent in ("ada", "bob")}
        self.rows = AgentSignal.objects.filter(namespace=namespace)
        self.now, self.signals = 0, list[Model]()
        self.cursor, self.seen = "", list[str]()

    @property
    def at(self) -> datetime:
        return BEGINNING + timedelta(seconds=self.now)

    def attempt(self, work: Any) -> Any:
        """The answer, or the reason of the refusal."""
        try:
            with transaction.atomic():
                return work()
        except Refused as refused:
            return refused.extra["reason"]

    @rule(to=TO, ttl=st.sampled_from([None, None, 4, 20]), first=st.booleans())
    def publish(self, to: str, ttl: int | None, first: bool) -> None:
        ends = None if ttl is None else self.now + ttl
        draft = SignalDraft(
            "Job",
            recipient=to,
            claim_required=first,
            expires_at=None if ttl is None else self.at + timedelta(seconds=ttl),
        )
        row = publish_signal(token=self.tokens["ada"], draft=draft, now=self.at)
        self.signals.append(Model(str(row.pk), to, ends, first, self.now))

    @rule(seconds=st.integers(1, 12))
    def wait(self, seconds: int) -> None:
        self.now += seconds

    @rule()
    def sweep(self) -> None:
        cleanup_signals(keep_days=30, apply=True, now=self.at)

    @rule(who=WHO, seconds=SECONDS)
    def take_next(self, who: tuple[str, str], seconds: int) -> None:
        got = claim_next(token=self.tokens[who[0]], worker=who[1], seconds=seconds, now=self.at)
        free = [one for one in self.signals if one.state(self.now) == "pending" and one.to in ("", who[0])]
        if not free:
            assert (got.signal, got.reason) == (None, "no-eligible-signal")
            return
        wanted = min(free, key=lambda one: (one.free, self.signals.index(one)))
        assert got.signal is not None
        assert str(got.signal.pk) == wanted.pk
        self.hold(wanted, who, seconds)

    @rule(who=WHO, seconds=SECONDS, which=WHICH)
    def take(self, who: tuple[str, str], seconds: int, which: int) -> None:
        if (one := self.named(which)) is None:
            return
        got = self.attempt(
            lambda: (
                claim_one(
                    token=self.tokens[who[0]], signal_id=one.pk, worker=who[1], seconds=seconds, now=self.at
                ).signal.pk
            )  # type: ignore[union-attr]
        )
        reason = "" if one.readable(who[0]) else "missing"
        reason = reason or one.over(self.now) or ("" if one.to in ("", who[0]) else "not-claimable")
        if not reason and one.state(self.now) == "claimed":
            reason = "already-claimed" if one.holder == who else "claimed-by-other"
        assert str(got) == (reason or one.pk)
        if not reason:
            self.hold(one, who, seconds)

    @rule(who=WHO, seconds=SECONDS, which=WHICH)
    def extend(self, who: tuple[str, str], seconds: int, which: int) -> None:
        if (one := self.named(which)) is None:
            return
        got = self.attempt(
            lambda: (
                extend_lease(
                    token=self.tokens[who[0]], signal_id=one.pk, worker=who[1], seconds=seconds, now=self.at
                ).pk
            )
        )
        reason = ("" if one.readable(who[0]) else "missing") or one.over(self.now) or self.not_held(one, who)
        assert str(got) == (reason or one.pk)
        if not reason:
            assert one.lease is not None
            one.lease = one.free = min(one.lease + seconds, one.ends if one.ends is not None else 10**9)

    @rule(who=WHO, which=WHICH)
    def finish(self, who: tuple[str, str], which: int) -> None:
        if (one := self.named(which)) is None:
            return
        got = self.attempt(
            lambda: ack_signal(token=self.tokens[who[0]], signal_id=one.pk, worker=who[1], now=self.at).pk
        )
        reason = ("" if one.readable(who[0]) else "missing") or one.over(self.now)
        if not reason and one.holder is not None:
            reason = self.not_held(one, who)
        elif not reason:
            reason = "" if one.to in ("", who[0]) else "not-claimable"
            reason = reason or ("claim-required" if one.first else "")
        assert str(got) == (reason or one.pk)
        if not reason:
            one.done, one.holder = True, who

    @rule(limit=st.integers(1, 4))
    def read_on(self, limit: int) -> None:
        found = poll(token=self.tokens["bob"], asked=PollShape(since=self.cursor, limit=limit), now=self.at)
        self.cursor = found.cursor
        self.seen += [str(row.pk) for row in found.rows]
        everything = [one.pk for one in self.signals if one.readable("bob")]
        assert self.seen == everything[: len(self.seen)]
        assert len(found.rows) == limit or self.seen == everything

    def named(self, which: int) -> Model | None:
        """One of the last few, so that calls meet."""
        return self.signals[-1 - which] if which < len(self.signals) else None

    def not_held(self, one: Model, who: tuple[str, str]) -> str:
        if one.lease is None:
            return "not-claimed"
        return "lease-expired" if one.lease <= self.now else one.theirs(who)

    def hold(self, one: Model, who: tuple[str, str], seconds: int) -> None:
        one.holder, one.claims = who, one.claims + 1
        one.lease = one.free = min(self.now + seconds, one.ends if one.ends is not None else 10**9)

    @invariant()
    def the_desk_says_the_same(self) -> None:
        rows = {str(row.pk): row for row in self.rows.all()}
        assert {pk: (str(row.status_at(self.at)), row.claims) for pk, row in rows.items()} == {
            one.pk: (one.state(self.now), one.claims) for one in self.signals
        }
        for state in ("pending", "claimed", "acked", "expired"):
            asked = {str(pk) for pk in self.rows.in_state(state, self.at).values_list("pk", flat=True)}
            assert asked == {one.pk for one in self.signals if one.state(self.now) == state}


class AnySequence(TestCase):
    def test_any_sequence(self) -> None:
        quick = settings(
            max_examples=15, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
        )
        run_state_machine_as_test(Signals, settings=quick)
