"""Batched writes: bounded, never in the way of the caller, written by a thread of their own or at the end of the process."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.conf import settings as django_settings

from evidence.models import RecallItem, RecallLog, Token
from evidence.services import batching
from evidence.services.batching import BATCH, Queue
from tests.builders import a_token
from tests.fixtures.worker import database_url_under_test


@pytest.fixture
def queue() -> Iterator[tuple[Queue[int], list[list[int]]]]:
    written: list[list[int]] = []
    made: Queue[int] = Queue("test", lambda items: written.append(list(items)))
    yield made, written
    batching._queues.remove(made)


def test_items_are_written_in_order_and_in_batches(queue: tuple[Queue[int], list[list[int]]]) -> None:
    made, written = queue
    for number in range(BATCH + 3):
        made.put(number)
    assert made.flush() == BATCH + 3
    assert [len(batch) for batch in written] == [BATCH, 3]
    assert [item for batch in written for item in batch] == list(range(BATCH + 3))
    assert made.flush() == 0


def test_a_full_queue_drops_and_counts(
    monkeypatch: pytest.MonkeyPatch, queue: tuple[Queue[int], list[list[int]]]
) -> None:
    made, written = queue
    monkeypatch.setattr(batching, "MOST_QUEUED", 2)
    for number in range(5):
        made.put(number)
    made.flush()
    assert (written, made.lost) == ([[0, 1]], 3)


def test_a_batch_that_fails_stays_queued_in_order() -> None:
    tries: list[list[int]] = []

    def write(items: Sequence[int]) -> None:
        tries.append(list(items))
        if len(tries) == 1:
            raise RuntimeError("database away")

    made: Queue[int] = Queue("test", write)
    try:
        made.put(1)
        made.put(2)
        with pytest.raises(RuntimeError):
            made.flush()
        made.put(3)
        assert made.flush() == 3
        assert tries[1] == [1, 2, 3]
    finally:
        batching._queues.remove(made)


def test_the_thread_writes_by_itself_and_ends_when_told(
    settings: Any, queue: tuple[Queue[int], list[list[int]]]
) -> None:
    settings.BACKGROUND_WRITES = True
    written = threading.Event()
    made: Queue[int] = Queue("event", lambda items: written.set())
    try:
        made.put(1)
        assert written.wait(timeout=20)
        queue[0].put(7)
        batching.stop()
        assert queue[1] == [[7]]
        assert "batched-writes" not in {thread.name for thread in threading.enumerate()}
    finally:
        batching.stop()
        batching._queues.remove(made)


RECALLS = """
import django, json, sys
django.setup()
from django.test import Client
answer = Client().post("/api/v1/recall", json.dumps({"query": "kestrel"}), content_type="application/json",
                       headers={"Authorization": "Bearer " + sys.argv[1], "Host": "localhost"})
assert answer.status_code == 200, answer.content
"""


@pytest.mark.django_db(transaction=True)
def test_a_process_that_ends_writes_what_it_had_queued() -> None:
    """No thread had its turn within the moment that this process lives: the end of the process writes it."""
    secret = a_token("ada").secret
    env = os.environ | {
        "DJANGO_SETTINGS_MODULE": "reviewapp.settings", "DATABASE_URL": database_url_under_test(),
        "SECRET_KEY": django_settings.SECRET_KEY, "PYTHONPATH": str(django_settings.BASE_DIR),
    }  # fmt: skip
    subprocess.run([sys.executable, "-c", RECALLS, secret], env=env, check=True, timeout=60)
    assert (RecallLog.objects.get().results, RecallItem.objects.count()) == (0, 0)
    assert Token.objects.get().last_used_at is not None
