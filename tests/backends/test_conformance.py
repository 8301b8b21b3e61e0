"""Every adapter of ours against the published suite, and adapters of other packages found by their entry points."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from evidence.backends.conformance import KESTREL, BackendConformance, document
from evidence.backends.fusion import fused
from evidence.backends.hybrid import HybridBackend
from evidence.backends.port import Backend, Deadline
from evidence.backends.registry import OURS, announced, backends
from evidence.backends.sql import SqlBackend
from evidence.backends.vector import VectorBackend
from evidence.backends.vector import backend as vector_module
from evidence.backends.vector.models import HashedNgrams, WordLlamaModel, text_model
from evidence.backends.vector.space import forget_all
from evidence.models import VectorEntry
from tests.backends.memory import MemoryBackend

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture(autouse=True)
def nothing_in_memory() -> None:
    """A rolled-back test gives its row numbers to the next one, which no desk does."""
    forget_all()


class TestSql(BackendConformance):
    def make_backend(self) -> Backend:
        return SqlBackend()


class TestVector(BackendConformance):
    def make_backend(self) -> Backend:
        return VectorBackend()


class TestVectorWithoutWords(TestVector):
    """The model that needs no package but numpy."""

    @pytest.fixture(autouse=True)
    def without_words(self, monkeypatch: pytest.MonkeyPatch) -> None:
        model = HashedNgrams()
        monkeypatch.setattr(vector_module, "text_model", lambda: model)


class TestHybrid(BackendConformance):
    def make_backend(self) -> Backend:
        return HybridBackend()

    def make_broken_backend(self) -> Backend:
        return HybridBackend([MemoryBackend(), MemoryBackend(broken=True)])


class TestInMemory(BackendConformance):
    """The example of the docs, which no table of ours helps."""

    def make_backend(self) -> Backend:
        return MemoryBackend()

    def make_broken_backend(self) -> Backend:
        return MemoryBackend(broken=True)


def test_the_suite_catches_what_it_is_for() -> None:
    """Each of these adapters breaks one promise."""
    suite = TestInMemory()
    faults = {
        "leaks": suite.test_partitions_and_namespaces_are_walls,
        "keeps": suite.test_what_is_deleted_is_gone_from_everywhere,
        "doubles": suite.test_upsert_twice_is_upsert_once,
        "sticks": suite.test_a_scope_that_narrows_loses_its_other_copies,
        "forges": suite.test_no_text_makes_it_name_what_it_was_not_given,
        "mixes": suite.test_own_text_stays_in_one_partition_where_that_is_promised,
        "derives": suite.test_what_was_derived_goes_with_its_source,
        "ages": suite.test_an_edited_version_takes_the_place_of_the_old_one,
        "dawdles": suite.test_when_the_time_is_up_or_nobody_waits_it_ends,
    }
    for fault, test in faults.items():
        suite.make_backend = lambda fault=fault: MemoryBackend(fault=fault)  # type: ignore[method-assign]
        with pytest.raises(AssertionError):
            test()


def test_the_model_of_the_package_is_used_and_knows_other_words() -> None:
    model = text_model()
    assert isinstance(model, WordLlamaModel)
    database, payment, asked = model.points(
        ["The database is PostgreSQL.", "Payments are retried.", "which SQL server do we use?"]
    )
    assert asked @ database > model.nearest > asked @ payment
    assert not model.points([""]).any()


def test_a_change_of_scope_computes_no_point_again(monkeypatch: pytest.MonkeyPatch) -> None:
    VectorBackend().upsert([document("e-1", KESTREL)], deadline=Deadline(10))
    point = bytes(VectorEntry.objects.get().vector)
    assert point
    monkeypatch.setattr(WordLlamaModel, "points", lambda *_: pytest.fail("computed again"))
    VectorBackend().upsert([document("e-1", KESTREL, ["agent:ada"])], deadline=Deadline(10))
    row = VectorEntry.objects.get()
    assert (row.partitions, bytes(row.vector)) == (["agent:ada"], point)


def test_fusion_counts_ranks_and_not_scores() -> None:
    order = [name for _, name in fused([["a", "b", "c"], ["b", "d"]], key=str)]
    assert order == ["b", "a", "d", "c"]
    assert fused([["a"], ["a"]], key=str)[0][0] == 1.0
    assert fused([], key=str) == []


def test_adapters_of_installed_packages_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    info = tmp_path / "somebodys_memory-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: somebodys-memory\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[evidence_desk.backends]\nsomebodys = tests.backends.memory:MemoryBackend\nsql = os:getcwd\nbad = nosuch:Thing\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert set(announced()) == {"somebodys", "bad"}  # nobody takes the place of ours
    for names, expected in (
        (("sql", "somebodys"), ["sql", "memory"]),
        (("tests.backends.memory.MemoryBackend",), ["memory"]),
        ((), ["sql"]),
    ):
        settings.MEMORY_BACKENDS = names
        assert [backend.name for backend in backends()] == expected
    for names in (("nosuch",), ("bad",), ("sql", "sql"), ("django.utils.timezone.now",)):
        settings.MEMORY_BACKENDS = names
        with pytest.raises((ImproperlyConfigured, TypeError)):
            backends()
    assert set(OURS) == {"sql", "vector", "hybrid", "hindsight"}
