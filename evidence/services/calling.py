"""One call of a webhook: resolved, checked, connected to the very address that was checked, posted, and only its status read.

Nothing is followed, nothing of the answer is kept, and no way of answering slowly or endlessly holds a worker for longer than
`TOTAL_SECONDS`. `open` and `post` are apart, so that whoever calls can write down in between that it is going out now.
"""

from __future__ import annotations

import socket
import ssl
import time
from dataclasses import dataclass, field

from django.conf import settings

from evidence.rules.addresses import Target, is_public, read_target
from evidence.rules.errors import BadInput

CONNECT_SECONDS = 5.0
TOTAL_SECONDS = 15.0
HEAD_MAX = 16 * 1024
USER_AGENT = "evidence-desk-webhook/1"
# Seen by nobody but whoever looks why a webhook is dead: a word, never what the other side said.
PRIVATE, UNRESOLVED, UNREACHABLE, NO_TLS, SILENT, GARBLED = (
    "private_address", "no_such_host", "unreachable", "tls_failed", "no_answer", "no_http",
)  # fmt: skip


class CallFailed(Exception):
    """The call did not succeed; `word` says why, in a word that may be stored and shown."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


@dataclass(slots=True)
class Call:
    """A target that is connected to, or will be. Use it once."""

    target: Target
    began: float = field(default_factory=time.monotonic)
    _link: socket.socket | None = None

    def open(self) -> None:
        """Resolve, refuse what is not public, and connect. Nothing was sent when it raises `CallFailed`."""
        addresses = checked_addresses(self.target)
        for family, place in addresses[:2]:
            try:
                link = socket.socket(family, socket.SOCK_STREAM)
                link.settimeout(min(CONNECT_SECONDS, self._left()))
                self._link = link
                link.connect(place)
                break
            except OSError:
                self.close()
        if self._link is None:
            raise CallFailed(UNREACHABLE)
        if self.target.scheme == "https":
            self._encrypt()

    def _encrypt(self) -> None:
        assert self._link is not None
        try:
            self._link.settimeout(min(CONNECT_SECONDS, self._left()))
            self._link = ssl.create_default_context().wrap_socket(self._link, server_hostname=self.target.host)
        except (OSError, ValueError):
            self.close()
            raise CallFailed(NO_TLS) from None

    def post(self, body: bytes, headers: dict[str, str]) -> int:
        """Send, and give the status of the answer. `CallFailed` here means: it may have arrived."""
        assert self._link is not None
        lines = [f"POST {self.target.path} HTTP/1.1", f"Host: {self.target.host_header}"]
        everything = headers | {
            "User-Agent": USER_AGENT, "Content-Length": str(len(body)), "Accept": "*/*", "Connection": "close",
        }  # fmt: skip
        lines += [f"{name}: {value}" for name, value in everything.items()]
        head = "\r\n".join(lines).encode("ascii")
        if head.count(b"\n") != len(lines) - 1:
            raise CallFailed(GARBLED)
        try:
            self._link.settimeout(self._left())
            self._link.sendall(head + b"\r\n\r\n" + body)
            return self._status()
        except OSError:
            raise CallFailed(SILENT) from None
        finally:
            self.close()

    def close(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None

    def _status(self) -> int:
        """The status of the first answer that is one; of the rest nothing is read."""
        read = b""
        while True:
            head, found, _ = read.partition(b"\n")
            if found:
                status = _status_in(head)
                if status >= 200:
                    return status
                _, ended, after = read.partition(b"\r\n\r\n")  # 100 Continue and its like come before the answer
                if ended:
                    read = after
                    continue
            if len(read) > HEAD_MAX:
                raise CallFailed(GARBLED)
            assert self._link is not None
            self._link.settimeout(self._left())
            more = self._link.recv(1024)
            if not more:
                raise CallFailed(SILENT)
            read += more

    def _left(self) -> float:
        left = self.began + TOTAL_SECONDS - time.monotonic()
        if left <= 0:
            raise CallFailed(SILENT)
        return left


def target_of(text: str) -> Target:
    """Raises `BadInput` for what cannot be called from here."""
    return read_target(text, plain_http=settings.WEBHOOK_ALLOW_PRIVATE)


def checked_addresses(target: Target) -> list[tuple[int, tuple[object, ...]]]:
    """Where the name leads at this moment; refused when any of it is private, unless the installation allows that.

    The address is looked up once and connected to as it is: a name that answers differently the next time wins nothing.
    """
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise CallFailed(UNRESOLVED) from None
    places = [(family, place) for family, _, _, _, place in found]
    if not settings.WEBHOOK_ALLOW_PRIVATE and not all(is_public(str(place[0])) for _, place in places):
        raise CallFailed(PRIVATE)
    if not places:
        raise CallFailed(UNRESOLVED)
    return [(int(family), tuple(place)) for family, place in places]


def _status_in(line: bytes) -> int:
    """ "HTTP/1.1 204 No Content" as 204."""
    words = line.split()
    if len(words) < 2 or not words[0].startswith(b"HTTP/1.") or len(words[1]) != 3 or not words[1].isdigit():
        raise CallFailed(GARBLED)
    return int(words[1])


__all__ = ["BadInput", "Call", "CallFailed", "checked_addresses", "target_of"]
