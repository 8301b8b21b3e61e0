"""The order of things behind `manage.py up`: folder, lock, port, broker, tables, static files, demo, programs, address."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from django.conf import settings
from django.db import connections

from reviewapp.celery import app as celery_app
from reviewapp.runtime import address, broker, ports, prepare, programs
from reviewapp.runtime.child import Guard
from reviewapp.runtime.console import Console
from reviewapp.runtime.lock import FolderBusy, FolderLock
from reviewapp.runtime.settings import CannotStart, Plan, read_plan
from reviewapp.runtime.supervisor import DidNotStart, Interrupted, StopSignals, Supervisor
from reviewapp.settings.queue import transport_options


def up() -> int:
    """Run the desk until a stop signal. Exit status: 0 after a stop, 1 when it could not start."""
    os.umask(0o077)  # what the desk writes is for its own user: database, logs, mails, keys
    try:
        plan = read_plan()
        lock = _take_folder(plan.data_dir)
    except CannotStart as error:
        print(f"up: {error}")
        return 1
    console = Console(plan.data_dir / "log")
    guard = Guard((lock.handle,))
    signals = StopSignals()
    supervisor = Supervisor(console, guard, signals, stop_order=programs.STOP_ORDER)
    try:
        signals.install()
        return _run(plan, console, supervisor, signals)
    finally:
        supervisor.stop()
        address.broker_file(plan.data_dir).unlink(missing_ok=True)
        guard.close()
        lock.release()
        console.close()


def _run(plan: Plan, console: Console, supervisor: Supervisor, signals: StopSignals) -> int:
    chosen: broker.Broker | None = None
    try:
        with signals.interrupting():
            _refuse_taken_port(plan)
            chosen = broker.choose(plan.data_dir, plan.environ)
            _start(plan, chosen, console, supervisor)
        supervisor.run()
    except Interrupted:
        console.say("interrupted while starting")
    except (CannotStart, DidNotStart) as error:
        console.say(f"up: {error}")
        if isinstance(error, DidNotStart):
            console.say(f"What it said is above, and in {plan.data_dir / 'log'}.")
        return 1
    finally:
        supervisor.stop()
        if chosen is not None:
            broker.forget_socket(chosen)
    return 0


def _take_folder(data_dir: Path) -> FolderLock:
    lock = FolderLock(data_dir)
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock.acquire()
    except FolderBusy as busy:
        raise CannotStart(
            f"another `up` (process {busy.holder}) uses {data_dir}, or is just ending. "
            "Stop it first (Ctrl-C there), or set DATA_DIR to another folder."
        ) from busy
    except OSError as error:
        raise CannotStart(f"the data folder {data_dir} cannot be written: {error.strerror}. Set DATA_DIR.") from error
    return lock


def _refuse_taken_port(plan: Plan) -> None:
    if not ports.is_address(plan.host):
        raise CannotStart(f"HOST={plan.host} is no address of this machine. Leave it out, or set HOST=0.0.0.0 for all.")
    if not ports.port_is_free(plan.host, plan.port):
        raise CannotStart(
            f"port {plan.port} on {plan.host} is taken by another program. Stop that one, or choose another: "
            f"PORT={plan.port + 1} make up"
        )


def _start(plan: Plan, chosen: broker.Broker, console: Console, supervisor: Supervisor) -> None:
    _start_broker(chosen, console, supervisor)
    _announce_broker(plan, chosen)
    prepare.migrate(console)
    prepare.collect_static(console)
    if plan.demo and prepare.first_start():
        prepare.seed(console)
    nobody = prepare.first_start()
    connections.close_all()
    plan = _for_programs(plan, chosen)
    for spec in (programs.web(plan), programs.worker(plan), programs.beat(plan)):
        supervisor.start(spec)
    console.say(_welcome(plan, nobody=nobody))


def _start_broker(chosen: broker.Broker, console: Console, supervisor: Supervisor) -> None:
    console.say(f"\n{chosen.note}\n" if chosen.loud else chosen.note)
    if chosen.spec is None:
        if chosen.url.startswith(address.FILESYSTEM) or broker.answers(chosen.url):
            return
        shown = address.without_password(chosen.url)
        raise CannotStart(f"the broker in REDIS_URL ({shown}) does not answer. Start it, or unset REDIS_URL")
    try:
        supervisor.start(chosen.spec)
    except DidNotStart:
        aside = broker.set_aside(chosen)
        if aside is None:
            raise
        console.say(f"broker: its store cannot be read and was set aside as {aside.name}; the outbox sends again")
        supervisor.start(chosen.spec)


def _announce_broker(plan: Plan, chosen: broker.Broker) -> None:
    """For this process (the seed publishes) and for commands that run beside us."""
    file = address.broker_file(plan.data_dir)
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(chosen.url + "\n")
    settings.REDIS_URL = chosen.url
    celery_app.conf.update(
        broker_url=address.celery_url(chosen.url), broker_transport_options=transport_options(chosen.url)
    )


def _for_programs(plan: Plan, chosen: broker.Broker) -> Plan:
    """With what became known here: the broker, and the address of a desk that serves its own machine alone."""
    environ = {**plan.environ, "REDIS_URL": chosen.url}
    if plan.host == ports.LOOPBACK and not settings.PUBLIC_URL:
        environ["PUBLIC_URL"] = _address(plan)
    return replace(plan, environ=environ)


def _address(plan: Plan) -> str:
    host = ports.reachable_host(plan.host)
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{plan.port}"


def _welcome(plan: Plan, *, nobody: bool) -> str:
    lines = ["", f"Evidence Desk is ready: {_address(plan)}/"]
    if logins := prepare.demo_logins(plan.data_dir):
        lines.append(f"  {logins}")
    elif nobody:
        lines.append("  nobody has an account yet; make one: manage.py grant NAME reviewer (or administrator)")
    if plan.host != ports.LOOPBACK and not settings.HTTPS:
        lines.append(
            "  it can be reached from other machines without TLS: put a proxy in front and set HTTPS=1, ALLOWED_HOSTS"
        )
    lines += [f"  data and logs: {plan.data_dir}", "  Ctrl-C stops everything", ""]
    return "\n".join(lines)
