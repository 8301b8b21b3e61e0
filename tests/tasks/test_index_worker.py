"""Killing a backend, its worker or Valkey in the middle loses nothing, and a recall says what failed: with real processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from evidence.models import Evidence, Outbox
from evidence.rules.vocab import Access, State
from evidence.services import batching
from evidence.services.index_upkeep import index_health
from evidence.services.indexing import sync_index
from evidence.services.outbox import INDEX, deliver_due, poke, poke_long_work
from evidence.services.sweeps import sweep_outbox
from tests.api.bodies import evidence
from tests.api.conftest import Door
from tests.backends.hindsight_server import free_port
from tests.backends.remote import REMOTE, URL, Server, a_server
from tests.builders import a_record, a_token
from tests.fixtures.servers import _publish_to, valkey_server
from tests.fixtures.worker import WorkerProcess

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
RECORDS = 60
PATIENCE = 90.0
SAID = "The kestrel deploys on day"
OK, NOTHING = "ok", "no_evidence"


@pytest.fixture
def remote(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    from evidence.services import outbox

    # A test before this one may have met no broker, after which pokes rest for some seconds.
    monkeypatch.setitem(outbox._quiet, "until", 0.0)
    with a_server(tmp_path, free_port()) as server:
        settings.MEMORY_BACKENDS = ("sql", REMOTE)
        yield server
    batching.stop()


def sources(door: Door) -> list[str]:
    answer = door.post("recall", {"query": "kestrel deploys", "limit": 3})
    assert answer.status_code == 200, answer.content
    assert answer.json()["results"]
    return [source["status"] for source in answer.json()["sources"]]


def await_true(what: Callable[[], bool]) -> None:
    """Wait for an outcome, not for a time; poking stands in for beat."""
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, f"{Outbox.objects.filter(done_at=None).count()} due"
        poke(INDEX)
        time.sleep(0.1)


def time_passes() -> None:
    """A message that was taken by somebody who died is due again after a while."""
    Outbox.objects.filter(done_at=None).update(available_at=timezone.now())


def test_a_worker_killed_in_the_middle_loses_nothing(celery_worker_process: WorkerProcess, remote: Server) -> None:
    celery_worker_process.env |= {"MEMORY_BACKENDS": f"sql,{REMOTE}", URL: remote.url}
    rows = [a_record(f"{SAID} {number}", scope_access=Access.PUBLIC) for number in range(RECORDS)]
    celery_worker_process.start()
    await_true(lambda: len(remote.kept()) >= RECORDS // 10)
    celery_worker_process.kill()
    assert len(remote.kept()) < RECORDS, "the worker was quicker than the kill: nothing was tested"

    Evidence.objects.filter(pk=rows[0].pk).update(state=State.REVOKED, version=2)
    Evidence.objects.filter(pk=rows[1].pk).update(scope_access=Access.PRIVATE, version=2)
    for row in rows[:2]:
        sync_index(record_pk=row.pk)
    time_passes()
    celery_worker_process.start()
    expected = {row.record_id: ["public"] for row in rows[2:]} | {rows[1].record_id: ["agent:ada"]}
    await_true(lambda: remote.kept() == expected)
    await_true(lambda: not Outbox.objects.filter(done_at=None).exists())
    assert all(report.ok for report in index_health())


def test_a_backend_that_is_killed_is_said_and_catches_up(remote: Server) -> None:
    door = Door(a_token("ada").secret)
    kept, gone, narrowed = (a_record(f"{SAID} {number}") for number in range(3))
    deliver_due(lane=INDEX, limit=20)
    assert sources(door) == [OK, OK]

    remote.kill()
    assert sources(door) == [OK, "failed"]
    Evidence.objects.filter(pk=gone.pk).update(state=State.REVOKED, version=2)
    Evidence.objects.filter(pk=narrowed.pk).update(scope_access=Access.PRIVATE, version=2)
    for row in (gone, narrowed):
        sync_index(record_pk=row.pk)
    new = a_record(f"{SAID} 4")
    deliver_due(lane=INDEX, limit=20)
    assert Outbox.objects.filter(topic="index", done_at=None).count() == 3
    assert [report.answers for report in index_health()] == [True, False]

    remote.start()
    # What it missed is not shown meanwhile: the gate asks our own rows.
    assert gone.record_id not in door.ids("kestrel deploys", backends=["remote"], limit=50)
    time_passes()
    deliver_due(lane=INDEX, limit=20)
    expected = {kept.record_id: ["public"], narrowed.record_id: ["agent:ada"], new.record_id: ["public"]}
    assert remote.kept() == expected
    assert sources(door) == [OK, OK]
    assert all(report.ok for report in index_health())


def test_without_valkey_filing_and_recall_go_on_and_what_is_due_waits(
    remote: Server, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reviewapp.celery import app
    from reviewapp.runtime.address import celery_url

    folder = tmp_path / "v"
    folder.mkdir()
    before = app.conf.broker_url
    door = Door(a_token("ada").secret)
    try:
        with valkey_server(folder) as url:
            settings.RATE_URL = url
            _publish_to(app, celery_url(url))
            a_record(f"{SAID} 1")
            deliver_due(lane=INDEX, limit=20)
            assert sources(door) == [OK, OK]
        filed = door.post("evidence", evidence(content=f"{SAID} 2 of the week"))
        assert filed.status_code == 201, filed.content
        assert sources(door) == [OK, OK]
        assert Outbox.objects.filter(topic="index", done_at=None).count() == 1
        poke_long_work()
        sweep_outbox()
        deliver_due(lane=INDEX, limit=20)
    finally:
        _publish_to(app, before)
    assert filed.json()["id"] in remote.kept()
