"""Handing a task over: it arrives, it survives a killed worker, and a lost broker is an error at once, not a hang."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
import redis
from celery.signals import worker_init
from kombu.exceptions import OperationalError

from reviewapp.celery import app, task_modules
from reviewapp.runtime.address import celery_url
from reviewapp.runtime.ports import LOOPBACK
from tests.fixtures.worker import WorkerProcess
from tests.runtime.programs import wait_for

# A name that no worker knows: it takes the message off the queue, says so, and does nothing.
UNKNOWN = "evidence.tests.nobody_does_this"


def waiting(url: str) -> int:
    """Messages that no worker has taken yet."""
    return int(redis.Redis.from_url(url).llen("interactive"))


def test_a_task_is_handed_over_as_json_to_the_queue_where_somebody_waits(valkey: str) -> None:
    app.send_task(UNKNOWN, args=["some-id"])
    assert waiting(valkey) == 1
    assert b"application/json" in redis.Redis.from_url(valkey).lindex("interactive", 0)


@pytest.mark.parametrize("queue", ["interactive", "bulk", "import"])
def test_a_message_goes_to_one_queue_only(valkey: str, queue: str) -> None:
    with app.connection_for_write() as link:  # as a worker does when it starts
        for known in app.conf.task_queues:
            known(link.default_channel).declare()
    app.send_task(UNKNOWN, queue=queue)
    client = redis.Redis.from_url(valkey)
    lengths = {name: client.llen(name) for name in ("interactive", "bulk", "import")}
    assert lengths == dict.fromkeys(lengths, 0) | {queue: 1}


def test_a_broker_that_is_not_there_is_an_error_not_a_hang(tmp_path: Path) -> None:
    with pytest.raises(OperationalError):
        app.send_task(UNKNOWN, connection=app.connection(f"redis+socket://{tmp_path}/absent.sock"))


def test_a_broker_that_accepts_and_says_nothing_is_an_error_not_a_hang() -> None:
    with socket.create_server((LOOPBACK, 0)) as deaf:
        url = f"redis://{LOOPBACK}:{deaf.getsockname()[1]}/0"
        with pytest.raises(OperationalError):
            app.send_task(UNKNOWN, connection=app.connection(celery_url(url)))


@pytest.mark.postgres
def test_what_is_sent_while_the_worker_is_dead_is_taken_by_the_next(
    celery_worker_process: WorkerProcess, valkey: str
) -> None:
    celery_worker_process.start()
    app.send_task(UNKNOWN)
    wait_for(lambda: waiting(valkey) == 0)
    celery_worker_process.kill()
    app.send_task(UNKNOWN)
    assert waiting(valkey) == 1
    celery_worker_process.start()
    wait_for(lambda: waiting(valkey) == 0)


def test_outcomes_are_rows_and_tasks_may_be_delivered_twice() -> None:
    conf = app.conf
    assert (conf.task_ignore_result, conf.result_backend, conf.accept_content) == (True, None, ["json"])
    assert (conf.task_acks_late, conf.task_reject_on_worker_lost, conf.worker_prefetch_multiplier) == (True, True, 1)
    assert conf.task_time_limit < conf.broker_transport_options["visibility_timeout"] / 2
    assert [queue.name for queue in conf.task_queues] == ["interactive", "bulk", "import"]


def test_the_timetable_is_the_one_of_the_tasks() -> None:
    from evidence.tasks.schedule import SCHEDULE

    assert app.conf.beat_schedule == SCHEDULE


def test_every_module_of_tasks_is_found() -> None:
    assert "evidence.tasks.schedule" in task_modules()


def test_a_worker_that_would_know_half_of_its_tasks_does_not_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Celery passes over a module that imports what is not there: its messages would be taken and thrown away."""
    (tmp_path / "tasks_that_lack_something.py").write_text("import evidence.of_nothing\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(app.loader, "import_default_modules", lambda: None)
    monkeypatch.setattr("reviewapp.celery.task_modules", lambda: ["tasks_that_lack_something"])
    with pytest.raises(SystemExit, match=r"not all of its tasks can be imported: .*evidence\.of_nothing"):
        worker_init.send(sender=app)
