"""The adapter for Hindsight: the published suite against a real server where there is one (`hindsight_server`), and failures."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from evidence.backends import copies
from evidence.backends.conformance import KESTREL, NAMESPACE, PUBLIC, BackendConformance, document
from evidence.backends.hindsight import HindsightBackend, bank_of
from evidence.backends.port import Backend, BackendFailed, Deadline, DeadlineExceeded, Search

pytestmark = pytest.mark.django_db
URL = os.environ.get("TEST_HINDSIGHT_URL", "")
NOBODY = "http://127.0.0.1:9"


@pytest.mark.skipif(not URL, reason="needs a server: python -m tests.backends.hindsight_server FOLDER")
class TestHindsight(BackendConformance):
    def make_backend(self) -> Backend:
        return HindsightBackend(URL)

    def make_broken_backend(self) -> Backend:
        return HindsightBackend(NOBODY)


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
