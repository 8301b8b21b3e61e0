"""A week of simulated time with a real broker and Celery's own worker, every task sent twice: each thing is told once (S24, S28).

The worker is a thread of this process, so that it sees the clock of the test.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from celery.contrib.testing.worker import start_worker
from celery.signals import task_postrun

from evidence.models import Delivery, Inquiry, Membership, News, Outbox, User
from evidence.rules.telling import DeliveryState
from evidence.rules.vocab import Role
from evidence.services import outbox
from evidence.services.outbox import DELIVER_OUTSIDE_TASK, DELIVER_TASK
from evidence.tasks.sweeps import SWEEP_TASK
from reviewapp.celery import app
from tests.fixtures.receivers import MailSink
from tests.services import make

pytestmark = [pytest.mark.django_db(transaction=True)]

MONDAY = datetime(2027, 3, 22, 8, 0, tzinfo=UTC)  # the week in which clocks of Berlin leap
STEP = timedelta(hours=8)
STEPS = 7 * 24 // 8 + 1
PATIENCE = 60.0
SWEEPS = ("expiry", "inquiries", "telling", "outbox")


class Beat:
    """Sends what beat sends, everything twice, and waits until the worker did it."""

    def __init__(self) -> None:
        self.done = 0
        self._lock = threading.Lock()
        task_postrun.connect(self._count, weak=False)

    def _count(self, **_: Any) -> None:
        with self._lock:
            self.done += 1

    def stop(self) -> None:
        task_postrun.disconnect(self._count)

    def send(self, name: str, *arguments: str, queue: str = "interactive") -> None:
        before = self.done
        for _ in range(2):
            app.send_task(name, args=arguments, queue=queue)
        self._await(lambda: self.done >= before + 2)

    def round(self) -> None:
        for name in SWEEPS:
            self.send(SWEEP_TASK, name)
        for _ in range(40):
            due = Outbox.objects.due(datetime.now(UTC))
            if not due.exists():
                return
            self.send(DELIVER_TASK)
            self.send(DELIVER_OUTSIDE_TASK, queue="bulk")
        raise AssertionError(list(Outbox.objects.filter(done_at=None).values("topic", "last_error")))

    def _await(self, what: Any) -> None:
        deadline = time.monotonic() + PATIENCE
        while not what():
            assert time.monotonic() < deadline, "the worker did not answer"
            time.sleep(0.005)


@pytest.fixture
def beat(valkey: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Beat]:
    monkeypatch.setitem(outbox._quiet, "until", float("inf"))  # no pokes: only what the test sends is done
    made = Beat()
    with start_worker(app, pool="threads", concurrency=2, perform_ping_check=False, queues=["interactive", "bulk"]):
        yield made
    made.stop()


def headings(sink: MailSink, who: User) -> Counter[str]:
    mine = [message for message in sink.messages if message["To"] == who.email]
    return Counter(str(message["Subject"]).strip().removeprefix("[Evidence Desk] ") for message in mine)


def arrange() -> dict[str, User]:
    """Everything that happens in the week, and whom it is for."""
    berlin = {"time_zone": "Europe/Berlin"}
    owner = make.user("owner", Role.OWNER, email="owner@desk.invalid", **berlin)
    deputy = make.user("deputy", email="deputy@desk.invalid", **berlin)
    Membership.objects.create(user=deputy, role=Role.OWNER, deputy=True)
    admin = make.user("admin", Role.ADMINISTRATOR, email="admin@desk.invalid", **berlin)
    reviewer = make.user("reviewer", Role.REVIEWER, email="reviewer@desk.invalid", **berlin)
    # It expires on Wednesday; its owner is asked before that, once.
    make.fact(about=make.claim("active", "till", "state"), volatility="billing", checked=MONDAY - timedelta(hours=1))
    # A conflict: asked at once, due on Wednesday, then with the deputy, then with the administrators.
    make.fact(about=make.claim("active"))
    make.proposal(make.agent(), "The vendor account is past due.", claim=make.claim("past due"))
    for number in range(3):
        make.proposal(make.agent("quiet-agent"), f"Host quail-{number} is called so.", evidence=(
            make.inline(f"Host quail-{number} is called so.", of="quiet-agent"),
        ))  # fmt: skip
    return {who.username: who for who in (owner, deputy, admin, reviewer)}


def assert_told_once(people: dict[str, User], sink: MailSink) -> None:
    told = {name: headings(sink, who) for name, who in people.items()}
    # Whether a deputy is asked to check a fact, too, is not for this test to say; once it is, at most.
    assert told["deputy"].pop("A fact is due to be checked again · ops-agent", 1) == 1
    assert told == {
        "owner": {"A question waits for an answer · ops-agent": 1, "A fact is due to be checked again · ops-agent": 1},
        "deputy": {"A question is overdue · ops-agent": 1},
        "admin": {"A question is overdue · ops-agent": 1},
        "reviewer": {"4 new items wait for review": 1},
    }
    assert len(sink.ids()) == len(set(sink.ids()))
    assert Inquiry.objects.get(kind="conflict").escalation == 2
    # The digest came at nine of the person's own clock.
    digest = Delivery.objects.get(user=people["reviewer"], channel="mail")
    assert digest.due_at == datetime(2027, 3, 23, 8, 0, tzinfo=UTC)
    assert not News.objects.filter(told_at=None).exists()


def test_everything_of_a_week_is_told_once(beat: Beat, smtp_settings: MailSink, time_machine: Any) -> None:
    time_machine.move_to(MONDAY, tick=True)
    people = arrange()
    for step in range(STEPS):
        time_machine.move_to(MONDAY + step * STEP, tick=True)
        beat.round()
    assert_told_once(people, smtp_settings)
    assert not Delivery.objects.exclude(state__in=[DeliveryState.SENT, DeliveryState.COLLECTING]).exists()
