"""One supervised process: how it is started, asked to stop, and ended with everything that it started itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from reviewapp.runtime.console import Console

HERE = Path(__file__).resolve().parent
LINE_BYTES = 16 * 1024
GUARD_GRACE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Spec:
    """What to run. `stop`: signals in order, each with the seconds it is given before the next; SIGKILL ends the list."""

    name: str
    command: tuple[str, ...]
    env: Mapping[str, str]
    cwd: Path
    stop: tuple[tuple[signal.Signals, float], ...] = ((signal.SIGTERM, 10.0),)
    ready: Callable[[], bool] = field(default=lambda: True)
    ready_within: float = 30.0


class Guard:
    """This side of `guard.py`: tells it which process groups must not outlive us."""

    def __init__(self, inherited: tuple[int, ...] = (), *, grace: float = GUARD_GRACE_SECONDS) -> None:
        self._inherited = inherited
        self._grace = grace
        self._groups: set[int] = set()
        self._process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-I", "-S", str(HERE / "guard.py"), str(self._grace)]
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, text=True, pass_fds=self._inherited, start_new_session=True
        )

    def watch(self, group: int) -> None:
        self._groups.add(group)
        self._tell(f"+{group}")

    def forget(self, group: int) -> None:
        self._groups.discard(group)
        self._tell(f"-{group}")

    def keep_alive(self) -> None:
        """Replace a guard that was ended by somebody."""
        if self._process.poll() is not None:
            self._process = self._start()
            for group in self._groups:
                self._tell(f"+{group}")

    def close(self) -> None:
        """Closing the pipe lets the guard end; by now its list should be empty."""
        with suppress(OSError):
            self._stdin.close()
        self._process.wait()

    @property
    def _stdin(self) -> IO[str]:
        assert self._process.stdin is not None
        return self._process.stdin

    def _tell(self, word: str) -> None:
        with suppress(OSError):  # a dead guard is replaced on the next round, and told everything again
            self._stdin.write(word + "\n")
            self._stdin.flush()


class Child:
    """A process in a group of its own. Must be started from the main thread: the kernel's death signal follows the thread."""

    def __init__(self, spec: Spec, console: Console, guard: Guard) -> None:
        self.spec = spec
        self._console = console
        self._guard = guard
        self._process: subprocess.Popen[bytes] | None = None
        self.started_at = 0.0

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self) -> None:
        launcher = (sys.executable, "-I", "-S", str(HERE / "launch.py"), str(os.getpid()))
        self._process = subprocess.Popen(
            (*launcher, *self.spec.command),
            cwd=self.spec.cwd,
            env=dict(self.spec.env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self._guard.watch(self._process.pid)
        self.started_at = time.monotonic()
        threading.Thread(target=self._pump, args=(self._process,), name=f"{self.spec.name}-output", daemon=True).start()

    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def exit_code(self) -> int | None:
        return self._process.poll() if self._process else None

    def await_ready(self) -> bool:
        """False when it ended, or did not become ready in its time."""
        deadline = time.monotonic() + self.spec.ready_within
        while self.alive() and time.monotonic() < deadline:
            if self.spec.ready():
                return True
            time.sleep(0.05)
        return False

    def stop(self, hurry: Callable[[], bool]) -> None:
        """Ask in the order of `spec.stop`, then kill. `hurry` is asked all along: True means kill now."""
        for number, seconds in self.spec.stop:
            if not self.alive() or hurry():
                break
            with suppress(ProcessLookupError):
                self._running.send_signal(number)
            self._wait(seconds, hurry)
        self.clear()

    def clear(self) -> None:
        """End whatever is left of its group (workers that a crashed parent left behind) and forget it."""
        if self._process is None:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._guard.forget(self._process.pid)
        self._process = None

    @property
    def _running(self) -> subprocess.Popen[bytes]:
        assert self._process is not None
        return self._process

    def _wait(self, seconds: float, hurry: Callable[[], bool]) -> None:
        deadline = time.monotonic() + seconds
        while self.alive() and not hurry() and time.monotonic() < deadline:
            time.sleep(0.05)

    def _pump(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        with process.stdout as stream:
            while line := stream.readline(LINE_BYTES):
                self._console.line(self.spec.name, line.decode("utf-8", "replace"))
