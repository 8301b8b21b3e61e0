"""The index follows the records, can be compared with them, and is built again from them alone (contract 5)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone

from evidence.backends.port import BackendFailed, Deadline
from evidence.backends.registry import backends
from evidence.backends.vector import backend as vector_module
from evidence.models import Evidence, IndexEntry, Outbox, VectorEntry
from evidence.rules.records import Claim
from evidence.rules.vocab import Access, Review, State, Trust
from evidence.services import index_upkeep
from evidence.services.index_upkeep import index_health, rebuild_index, sweep_index
from evidence.services.indexing import (
    TOPIC,
    drop_record,
    index_record,
    index_record_by_id,
    searchable_text,
    sync_index,
)
from evidence.services.outbox import INDEX, deliver_due
from tests.backends.memory import MemoryBackend
from tests.builders import a_record

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def indexed() -> dict[str, list[str]]:
    return dict(IndexEntry.objects.filter(backend="sql").values_list("record_id", "partitions"))


@pytest.mark.parametrize(
    ("columns", "partitions"),
    [
        ({}, ["public"]),
        ({"scope_access": Access.PRIVATE}, ["agent:ada"]),
        ({"scope_access": Access.SHARED, "scope_shared_with": ["bob"]}, ["agent:ada", "agent:bob"]),
        ({"scope_project": "p"}, ["public@p"]),
        ({"trust": Trust.EXTERNAL, "review": Review.APPROVED}, ["public"]),
        ({"review": Review.HELD}, None),
        ({"review": Review.REJECTED}, None),
        ({"trust": Trust.EXTERNAL}, None),
        ({"state": State.SUPERSEDED}, None),
        ({"state": State.DELETED}, None),
    ],
)
def test_a_record_is_found_where_its_scope_says_or_nowhere(
    columns: dict[str, Any], partitions: list[str] | None
) -> None:
    row = a_record(**columns)
    assert indexed() == ({row.record_id: partitions} if partitions else {})


def test_a_change_of_scope_or_state_is_followed() -> None:
    row = a_record(scope_access=Access.SHARED, scope_shared_with=["bob"])
    Evidence.objects.filter(pk=row.pk).update(scope_shared_with=[])
    sync_index(record_pk=row.pk)
    assert indexed() == {row.record_id: ["agent:ada"]}
    Evidence.objects.filter(pk=row.pk).update(state=State.REVOKED)
    for _ in range(2):
        sync_index(record_pk=row.pk)
    assert indexed() == {}
    Evidence.objects.filter(pk=row.pk).update(state=State.ACTIVE)
    index_record_by_id(str(row.pk))
    assert indexed() == {row.record_id: ["agent:ada"]}
    drop_record(namespace="default", record_id=row.record_id)
    assert indexed() == {}


def test_a_secret_that_slipped_in_is_not_sent_to_any_backend() -> None:
    row = a_record("The key is ghp_" + "a1B2" * 9)
    assert indexed() == {}
    sync_index(record_pk=row.pk)
    assert index_health()[0].ok


def test_an_unknown_row_is_no_error() -> None:
    from uuid import uuid4

    sync_index(record_pk=uuid4())
    index_record(record_pk=uuid4())
    assert not IndexEntry.objects.exists()


def test_what_is_searched() -> None:
    row = a_record(
        "It is Tuesday.", claim=Claim("kestrel", "deploy day", "Tuesday"), summary="It is Tuesday.", excerpt="said Bob",
        tags=["git"],
    )  # fmt: skip
    assert searchable_text(row.to_record()) == "kestrel\ndeploy day\nTuesday\nIt is Tuesday.\nsaid Bob\ngit"


@pytest.fixture
def far(settings: Any) -> Iterator[MemoryBackend]:
    """A backend elsewhere: it follows after the commit, and may fail."""
    settings.MEMORY_BACKENDS = ("tests.backends.memory.MemoryBackend", "sql")
    backend = next(backend for backend in backends() if isinstance(backend, MemoryBackend))
    backend.kept.clear()
    yield backend
    backend.kept.clear()
    backend.broken = False


def there(far: MemoryBackend) -> dict[str, list[str]]:
    return {record_id: sorted(document.partitions) for (_, record_id), document in far.kept.items()}


def noted(far: MemoryBackend) -> dict[str, list[str]]:
    """Where copies may be, by record; those that the backend did not acknowledge in brackets."""
    rows = IndexEntry.objects.filter(backend=far.name).values_list("record_id", "partitions", "digest")
    return {record_id if done else f"({record_id})": partitions for record_id, partitions, done in rows}


def fingerprint_of_records() -> str:
    return hashlib.sha256(str(list(Evidence.objects.order_by("pk").values())).encode()).hexdigest()


def deliver() -> None:
    Outbox.objects.update(available_at=timezone.now())
    deliver_due(lane=INDEX, limit=100)


def test_a_backend_elsewhere_is_told_through_the_outbox(far: MemoryBackend) -> None:
    row = a_record(scope_access=Access.SHARED, scope_shared_with=["bob"])
    assert (there(far), list(indexed())) == ({}, [row.record_id])
    deliver()
    assert there(far) == noted(far) == {row.record_id: ["agent:ada", "agent:bob"]}
    Evidence.objects.filter(pk=row.pk).update(scope_shared_with=[], scope_access=Access.PRIVATE, version=2)
    sync_index(record_pk=row.pk)
    deliver()
    assert there(far) == noted(far) == {row.record_id: ["agent:ada"]}
    Evidence.objects.filter(pk=row.pk).update(state=State.REVOKED, version=3)
    sync_index(record_pk=row.pk)
    deliver()
    assert there(far) == noted(far) == {}


def test_what_a_backend_was_never_sent_it_is_not_asked_to_delete(far: MemoryBackend) -> None:
    row = a_record("The key is ghp_" + "a1B2" * 9)  # looked for again before anything is sent
    far.broken = True
    index_record(record_pk=row.pk)
    assert noted(far) == {}


def test_while_a_backend_fails_the_message_waits_and_it_is_known_where_copies_may_be(far: MemoryBackend) -> None:
    far.broken = True
    row = a_record(scope_access=Access.SHARED, scope_shared_with=["bob"])
    deliver()
    assert Outbox.objects.get(topic=TOPIC).last_error == "BackendFailed"
    Evidence.objects.filter(pk=row.pk).update(scope_access=Access.PRIVATE, version=2)
    sync_index(record_pk=row.pk)
    deliver()
    assert noted(far) == {f"({row.record_id})": ["agent:ada", "agent:bob"]}  # either may have arrived
    far.broken = False
    deliver()
    assert there(far) == noted(far) == {row.record_id: ["agent:ada"]}
    assert not Outbox.objects.filter(done_at=None).exists()


def test_a_change_while_it_is_being_sent_is_sent_too(far: MemoryBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when the later state has been sent by somebody else meanwhile, and this older one arrives after it."""
    row = a_record(indexed=False)
    upsert, turns = far.upsert, []

    def overtaken(documents: Any, *, deadline: Deadline) -> None:
        turns.append(documents)
        if len(turns) == 1:
            Evidence.objects.filter(pk=row.pk).update(state=State.REVOKED)
            index_record(record_pk=row.pk)
        upsert(documents, deadline=deadline)

    monkeypatch.setattr(far, "upsert", overtaken)
    index_record(record_pk=row.pk)
    assert there(far) == noted(far) == {}


def test_one_failing_backend_keeps_no_other_behind(far: MemoryBackend) -> None:
    far.broken = True
    row = a_record(indexed=False)
    with pytest.raises(BackendFailed):
        index_record(record_pk=row.pk)
    assert row.record_id in indexed()


def test_the_sweep_fills_a_backend_that_is_new_and_mends_what_nobody_noticed(far: MemoryBackend, settings: Any) -> None:
    settings.MEMORY_BACKENDS = ("sql",)
    rows = [a_record(f"kestrel {number}") for number in range(3)]
    assert sweep_index() == 0  # the full-text index cannot be behind
    settings.MEMORY_BACKENDS = ("tests.backends.memory.MemoryBackend", "sql", "vector")
    before = fingerprint_of_records()
    sweep_index()
    assert set(there(far)) == {row.record_id for row in rows}
    assert VectorEntry.objects.count() == 3
    Evidence.objects.filter(pk=rows[0].pk).update(state=State.REVOKED)
    IndexEntry.objects.filter(record_id=rows[1].record_id).update(digest="old")
    far.kept.clear()
    sweep_index()
    assert set(there(far)) == {rows[1].record_id}
    assert VectorEntry.objects.count() == 2
    Evidence.objects.filter(pk=rows[0].pk).update(state=State.ACTIVE)
    assert fingerprint_of_records() == before


def test_a_point_follows_in_the_same_transaction_and_its_failure_holds_up_nothing(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEMORY_BACKENDS = ("sql", "vector")
    row = a_record()
    assert VectorEntry.objects.get().record_id == row.record_id
    Evidence.objects.filter(pk=row.pk).update(state=State.REVOKED)
    sync_index(record_pk=row.pk)
    assert not VectorEntry.objects.exists()
    assert not Outbox.objects.filter(topic=TOPIC).exists()
    monkeypatch.setattr(vector_module, "text_model", fail)
    other = a_record("Something else.")
    assert list(indexed()) == [other.record_id]
    assert not VectorEntry.objects.exists()
    monkeypatch.undo()
    settings.MEMORY_BACKENDS = ("sql", "vector")
    deliver()
    assert VectorEntry.objects.get().record_id == other.record_id


def fail() -> None:
    raise BackendFailed("no packages")


def test_health_counts_what_is_missing_too_much_or_old(far: MemoryBackend, settings: Any) -> None:
    settings.MEMORY_BACKENDS = ("tests.backends.memory.MemoryBackend", "sql", "vector")
    well, missing, gone, changed = (a_record(f"kestrel {number}") for number in range(4))
    deliver()
    assert [report.backend for report in index_health() if report.ok] == ["sql", "memory", "vector"]
    far.kept.pop(("default", well.record_id))
    assert [report.backend for report in index_health() if not report.ok] == ["memory"]  # it says how many it holds
    far.kept[("default", well.record_id)] = far.kept[("default", missing.record_id)]
    far.kept.pop(("default", missing.record_id))
    IndexEntry.objects.filter(record_id=missing.record_id).delete()
    VectorEntry.objects.filter(record_id=missing.record_id).delete()
    Evidence.objects.filter(pk=gone.pk).update(state=State.REVOKED)
    Evidence.objects.filter(pk=changed.pk).update(scope_access=Access.PRIVATE)
    for report in index_health():
        assert (report.ok, report.entries) == (False, 3), report
        assert (report.missing, report.orphaned, report.stale) == (1, 1, 1), report
    assert [rebuilt.kept for rebuilt in rebuild_index()] == [3, 3, 3]
    assert all(report.ok for report in index_health())
    assert set(there(far)) == set(noted(far)) == {well.record_id, missing.record_id, changed.record_id}
    assert indexed() == {
        well.record_id: ["public"], missing.record_id: ["public"], changed.record_id: ["agent:ada"],
    }  # fmt: skip


def test_a_rebuild_makes_every_entry_anew_removes_leftovers_and_touches_no_record(
    far: MemoryBackend, settings: Any
) -> None:
    settings.MEMORY_BACKENDS = ("tests.backends.memory.MemoryBackend", "sql", "vector")
    rows = [a_record(f"kestrel {number}") for number in range(3)]
    deliver()
    IndexEntry.objects.filter(record_id=rows[0].record_id).update(terms="spoilt", places="spoilt")
    VectorEntry.objects.filter(record_id=rows[0].record_id).update(vector=b"spoilt")
    far.kept.clear()
    for backend in ("sql", "memory", "vector"):
        IndexEntry.objects.create(
            backend=backend, namespace="default", record_id="e-gone", source_version="1", digest="x"
        )
    VectorEntry.objects.create(namespace="default", record_id="e-gone", kind="fact", model="x", vector=b"")
    before = fingerprint_of_records()
    told: list[tuple[str, int]] = []
    done = rebuild_index(progress=lambda backend, read: told.append((backend, read)))
    assert [(one.backend, one.kept, one.removed) for one in done] == [("sql", 3, 1), ("memory", 3, 1), ("vector", 3, 1)]
    assert told == [("sql", 3), ("memory", 3), ("vector", 3)]
    assert fingerprint_of_records() == before
    assert IndexEntry.objects.get(backend="sql", record_id=rows[0].record_id).terms == "kestrel 0"
    assert VectorEntry.objects.get(record_id=rows[0].record_id).vector != b"spoilt"
    assert len(far.kept) == 3
    assert all(report.ok for report in index_health())


def test_an_interrupted_rebuild_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_upkeep, "CHUNK", 1)
    rows = [a_record(f"kestrel {number}") for number in range(3)]
    made = dict(IndexEntry.objects.values_list("record_id", "indexed_at"))

    def interrupt(backend: str, read: int) -> None:
        if read == 3:
            raise KeyboardInterrupt

    def made_anew(since: dict[str, Any]) -> set[str]:
        return {one for one, at in IndexEntry.objects.values_list("record_id", "indexed_at") if at != since[one]}

    with pytest.raises(KeyboardInterrupt):
        rebuild_index(progress=interrupt)
    assert made_anew(made) == {rows[0].record_id, rows[1].record_id}
    assert sweep_index() == 0  # a walk that is somebody else's is left alone
    made = dict(IndexEntry.objects.values_list("record_id", "indexed_at"))
    (done,) = rebuild_index()
    assert (done.kept, made_anew(made)) == (3, {rows[2].record_id})
    made = dict(IndexEntry.objects.values_list("record_id", "indexed_at"))
    rebuild_index()
    assert made_anew(made) == {row.record_id for row in rows}
