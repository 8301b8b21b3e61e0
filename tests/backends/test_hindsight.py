"""The adapter for Hindsight: the published suite against a real server where there is one (`hindsight_server`), and failures."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from evidence.backends import copies
from evidence.backends.conformance import INVOICE, KESTREL, NAMESPACE, PUBLIC, BackendConformance, document
from evidence.backends.hindsight import HindsightBackend, bank_of
from evidence.backends.port import Backend, BackendFailed, Deadline, DeadlineExceeded, Search
from tests.backends.replay import recording, replaying

pytestmark = pytest.mark.django_db
URL = os.environ.get("TEST_HINDSIGHT_URL", "")
RECORDED = Path(__file__).parent.parent / "data" / "hindsight" / "said.json"
NOBODY = "http://127.0.0.1:9"


if URL:

    class TestHindsight(BackendConformance):
        def make_backend(self) -> Backend:
            return HindsightBackend(URL)

        def make_broken_backend(self) -> Backend:
            return HindsightBackend(NOBODY)

    def test_record_what_is_said() -> None:
        """Not a test: what the server says is kept for those who have none."""
        with recording(URL, RECORDED) as address:
            told(HindsightBackend(address))


def told(backend: HindsightBackend) -> list[object]:
    """One round through the operations; what came out of each."""
    other, time = "agent:ada", Deadline(60)
    searches = [Search(NAMESPACE, KESTREL, (partition,), 5) for partition in ("public", other)]

    def found() -> list[object]:
        return [
            sorted((hit.id, hit.source_version) for hit in backend.retrieve(one, deadline=time)) for one in searches
        ]

    backend.upsert(
        [document("e-1", KESTREL, ["public", other]), document("e-2", INVOICE, source_version="v2")], deadline=time
    )
    out: list[object] = [backend.health(deadline=time).ok, found()]
    backend.upsert([document("e-1", KESTREL, [other], source_version="2")], deadline=time)
    out.append(found())
    backend.delete(NAMESPACE, ["e-1", "e-2"], deadline=time)
    return [*out, found()]


def test_what_a_real_server_said_once_is_understood() -> None:
    """The recorded answers, to the recorded questions only: whoever asks otherwise must run the real server again."""
    with replaying(RECORDED) as address:
        health, first, narrowed, deleted = told(HindsightBackend(address))
    assert health is True
    assert first[0][0] == ("e-1", "1")
    assert (first[1], narrowed[1]) == ([("e-1", "1")], [("e-1", "2")])
    assert "e-1" not in dict(narrowed[0])
    assert deleted == [[], []]


class Silent(BaseHTTPRequestHandler):
    """Takes a request and never answers it."""

    def handle(self) -> None:
        self.server.ended.wait(30)  # type: ignore[attr-defined]


@pytest.fixture
def silent() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Silent)
    server.ended = threading.Event()  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.ended.set()  # type: ignore[attr-defined]
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("url", [NOBODY, ""], ids=["nobody there", "no address"])
def test_a_server_that_is_not_there_is_a_failure_of_every_operation(url: str) -> None:
    broken, time = HindsightBackend(url), Deadline(10)
    for call in (
        lambda: broken.upsert([document("e-1", KESTREL)], deadline=time),
        lambda: broken.retrieve(Search(NAMESPACE, KESTREL, PUBLIC, 5), deadline=time),
        lambda: broken.delete(NAMESPACE, ["e-1"], deadline=time),
    ):
        with pytest.raises(BackendFailed):
            call()
    assert not broken.health(deadline=time).ok
    # It may have arrived all the same: where it was to go is known.
    assert copies.places_of("hindsight", NAMESPACE, ["e-1"]) == {"e-1": frozenset(PUBLIC)}


def test_a_server_that_does_not_answer_is_left_when_the_time_is_up_or_nobody_waits(silent: str) -> None:
    search = Search(NAMESPACE, KESTREL, PUBLIC, 5)
    with pytest.raises(DeadlineExceeded):
        HindsightBackend(silent).retrieve(search, deadline=Deadline(0.2))
    cancelled = Deadline(60)
    threading.Timer(0.2, cancelled.cancel).start()
    with pytest.raises(DeadlineExceeded):
        HindsightBackend(silent).retrieve(search, deadline=cancelled)


def test_banks_are_told_apart_by_namespace_and_partition() -> None:
    names = {bank_of(*pair) for pair in (("a", "public"), ("a", "agent:b"), ("b", "public"), ("", "a\0public"))}
    assert len(names) == 4
    assert all(name.isascii() and len(name) <= 40 for name in names)
