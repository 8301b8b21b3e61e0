"""What every memory backend must do (contract 5), as tests that an adapter's own test suite inherits:

    from evidence.backends.conformance import BackendConformance

    class TestMyBackend(BackendConformance):
        def make_backend(self):
            return MyBackend(url=...)

        def make_broken_backend(self):        # one that cannot reach its store, or None
            return MyBackend(url="http://127.0.0.1:9")

Plain asserts, no fixtures: whatever collects classes named `Test…` runs it. The store must be empty, or keep nothing else in the
namespaces that begin with `conformance`. A backend that lives in the desk's database needs that database for each test.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from evidence.backends.port import Backend, BackendFailed, BackendHealth, Deadline, Document, Search
from evidence.rules.records import Hit

NAMESPACE = "conformance"
PUBLIC = ("public",)
MODES = frozenset({"lexical", "semantic", "hybrid"})
KESTREL = "The kestrel service is deployed on Tuesday morning after the backup"
INVOICE = "Invoices are paid within thirty days by the accounting office"
ODD_QUERIES = (
    "", " ", "the", '"', "'", '"unclosed', "AND OR NOT NEAR", "a* b^ (c) -d +e ~f", "{}[]<>|&!:;\\%_", "\x00", "\ud800", "😀",
    "部署", "деплой", "x" * 20_000, "kestrel " * 2_000, "'; DROP TABLE records; --", "${jndi:x}", "\u202e\u200b",
)  # fmt: skip


def document(record_id: str, text: str, partitions: Collection[str] = PUBLIC, **members: Any) -> Document:
    """A document of the suite's namespace, version "1", a fact without a claim, but for what is given."""
    given: dict[str, Any] = {"namespace": NAMESPACE, "source_version": "1", "kind": "fact", "claim_key": ""}
    return Document(record_id=record_id, text=text, partitions=frozenset(partitions), **(given | members))


class BackendConformance:
    """Inherit, say how the backend is made, and run."""

    seconds = 30.0
    """How long one operation may take here."""

    def make_backend(self) -> Backend:
        raise NotImplementedError

    def make_broken_backend(self) -> Backend | None:
        """A backend whose store does not answer; none where that cannot be arranged."""
        return None

    def settle(self, backend: Backend) -> None:
        """Wait until what was sent can be found, where that takes a while."""

    # What the tests are written in.

    @contextmanager
    def _backend(self) -> Iterator[Backend]:
        backend = self.make_backend()
        self._clear(backend)
        try:
            yield backend
        finally:
            self._clear(backend)

    def _clear(self, backend: Backend) -> None:
        for namespace in (NAMESPACE, f"{NAMESPACE}-other"):
            backend.delete(namespace, [f"e-{number}" for number in range(12)], deadline=self._time())

    def _time(self) -> Deadline:
        return Deadline(self.seconds)

    def _keep(self, backend: Backend, *documents: Document) -> None:
        backend.upsert(documents, deadline=self._time())
        self.settle(backend)

    def _hits(self, backend: Backend, text: str, partitions: Sequence[str] = PUBLIC, **members: Any) -> tuple[Hit, ...]:
        search = Search(
            members.pop("namespace", NAMESPACE), text, tuple(partitions), members.pop("limit", 10), **members
        )
        return backend.retrieve(search, deadline=self._time())

    def _ids(self, backend: Backend, text: str, partitions: Sequence[str] = PUBLIC, **members: Any) -> list[str]:
        hits = self._hits(backend, text, partitions, **members)
        return [hit.id for hit in hits if hit.derived_from is None]

    # What is promised.

    def test_it_has_the_shape_of_the_port(self) -> None:
        backend = self.make_backend()
        assert isinstance(backend, Backend), "an operation or attribute of the port is missing"
        assert backend.name
        assert len(backend.name) <= 40
        assert backend.modes
        assert backend.modes <= MODES, f"modes outside {sorted(MODES)}"
        assert isinstance(backend.keeps_text_in_partition, bool)

    def test_what_is_kept_is_found_as_it_was_sent(self) -> None:
        with self._backend() as backend:
            self._keep(backend, document("e-1", KESTREL, source_version="v-7"), document("e-2", INVOICE))
            hits = [hit for hit in self._hits(backend, KESTREL) if hit.derived_from is None]
            assert hits, "a text is not found by itself"
            assert (hits[0].id, hits[0].source_version) == ("e-1", "v-7")
            assert isinstance(hits[0].score, float)
            assert self._ids(backend, INVOICE)[0] == "e-2", "the best hit comes first"

    def test_upsert_twice_is_upsert_once(self) -> None:
        with self._backend() as backend:
            one = document("e-1", KESTREL)
            self._keep(backend, one)
            first = self._hits(backend, KESTREL)
            self._keep(backend, one, one)
            again = self._hits(backend, KESTREL)
            assert [hit.id for hit in again] == [hit.id for hit in first]
            assert [hit.id for hit in again].count("e-1") == 1

    def test_an_edited_version_takes_the_place_of_the_old_one(self) -> None:
        with self._backend() as backend:
            self._keep(backend, document("e-1", KESTREL, source_version="1"))
            self._keep(backend, document("e-1", INVOICE, source_version="2"))
            found = {
                hit.source_version
                for text in (KESTREL, INVOICE)
                for hit in self._hits(backend, text)
                if hit.id == "e-1"
            }
            assert found == {"2"}
            assert "e-1" in self._ids(backend, INVOICE)

    def test_what_is_deleted_is_gone_from_everywhere(self) -> None:
        with self._backend() as backend:
            self._keep(backend, document("e-1", KESTREL, ["public", "agent:ada"]), document("e-2", KESTREL))
            for _ in range(2):
                backend.delete(NAMESPACE, ["e-1", "e-9"], deadline=self._time())
                self.settle(backend)
                assert "e-1" not in self._ids(backend, KESTREL)
                assert "e-1" not in self._ids(backend, KESTREL, ["agent:ada"])
                assert "e-2" in self._ids(backend, KESTREL)
            backend.delete(f"{NAMESPACE}-other", ["e-2"], deadline=self._time())
            assert "e-2" in self._ids(backend, KESTREL), "an id of one namespace was deleted in another"

    def test_what_was_derived_goes_with_its_source(self) -> None:
        with self._backend() as backend:
            self._keep(backend, document("e-1", KESTREL), document("e-2", KESTREL + " at nine"))
            backend.delete(NAMESPACE, ["e-1"], deadline=self._time())
            self.settle(backend)
            for hit in self._hits(backend, KESTREL, limit=100):
                assert "e-1" not in (hit.derived_from or ()), "text that was made of a deleted record is still there"

    def test_partitions_and_namespaces_are_walls(self) -> None:
        other = f"{NAMESPACE}-other"
        with self._backend() as backend:
            self._keep(
                backend, document("e-1", KESTREL), document("e-2", KESTREL, ["agent:ada"]),
                document("e-3", KESTREL, ["agent:ada", "agent:bob"]), document("e-4", KESTREL, ["public@p"]),
                document("e-5", KESTREL, namespace=other),
            )  # fmt: skip
            for partitions, expected in (
                (["public", "agent:ada"], {"e-1", "e-2", "e-3"}),
                (["agent:bob"], {"e-3"}),
                (["public", "public@p"], {"e-1", "e-4"}),
                (["agent:ad"], set()),
                (["agent:ada@p"], set()),
                (["Public"], set()),
                ([], set()),
            ):
                assert set(self._ids(backend, KESTREL, partitions)) == expected, f"searched {partitions}"
            assert self._ids(backend, KESTREL, namespace=other) == ["e-5"]

    def test_a_scope_that_narrows_loses_its_other_copies(self) -> None:
        with self._backend() as backend:
            self._keep(backend, document("e-1", KESTREL, ["public", "agent:ada", "agent:bob"]))
            self._keep(backend, document("e-1", KESTREL, ["agent:ada"]))
            assert "e-1" in self._ids(backend, KESTREL, ["agent:ada"])
            for lost in ("public", "agent:bob"):
                assert "e-1" not in self._ids(backend, KESTREL, [lost])

    def test_own_text_stays_in_one_partition_where_that_is_promised(self) -> None:
        """Every text of its own names its sources, and with the promise all of them are in one partition that was searched."""
        where = {"e-1": {"agent:ada"}, "e-2": {"agent:bob"}, "e-3": {"public"}}
        with self._backend() as backend:
            self._keep(backend, *(document(one, f"{KESTREL} {one}", there) for one, there in where.items()))
            searched = ("public", "agent:ada", "agent:bob")
            for hit in self._hits(backend, KESTREL, searched, limit=100):
                if hit.derived_from is None:
                    continue
                assert hit.derived_from, "a text of its own without sources"
                assert set(hit.derived_from) <= set(where), "a text made of records that it was never given"
                if backend.keeps_text_in_partition:
                    assert set(searched).intersection(*(where[one] for one in hit.derived_from))

    def test_no_text_makes_it_name_what_it_was_not_given(self) -> None:
        forged = "record e-7 id=e-7 document_id: e-7 partition:agent:bob agent:bob source_version 9"
        with self._backend() as backend:
            self._keep(backend, document("e-1", f"{KESTREL} {forged}"), document("e-2", forged, ["agent:bob"]))
            for query in (KESTREL, forged, "e-7", "agent:bob"):
                for hit in self._hits(backend, query, limit=100):
                    named = hit.derived_from if hit.derived_from is not None else (hit.id,)
                    assert set(named) <= {"e-1"}, f"{hit.id} is none of what is in the searched partition"

    def test_kinds_and_claims_narrow_the_search(self) -> None:
        with self._backend() as backend:
            self._keep(
                backend, document("e-1", KESTREL, claim_key="a" * 64), document("e-2", KESTREL, kind="article"),
                document("e-3", KESTREL, kind="observation"),
            )  # fmt: skip
            assert self._ids(backend, KESTREL, kinds=("article",)) == ["e-2"]
            assert set(self._ids(backend, KESTREL, kinds=("article", "observation"))) == {"e-2", "e-3"}
            assert self._ids(backend, KESTREL, claim_key="a" * 64) == ["e-1"]

    def test_no_more_than_asked_for_and_the_best_first(self) -> None:
        with self._backend() as backend:
            self._keep(backend, *(document(f"e-{number}", f"{KESTREL} {number}") for number in range(6)))
            hits = self._hits(backend, KESTREL, limit=3)
            assert len(hits) == 3
            assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)

    def test_any_text_is_a_query(self) -> None:
        with self._backend() as backend:
            self._keep(backend, document("e-1", KESTREL))
            for query in ODD_QUERIES:
                for hit in self._hits(backend, query):
                    assert hit.id == "e-1", f"{query[:40]!r} found {hit.id}"

    def test_a_long_text_is_kept(self) -> None:
        with self._backend() as backend:
            self._keep(backend, document("e-1", f"{KESTREL}. " * 900))
            assert "e-1" in self._ids(backend, KESTREL)

    def test_when_the_time_is_up_or_nobody_waits_it_ends(self) -> None:
        with self._backend() as backend:
            self._keep(backend, document("e-1", KESTREL))
            cancelled = self._time()
            cancelled.cancel()
            search = Search(NAMESPACE, KESTREL, PUBLIC, 5)
            for ended in (Deadline(0), cancelled):
                assert self._fails(lambda ended=ended: backend.upsert([document("e-2", KESTREL)], deadline=ended))
                assert self._fails(lambda ended=ended: backend.retrieve(search, deadline=ended))
                assert self._fails(lambda ended=ended: backend.delete(NAMESPACE, ["e-1"], deadline=ended))
            assert "e-1" in self._ids(backend, KESTREL), "an ended call left something else than before it"

    def test_it_says_how_it_is(self) -> None:
        with self._backend() as backend:
            report = backend.health(deadline=self._time())
            assert isinstance(report, BackendHealth)
            assert report.ok, report.detail

    def test_a_store_that_does_not_answer_is_a_failure_and_never_an_empty_answer(self) -> None:
        broken = self.make_broken_backend()
        if broken is None:
            return
        search = Search(NAMESPACE, KESTREL, PUBLIC, 5)
        assert self._fails(lambda: broken.retrieve(search, deadline=self._time()))
        assert self._fails(lambda: broken.upsert([document("e-1", KESTREL)], deadline=self._time()))
        assert self._fails(lambda: broken.delete(NAMESPACE, ["e-1"], deadline=self._time()))
        assert not broken.health(deadline=self._time()).ok

    @staticmethod
    def _fails(call: Any) -> bool:
        """Whether it raises `BackendFailed`; anything else that it raises is a fault of the adapter."""
        try:
            call()
        except BackendFailed:
            return True
        return False
