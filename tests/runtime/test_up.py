"""`manage.py up` as a whole: real Valkey, real granian, real Celery, on a free port and a temporary data folder."""

from __future__ import annotations

import json
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from reviewapp.runtime.broker import embedded_binary, server_on_path
from reviewapp.runtime.ports import LOOPBACK, port_is_free
from tests.fixtures.needs import unavailable
from tests.runtime.desk import Desk
from tests.runtime.programs import wait_for


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """One that is up, shared by the tests that leave it so."""
    yield from _started(tmp_path_factory.mktemp("desk") / "a folder with blanks")


@pytest.fixture
def own_desk(tmp_path: Path) -> Iterator[Desk]:
    """One that is up, for a test that ends it."""
    yield from _started(tmp_path / "desk")


def _started(data_dir: Path) -> Iterator[Desk]:
    if embedded_binary() is None and server_on_path() is None:
        unavailable("Valkey", "no Valkey and no Redis runs here")
    made = Desk(data_dir)
    try:
        made.start()
        yield made
    finally:
        made.end()


def words(process: psutil.Process) -> list[str]:
    """Its command line; empty once it has ended."""
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def alive(family: list[psutil.Process]) -> list[list[str]]:
    return [words(process) for process in family if words(process)]


def members(desk: Desk, part: str) -> list[psutil.Process]:
    return [process for process in desk.family() if any(part in word for word in words(process))]


def all_well(desk: Desk) -> bool:
    return {finding["level"] for finding in desk.doctor().values()} == {"ok"}


def test_it_answers_and_says_where(desk: Desk) -> None:
    assert f"Evidence Desk is ready: http://{LOOPBACK}:{desk.port}/" in desk.said
    assert desk.get("/health/live") == (200, b'{"status": "ok"}')
    # Mails of the worker lead to that address, too.
    (worker, *_) = members(desk, "worker")
    assert worker.environ()["PUBLIC_URL"] == f"http://{LOOPBACK}:{desk.port}"


def test_it_is_ready_and_the_doctor_agrees(desk: Desk) -> None:
    wait_for(lambda: all_well(desk), seconds=60)
    status, body = desk.get("/health/ready")
    assert (status, json.loads(body)["status"]) == (200, "ok")


def test_what_it_writes_is_for_its_own_user(desk: Desk) -> None:
    static = desk.data_dir / "static"  # public, like every style sheet
    private = [path for path in desk.data_dir.rglob("*") if static not in (path, *path.parents)]
    assert {path.name for path in private} >= {"db.sqlite3", "secret_key", "web.log"}
    assert [path for path in (desk.data_dir, *private) if path.stat().st_mode & 0o077] == []


def test_a_second_one_on_the_same_folder_is_refused(desk: Desk) -> None:
    second = Desk(desk.data_dir).manage("up")
    assert second.returncode == 1
    assert desk.process is not None
    assert f"another `up` (process {desk.process.pid}) uses {desk.data_dir}" in second.stdout


def test_a_taken_port_is_named_and_its_holder_left_alone(desk: Desk, tmp_path: Path) -> None:
    other = Desk(tmp_path / "other", port=desk.port).manage("up")
    assert other.returncode == 1
    assert f"port {desk.port} on {LOOPBACK} is taken" in other.stdout
    assert desk.get("/health/live")[0] == 200


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("PORT", "70000", "PORT=70000 is no number from 1 to 65535"),
        ("WEB_THREADS", "many", "WEB_THREADS=many is no number"),
        ("DATABASE_URL", "nonsense", "DATABASE_URL"),
        ("DATABASE_URL", "mysql://u:hunter2@h/d", "DATABASE_URL must begin with sqlite:/// or postgres://"),
        ("DATABASE_URL", "postgres://u:hunter2@127.0.0.1:1/d", "the database does not answer"),
        ("TRUSTED_PROXIES", "some", "TRUSTED_PROXIES=some is no whole number"),
        ("EMAIL_URL", "pigeon://u:hunter2@h", "EMAIL_URL is no address"),
        ("CACHE_URL", "pigeon://u:hunter2@h", "CACHE_URL is no address"),
        ("LOG_LEVEL", "loud", "LOG_LEVEL=loud is none of"),
        ("DATA_DIR", "/dev/null/desk", "the data folder /dev/null/desk cannot be used"),
        ("HOST", "nowhere.invalid", "HOST=nowhere.invalid is no address of this machine"),
    ],
)
def test_a_wrong_variable_is_named(tmp_path: Path, name: str, value: str, said: str) -> None:
    done = Desk(tmp_path / "wrong").manage("up", **{name: value})
    everything = done.stdout + done.stderr
    assert done.returncode == 1
    assert said in everything
    assert "Traceback" not in everything
    assert "hunter2" not in everything


def test_the_first_start_fills_the_desk_and_names_its_accounts(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "demo", demo=True)
    try:
        desk.start()
        accounts = json.loads((desk.data_dir / "demo.json").read_text())
        assert f"sign in as {', '.join(accounts['users'])}; the password is {accounts['password']}" in desk.said
        logs = "".join(file.read_text() for file in (desk.data_dir / "log").iterdir())
        assert accounts["password"] not in logs
        assert desk.get("/accounts/login/")[0] == 200
        assert desk.stop() == 0
        desk.start()
        assert "demo data: filling" not in desk.said
    finally:
        desk.end()


@pytest.mark.parametrize("part", ["valkey-server", "granian", "worker", "beat"])
def test_a_killed_part_comes_back(desk: Desk, part: str) -> None:
    before = members(desk, part)
    before[0].kill()

    def back() -> bool:
        now = members(desk, part)
        return len(now) == len(before) and before[0].pid not in {process.pid for process in now}

    wait_for(back)
    wait_for(lambda: desk.get("/health/live")[0] == 200, seconds=60)
    # After the broker's death too: the worker finds its way back to it.
    wait_for(lambda: all_well(desk), seconds=90)


def test_a_killed_supervisor_takes_all_with_it_and_the_next_start_works(own_desk: Desk) -> None:
    desk = own_desk
    family = desk.family()
    assert desk.process is not None
    desk.process.send_signal(signal.SIGKILL)
    desk.process.wait()
    wait_for(lambda: alive(family) == [], seconds=30)
    desk.start()
    assert desk.get("/health/live")[0] == 200
    stopping_ends_everything_and_frees_the_port(desk)


def stopping_ends_everything_and_frees_the_port(desk: Desk) -> None:
    family = desk.family()
    assert len(family) >= 6  # guard, broker, web and its worker process, worker, beat
    assert desk.stop() == 0
    stops = [line for line in desk.said.splitlines() if line.startswith("stopping ")]
    assert stops == ["stopping web", "stopping beat", "stopping worker", "stopping broker"]
    assert alive(family) == []
    assert port_is_free(LOOPBACK, desk.port)


def test_a_broker_that_does_not_answer_is_named_without_its_password(tmp_path: Path) -> None:
    with socket.create_server((LOOPBACK, 0)) as deaf:  # accepts, and never says a word
        desk = Desk(tmp_path / "d")
        address = f"{LOOPBACK}:{deaf.getsockname()[1]}/0"
        answer = desk.manage("up", REDIS_URL=f"redis://:hunter2secret@{address}")
    assert answer.returncode == 1
    assert f"redis://***@{address}" in answer.stdout
    assert "hunter2secret" not in answer.stdout + answer.stderr
