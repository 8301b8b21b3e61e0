"""Runs all tests as three runs of pytest beside each other: `python -m tests.everything -n 4 -k bulk`. What `make test` does.
Where files are named, they alone run.

The rules are thousands of quick cases: one process runs them sooner than xdist hands them out, and no worker of the others has
to collect them. What must be compiled is compiled once, before workers start that would each do it for themselves.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO

PYTEST = (sys.executable, "-m", "pytest")
RULES = "tests/rules"
MARKED = "races or postgres"
POSTGRES = (sys.executable, "-m", "tests.on_postgres", "-m", MARKED, "-n", "2", "--dist", "loadfile")
NOTHING_TO_RUN = 5
"""What pytest answers when none of the tests that it knows were asked for."""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="tests.everything", allow_abbrev=False, add_help=False)
    parser.add_argument("-n", dest="workers", default="4")
    known, given = parser.parse_known_args(arguments)
    named = any(Path(word.partition("::")[0]).exists() for word in given)
    apart = [] if named else ["--ignore", RULES]
    rest = [*PYTEST, *apart, "-n", known.workers, "--dist", "loadfile", "--no-loadscope-reorder", *given]
    runs = {}
    with tempfile.TemporaryDirectory() as folder:
        try:
            if apart:
                runs["The rules"] = _beside(Path(folder, "rules"), [*PYTEST, RULES, *given])
                subprocess.run([*PYTEST, *apart, "--collect-only", "-qqq"], stdout=subprocess.DEVNULL, check=False)
            runs["On PostgreSQL"] = _beside(Path(folder, "postgres"), [*POSTGRES, *given])
            ends = [subprocess.run(rest, check=False).returncode, *(_end_of(name, *run) for name, run in runs.items())]
        finally:
            for process, _ in runs.values():
                process.terminate()
                process.wait()
    wrong = [end for end in ends if end not in (0, NOTHING_TO_RUN)]
    return wrong[0] if wrong else min(ends)


def _beside(log: Path, command: list[str]) -> tuple[subprocess.Popen[bytes], Path]:
    """Begins a run whose words are shown when it is over."""
    out: IO[bytes]
    with log.open("wb") as out:
        return subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT), log


def _end_of(name: str, process: subprocess.Popen[bytes], log: Path) -> int:
    end = process.wait()
    print(f"\n{name}:\n{log.read_text(errors='replace')}", flush=True)
    return end


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
