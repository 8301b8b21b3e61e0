"""A real desk, started as its operator starts it: `manage.py up` on a free port with a data folder of its own."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from reviewapp.runtime.ports import LOOPBACK, free_port
from tests.runtime.programs import ROOT, wait_for

START_SECONDS = 90.0


@dataclass
class Desk:
    data_dir: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None
    demo: bool = False

    @property
    def env(self) -> dict[str, str]:
        """As on a fresh machine: nothing of the test run's own settings."""
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "TMPDIR", "TZ")}
        return kept | {"DATA_DIR": str(self.data_dir), "PORT": str(self.port), "DEMO": str(int(self.demo))}

    @property
    def said(self) -> str:
        return (self.data_dir.parent / f"{self.data_dir.name}.out").read_text(errors="replace")

    def manage(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end; `more`: further variables of the environment."""
        command = [sys.executable, "manage.py", *words]
        env = self.env | more
        return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=120, check=False)

    def start(self) -> None:
        self.data_dir.parent.mkdir(parents=True, exist_ok=True)
        with (self.data_dir.parent / f"{self.data_dir.name}.out").open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "up"],
                cwd=ROOT,
                env=self.env,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
        wait_for(lambda: "is ready" in self.said or self._ended(), seconds=START_SECONDS)
        assert not self._ended(), self.said

    def get(self, path: str) -> tuple[int, bytes]:
        """Status 0: nobody listens."""
        link = http.client.HTTPConnection(LOOPBACK, self.port, timeout=10)
        try:
            link.request("GET", path)
            answer = link.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            return 0, b""
        finally:
            link.close()

    def doctor(self) -> dict[str, dict[str, Any]]:
        """Finding by name."""
        return {finding["name"]: finding for finding in json.loads(self.manage("doctor", "--json").stdout)["findings"]}

    def family(self) -> list[psutil.Process]:
        """The supervisor's children and theirs."""
        assert self.process is not None
        return psutil.Process(self.process.pid).children(recursive=True)

    def stop(self) -> int:
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(timeout=60)

    def end(self) -> None:
        """Stop it if it still runs."""
        if self.process is not None and self.process.poll() is None:
            self.stop()

    def _ended(self) -> bool:
        return self.process is not None and self.process.poll() is not None
