"""Bringing a big file of proposals in: rows a second and the most memory, by `manage.py import` as anybody would run it.

    python -m bench.exchange [--rows 1000000] [--evidence] [--again] [--postgres] [--write bench/exchange.md]

The file is made first, in a folder that is thrown away: statements that differ in words and numbers, claims of their own,
from forty agents, one in a hundred said twice. `--evidence` gives each proposal one excerpt of a session behind it, `--again`
imports the same file a second time. Verification is the workers' part: nobody does it here, and the last column says how much
is left for them.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
AGENTS = 40
THINGS = ("billing", "harbor", "quote", "ledger", "search", "export", "routing", "catalogue", "invoice", "label")
PARTS = ("api", "worker", "cache", "queue", "schema", "timeout", "retry limit", "log format", "owner", "region")
VALUES = (
    "eu-west",
    "JSON lines",
    "Thursday",
    "every 6 hours",
    "past due",
    "read only",
    "blue",
    "weekly",
    "strict",
    "off",
)
# The shorter of what one may wait for: a figure of fewer rows says little.
LEAST = 1_000


@dataclass(frozen=True, slots=True)
class Run:
    """One import: what it was, how many rows, how long by the clock and by the processor, how much memory at most."""

    name: str
    rows: int
    seconds: float
    processor: float
    megabytes: float
    report: str
    waiting: int


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--evidence", action="store_true", help="each proposal brings one excerpt along")
    parser.add_argument("--again", action="store_true", help="import the same file twice")
    parser.add_argument("--postgres", action="store_true", help="on the PostgreSQL of the test packages")
    parser.add_argument("--write", type=Path, help="a Markdown file for the figures")
    asked = parser.parse_args()
    rows = max(LEAST, asked.rows)
    with _desk(postgres=asked.postgres) as (folder, environment):
        file = folder / "proposals.jsonl"
        _write_file(file, rows, evidence=asked.evidence)
        shape = "with one excerpt each" if asked.evidence else "statement and claim"
        runs = [_import(f"{rows:,} proposals, {shape}", file, rows, environment)]
        if asked.again:
            runs.append(_import("the same file again", file, rows, environment))
    text = _table(runs, postgres=asked.postgres)
    print(text)
    if asked.write:
        asked.write.write_text(text, encoding="utf-8")
    return 0


@contextlib.contextmanager
def _desk(*, postgres: bool) -> Iterator[tuple[Path, dict[str, str]]]:
    """An empty desk of its own, and the environment that leads commands there. No broker: nobody waits for one."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="evidence-bench-")))
        url = f"sqlite:///{folder / 'bench.sqlite3'}"
        if postgres:
            os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
            from tests.fixtures.servers import postgres_server

            url = stack.enter_context(postgres_server())
        environment = dict(os.environ) | {
            "DATA_DIR": str(folder), "DATABASE_URL": url, "REDIS_URL": "redis://127.0.0.1:1/0", "LOG_LEVEL": "ERROR",
            "DJANGO_SETTINGS_MODULE": "reviewapp.settings", "DEMO": "0", "SECRET_KEY": "bench" * 12,
        }  # fmt: skip
        subprocess.run(_command("migrate", "--verbosity", "0"), env=environment, cwd=ROOT, check=True)
        yield folder, environment


def _command(*words: str) -> list[str]:
    return [sys.executable, str(ROOT / "manage.py"), *words]


def _write_file(path: Path, rows: int, *, evidence: bool) -> None:
    draw = random.Random(7)  # the same file every time
    with path.open("w", encoding="utf-8") as file:
        for number in range(rows):
            file.write(json.dumps(_proposal(number if number % 100 else max(0, number - 50), draw, number, evidence)))
            file.write("\n")


def _proposal(said: int, draw: random.Random, number: int, evidence: bool) -> dict[str, object]:
    """A proposal; `said` is what it says, `number` which one it is."""
    thing, part, value = THINGS[said % 10], PARTS[said // 10 % 10], VALUES[said // 100 % 10]
    agent = f"agent-{said % AGENTS}"
    made: dict[str, object] = {
        "id": f"fp-{number:08d}", "agent": agent, "trust": "internal", "durability": "project", "volatility": "stable",
        "statement": f"The {part} of {thing}-{said} is {value} since change {said * 7 % 9973}, says the last run.",
        "claim": {"subject": f"{thing}-{said}", "attribute": part, "value": value}, "tags": [thing],
        "trust_class": "agent_inference", "event_at": f"2026-11-{1 + said % 28:02d}T12:00:00Z",
    }  # fmt: skip
    if evidence:
        excerpt = f"run {number}: {part} of {thing}-{said} reported {value} after {draw.randint(1, 900)} ms"
        source = {"id": f"session:bench/t-{number // 3}/tool_result/r-{number}"}
        made["evidence"] = [{"source": source, "trust_class": "passing_tool_or_test_outcome", "excerpt": excerpt}]
    return made


def _import(name: str, file: Path, rows: int, environment: dict[str, str]) -> Run:
    began = time.perf_counter()
    with subprocess.Popen(
        _command("import", "jsonl", str(file)), env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        said = run.stdout.read()
        _, status, used = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - began
    if run.returncode != 0:
        raise SystemExit(f"the import ended with {run.returncode}: {said[-400:]}")
    counted = subprocess.run(
        _command("shell", "--verbosity", "0", "-c", _COUNT), env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )  # fmt: skip
    return Run(
        name,
        rows,
        seconds,
        used.ru_utime + used.ru_stime,
        used.ru_maxrss / 1024,
        said.strip().splitlines()[-1],
        int(counted.stdout.split()[-1]),
    )


_COUNT = "from evidence.models import HeldRecord; print(HeldRecord.objects.needing_verification().count())"


def _table(runs: list[Run], *, postgres: bool) -> str:
    where = "PostgreSQL" if postgres else "SQLite"
    lines = [
        "# Importing a big file",
        "",
        f"`python -m bench.exchange`, {where}, Python {platform.python_version()}, {os.cpu_count()} processors.",
        "Promised: at least 2,000 rows a second, less than 300 MB.",
        "",
        "| import | rows | seconds | rows a second | processor seconds | most memory (MB) | left to verify |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for run in runs:
        pace = f"{run.seconds:,.1f} | {run.rows / run.seconds:,.0f}"
        lines.append(
            f"| {run.name} | {run.rows:,} | {pace} | {run.processor:,.1f} | {run.megabytes:,.0f} | {run.waiting:,} |"
        )
    return "\n".join([*lines, "", *(f"    {run.report}" for run in runs), ""])


if __name__ == "__main__":
    sys.exit(main())
