"""Keeping what a server said, and saying it again: an HTTP server between, or in the place of, another."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

# Of an answer only what is the same in every run, and what somebody reads.
UNSTABLE = ("trace", "scores", "usage", "timings", "created_at", "mentioned_at", "date", "updated_at")


class _Between(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def _said(self) -> Any:
        length = int(self.headers.get("Content-Length") or 0)
        return json.loads(self.rfile.read(length)) if length else None

    def _answer(self, status: int, body: Any) -> None:
        raw = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def _any(self) -> None:
        said = self._said()
        with self.server.lock:  # type: ignore[attr-defined]
            self._answer(*self.server.answer(self.command, self.path, said))  # type: ignore[attr-defined]

    def log_message(self, *_: object) -> None:
        pass


for verb in ("GET", "POST", "DELETE", "PUT", "PATCH"):
    setattr(_Between, f"do_{verb}", _Between._any)


@contextmanager
def _serving(answer: Any) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Between)
    server.answer, server.lock = answer, threading.Lock()  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def recording(url: str, file: Path) -> Iterator[str]:
    """Passes everything on to `url` and writes it into `file` at the end."""
    kept: list[Any] = []

    def answer(method: str, path: str, said: Any) -> tuple[int, Any]:
        data = None if said is None else json.dumps(said).encode()
        request = urllib.request.Request(url + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as got:
                status, body = got.status, json.load(got)
        except urllib.error.HTTPError as error:
            status, body = error.code, json.load(error)
        kept.append({"method": method, "path": path, "said": said, "status": status, "body": _stable(body)})
        return status, body

    with _serving(answer) as address:
        yield address
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")


@contextmanager
def replaying(file: Path) -> Iterator[str]:
    """Answers each recorded question with its answers in their order; any other one with 501."""
    answers: dict[str, list[tuple[int, Any]]] = {}
    for one in json.loads(file.read_text(encoding="utf-8")):
        answers.setdefault(_key(one["method"], one["path"], one["said"]), []).append((one["status"], one["body"]))

    def answer(method: str, path: str, said: Any) -> tuple[int, Any]:
        known = answers.get(_key(method, path, said))
        return known.pop(0) if known else (501, {"detail": "this was not asked when it was recorded"})

    with _serving(answer) as address:
        yield address


def _key(method: str, path: str, said: Any) -> str:
    return json.dumps([method, path, said], sort_keys=True)


def _stable(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _stable(member) for name, member in value.items() if name not in UNSTABLE}
    return [_stable(member) for member in value] if isinstance(value, list) else value
