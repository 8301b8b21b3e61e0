"""Recall through the gate at 1,000, 100,000 and 1,000,000 records; health and rebuild of the index; beside another package.

    python -m bench.recall [--sizes 1000,100000,1000000] [--rounds 60] [--only sqlite|postgres] [--upkeep 100000] [--write]

What is timed is everything that answers `POST recall` but the framework around it: the search, the gate over our own rows,
conflicts and open questions, the receipt, the JSON. On SQLite these are seconds of the processor, so that neighbours on the
machine do not count; on PostgreSQL, which computes in another process, seconds of the clock. `AMB_PYTHON` names the interpreter
of an environment with agent-memory-bridge; its recall is then measured in the same run, on the same texts and queries
(`bench/recall_texts.py`).
`--write` puts the tables into bench/recall.md.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.recall_texts import QUERIES, SERVICES, statement
from bench.scale import _desk as a_desk

SIZES = "1000,100000,1000000"
FILLED_AT_ONCE = 1_000
# So many are made through the services; further ones are copies of them with ids, tickets and index rows of their own.
MADE = 100_000
OTHER = "agent-memory-bridge (SQLite)"
HOW = (
    "Made by `python -m bench.recall --write`; {rounds} rounds of each query, median / 95th percentile in ms, ten results, as an"
    " agent gets them: searched, gated, with receipt and as JSON. The ratio is the 95th percentile of the largest size by that of"
    " the smallest. SQLite: seconds of the processor; PostgreSQL: of the clock. The queries and texts are in"
    " `bench/recall_texts.py`; of common words the newest 2,000 matches are ranked."
)
# By the name of a column: seconds of every round, by query.
Seconds = dict[str, list[float]]
Tables = dict[str, list[Seconds]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default=SIZES)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--only", choices=["sqlite", "postgres"])
    parser.add_argument("--upkeep", type=int, default=100_000, help="at which size health and rebuild are measured")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--child", choices=["sqlite", "postgres"], help=argparse.SUPPRESS)
    asked = parser.parse_args()
    sizes = [int(word) for word in asked.sizes.split(",")]
    if asked.child:
        with a_desk(postgres=asked.child == "postgres"):
            _measure_a_desk(sizes, asked.rounds, asked.upkeep)
        return 0
    tables: Tables = {}
    upkeep: dict[str, dict[str, float]] = {}
    for vendor in [asked.only] if asked.only else ["sqlite", "postgres"]:
        lines = list(_run([sys.executable, "-m", "bench.recall", "--child", vendor, *_same(asked)]))
        tables[vendor] = [line["seconds"] for line in lines]
        upkeep[vendor] = {name: value for line in lines for name, value in line["upkeep"].items()}
    if python := os.environ.get("AMB_PYTHON"):
        with tempfile.TemporaryDirectory(prefix="evidence-bench-") as folder:
            script = str(Path(__file__).with_name("recall_bridge.py"))
            tables[OTHER] = list(_run([python, script, folder, asked.sizes, str(asked.rounds)]))
    report = _report(sizes, tables, upkeep, asked.rounds)
    print(report)
    if asked.write:
        Path(__file__).with_suffix(".md").write_text(report, encoding="utf-8")
    return 0


def _same(asked: argparse.Namespace) -> list[str]:
    return ["--sizes", asked.sizes, "--rounds", str(asked.rounds), "--upkeep", str(asked.upkeep)]


def _run(command: list[str]) -> Iterator[Any]:
    """One JSON line at a time of a process of its own, so that nothing of one measurement is left in the next."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            yield json.loads(line)
    if process.returncode:
        raise SystemExit(f"{command[1:3]} ended with {process.returncode}")


def _measure_a_desk(sizes: list[int], rounds: int, upkeep_at: int) -> None:
    from evidence.services.tokens import issue_agent_token

    token, command = _somebody(issue_agent_token)
    held = 0
    for size in sizes:
        began = time.perf_counter()
        _fill(command, held, size)
        held = size
        told: dict[str, Any] = {"upkeep": {f"filling up to {size:,}": time.perf_counter() - began}}
        if size == upkeep_at:
            told["upkeep"] |= _upkeep(size)
        gc.collect()
        gc.freeze()  # what filling left behind is not a server's
        told["seconds"] = {query: _spread(token, kind, query, rounds) for kind, query in QUERIES}
        print(json.dumps(told), flush=True)


def _somebody(issue: Any) -> tuple[Any, Any]:
    from evidence.models import Agent
    from evidence.rules.vocab import Access, Door, Right
    from evidence.services.actors import Actor

    Agent.objects.get_or_create(id="ada")
    actor = Actor.system(Door.COMMAND)
    issued = issue(agent_id="ada", namespace="default", actor=actor, rights=list(Right), max_access=Access.PUBLIC)
    return issued.token, actor


def _fill(actor: Any, held: int, size: int) -> None:
    """Facts of several agents: nine in ten are public, the others somebody else's own, which the gate and the index keep away."""
    from django.db import connection, transaction
    from django.utils import timezone

    from evidence.models import Evidence
    from evidence.services.indexing import sync_new
    from evidence.services.rows import fill

    now, made = timezone.now(), int(os.environ.get("BENCH_MADE", MADE))
    for start in range(held, min(size, made), FILLED_AT_ONCE):
        rows = [fill(_row(Evidence, number, now)) for number in range(start, min(start + FILLED_AT_ONCE, size, made))]
        with transaction.atomic():
            Evidence.objects.bulk_create(rows)
            sync_new(rows=rows)
    for copy in range(max(1, held // made), -(-size // made)):
        _copy(copy, max(0, held - copy * made), min(made, size - copy * made), made)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


def _copy(number: int, first: int, last: int, made: int) -> None:
    """The first records once more, those from `first` to `last`; what was a ticket of its own is one again."""
    from django.db import connection, transaction

    from evidence.models import Evidence, IndexEntry

    mark = f"copy{number}x"
    new = "gen_random_uuid()" if connection.vendor == "postgresql" else "lower(hex(randomblob(16)))"
    record = f"'c{number}' || substr(record_id, 3)"
    other: dict[tuple[str, str], str] = {
        ("evidence", "id"): new, ("evidence", "content"): f"replace(content, 'case', '{mark}')",
        ("evidence", "source_id"): f"source_id || '-{number}'", ("evidence", "record_id"): record,
        ("indexentry", "record_id"): record, ("indexentry", "terms"): f"replace(terms, 'case', '{mark}')",
    }  # fmt: skip
    with transaction.atomic(), connection.cursor() as cursor:
        for model, order in ((Evidence, "source_id"), (IndexEntry, "id")):
            table, name = model._meta.db_table, model._meta.model_name or ""
            columns = [str(field.column) for field in model._meta.concrete_fields]
            columns = [column for column in columns if (name, column) != ("indexentry", "id")]
            values = ", ".join(other.get((name, column), column) for column in columns)
            rows = f"SELECT * FROM {table} WHERE record_id LIKE 'e-%%' ORDER BY {order} LIMIT %s OFFSET %s"
            cursor.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM ({rows}) AS original"
                f" ORDER BY {'id' if name == 'indexentry' else order}",
                [min(last, made) - first, first],
            )


def _row(model: Any, number: int, now: Any) -> Any:
    text = statement(number)
    return model(
        kind="fact", source_id=f"fact:{number:032x}", source_version="1", content=text, tags=[SERVICES[number % 80]],
        scope_owner=f"agent-{number % 7}", scope_access="private" if number % 10 == 9 else "public", trust="internal",
        has_check=True, check_at=now, check_by="bench", check_method="made", event_at=now, trust_class="agent_inference",
        durability="project",
    )  # fmt: skip


def _spread(token: Any, kind: str, query: str, rounds: int) -> list[float]:
    from django.db import connection
    from django.utils import timezone

    from evidence.selectors.answers import recalled_json
    from evidence.selectors.recall import Ask
    from evidence.services.recall_log import answer_recall

    clock = time.perf_counter if connection.vendor == "postgresql" else time.process_time
    seconds = []
    for _ in range(rounds + 1):
        began = clock()
        answer = recalled_json(answer_recall(token=token, ask=Ask(query, limit=10), now=timezone.now()))
        json.dumps(answer, default=str)
        seconds.append(clock() - began)
        if not answer["results"] and kind == "common":
            raise SystemExit(f"nothing was found for {query!r}")
    return seconds[1:]


def _upkeep(size: int) -> dict[str, float]:
    """Health and rebuild, by the clock; no record may change."""
    from evidence.services.index_upkeep import index_health, rebuild_index

    before = _hash_of_records()
    found = {}
    for name, work in ((f"index_health of {size:,}", index_health), (f"index_rebuild of {size:,}", rebuild_index)):
        began = time.perf_counter()
        work()
        found[name] = time.perf_counter() - began
    if not all(report.ok for report in index_health()) or _hash_of_records() != before:
        raise SystemExit("the rebuild left an index that does not fit, or changed a record")
    return found


def _hash_of_records() -> str:
    from evidence.models import Evidence

    digest = hashlib.sha256()
    for row in Evidence.objects.order_by("pk_uuid").values_list().iterator(chunk_size=2_000):
        digest.update(repr(row).encode())
    return digest.hexdigest()


def _report(sizes: list[int], tables: Tables, upkeep: dict[str, dict[str, float]], rounds: int) -> str:
    lines = ["# Recall", "", HOW.format(rounds=rounds), ""]
    for name, measured in tables.items():
        lines += [f"## {name}", "", f"| query | {' | '.join(f'{size:,}' for size in sizes)} | ratio |"]
        lines += [f"|---|{'---:|' * (len(sizes) + 1)}"]
        lines += [_line(f"{kind}: {query}", [seconds[query] for seconds in measured]) for kind, query in QUERIES]
        every = [[value for _, query in QUERIES for value in seconds[query]] for seconds in measured]
        lines += [_line("all of them", every), ""]
    for name, seconds in upkeep.items():
        lines += [f"## Upkeep on {name}", "", "| what | seconds of the clock |", "|---|---:|"]
        lines += [*(f"| {what} | {value:.1f} |" for what, value in seconds.items()), ""]
    return "\n".join(lines)


def _line(name: str, spreads: list[list[float]]) -> str:
    highs = [_high(seconds) for seconds in spreads]
    cells = " | ".join(
        f"{statistics.median(seconds) * 1e3:.1f} / {high * 1e3:.1f}"
        for seconds, high in zip(spreads, highs, strict=True)
    )
    return f"| {name} | {cells} | {highs[-1] / highs[0]:.2f} |"


def _high(seconds: list[float]) -> float:
    return statistics.quantiles(seconds, n=20)[-1]


if __name__ == "__main__":
    sys.exit(main())
