"""Small programs for the supervisor to run, and ways to see whether a process is still there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from reviewapp.runtime.child import Spec

PATIENCE_SECONDS = 20.0

# Writes its pid and that of a child of its own, then waits; on TERM it notes its name and leaves.
WORKER = """
import os, pathlib, signal, subprocess, sys, time
name, folder, stubborn = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3] == "stubborn"
grandchild = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
def leave(number, frame):
    with (folder / "stopped").open("a") as out:
        out.write(name + "\\n")
    if not stubborn:
        grandchild.kill()
        sys.exit(0)
signal.signal(signal.SIGTERM, leave)
draft = folder / (name + ".draft")
draft.write_text(f"{os.getpid()} {grandchild.pid}")
draft.rename(folder / (name + ".pids"))
print("hello from", name, flush=True)
while True:
    time.sleep(0.05)
"""

# A supervisor as a program, so that it can be ended with SIGKILL: three children, then it keeps them running.
SUPERVISOR = """
import signal
for number in (signal.SIGINT, signal.SIGHUP):  # behind nohup or & they would be ignored from the start
    signal.signal(number, signal.SIG_DFL)
import os, pathlib, sys
sys.path.insert(0, sys.argv[2])
from reviewapp.runtime.child import Guard
from reviewapp.runtime.console import Console
from reviewapp.runtime.lock import FolderLock
from reviewapp.runtime.supervisor import StopSignals, Supervisor
from tests.runtime.programs import worker_spec
folder = pathlib.Path(sys.argv[1])
lock = FolderLock(folder)
lock.acquire()
console, guard, signals = Console(folder / "log"), Guard((lock.handle,), grace=1.0), StopSignals()
signals.install()
names = ("broker", "worker", "beat", "web")
supervisor = Supervisor(console, guard, signals, stop_order=("web", "beat", "worker", "broker"))
for name in names:
    supervisor.start(worker_spec(name, folder, how=sys.argv[3]))
(folder / "ready").touch()
supervisor.run()
supervisor.stop()
guard.close()
lock.release()
"""

ROOT = Path(__file__).resolve().parent.parent.parent


def worker_spec(name: str, folder: Path, *, how: str = "willing", grace: float = 5.0) -> Spec:
    """A child that is ready once it has written its pids; `how` = stubborn ignores TERM."""
    return Spec(
        name=name,
        command=(sys.executable, "-c", WORKER, name, str(folder), how),
        env=os.environ,
        cwd=folder,
        stop=((signal.SIGTERM, grace),),
        ready=(folder / f"{name}.pids").exists,
    )


def start_supervisor(folder: Path, *, how: str = "willing", stdin: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", SUPERVISOR, str(folder), str(ROOT), how]
    process = subprocess.Popen(command, stdin=stdin, stdout=subprocess.DEVNULL, start_new_session=True)
    wait_for((folder / "ready").exists)
    return process


def pids_of(folder: Path, name: str) -> list[int]:
    """The child's own pid and its child's."""
    return [int(pid) for pid in (folder / f"{name}.pids").read_text().split()]


def running(pid: int) -> bool:
    """Whether the process does anything still: a zombie that nobody has reaped yet does not."""
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat")
        return not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def wait_for(condition: Callable[[], bool], *, seconds: float = PATIENCE_SECONDS) -> None:
    """Waits, and fails only after a time that no healthy machine needs."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds} s: {condition}"
        time.sleep(0.02)
