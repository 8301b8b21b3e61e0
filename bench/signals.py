"""Two hundred claimers on five thousand signals: each acknowledged once, and nobody goes without.

    python -m bench.signals [sqlite] [postgres] [--signals N] [--claimers N]

Each claimer is a thread with a consumer's name of its own; every fiftieth signal is dropped by whoever claims it first, so that
its lease lapses and another one has to finish it. A throw-away desk on each database; nothing of yours is touched. Ends with 1
where a signal was acknowledged twice or not at all, or a claimer got none.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

DATABASES = ("sqlite", "postgres")
DROPPED_EVERY = 50
LEASE = 5
PATIENCE = 600


@dataclass
class Worker:
    """What one claimer met: signals that it finished, the seconds that each claim took, errors."""

    name: str
    acked: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    dropped: int = 0
    errors: Counter[str] = field(default_factory=Counter)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench.signals")
    parser.add_argument("databases", nargs="*", metavar="sqlite|postgres")
    parser.add_argument("--signals", type=int, default=5_000)
    parser.add_argument("--claimers", type=int, default=200)
    asked = parser.parse_args(arguments)
    worst = 0
    for name in asked.databases or DATABASES:
        if name not in DATABASES:
            parser.error(f"unknown: {name}")
        # A process each: Django reads its settings once.
        one = multiprocessing.get_context("spawn").Process(target=_measure, args=(name, asked.signals, asked.claimers))
        one.start()
        one.join()
        worst = max(worst, abs(one.exitcode or 0))
    return 1 if worst else 0


def _measure(name: str, signals: int, claimers: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="evidence-bench-"))
    os.environ |= {
        "DATA_DIR": str(folder), "DATABASE_URL": f"sqlite:///{folder / 'bench.sqlite3'}", "LOG_LEVEL": "ERROR",
        "REDIS_URL": "redis://127.0.0.1:1/0", "DJANGO_SETTINGS_MODULE": "reviewapp.settings",
    }  # fmt: skip
    with ExitStack() as stack:
        if name == "postgres":
            from tests.fixtures.servers import postgres_server

            os.environ["DATABASE_URL"] = stack.enter_context(postgres_server())
            os.environ["DATABASE_POOL"] = "40"  # a server lets in a hundred
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connections

        call_command("migrate", verbosity=0)
        good = _race(name, signals, claimers)
        for one in connections.all():
            one.close()
            if hasattr(one, "close_pool"):
                one.close_pool()
    sys.exit(0 if good else 1)


def _race(name: str, signals: int, claimers: int) -> bool:
    from tests.builders import a_token

    token = a_token("ada").token
    began = time.perf_counter()
    _publish(token, signals)
    published = time.perf_counter() - began
    workers = [Worker(f"w{number}") for number in range(claimers)]
    began = time.perf_counter()
    threads = [threading.Thread(target=_work, args=(token, worker, signals, workers)) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return _tell(name, workers, signals, published, time.perf_counter() - began)


def _publish(token: object, signals: int) -> None:
    from django.db import transaction

    from evidence.services.signal_publishing import publish_signal
    from evidence.services.signal_shapes import SignalDraft

    for start in range(0, signals, 500):
        with transaction.atomic():
            for number in range(start, min(start + 500, signals)):
                publish_signal(token=token, draft=SignalDraft(content=f"Job {number}"))  # type: ignore[arg-type]


def _work(token: object, worker: Worker, signals: int, everybody: list[Worker]) -> None:
    """Until all are acknowledged, by whomever."""
    from django.db import connection

    from evidence.services.signal_claiming import ack_signal, claim_next

    until = time.monotonic() + PATIENCE
    while sum(len(one.acked) for one in everybody) < signals and time.monotonic() < until:
        began = time.perf_counter()
        try:
            done = claim_next(token=token, worker=worker.name, seconds=LEASE)  # type: ignore[arg-type]
            worker.waits.append(time.perf_counter() - began)
            if done.signal is None:
                time.sleep(0.2)
            elif done.signal.claims == 1 and done.signal.sequence % DROPPED_EVERY == 0:
                worker.dropped += 1
            else:
                ack_signal(token=token, signal_id=str(done.signal.pk), worker=worker.name, claim=done.signal.claims)  # type: ignore[arg-type]
                worker.acked.append(str(done.signal.pk))
        except Exception as error:  # noqa: BLE001 - counted and shown
            worker.errors[f"{type(error).__name__}: {getattr(error, 'extra', '')}"] += 1
        finally:
            if os.environ.get("DATABASE_POOL"):
                connection.close()
    connection.close()


def _tell(name: str, workers: list[Worker], signals: int, published: float, seconds: float) -> bool:
    from evidence.models import AgentSignal

    acked = Counter(signal for worker in workers for signal in worker.acked)
    twice = sum(1 for times in acked.values() if times > 1)
    stored = AgentSignal.objects.filter(status="acked").count()
    shares = sorted(len(worker.acked) for worker in workers)
    waits = sorted(wait for worker in workers for wait in worker.waits)
    errors = sum((worker.errors for worker in workers), Counter[str]())
    slow = f"median {waits[len(waits) // 2]:.2f} s, p95 {waits[int(len(waits) * 0.95)]:.2f} s, most {waits[-1]:.2f} s"
    lines = (
        ("published", f"{signals:,}, {signals / published:,.0f} a second"),
        ("acknowledged once", f"{len(acked) - twice:,}; twice {twice}; not at all {signals - stored}"),
        ("dropped by whoever claimed first", f"{sum(worker.dropped for worker in workers)}"),
        ("claimed and acknowledged", f"{signals / seconds:,.0f} a second with {len(workers)} at once"),
        ("signals each", f"least {shares[0]}, median {shares[len(shares) // 2]}, most {shares[-1]}"),
        ("a claim took", slow),
        ("errors", str(dict(errors)) if errors else "none"),
    )  # fmt: skip
    print(f"\nsignals on {name}")
    for label, figure in lines:
        print(f"  {label:<58} {figure}")
    return not twice and stored == signals == len(acked) and shares[0] > 0 and not errors


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
