"""The index follows the records, can be compared with them, and is built again from them alone (contract 5)."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from evidence.backends.port import BackendFailed, BackendHealth, Deadline, Document
from evidence.backends.registry import backends
from evidence.models import Evidence, IndexEntry, Outbox
from evidence.rules.records import Claim
from evidence.rules.vocab import Access, Review, State, Trust
from evidence.services.indexing import (
    TOPIC,
    drop_record,
    index_health,
    index_record,
    index_record_by_id,
    rebuild_index,
    searchable_text,
    sync_index,
)
from tests.builders import a_record

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def indexed() -> dict[str, list[str]]:
    return dict(IndexEntry.objects.values_list("record_id", "partitions"))


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


class Far:
    """A backend elsewhere: it follows after the commit, and may fail."""

    name = "far"
    modes = frozenset({"lexical"})
    keeps_text_in_partition = True
    is_local = False
    fails = False
    kept: dict[str, Document]

    def __init__(self) -> None:
        self.kept = {}

    def upsert(self, documents: Any, *, deadline: Deadline) -> None:
        if self.fails:
            raise BackendFailed("down")
        self.kept |= {document.record_id: document for document in documents}

    def retrieve(self, search: Any, *, deadline: Deadline) -> Any:
        return ()

    def delete(self, namespace: str, record_ids: Any, *, deadline: Deadline) -> None:
        for record_id in record_ids:
            self.kept.pop(record_id, None)

    def health(self, *, deadline: Deadline) -> BackendHealth:
        return BackendHealth(not self.fails, "far")


def test_a_backend_elsewhere_is_told_through_the_outbox(settings: Any) -> None:
    settings.MEMORY_BACKENDS = (f"{__name__}.Far", "evidence.backends.sql.SqlBackend")
    far = next(backend for backend in backends() if isinstance(backend, Far))
    far.kept.clear()
    row = a_record()
    assert (list(far.kept), list(indexed())) == ([], [row.record_id])
    message = Outbox.objects.get(topic=TOPIC)
    index_record_by_id(message.subject)
    assert list(far.kept) == [row.record_id]


def test_one_failing_backend_keeps_no_other_behind(settings: Any) -> None:
    settings.MEMORY_BACKENDS = (f"{__name__}.Far", "evidence.backends.sql.SqlBackend")
    far = next(backend for backend in backends() if isinstance(backend, Far))
    far.fails = True
    row = a_record(indexed=False)
    try:
        with pytest.raises(BackendFailed):
            index_record(record_pk=row.pk)
    finally:
        far.fails = False
    assert list(indexed()) == [row.record_id]


def test_health_counts_what_is_missing_too_much_or_old() -> None:
    well, missing, gone, changed = (a_record(f"kestrel {number}") for number in range(4))
    assert index_health()[0].ok
    IndexEntry.objects.filter(record_id=missing.record_id).delete()
    Evidence.objects.filter(pk=gone.pk).update(state=State.REVOKED)
    Evidence.objects.filter(pk=changed.pk).update(scope_access=Access.PRIVATE)
    (report,) = index_health()
    assert (report.ok, report.entries) == (False, 3)
    assert (report.missing, report.orphaned, report.stale) == (1, 1, 1)
    rebuilt = rebuild_index()
    assert rebuilt.kept == 3
    assert index_health()[0].ok
    assert indexed() == {
        well.record_id: ["public"], missing.record_id: ["public"], changed.record_id: ["agent:ada"],
    }  # fmt: skip


def fingerprint_of_records() -> str:
    return hashlib.sha256(str(list(Evidence.objects.order_by("pk").values())).encode()).hexdigest()


def test_a_rebuild_makes_every_entry_anew_removes_leftovers_and_touches_no_record() -> None:
    rows = [a_record(f"kestrel {number}") for number in range(3)]
    IndexEntry.objects.filter(record_id=rows[0].record_id).update(terms="spoilt", places="spoilt")
    IndexEntry.objects.create(namespace="default", record_id="e-gone", source_version="1", digest="x")
    before = fingerprint_of_records()
    told: list[int] = []
    rebuilt = rebuild_index(progress=told.append)
    assert (rebuilt.kept, rebuilt.removed, told) == (3, 1, [3])
    assert fingerprint_of_records() == before
    assert IndexEntry.objects.get(record_id=rows[0].record_id).terms == "kestrel 0"
    assert index_health()[0].ok


def test_an_interrupted_rebuild_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    from evidence.services import indexing

    monkeypatch.setattr(indexing, "CHUNK", 1)
    rows = [a_record(f"kestrel {number}") for number in range(3)]

    def interrupt(read: int) -> None:
        if read == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rebuild_index(progress=interrupt)
    done = dict(IndexEntry.objects.exclude(digest="").values_list("record_id", "indexed_at"))
    assert set(done) == {rows[0].record_id, rows[1].record_id}
    rebuild_index()
    after = dict(IndexEntry.objects.exclude(digest="").values_list("record_id", "indexed_at"))
    assert {name: after[name] for name in done} == done  # not made a second time
    assert len(after) == 3
