"""A real Hindsight server for the adapter's tests: `python -m tests.backends.hindsight_server FOLDER` runs the suite against it.

FOLDER is an environment of its own with `hindsight-api-slim[embedded-db]` in it, far too large to be a dependency of tests. Its
embedded PostgreSQL refuses to run as root; `nobody` runs it then, who must be able to reach the folder. In the place of a model
service the server gets hashes of words.
"""

from __future__ import annotations

import hashlib
import http.server
import json
import math
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SIZE = 1_536
START_SECONDS = 180.0


class Embeddings(http.server.BaseHTTPRequestHandler):
    """`POST …/embeddings` in the words of the usual API."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        texts = asked["input"] if isinstance(asked["input"], list) else [asked["input"]]
        data = [{"object": "embedding", "index": at, "embedding": point(str(text))} for at, text in enumerate(texts)]
        body = json.dumps(
            {"object": "list", "data": data, "model": "hashes", "usage": {"prompt_tokens": 1, "total_tokens": 1}}
        )
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        pass


def point(text: str) -> list[float]:
    numbers = [0.0] * SIZE
    for word in re.findall(r"\w+", text.casefold()) or ["-"]:
        numbers[int.from_bytes(hashlib.sha256(word.encode("utf-8", "replace")).digest()[:4], "big") % SIZE] += 1.0
    length = math.sqrt(sum(number * number for number in numbers))
    return [number / length for number in numbers]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def database(environment: Path, home: Path) -> Iterator[str]:
    """The PostgreSQL that comes with the server. Gives its address."""
    (program,) = environment.glob("lib/python3*/site-packages/pg0/bin/pg0")
    user = "nobody" if os.geteuid() == 0 else None
    if user:
        shutil.chown(home, user)
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8"}
    port = free_port()
    subprocess.run([program, "start", "--port", str(port)], env=env, cwd=home, user=user, check=True, stdout=sys.stderr)
    try:
        yield f"postgresql://postgres:postgres@127.0.0.1:{port}/postgres"
    finally:
        subprocess.run([program, "drop", "--force"], env=env, cwd=home, user=user, check=False, stdout=sys.stderr)


@contextmanager
def running(environment: Path) -> Iterator[str]:
    """The address of a server that is ready."""
    model = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Embeddings)
    threading.Thread(target=model.serve_forever, daemon=True).start()
    folder = Path(tempfile.mkdtemp(prefix="evidence-hindsight-"))
    folder.chmod(0o755)
    home = folder / "home"
    home.mkdir()
    port = free_port()
    with database(environment, home) as address:
        env = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "HF_HUB_OFFLINE": "1", "LANG": "C.UTF-8",
            "HINDSIGHT_API_DATABASE_URL": address, "HINDSIGHT_API_HOST": "127.0.0.1", "HINDSIGHT_API_PORT": str(port),
            "HINDSIGHT_API_LLM_PROVIDER": "none", "HINDSIGHT_API_RERANKER_PROVIDER": "rrf",
            "HINDSIGHT_API_EMBEDDINGS_PROVIDER": "openai", "HINDSIGHT_API_EMBEDDINGS_OPENAI_API_KEY": "none",
            "HINDSIGHT_API_EMBEDDINGS_OPENAI_BASE_URL": f"http://127.0.0.1:{model.server_address[1]}/v1",
            "HINDSIGHT_API_EMBEDDINGS_OPENAI_MODEL": "text-embedding-3-small",
        }  # fmt: skip
        command = [environment / "bin" / "python", "-m", "hindsight_api.main"]
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen(command, env=env, stdout=log, stderr=log, cwd=folder, start_new_session=True)
        try:
            url = f"http://127.0.0.1:{port}"
            await_ready(server, url, folder / "log")
            yield url
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(timeout=60)
            model.shutdown()
    shutil.rmtree(folder, ignore_errors=True)


def await_ready(server: subprocess.Popen[bytes], url: str, log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            with urllib.request.urlopen(f"{url}/health", timeout=2) as answer:
                if json.load(answer).get("status") == "healthy":
                    return
        except OSError:
            pass
        if server.poll() is not None or time.monotonic() > end:
            raise SystemExit(f"the server did not start:\n{log.read_text(errors='replace')[-4000:]}")
        time.sleep(0.5)


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    with running(Path(sys.argv[1]).resolve()) as url:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", "tests/backends/test_hindsight.py"]
        return subprocess.run(command, env=os.environ | {"TEST_HINDSIGHT_URL": url}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
