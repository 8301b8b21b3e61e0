"""The week of `test_week` with worker processes that are killed in the middle of their work: still once (S24, S28)."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from evidence.models import Decision, Delivery, Notice, Outbox, RecheckItem
from evidence.rules.telling import DeliveryState
from evidence.services import outbox
from evidence.services.outbox import DELIVER_OUTSIDE_TASK, DELIVER_TASK
from evidence.tasks.sweeps import SWEEP_TASK
from reviewapp.celery import app
from tests.fixtures.clocked_worker import ClockedWorker, clocked_worker
from tests.fixtures.receivers import MailSink
from tests.fixtures.worker import database_url_under_test
from tests.tasks.test_week import MONDAY, PATIENCE, SWEEPS, arrange, assert_told_once

pytestmark = [pytest.mark.django_db(transaction=True)]

SEED = 20270322
# Asked; the digest, and what will expire; expired and due; with the deputy; with the administrators; the last mail.
DAYS = (0, 1, 2, 3, 6, 7)
# Longer than anything that a dead worker took is left alone.
LATER = timedelta(minutes=4)
KILLS_A_STEP = 2
MOST_STATEMENTS = 90


class Week:
    """The timetable and the clock of both processes. What a killed worker left behind is for the next one, a little later."""

    def __init__(self, worker: ClockedWorker, time_machine: Any) -> None:
        self.worker, self.clock, self.chance = worker, time_machine, random.Random(SEED)
        self.killed = 0

    def step(self, at: datetime) -> None:
        for turn in range(KILLS_A_STEP + 1):
            self.clock.move_to(at + turn * LATER, tick=True)
            dies = self.chance.randint(1, MOST_STATEMENTS) if turn < KILLS_A_STEP else 0
            self.worker.start(datetime.now(UTC), dies_before=dies)
            finished = self._everything_once_due()
            self.worker.kill()
            if finished:
                return
            self.killed += 1
        raise AssertionError("the last worker of a step is not killed")

    def _everything_once_due(self) -> bool:
        """False where the worker died over it."""
        sweeps = [app.send_task(SWEEP_TASK, args=(name,), queue="interactive").id for name in SWEEPS for _ in range(2)]
        if not self._did(sweeps):
            return False
        for _ in range(40):
            if not Outbox.objects.due(datetime.now(UTC)).exists():
                return True
            rest = [app.send_task(DELIVER_TASK, queue="interactive"), app.send_task(DELIVER_OUTSIDE_TASK, queue="bulk")]
            if not self._did([one.id for one in rest]):
                return False
        raise AssertionError(list(Outbox.objects.filter(done_at=None).values("topic", "last_error")))

    def _did(self, tasks: list[str]) -> bool:
        deadline = time.monotonic() + PATIENCE
        while not self.worker.done.issuperset(tasks):
            if not self.worker.alive:
                return False
            assert time.monotonic() < deadline, "the worker did not answer"
            time.sleep(0.005)
        return True


@pytest.fixture
def week(valkey: str, mail_sink: MailSink, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, time_machine: Any) -> Any:
    monkeypatch.setitem(outbox._quiet, "until", float("inf"))
    env = os.environ | {
        "DJANGO_SETTINGS_MODULE": "reviewapp.settings", "DATABASE_URL": database_url_under_test(), "REDIS_URL": valkey,
        "SECRET_KEY": settings.SECRET_KEY, "EMAIL_URL": f"smtp://127.0.0.1:{mail_sink.port}",
    }  # fmt: skip
    time_machine.move_to(MONDAY, tick=True)
    with clocked_worker(env, tmp_path) as worker:
        yield Week(worker, time_machine)


def test_each_thing_once_although_every_worker_is_killed(week: Week, mail_sink: MailSink) -> None:
    people = arrange()
    for day in DAYS:
        week.step(MONDAY + timedelta(days=day))

    assert week.killed > len(DAYS), "the workers were quicker than their deaths: nothing was tested"
    assert_told_once(people, mail_sink)
    # A mail that was out when its worker died is in doubt, and not sent again; it died after the server had it.
    final = {DeliveryState.SENT, DeliveryState.DOUBTFUL, DeliveryState.COLLECTING}
    assert set(Delivery.objects.values_list("state", flat=True)) <= final
    assert max(Counter(Notice.objects.values_list("news", "endpoint")).values()) == 1
    # What expires was asked about once, and each step of the escalation was taken once.
    assert RecheckItem.objects.count() == 1
    steps = [row.effects[0]["kind"] for row in Decision.objects.filter(action="escalate").order_by("at", "seq")]
    assert steps == ["deputies", "administrators"]
