"""Bulk work with a real worker on a real broker: killed in the middle it goes on, and nothing is done twice (S24, S25)."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from evidence.models import Decision, HeldRecord, Job, Outbox, User
from evidence.rules.bulk import JobStatus
from evidence.selectors.audit import verify_chain
from evidence.selectors.jobs import tally
from evidence.services import outbox
from evidence.services.bulk import preview_bulk
from evidence.services.bulk_running import run_bulk
from evidence.services.bulk_selecting import digest_of
from evidence.services.bulk_undoing import undo_bulk
from tests.fixtures.worker import WorkerProcess
from tests.services import make

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

ITEMS = 60
PATIENCE = 120.0


@pytest.fixture(autouse=True)
def pokes_are_not_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(outbox._quiet, "until", 0.0)


def hosts(count: int, word: str = "quail") -> list[HeldRecord]:
    """Too few of one agent to count as a burst."""
    return [
        make.proposal(
            make.agent(f"{word}-agent-{n // 20}"), f"Host {n} is called {word}-{n}.",
            claim=make.claim(f"{word}-{n}", f"{word} host {n}", "name"),
        )
        for n in range(count)
    ]  # fmt: skip


def await_true(what: Callable[[], bool], *, poking: bool = False) -> None:
    """Wait for an outcome, not for a time; `poking` stands in for beat, which looks for work every ten seconds."""
    deadline = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < deadline, list(Outbox.objects.filter(done_at=None).values("topic", "last_error"))
        if poking:
            outbox.poke_long_work()
        time.sleep(0.05)


def preview(who: User, held: list[HeldRecord], action: str = "approve") -> Job:
    job = preview_bulk(user=who, action=action, held_ids=[one.pk for one in held])
    await_true(lambda: Job.objects.get(pk=job.pk).status == JobStatus.PREVIEW)
    return job


def press(job: Job, who: User, **members: object) -> None:
    number, selection = digest_of(job)
    run_bulk(job_id=job.pk, user=who, number=number, selection=selection, **members)


def is_done(job: Job) -> bool:
    return Job.objects.get(pk=job.pk).status == JobStatus.DONE


def test_a_worker_killed_in_the_middle_is_taken_over_and_no_row_is_done_twice(celery_worker_process: WorkerProcess):
    reviewer, held = make.reviewer(), hosts(ITEMS)
    celery_worker_process.start()
    job = preview(reviewer, held)
    press(job, reviewer)
    await_true(lambda: tally(job).done >= ITEMS // 10)
    celery_worker_process.kill()

    numbers = tally(job)
    assert 0 < numbers.waiting < ITEMS, "the worker was quicker than the kill: nothing was tested"
    assert Job.objects.get(pk=job.pk).status == JobStatus.RUNNING
    # What the page says is what the database holds, also right after the kill.
    assert numbers.done == Decision.objects.filter(bulk_id=job.pk, action="approve").count()
    assert numbers.done == HeldRecord.objects.filter(status="approved").count()

    celery_worker_process.start()
    await_true(lambda: is_done(job), poking=True)
    assert tally(job).outcomes == {"done": ITEMS}
    assert Decision.objects.filter(bulk_id=job.pk, action="approve").count() == ITEMS
    # The last row is written before its message is done with.
    await_true(lambda: not Outbox.objects.filter(topic="bulk", done_at=None).exists(), poking=True)
    assert verify_chain().ok


def test_a_short_job_does_not_wait_for_the_end_of_a_long_one(celery_worker_process: WorkerProcess):
    long_by, short_by = make.reviewer(), make.reviewer("ada")
    long_held, short_held = hosts(ITEMS), hosts(5, "wren")
    celery_worker_process.start()
    long, short = preview(long_by, long_held), preview(short_by, short_held)
    press(long, long_by)
    await_true(lambda: tally(long).done > 0)
    press(short, short_by)
    await_true(lambda: is_done(short))
    assert not is_done(long), "the long job was quicker: nothing was tested"
    await_true(lambda: is_done(long))
    assert (tally(long).done, tally(short).done) == (ITEMS, 5)


def test_a_bulk_is_taken_back_by_the_worker_too(celery_worker_process: WorkerProcess):
    reviewer, held = make.reviewer(), hosts(12)
    celery_worker_process.start()
    job = preview(reviewer, held)
    press(job, reviewer)
    await_true(lambda: is_done(job))
    undo = undo_bulk(job_id=job.pk, user=reviewer)
    await_true(lambda: is_done(undo))
    assert tally(undo).outcomes == {"done": 12}
    assert HeldRecord.objects.waiting().count() == 12
