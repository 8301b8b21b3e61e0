"""The insights, the first page and the draw by lot at 1,000 and at 50,000 items, in one run: what they cost, and how it grows.

    python -m bench.insights [SMALL LARGE]

Seconds are those of the processor, in this process, so that neighbours on the machine do not count; on SQLite that is all the
work there is. A throw-away SQLite desk in a temporary folder (DATABASE_URL names another, empty one). Each size
holds that many items of the last 90 days, four of five decided, half as many facts, and open questions beside them.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

SMALL, LARGE = 1_000, 50_000
ROUNDS = 40
CHUNK = 2_000
AGENTS = [f"agent-{number}" for number in range(12)]
PATHS = (
    "/", "/insights/?days=7", "/insights/?days=30", "/insights/?days=90",
    "/insights/rows/?figure=ended&part=approved&days=90", "/queue/next/",
)  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    small, large = (int(word) for word in arguments) if len(arguments) == 2 else (SMALL, LARGE)
    folder = Path(tempfile.mkdtemp(prefix="evidence-bench-"))
    os.environ.setdefault("DATABASE_URL", f"sqlite:///{folder / 'bench.sqlite3'}")
    os.environ |= {
        "DATA_DIR": str(folder), "REDIS_URL": "redis://127.0.0.1:1/0", "DJANGO_SETTINGS_MODULE": "reviewapp.settings",
        "LOG_LEVEL": "ERROR",
    }  # fmt: skip
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    measured: dict[str, list[float]] = {}
    held = 0
    for size in (small, large):
        began = time.process_time()
        fill(size - held)
        held = size
        print(f"{size:,} items: filled in {time.process_time() - began:.1f} s", flush=True)
        for name, seconds in measure().items():
            measured.setdefault(name, []).append(seconds)
    print(f"\n{'p95 of CPU time':<58} {small:>12,} {large:>12,}   ratio")
    for name, (first, second) in measured.items():
        print(f"{name:<58} {first * 1e3:>9.1f} ms {second * 1e3:>9.1f} ms   x{second / first:.2f}")
    return 0


def measure() -> dict[str, float]:
    from django.conf import settings
    from django.test import Client
    from django.utils import timezone

    from evidence.models import HeldRecord, Membership, User
    from evidence.rules.lots import draw
    from evidence.rules.vocab import Role
    from evidence.selectors.picking import drawn_by_lot, free_rows, unskipped
    from evidence.services.tallies import merge_tallies

    settings.ALLOWED_HOSTS = ["localhost"]
    person, _ = User.objects.get_or_create(username="bench-reviewer")
    for role in (Role.REVIEWER, Role.OWNER):
        Membership.objects.get_or_create(user=person, role=role, agent=None)
    client = Client(headers={"host": "localhost"})
    client.force_login(person)
    found: dict[str, float] = {}
    began = time.process_time()
    while merge_tallies():
        pass
    found["merging the counts of everything that was filled in"] = time.process_time() - began
    for path in PATHS:
        found[f"GET {path}"] = p95(lambda path=path: fetch(client, path))
    seeds = iter(seed for seed in (f"seed {number}" for number in range(10_000)) if draw(seed).by_lot)
    rows = unskipped(person, free_rows(person, HeldRecord.objects.all(), timezone.now()))
    found["drawing one item by lot"] = p95(lambda: drawn_by_lot(person, rows, draw(next(seeds))))
    return found


def fetch(client: Any, path: str) -> None:
    answer = client.get(path)
    if answer.status_code != 200:
        raise SystemExit(f"{path}: {answer.status_code}")


def p95(work: Callable[[], object]) -> float:
    work()
    seconds = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        seconds.append(time.process_time() - began)
    return statistics.quantiles(seconds, n=20)[-1]


def fill(count: int) -> None:
    """That many items more, with what belongs to them, as a desk of the last 90 days would hold them."""
    from django.db import transaction
    from django.utils import timezone

    from evidence.models import Agent, Evidence, HeldRecord, Inquiry

    Agent.objects.bulk_create([Agent(id=name) for name in AGENTS], ignore_conflicts=True)
    chance, now = random.Random(count), timezone.now()
    for size in chunks(count):
        with transaction.atomic():
            rows = [item(chance, now) for _ in range(size)]
            HeldRecord.objects.bulk_create(rows)
            Evidence.objects.bulk_create([fact(chance, now) for _ in range(size // 2)])
            Inquiry.objects.bulk_create([question(chance, now) for _ in range(size // 20)])
            record_decisions([row for row in rows if row.status in ("approved", "rejected")])


def chunks(count: int) -> Iterator[int]:
    while count > 0:
        yield min(CHUNK, count)
        count -= CHUNK


def item(chance: random.Random, now: datetime) -> Any:
    from evidence.models import HeldRecord
    from evidence.rules.vocab import TrustClass

    agent = chance.choice(AGENTS)
    filed = now - timedelta(seconds=chance.random() * 90 * 86_400)
    status = chance.choices(["waiting", "approved", "rejected", "superseded", "expired"], [20, 50, 20, 8, 2])[0]
    ended = None if status == "waiting" else min(now, filed + timedelta(hours=chance.expovariate(1 / 40)))
    return HeldRecord(
        kind="fact_proposal", agent_id=agent, statement=f"Host {chance.getrandbits(40)} is called quail.",
        scope_owner=agent, status=status, created_at=filed, decided_at=ended, priority=int(filed.timestamp() * 1e3),
        decision_id=None if ended is None else uuid.uuid4(), effective_trust_class=chance.choice(list(TrustClass)),
        risk=chance.choice(["low", "medium", "high"]),
    )  # fmt: skip


def fact(chance: random.Random, now: datetime) -> Any:
    from evidence.models import Evidence

    agent, name = chance.choice(AGENTS), uuid.uuid4().hex
    checked = now - timedelta(seconds=chance.random() * 5 * 86_400)
    return Evidence(
        record_id=f"e-{name}", kind="fact", source_id=f"fact:{name}", source_version="1", content="A fact.",
        scope_owner=agent, label_base="dated", verified_from=checked, expires_at=checked + timedelta(days=2),
    )  # fmt: skip


def question(chance: random.Random, now: datetime) -> Any:
    from evidence.models import Inquiry

    return Inquiry(
        kind="conflict", agent_id=chance.choice(AGENTS), question="Which is true?", twin_key=uuid.uuid4().hex,
        asked_at=now - timedelta(seconds=chance.random() * 60 * 86_400),
    )  # fmt: skip


def record_decisions(rows: list[Any]) -> None:
    """Rows of the audit as far as the insights read them; their chain proves nothing."""
    from evidence.models import Decision, User

    person, _ = User.objects.get_or_create(username="bench-reviewer")
    seq = Decision.objects.filter(namespace="bench").count()
    Decision.objects.bulk_create(
        Decision(
            id=row.decision_id, namespace="bench", seq=seq + number, prev="", digest="", at=row.decided_at,
            actor_kind="person", actor_id=str(person.pk), actor_name="bench-reviewer", door="web",
            action="approve" if row.status == "approved" else "reject", agent=row.agent_id, target_kind="held",
            target_id=str(row.pk), target_version=1,
        )
        for number, row in enumerate(rows, start=1)
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
