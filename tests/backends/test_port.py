"""What any memory backend must do (contract 5), held against the full-text backend on whatever database the suite runs on."""

from __future__ import annotations

import threading
from collections.abc import Collection
from typing import Any

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evidence.backends.port import RANKED, Backend, BackendFailed, Deadline, DeadlineExceeded, Document, Search
from evidence.backends.registry import backends, default_backend
from evidence.backends.sql import SqlBackend
from evidence.models import IndexEntry, fulltext

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
PUBLIC = frozenset({"public"})


def a_document(record_id: str, text: str, partitions: Collection[str] = PUBLIC, **members: Any) -> Document:
    given = {"namespace": "default", "source_version": "1", "kind": "fact", "claim_key": ""} | members
    return Document(record_id=record_id, text=text, partitions=frozenset(partitions), **given)


def keep(*documents: Document) -> None:
    SqlBackend().upsert(documents, deadline=Deadline(10))


def find(text: str, partitions: Collection[str] = PUBLIC, limit: int = 10, **members: Any) -> list[str]:
    search = Search(members.pop("namespace", "default"), text, tuple(partitions), limit, **members)
    return [hit.id for hit in SqlBackend().retrieve(search, deadline=Deadline(10))]


def test_it_is_a_backend_and_the_default() -> None:
    assert isinstance(SqlBackend(), Backend)
    assert [backend.name for backend in backends()] == ["sql"]
    assert default_backend().keeps_text_in_partition


def test_upsert_is_idempotent_and_replaces() -> None:
    one = a_document("e-1", "kestrel deploys on tuesdays")
    keep(one)
    written = IndexEntry.objects.get()
    keep(one, one)
    assert IndexEntry.objects.get().indexed_at == written.indexed_at  # nothing to do, nothing written
    keep(a_document("e-1", "narwhal", source_version="2"))
    assert (find("kestrel"), find("narwhal")) == ([], ["e-1"])
    hit = SqlBackend().retrieve(Search("default", "narwhal", ("public",), 5), deadline=Deadline(10))[0]
    assert hit.source_version == "2"


def test_deletion() -> None:
    keep(a_document("e-1", "kestrel"), a_document("e-2", "kestrel"))
    for _ in range(2):
        SqlBackend().delete("default", ["e-1", "e-none"], deadline=Deadline(10))
        assert find("kestrel") == ["e-2"]
    SqlBackend().delete("elsewhere", ["e-2"], deadline=Deadline(10))
    assert find("kestrel") == ["e-2"]


def test_partitions_are_walls() -> None:
    keep(
        a_document("e-public", "kestrel"),
        a_document("e-ada", "kestrel", ["agent:ada"]),
        a_document("e-shared", "kestrel", ["agent:ada", "agent:bob"]),
        a_document("e-project", "kestrel", ["public@p"]),
        a_document("e-elsewhere", "kestrel", namespace="elsewhere"),
    )
    assert set(find("kestrel", ["public", "agent:ada"])) == {"e-public", "e-ada", "e-shared"}
    assert set(find("kestrel", ["agent:bob"])) == {"e-shared"}
    assert set(find("kestrel", ["public", "public@p"])) == {"e-public", "e-project"}
    assert find("kestrel", ["agent:ad", "agent:ada@p", "agent:ada2", "Public"]) == []
    assert find("kestrel", []) == []
    assert find("kestrel", namespace="elsewhere") == ["e-elsewhere"]


def test_a_scope_that_narrows_loses_its_other_copies() -> None:
    keep(a_document("e-1", "kestrel", ["agent:ada", "agent:bob"]))
    keep(a_document("e-1", "kestrel", ["agent:ada"]))
    assert (find("kestrel", ["agent:bob"]), find("kestrel", ["agent:ada"])) == ([], ["e-1"])


def test_a_text_cannot_pose_as_a_place() -> None:
    """Words that look like the index's own names for partitions, kinds and claims open no wall."""
    keep(a_document("e-1", "kestrel", ["agent:ada"]))
    places = IndexEntry.objects.get().places
    keep(a_document("e-2", f"kestrel {places} {places.lower()}", ["agent:bob"]))
    assert find("kestrel", ["agent:ada"]) == ["e-1"]
    assert find(places, ["agent:ada"]) == []


def test_kinds_and_claims_are_searched_inside_the_index() -> None:
    keep(
        a_document("e-1", "kestrel", claim_key="a" * 64),
        a_document("e-2", "kestrel", kind="article", claim_key="b" * 64),
        a_document("e-3", "kestrel", kind="observation"),
    )
    assert find("kestrel", kinds=("article",)) == ["e-2"]
    assert set(find("kestrel", kinds=("article", "observation"))) == {"e-2", "e-3"}
    assert find("kestrel", claim_key="a" * 64) == ["e-1"]
    assert find("", claim_key="b" * 64) == ["e-2"]


QUERIES = [
    ("deploying", ["e-1"]),  # stems
    ("KESTREL deploy day", ["e-1"]),
    ("what is the deploy day of the kestrel?", ["e-1"]),
    ("version 3.12", ["e-2"]),
    ("3.11", []),
    ("c++", ["e-2"]),
    ("pre-commit", ["e-2"]),
    ("pre commit hooks", ["e-2"]),
    ("prec", []),
    ("kestr", ["e-1"]),  # the beginning of a word that nobody has whole
    ("Straße", ["e-3"]),
    ("STRASSE", ["e-3"]),
    ("naïve", ["e-3"]),
    ("部署", ["e-4"]),
    ("星期二部署", ["e-4"]),
    ("部", ["e-4"]),
    ("деплой", ["e-5"]),
    ("деплоя", ["e-5"]),
    ('"deploy on tuesdays"', ["e-1"]),
    ("😀", []),
    ("", []),
    ("the", []),
]


@pytest.mark.parametrize(("query", "expected"), QUERIES, ids=[query or "empty" for query, _ in QUERIES])
def test_queries(query: str, expected: list[str]) -> None:
    keep(
        a_document("e-1", "Kestrel: we deploy on Tuesdays; deploy day"),
        a_document("e-2", "Needs Python version 3.12, C++ and a pre-commit hook"),
        a_document("e-3", "Die Straße ist naïve"),
        a_document("e-4", "每个星期二部署"),
        a_document("e-5", "Время деплоя во вторник"),
    )
    assert find(query) == expected


def test_more_of_the_query_ranks_higher_then_rarer_words_then_newer() -> None:
    keep(
        a_document("e-old", "kestrel"),
        a_document("e-both", "narwhal and kestrel"),
        a_document("e-rare", "narwhal"),
        a_document("e-new", "kestrel"),
    )
    assert find("kestrel narwhal") == ["e-both", "e-rare", "e-new", "e-old"]


def test_a_rare_word_is_found_behind_more_matches_of_common_ones_than_are_ranked() -> None:
    keep(a_document("e-wanted", "narwhal deploys"))
    keep(*(a_document(f"e-{number}", f"kestrel deploys day {number}") for number in range(RANKED + 500)))
    assert find("when does the narwhal or the kestrel have its deploy day")[0] == "e-wanted"
    assert find("narwhal deploys")[0] == "e-wanted"


@pytest.mark.parametrize("words", ["kestrel", "kestrel deploys"])
def test_at_most_so_many_are_ranked_and_they_are_the_newest(words: str) -> None:
    keep(*(a_document(f"e-{number}", words) for number in range(RANKED + 10)))
    found = find(words, limit=RANKED + 10)
    assert len(found) == RANKED
    assert found[0] == f"e-{RANKED + 9}"
    assert "e-0" not in found


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.text(max_size=200) | st.text("\"'*:^()-+&|!<>~{}[]\\%_ aANDORTN\0\ud800", max_size=60))
def test_any_text_is_a_query(query: str) -> None:
    assert isinstance(find(query, ["public", query]), list)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=80))
def test_any_text_is_found_by_itself(text: str) -> None:
    from evidence.rules.tokens import pieces

    keep(a_document("e-1", text))
    assert find(text) == (["e-1"] if pieces(text) else [])


@pytest.mark.parametrize("readers", [200, 600])
def test_a_reader_with_many_projects(readers: int) -> None:
    keep(a_document("e-1", "kestrel", ["public@p7"]))
    assert find("kestrel", [f"public@p{number}" for number in range(readers)]) == ["e-1"]


def test_a_text_of_64_kib_is_kept_and_found() -> None:
    keep(a_document("e-1", "narwhal " + "word " * 13_000))
    assert find("narwhal") == ["e-1"]


def test_an_ended_deadline_ends_every_operation() -> None:
    over = Deadline(0)
    keep(a_document("e-1", "kestrel"))
    with pytest.raises(DeadlineExceeded):
        SqlBackend().retrieve(Search("default", "kestrel", ("public",), 5), deadline=over)
    with pytest.raises(DeadlineExceeded):
        SqlBackend().upsert([a_document("e-2", "kestrel")], deadline=over)
    with pytest.raises(DeadlineExceeded):
        SqlBackend().delete("default", ["e-1"], deadline=over)
    assert find("kestrel") == ["e-1"]


def test_a_running_search_is_cancelled_from_outside_and_the_connection_stays_good(monkeypatch: Any) -> None:
    from evidence.backends.sql import backend as module

    endless = {
        "sqlite": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
        "postgresql": "SELECT pg_sleep(60)",
    }
    real = module.statement
    monkeypatch.setattr(module, "statement", lambda *_, **__: (endless[connection.vendor], []))
    deadline = Deadline(1.0 if connection.vendor == "postgresql" else 60.0)
    if connection.vendor == "sqlite":
        threading.Timer(0.2, deadline.cancel).start()
    with transaction.atomic():
        with pytest.raises(BackendFailed):
            SqlBackend().retrieve(Search("default", "kestrel", ("public",), 5), deadline=deadline)
        monkeypatch.setattr(module, "statement", real)
        keep(a_document("e-1", "kestrel"))
        assert find("kestrel") == ["e-1"]


def test_a_rolled_back_change_is_found_by_nobody() -> None:
    with transaction.atomic():
        keep(a_document("e-1", "kestrel"))
        assert find("kestrel") == ["e-1"]
        transaction.set_rollback(True)
    assert find("kestrel") == []


def test_health() -> None:
    assert SqlBackend().health(deadline=Deadline(5)).ok
    assert not SqlBackend().health(deadline=Deadline(0)).ok


def test_what_is_missing_is_put_back_and_filled() -> None:
    keep(a_document("e-1", "kestrel"))
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"DROP TRIGGER {fulltext.FTS}_insert")
        else:
            cursor.execute(f"ALTER TABLE {fulltext.ENTRIES} DROP COLUMN {fulltext.VECTOR}")
    keep(a_document("e-2", "kestrel"))
    assert fulltext.missing(connection)
    assert not SqlBackend().health(deadline=Deadline(5)).ok
    fulltext.install(connection)
    assert not fulltext.missing(connection)
    assert set(find("kestrel")) == {"e-1", "e-2"}
    fulltext.install(connection)
