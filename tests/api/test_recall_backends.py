"""Several backends behind one recall: what each contributed is said, what one of them does harms no answer."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from evidence.backends.port import BackendFailed, Deadline, Search
from evidence.backends.vector.space import forget_all
from evidence.models import Evidence
from evidence.rules.records import Hit
from evidence.rules.vocab import Access, State
from evidence.selectors import recall
from tests.api.conftest import Door
from tests.backends.scripted import SCRIPTED, ScriptedBackend
from tests.builders import a_record
from tests.mcp.conftest import Agent

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
FAILED = {"backend": "scripted", "status": "failed", "reason": "this source gave no evidence"}


@pytest.fixture(autouse=True)
def two_backends(settings: Any) -> Iterator[None]:
    settings.MEMORY_BACKENDS = ("sql", SCRIPTED)
    forget_all()
    yield
    ScriptedBackend.answer = ()
    ScriptedBackend.asked.clear()


def raises(error: Exception) -> Any:
    def answer(*_: Any) -> Any:
        raise error

    return answer


NO_ANSWER: dict[str, Any] = {
    "it says that it failed": raises(BackendFailed("no route to host 10.1.2.3")),
    "anything else": raises(ZeroDivisionError("secret detail")),
    "no list": lambda *_: "e-1",
    "something else than hits": lambda *_: [{"id": "e-1"}],
    "an id that is no text": lambda *_: (Hit(7, "1", 0.5),),  # type: ignore[arg-type]
    "an id with NUL": lambda *_: (Hit("e-\0", "1", 0.5),),
    "half a pair": lambda *_: (Hit("\ud800", "1", 0.5),),
    "a version with NUL": lambda *_: (Hit("e-1", "\0", 0.5),),
    "a text with NUL": lambda *_: (Hit("h-1", "1", 0.5, "\0", ("e-1",)),),
    "sources that are no ids": lambda *_: (Hit("h-1", "1", 0.5, "x", (None,)),),  # type: ignore[arg-type]
    "a score that is none": lambda *_: (Hit("e-1", "1", float("nan")),),
    "a score as text": lambda *_: (Hit("e-1", "1", "0.5"),),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("answer", NO_ANSWER.values(), ids=NO_ANSWER.keys())
def test_whatever_a_backend_answers_it_is_one_source_that_failed(door: Door, answer: Any) -> None:
    row = a_record("The kestrel deploys on Tuesdays.")
    ScriptedBackend.answer = answer
    body = door.post("recall", {"query": "kestrel deploys"})
    assert body.status_code == 200, body.content
    assert [found["record"]["id"] for found in body.json()["results"]] == [row.record_id]
    assert body.json()["sources"] == [{"backend": "sql", "status": "ok"}, FAILED]
    assert b"10.1.2.3" not in body.content
    assert b"secret detail" not in body.content
    told = Agent(door.secret).does("recall", query="kestrel deploys")
    assert told["sources"][1] == FAILED


def test_who_is_not_back_in_time_is_cancelled_and_counts_as_failed(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    row = a_record("The kestrel deploys on Tuesdays.")
    ended, deadlines = threading.Event(), []

    def hangs(search: Search, deadline: Deadline) -> Any:
        deadlines.append(deadline)
        ended.wait(30)  # deaf to its deadline
        return (Hit(row.record_id, "1", 1.0),)

    ScriptedBackend.answer = hangs
    monkeypatch.setattr(recall, "SECONDS", 0.3)
    try:
        body = door.post("recall", {"query": "kestrel deploys"}).json()
        assert [found["backend"] for found in body["results"]] == ["sql"]
        assert body["sources"][1] == FAILED
        assert deadlines[0].over
    finally:
        ended.set()


def test_hits_of_backends_are_fused_and_each_says_how_it_fared(door: Door) -> None:
    both, words, meaning = (a_record(text) for text in ("kestrel one", "kestrel two", "The falcon waits."))
    ScriptedBackend.answer = (Hit(both.record_id, "1", 0.1), Hit(meaning.record_id, "1", 0.1))
    body = door.post("recall", {"query": "kestrel"}).json()
    order = [found["record"]["id"] for found in body["results"]]
    assert order[0] == both.record_id
    assert set(order) == {both.record_id, words.record_id, meaning.record_id}
    ScriptedBackend.answer = ()
    assert door.post("recall", {"query": "kestrel"}).json()["sources"] == [
        {"backend": "sql", "status": "ok"}, {"backend": "scripted", "status": "no_evidence"},
    ]  # fmt: skip
    named = door.post("recall", {"query": "kestrel", "backends": ["scripted"]}).json()
    assert (named["results"], named["sources"]) == ([], [{"backend": "scripted", "status": "no_evidence"}])


def test_no_more_is_taken_than_was_asked_for(door: Door) -> None:
    rows = [a_record(f"quail {number}") for number in range(5)]
    ScriptedBackend.answer = tuple(Hit(row.record_id, "1", 0.5) for row in rows * 1_000)
    assert len(door.ids("zeppelin", limit=2)) == 2


def test_a_record_with_a_secret_that_a_backend_was_never_sent_is_not_shown(door: Door) -> None:
    row = a_record("The key is ghp_" + "a1B2" * 9)
    ScriptedBackend.answer = (Hit(row.record_id, "1", 1.0),)
    assert door.ids("key") == []


def test_by_meaning_and_by_both(door: Door, settings: Any) -> None:
    settings.MEMORY_BACKENDS = ("sql", "vector")
    database = a_record("The database is PostgreSQL.")
    a_record("Payments are retried.")
    hidden = a_record("The database is MySQL.", scope_owner="bob", scope_access=Access.PRIVATE)
    query = "which SQL server do we use?"
    assert door.ids(query) == []
    assert door.ids(query, mode="semantic") == [database.record_id]
    assert door.ids("postgresql", mode="hybrid") == [database.record_id]
    body = door.post("recall", {"query": query, "mode": "hybrid"}).json()
    assert [source["status"] for source in body["sources"]] == ["no_evidence", "ok"]
    Evidence.objects.filter(pk=database.pk).update(state=State.REVOKED)  # behind the index's back
    assert door.ids(query, mode="semantic") == []
    assert hidden.record_id not in door.ids("the database is mysql", mode="semantic", limit=100)


def test_without_its_packages_meaning_is_a_source_that_failed(
    door: Door, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from evidence.backends.vector import backend

    settings.MEMORY_BACKENDS = ("sql", "vector")
    row = a_record("The kestrel deploys on Tuesdays.")
    monkeypatch.setattr(backend, "text_model", raises(BackendFailed("not installed")))
    body = door.post("recall", {"query": "kestrel", "mode": "hybrid"}).json()
    assert [found["record"]["id"] for found in body["results"]] == [row.record_id]
    assert [source["status"] for source in body["sources"]] == ["ok", "failed"]
