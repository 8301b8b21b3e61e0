"""A backend elsewhere as a process of its own, to be killed: a small server, and the adapter that asks it.

    python -m tests.backends.remote PORT FILE

The server keeps what it is sent in FILE, so that it is there again when it is started anew.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from typing import Any

from evidence.backends.port import BackendFailed, BackendHealth, Deadline, Document, Search
from evidence.rules.records import Hit

URL = "TEST_REMOTE_URL"


class RemoteBackend:
    """`Backend` at the address in the environment."""

    name = "remote"
    modes = frozenset({"lexical"})
    keeps_text_in_partition = True
    is_local = False

    def upsert(self, documents: Collection[Document], *, deadline: Deadline) -> None:
        said = [
            [one.namespace, one.record_id, one.source_version, sorted(one.partitions), one.text] for one in documents
        ]
        _ask("upsert", said, deadline)

    def retrieve(self, search: Search, *, deadline: Deadline) -> tuple[Hit, ...]:
        found = _ask("retrieve", [search.namespace, search.text, list(search.partitions), search.limit], deadline)
        return tuple(Hit(record_id, version, 1.0) for record_id, version in found)

    def delete(self, namespace: str, record_ids: Collection[str], *, deadline: Deadline) -> None:
        _ask("delete", [[namespace, one] for one in record_ids], deadline)

    def health(self, *, deadline: Deadline) -> BackendHealth:
        try:
            return BackendHealth(True, "answers", len(_ask("list", None, deadline)))
        except BackendFailed as error:
            return BackendHealth(False, str(error))


REMOTE = f"tests.backends.remote.{RemoteBackend.__name__}"


def _ask(what: str, said: Any, deadline: Deadline) -> Any:
    deadline.check()
    request = urllib.request.Request(f"{os.environ[URL]}/{what}", data=json.dumps(said).encode())
    try:
        with urllib.request.urlopen(request, timeout=max(0.05, deadline.remaining)) as answer:
            return json.load(answer)
    except OSError as error:
        raise BackendFailed(type(error).__name__) from error


class Server:
    """`start`, `kill` (SIGKILL); `kept`: partitions by record id."""

    def __init__(self, folder: Path, port: int) -> None:
        self.url, self._port, self._file = f"http://127.0.0.1:{port}", port, folder / "remote.json"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "tests.backends.remote", str(self._port), str(self._file)]
        self.process = subprocess.Popen(command)
        end = time.monotonic() + 30
        while not RemoteBackend().health(deadline=Deadline(1)).ok:
            assert time.monotonic() < end
            time.sleep(0.05)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        self.process = None

    def kept(self) -> dict[str, list[str]]:
        return {record_id: there for (_, record_id, _, there, _) in _ask("list", None, Deadline(5))}


@contextmanager
def a_server(folder: Path, port: int) -> Iterator[Server]:
    server = Server(folder, port)
    os.environ[URL] = server.url
    try:
        server.start()
        yield server
    finally:
        server.kill()
        os.environ.pop(URL, None)


class _Handler(BaseHTTPRequestHandler):
    file: Path
    kept: dict[str, Any]
    lock = Lock()

    def do_POST(self) -> None:
        said = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.lock:
            answer = getattr(self, f"_{self.path[1:]}")(said)
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _upsert(self, said: Any) -> None:
        self.kept.update({f"{one[0]}/{one[1]}": one for one in said})
        self._save()

    def _delete(self, said: Any) -> None:
        for namespace, record_id in said:
            self.kept.pop(f"{namespace}/{record_id}", None)
        self._save()

    def _list(self, _: Any) -> Any:
        return list(self.kept.values())

    def _retrieve(self, said: Any) -> Any:
        namespace, text, partitions, limit = said
        words = set(text.casefold().split())
        return [
            (one[1], one[2]) for one in self.kept.values()
            if one[0] == namespace and set(one[3]) & set(partitions) and words & set(one[4].casefold().split())
        ][:limit]  # fmt: skip

    def _save(self) -> None:
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps(self.kept))
        new.replace(self.file)

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    _Handler.file = Path(sys.argv[2])
    _Handler.kept = json.loads(_Handler.file.read_text()) if _Handler.file.exists() else {}
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), _Handler).serve_forever()
