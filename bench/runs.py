"""The run ledger: how many events a second it takes, and what the page of a long run costs the server.

    python -m bench.runs [EVENTS] [LONG]

EVENTS (100,000) are written one by one, each in a transaction of its own, to runs of 500 events each; a run of LONG (10,000)
events is then opened, page by page. On a throw-away SQLite desk, or on the database that BENCH_DATABASE_URL names.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evidence.models import Run, Token

EVENTS, LONG = 100_000, 10_000
A_RUN = 500
LOOKS = 20
# What agents tell of most; every tenth event carries a payload of the usual size.
WORDS = ("observation", "tool_result", "decision", "checkpoint", "blocker", "blocker_resolved")


def main(arguments: Sequence[str]) -> int:
    events, long = (int(arguments[at]) if len(arguments) > at else number for at, number in enumerate((EVENTS, LONG)))
    _a_desk()
    token = _a_token()
    print(f"{events:,} events, one transaction each")
    began = time.perf_counter()
    slowest = [_written(token, run) for run in _sizes(events)]
    took = time.perf_counter() - began
    print(f"  {events / took:,.0f} events/s (slowest run of {A_RUN}: {A_RUN / max(slowest):,.0f}/s)")
    run = _a_long_run(token, long)
    print(f"a run of {long:,} events, {LOOKS} looks at each page")
    for name, address in (
        ("first page", f"/runs/{run.pk}/"),
        ("last page", f"/runs/{run.pk}/?since={max(long - 100, 0)}"),
        ("the list", "/runs/"),
    ):
        times = sorted(_looks(address))
        print(f"  {name:<12} median {statistics.median(times):6.1f} ms, p95 {times[int(LOOKS * 0.95) - 1]:6.1f} ms")
    return 0


def _a_desk() -> None:
    """Before Django reads its settings: a desk of its own, no broker to wait for, no demo."""
    folder = Path(tempfile.mkdtemp(prefix="evidence-bench-"))
    os.environ |= {
        "DATA_DIR": str(folder),
        "DATABASE_URL": os.environ.get("BENCH_DATABASE_URL", f"sqlite:///{folder / 'bench.sqlite3'}"),
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "DJANGO_SETTINGS_MODULE": "reviewapp.settings",
        "LOG_LEVEL": "ERROR",
        "ALLOWED_HOSTS": "testserver",
    }
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def _a_token() -> Token:
    from evidence.rules.vocab import Door, Right
    from evidence.services.actors import Actor
    from evidence.services.tokens import ensure_agent, issue_agent_token

    actor = Actor.system(Door.COMMAND)
    ensure_agent(agent_id="bench", namespace="default", actor=actor)
    return issue_agent_token(agent_id="bench", namespace="default", actor=actor, rights=list(Right)).token


def _sizes(events: int) -> Iterator[int]:
    for start in range(0, events, A_RUN):
        yield min(A_RUN, events - start)


def _written(token: Token, number: int) -> float:
    """A run of so many events; seconds."""
    from evidence.rules.run_vocab import RunEventType
    from evidence.services.run_recording import begin_run, record_event
    from evidence.services.run_shapes import Asked, Beginning, Happening

    began = time.perf_counter()
    run = begin_run(token=token, beginning=Beginning("project:bench", "Measure the ledger.")).run
    for at in range(number):
        payload: dict[str, Any] = {"command": "make", "files": [{"path": f"src/{at}.py", "lines": at}], "exit": 0}
        happening = Happening(
            RunEventType(WORDS[at % len(WORDS)]),
            "What was done and what came of it.",
            payload=payload if at % 10 == 0 else {},
        )
        record_event(token=token, run_id=run.pk, happening=happening, asked=Asked(key=f"k{at}", body={"at": at}))
    return time.perf_counter() - began


def _a_long_run(token: Token, number: int) -> Run:
    """Brought in at once, with a part of the work for every fifty events."""
    from django.utils import timezone

    from evidence.models import RunEvent, RunWorkItem
    from evidence.services.run_recording import begin_run
    from evidence.services.run_shapes import Beginning
    from evidence.services.run_states import rebuild

    run = begin_run(token=token, beginning=Beginning("project:bench", "A long run.")).run
    root = RunWorkItem.objects.get(run=run)
    parts = [RunWorkItem(run=run, parent=root, number=at, goal=f"part {at}") for at in range(2, number // 50 + 2)]
    RunWorkItem.objects.bulk_create(parts, batch_size=500)
    items = [root, *parts]
    now = timezone.now()
    RunEvent.objects.bulk_create(
        (
            RunEvent(
                run=run, work_item=items[at % len(items)], sequence=at, type=WORDS[at % len(WORDS)], at=now,
                summary=f"What was done, number {at}.", payload={"exit": 0, "lines": at}, agent="bench",
            )
            for at in range(1, number + 1)
        ),
        batch_size=500,
    )  # fmt: skip
    rebuild(run.pk)
    return run


def _looks(address: str) -> Iterator[float]:
    """Milliseconds of the server for each look, the first of all left out: it compiles templates."""
    from django.test import Client

    from evidence.models import Membership, User
    from evidence.rules.vocab import Role

    user, made = User.objects.get_or_create(username="bench")
    if made:
        Membership.objects.create(user=user, role=Role.REVIEWER)
    client = Client()
    client.force_login(user)
    for look in range(LOOKS + 1):
        began = time.perf_counter()
        answer = client.get(address)
        took = (time.perf_counter() - began) * 1_000
        assert answer.status_code == 200, answer.status_code
        if look:
            yield took


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
