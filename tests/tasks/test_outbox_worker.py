"""The outbox with a real worker on a real broker: verified without being asked twice, also when the worker is killed (S24)."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from evidence.models import HeldRecord, Outbox, Verification
from evidence.rules.vocab import VerificationStatus
from evidence.services.outbox import poke
from evidence.services.proposing import file_proposal
from tests.fixtures.worker import WorkerProcess
from tests.services import make

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

PROPOSALS = 200
PATIENCE = 120.0


@pytest.fixture(autouse=True)
def pokes_are_not_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test before this one may have met no broker, after which pokes rest for some seconds."""
    from evidence.services import outbox

    monkeypatch.setitem(outbox._quiet, "until", 0.0)


def file_many(count: int) -> None:
    agent = make.agent()
    for number in range(count):
        said = make.claim(f"quail-{number}", f"host {number}", "name")
        evidence = (make.inline(f"host {number} name quail-{number}", thread=f"t-{number}"),)
        file_proposal(
            filer=make.filer(agent),
            draft=make.draft(f"Host {number} is quail-{number}.", claim=said, evidence=evidence),
        )


def verified() -> int:
    return HeldRecord.objects.exclude(verification_status=VerificationStatus.PENDING).count()


def await_true(what: Callable[[], bool], *, poking: bool = False) -> None:
    """Wait for an outcome, not for a time; `poking` stands in for beat, which asks for the outbox every ten seconds."""
    deadline = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < deadline, f"{verified()} verified, {Outbox.objects.filter(done_at=None).count()} due"
        if poking:
            poke()
        time.sleep(0.1)


def test_filing_alone_gets_an_item_verified(celery_worker_process: WorkerProcess):
    celery_worker_process.start()
    file_many(1)
    await_true(lambda: verified() == 1)
    assert Verification.objects.count() == 1


def test_a_worker_killed_in_the_middle_loses_nothing_and_records_nothing_twice(celery_worker_process: WorkerProcess):
    file_many(PROPOSALS)
    celery_worker_process.start()
    await_true(lambda: verified() >= PROPOSALS // 10)
    celery_worker_process.kill()
    left = PROPOSALS - verified()
    assert left > 0, "the worker was quicker than the kill: nothing was tested"

    celery_worker_process.start()
    await_true(lambda: verified() == PROPOSALS, poking=True)
    await_true(lambda: not Outbox.objects.filter(done_at=None).exists(), poking=True)
    assert Verification.objects.count() == PROPOSALS
    assert set(HeldRecord.objects.values_list("verification_status", flat=True)) == {"verified"}


def test_without_a_broker_filing_works_and_the_message_waits():
    from evidence.services import outbox
    from reviewapp.celery import app

    before = app.conf.broker_url
    app.conf.broker_url = "redis://127.0.0.1:1/0"
    app._pool = None
    app.amqp._producer_pool = None
    outbox._quiet["until"] = 0.0
    try:
        file_many(2)
    finally:
        app.conf.broker_url = before
        app._pool = None
        app.amqp._producer_pool = None
        outbox._quiet["until"] = 0.0
    assert Outbox.objects.filter(topic="verify", done_at=None).count() == 2
    assert outbox.deliver_due(limit=10) >= 2
    assert verified() == 2
