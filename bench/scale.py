"""The desk at 1,000, 100,000 and 1,000,000 held records in one run: lists, searches, the next item and decisions.

    python -m bench.scale [--sizes 1000,100000,1000000] [--postgres] [--rounds 40]

The promise is that the time of an answer does not grow with the desk, so what counts is the last column: the largest size as a
multiple of the smallest. Seconds are those of the server's side of a request, without a network: on SQLite of the processor, so
that neighbours on the machine do not count, on PostgreSQL by the clock. One in five of the records waits, the rest was decided
within the last 90 days; whatever is decided here was filed and verified through the services before.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any

SIZES = "1000,100000,1000000"
# So many are made one by one; further ones are copies with other ids, names and days.
MADE = 20_000
LISTS = (
    "/queue/", "/queue/?q=risk:high", "/queue/?q=agent:agent-3", "/queue/?q=match:conflict", "/queue/?q=risk:high,low",
    "/queue/?q=is:expiring", "/queue/?q=status:any", "/queue/?q=status:approved", "/queue/?q=quail", "/queue/?q=zeppelin",
    "/queue/?q=%22is called quail%22", "/queue/?q=quail risk:low", "/queue/?q=risk:high by:nobody", "/queue/?q=age:%3E30d",
    "/queue/next/", "/", "/records/", "/audit/",
)  # fmt: skip
_FIELD = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
_FORM = re.compile(r"<form .*?</form>", re.DOTALL)
# Median and 95th percentile.
Figure = tuple[float, float]
Measured = dict[str, list[Figure]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default=SIZES)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--postgres", action="store_true", help="on the PostgreSQL of the test packages")
    asked = parser.parse_args()
    sizes = [int(word) for word in asked.sizes.split(",")]
    with _desk(postgres=asked.postgres):
        measured: Measured = {}
        held = 0
        for size in sizes:
            began = time.perf_counter()
            _fill(held, size)
            held = size
            print(f"{size:,} records: filled in {time.perf_counter() - began:.0f} s", flush=True)
            for name, seconds in _measure(asked.rounds).items():
                measured.setdefault(name, []).append(seconds)
        _print(sizes, measured)
    return 0


@contextlib.contextmanager
def _desk(*, postgres: bool) -> Iterator[None]:
    """An empty desk of its own, made before Django reads its settings."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="evidence-bench-")))
        os.environ |= {
            "DATA_DIR": str(folder), "REDIS_URL": "redis://127.0.0.1:1/0", "LOG_LEVEL": "ERROR", "DEMO": "0",
            "DJANGO_SETTINGS_MODULE": "reviewapp.settings", "DATABASE_URL": f"sqlite:///{folder / 'bench.sqlite3'}",
        }  # fmt: skip
        if postgres:
            from tests.fixtures.servers import postgres_server

            os.environ["DATABASE_URL"] = stack.enter_context(postgres_server())
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        call_command("collectstatic", verbosity=0, interactive=False)
        yield
        from django.db import connections

        connections.close_all()


def _fill(held: int, size: int) -> None:
    """Up to that many records, their counts merged and, as a database does by itself after a while, its statistics renewed."""
    from django.db import connection

    from bench.insights import fill
    from evidence.services.tallies import merge_tallies

    fill(max(0, min(size, MADE) - held))
    held = max(held, min(size, MADE))
    while held < size:
        held += _copy(min(MADE, size - held))
        while merge_tallies():
            pass
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


def _copy(count: int) -> int:
    from django.db import connection

    from evidence.models import HeldRecord

    postgres = connection.vendor == "postgresql"
    chance = "floor(random() * 1000000000)::bigint" if postgres else "abs(random() % 1000000000)"
    other: dict[str | None, str] = {
        "id": "gen_random_uuid()" if postgres else "lower(hex(randomblob(16)))",
        "statement_key": f"{chance} || ''",
        "statement": f"'Host ' || {chance} || ' is called quail.'",
        "priority": f"priority + {chance} / 1000",
        "lot": f"{chance} / 1000",
    }
    columns = [field.column or "" for field in HeldRecord._meta.concrete_fields]
    table, names = HeldRecord._meta.db_table, ", ".join(columns)
    values = ", ".join(other.get(name, name) for name in columns)
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table} ({names}) SELECT {values} FROM {table} LIMIT %s", [count])
        return int(cursor.rowcount)


def _measure(rounds: int) -> dict[str, Figure]:
    from django.test import Client

    from bench.parts import _desk as desk

    agent, reviewer = desk()
    client = Client(headers={"host": "localhost"})
    from django.conf import settings

    settings.ALLOWED_HOSTS = ["localhost"]
    client.force_login(reviewer)
    gc.collect()
    gc.freeze()  # what filling left behind is not a server's
    found = {f"GET {path}": _spread(partial(_get, client, path), rounds) for path in LISTS}
    return found | _decisions(client, agent, rounds)


def _get(client: Any, path: str) -> Any:
    answer = client.get(path)
    if answer.status_code != 200:
        raise SystemExit(f"{path}: {answer.status_code}")
    return answer


def _decisions(client: Any, agent: Any, rounds: int) -> dict[str, Figure]:
    """An approval and a rejection as the page sends them: with the form of the card, answered by the card that comes next."""
    import uuid

    from bench.parts import _file
    from evidence.services.verification import verify_held

    ids = [_file(agent, uuid.uuid4().int % 10**12) for _ in range(2 * rounds + 2)]
    for held_id in ids:
        verify_held(held_id=held_id)
    found: dict[str, list[float]] = {"approve": [], "reject": []}
    for number, held_id in enumerate(ids):
        action = ("approve", "reject")[number % 2]
        fields = _form(_get(client, f"/queue/{held_id}/").content.decode(), action)
        fields |= {"checked_at": "now"} if action == "approve" else {"reason_code": "wrong"}
        began = _clock()
        answer = client.post(f"/queue/{held_id}/decision/", fields, headers={"hx-request": "true"})
        found[action].append(_clock() - began)
        if answer.status_code != 200:
            raise SystemExit(f"decision: {answer.status_code} {answer.content.decode()[:500]}")
    return {f"POST decision ({action})": _figure(seconds[1:]) for action, seconds in found.items()}


def _form(page: str, action: str) -> dict[str, str]:
    """What the card's form for this action holds."""
    forms = [dict(_FIELD.findall(form)) for form in _FORM.findall(page)]
    return next(
        {name: unescape(value) for name, value in form.items()} for form in forms if form.get("action") == action
    )


def _clock() -> float:
    from django.db import connection

    return time.perf_counter() if connection.vendor == "postgresql" else time.process_time()


def _spread(work: Callable[[], object], rounds: int) -> Figure:
    work()
    seconds = []
    for _ in range(rounds):
        began = _clock()
        work()
        seconds.append(_clock() - began)
    return _figure(seconds)


def _figure(seconds: list[float]) -> Figure:
    return statistics.median(seconds), statistics.quantiles(seconds, n=20)[-1]


def _print(sizes: list[int], measured: Measured) -> None:
    print(f"\n| median / p95, ms | {' | '.join(f'{size:,}' for size in sizes)} | ratio |")
    print(f"|---|{'---:|' * (len(sizes) + 1)}")
    for name, seconds in measured.items():
        cells = " | ".join(f"{middle * 1e3:.0f} / {high * 1e3:.0f}" for middle, high in seconds)
        ratios = " / ".join(f"{last / first:.2f}" for first, last in zip(seconds[0], seconds[-1], strict=True))
        print(f"| `{unescape(name)}` | {cells} | {ratios} |")


if __name__ == "__main__":
    sys.exit(main())
