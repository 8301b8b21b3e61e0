"""A call goes to the address that was checked, follows nothing, and no answer holds a worker or is kept (SSRF)."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from evidence.rules.addresses import read_target
from evidence.services import calling
from evidence.services.calling import Call, CallFailed
from tests.fixtures.receivers import HookSink


def call(url: str, body: bytes = b"{}", **headers: str) -> int:
    """Connect and post, as sending does."""
    one = Call(read_target(url, plain_http=True))
    one.open()
    return one.post(body, headers)


@pytest.fixture
def private_allowed(settings: Any) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = True


def resolved_to(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> list[str]:
    """A name that leads to these addresses; what is asked for is noted."""
    asked: list[str] = []

    def lookup(host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        return [
            (socket.AF_INET6 if ":" in one else socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port))
            for one in addresses
        ]

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    return asked


LOCAL = [
    "http://127.0.0.1:{port}/", "http://localhost:{port}/", "http://[::1]:{port}/", "http://0.0.0.0:{port}/",
    "http://2130706433:{port}/", "http://127.1:{port}/", "http://0x7f000001:{port}/",
]  # fmt: skip


@pytest.mark.parametrize("url", LOCAL)
def test_no_way_of_writing_it_leads_home(hook_sink: HookSink, url: str) -> None:
    with pytest.raises(CallFailed) as refused:
        call(url.format(port=hook_sink.port))
    assert refused.value.word in (calling.PRIVATE, calling.UNRESOLVED)
    assert hook_sink.calls == []


@pytest.mark.parametrize(
    "addresses", [["10.0.0.1"], ["1.1.1.1", "127.0.0.1"], ["169.254.169.254"], ["::ffff:10.0.0.1"], ["fe80::1"]]
)
def test_a_name_of_which_any_address_is_private_is_not_called(
    monkeypatch: pytest.MonkeyPatch, addresses: list[str]
) -> None:
    resolved_to(monkeypatch, *addresses)
    with pytest.raises(CallFailed, match=calling.PRIVATE):
        Call(read_target("https://innocent.example/", plain_http=False)).open()


def test_the_name_is_looked_up_once_and_the_checked_address_is_connected_to(
    monkeypatch: pytest.MonkeyPatch, hook_sink: HookSink, private_allowed: None
) -> None:
    asked = resolved_to(monkeypatch, "127.0.0.1")
    assert call(f"http://rebinding.example:{hook_sink.port}/hook") == 204
    assert asked == ["rebinding.example"]
    assert hook_sink.calls[0].headers["host"] == f"rebinding.example:{hook_sink.port}"


def test_a_redirect_is_an_answer_and_nothing_more(hook_sink: HookSink, private_allowed: None) -> None:
    hook_sink.status = 307
    assert call(hook_sink.url) == 307
    assert len(hook_sink.calls) == 1


def test_a_header_cannot_be_smuggled_in(hook_sink: HookSink, private_allowed: None) -> None:
    with pytest.raises(CallFailed, match=calling.GARBLED):
        call(hook_sink.url, **{"x-one": "a\r\nx-two: b"})
    assert hook_sink.calls == []


def endless(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 10_000_000)


def continues(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 202 Accepted\r\n\r\n")


def continues_barely(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\n\r\n")


@pytest.mark.parametrize(("answer", "status"), [(endless, 200), (continues, 202), (continues_barely, 201)])
def test_only_the_status_is_read(
    hook_sink: HookSink, private_allowed: None, answer: Callable[[Any], None], status: int
) -> None:
    hook_sink.answer = answer
    assert call(hook_sink.url) == status


@contextmanager
def server(talk: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server that says what no honest one would."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            link, _ = listener.accept()
            with link:
                link.recv(65_536)
                talk(link)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        thread.join(timeout=10)


def drips(link: socket.socket) -> None:
    """One letter at a time, so that no single wait is long."""
    try:
        for letter in b"HTTP/1.1 200 OK and so on and on and on" * 50:
            link.sendall(bytes([letter]))
            time.sleep(0.02)
    except OSError:
        return


BAD = {
    "nothing": (b"", calling.SILENT),
    "another protocol": (b"220 smtp.example ESMTP\r\n", calling.GARBLED),
    "too many digits": (b"HTTP/1.1 2000 OK\r\n", calling.GARBLED),
    "other digits": (b"HTTP/1.1 1\xb23 OK\r\n", calling.GARBLED),
    "no end of continuing": (b"HTTP/1.1 100 Continue\r\n" + b"a: b\r\n" * 5_000, calling.GARBLED),
    "no line": (b"x" * 40_000, calling.GARBLED),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_answer(private_allowed: None, name: str) -> None:
    said, word = BAD[name]
    with server(lambda link: link.sendall(said)) as url, pytest.raises(CallFailed) as failed:
        call(url)
    assert failed.value.word == word


def test_an_answer_that_drips_ends_with_the_time_for_the_whole_call(
    monkeypatch: pytest.MonkeyPatch, private_allowed: None
) -> None:
    monkeypatch.setattr(calling, "TOTAL_SECONDS", 0.3)
    with server(drips) as url, pytest.raises(CallFailed, match=calling.SILENT):
        call(url)


def test_what_cannot_be_reached_or_does_not_speak_tls(hook_sink: HookSink, private_allowed: None) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(CallFailed, match=calling.UNREACHABLE):
        call(f"http://127.0.0.1:{port}/")
    with pytest.raises(CallFailed, match=calling.NO_TLS):
        call(f"https://127.0.0.1:{hook_sink.port}/")
    with pytest.raises(CallFailed, match=calling.UNRESOLVED):
        call("https://no-such-host.invalid/")
