"""Many reviewers at once over HTTP against the real server, beside a plain Django admin in the same run.

    python -m bench.desk [--items 2000] [--reviewers 50] [--postgres]

Afterwards the books are held against each other: every accepted answer is one decision in the chain, no item has two, none is
lost. Prints a Markdown table; figures are wall-clock on this machine, so the ratio to the floor is what travels.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bench.reviewers import Browser, Tally, act_in_admin, at_once, review

PASSWORD_FREE = "!"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=2000)
    parser.add_argument("--reviewers", type=int, default=50)
    parser.add_argument("--postgres", action="store_true", help="on the PostgreSQL of the test packages")
    asked = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="evidence-desk-bench-")))
        url, floor_url = _databases(stack, folder, postgres=asked.postgres)
        _settings(folder, url)
        people = _prepare(asked.items, asked.reviewers)
        with _served("reviewapp.wsgi:application", dict(os.environ)) as address:
            alone, one = at_once([partial(_review, address, people[0], most=100)])
            seconds, crowd = at_once([partial(_review, address, who, most=asked.items) for who in people])
        floor_seconds, floor = _floor(floor_url, asked.items, asked.reviewers)
        _print(asked, (alone, one), (seconds, crowd), (floor_seconds, floor))
        return _audit([*one.accepted, *crowd.accepted], asked.items)


def _databases(stack: contextlib.ExitStack, folder: Path, *, postgres: bool) -> tuple[str, str]:
    if not postgres:
        return f"sqlite:///{folder / 'desk.sqlite3'}", f"sqlite:///{folder / 'floor.sqlite3'}"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import psycopg

    from tests.fixtures.servers import postgres_server

    url = stack.enter_context(postgres_server())
    with psycopg.connect(url, autocommit=True) as link:
        link.execute("CREATE DATABASE floor")
    head, _, query = url.partition("?")
    return url, f"{head.rsplit('/', 1)[0]}/floor" + (f"?{query}" if query else "")


def _settings(folder: Path, url: str) -> None:
    os.environ |= {
        "DATA_DIR": str(folder), "DATABASE_URL": url, "REDIS_URL": "redis://127.0.0.1:1/0", "LOG_LEVEL": "ERROR",
        "DJANGO_SETTINGS_MODULE": "reviewapp.settings", "ALLOWED_HOSTS": "127.0.0.1", "DEMO": "0", "SECRET_KEY": "bench" * 12,
    }  # fmt: skip


def _prepare(items: int, reviewers: int) -> list[str]:
    """Verified proposals and signed-in people; gives their cookies."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.test import Client

    from bench.parts import _file
    from evidence.models import Agent, Membership, User
    from evidence.rules.vocab import Role
    from evidence.services.verification import verify_held

    call_command("migrate", verbosity=0)
    call_command("collectstatic", "--noinput", verbosity=0)
    agent, _ = Agent.objects.get_or_create(id="bench-agent")
    for number in range(items):
        verify_held(held_id=_file(agent, number))
    cookies = []
    for number in range(reviewers):
        who = User.objects.create(username=f"bench-{number}", password=PASSWORD_FREE)
        Membership.objects.create(user=who, role=Role.REVIEWER, agent=None)
        client = Client()
        client.force_login(who)
        cookies.append(_cookie(settings.SESSION_COOKIE_NAME, client) + "; " + _csrf(settings.CSRF_COOKIE_NAME))
    return cookies


def _cookie(name: str, client: object) -> str:
    return f"{name}={client.cookies[name].value}"  # type: ignore[attr-defined]


def _csrf(name: str) -> str:
    return f"{name}={'b' * 32}"


@contextlib.contextmanager
def _served(application: str, env: dict[str, str]) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "granian",
        "--interface",
        "wsgi",
        "--no-ws",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
    ]
    command += ["--workers", "1", "--blocking-threads", "8", "--log-level", "error", application]
    process = subprocess.Popen(command, env=env)
    try:
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def _review(address: str, cookies: str, tally: Tally, *, most: int) -> None:
    review(Browser(address, cookies), tally, most)


def _floor(url: str, items: int, reviewers: int) -> tuple[float, Tally]:
    env = os.environ | {"FLOOR_DATABASE_URL": url}
    made = subprocess.run(
        [sys.executable, "-m", "bench.floor_fill", str(items), str(reviewers)],
        env=env, check=True, capture_output=True, text=True,
    )  # fmt: skip
    *cookies, rows = made.stdout.split("\n")[:-1]
    shares = [rows.split()[number::reviewers] for number in range(reviewers)]
    with _served("bench.floor:application", env) as address:
        work = [
            partial(_act, address, f"{cookie}; csrftoken={'b' * 32}", mine)
            for cookie, mine in zip(cookies, shares, strict=True)
        ]
        return at_once(work)


def _act(address: str, cookies: str, rows: list[str], tally: Tally) -> None:
    act_in_admin(Browser(address, cookies), tally, rows)


def _print(asked: argparse.Namespace, *parts: tuple[float, Tally]) -> None:
    database = "PostgreSQL" if asked.postgres else "SQLite"
    print(f"{asked.items:,} items, {asked.reviewers} reviewers, {database}\n")
    print("| | done | a second | p50 ms | p95 ms | answers |")
    print("|---|---:|---:|---:|---:|---|")
    names = ("desk, one reviewer", f"desk, {asked.reviewers} at once", f"plain admin, {asked.reviewers} at once")
    for name, (seconds, tally) in zip(names, parts, strict=True):
        spread = statistics.quantiles(tally.seconds, n=20)
        answers = ", ".join(f"{count} x {status}" for status, count in sorted(tally.statuses.items()))
        print(
            f"| {name} | {len(tally.seconds):,} | {len(tally.seconds) / seconds:,.0f} | {spread[9] * 1e3:.0f} "
            f"| {spread[-1] * 1e3:.0f} | {answers} |"
        )


def _audit(accepted: list[str], items: int) -> int:
    """Nothing twice, nothing lost, every accepted decision in an unbroken chain."""
    from django.db.models import Count

    from evidence.models import Decision, HeldRecord
    from evidence.services.audit_verifying import verify_audit

    decided = (
        Decision.objects.filter(action="approve", target_kind="held").values("target_id").annotate(times=Count("id"))
    )
    times = {row["target_id"]: row["times"] for row in decided}
    waiting = HeldRecord.objects.filter(status="waiting").count()
    problems = []
    if any(count > 1 for count in times.values()) or len(accepted) != len(set(accepted)):
        problems.append("an item was decided twice")
    if set(accepted) != set(times):
        problems.append("accepted answers and decisions in the chain differ")
    if waiting or len(times) != items:
        problems.append(f"{waiting} items still wait, {items - len(times)} have no decision")
    if not verify_audit().ok:
        problems.append("the chain does not verify")
    print("\n" + ("; ".join(problems) or f"{len(times):,} items, one decision each, all in an unbroken chain"))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
