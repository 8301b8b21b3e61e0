"""The supervisor with real processes: crashes, stops, order, orphans."""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from reviewapp.runtime.child import Guard, Spec
from reviewapp.runtime.console import Console
from reviewapp.runtime.supervisor import DidNotStart, StopSignals, Supervisor, pause_after
from tests.runtime.programs import pids_of, running, start_supervisor, wait_for, worker_spec


@pytest.fixture
def output() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def supervisor(tmp_path: Path, output: io.StringIO) -> Iterator[Supervisor]:
    guard = Guard()
    made = Supervisor(Console(tmp_path / "log", output), guard, StopSignals(), stop_order=("first", "second"))
    yield made
    made.stop()
    guard.close()


def test_a_killed_child_is_started_again(supervisor: Supervisor, tmp_path: Path, output: io.StringIO) -> None:
    supervisor.start(worker_spec("first", tmp_path))
    before, orphan = pids_of(tmp_path, "first")
    os.kill(before, signal.SIGKILL)

    def back() -> bool:
        supervisor.look()
        return pids_of(tmp_path, "first")[0] != before

    wait_for(back)
    assert running(pids_of(tmp_path, "first")[0])
    assert not running(orphan), "what the crashed child had started must not go on beside its successor"
    assert f"first ended with {-signal.SIGKILL}" in output.getvalue()


def test_a_child_that_crashes_again_and_again_is_started_ever_more_rarely() -> None:
    assert [pause_after(failures) for failures in range(1, 9)] == [0.5, 1, 2, 4, 8, 16, 30, 30]


def test_stop_ends_children_in_order_with_all_they_started(supervisor: Supervisor, tmp_path: Path) -> None:
    for name in ("second", "first"):
        supervisor.start(worker_spec(name, tmp_path))
    everybody = pids_of(tmp_path, "first") + pids_of(tmp_path, "second")
    supervisor.stop()
    assert (tmp_path / "stopped").read_text().split() == ["first", "second"]
    assert not any(running(pid) for pid in everybody)


def test_a_child_that_ignores_the_request_is_killed_after_its_grace(supervisor: Supervisor, tmp_path: Path) -> None:
    supervisor.start(worker_spec("first", tmp_path, how="stubborn", grace=0.3))
    everybody = pids_of(tmp_path, "first")
    supervisor.stop()
    assert (tmp_path / "stopped").read_text().split() == ["first"]  # it was asked
    assert not any(running(pid) for pid in everybody)


def test_a_child_that_ends_at_once_did_not_start(supervisor: Supervisor, tmp_path: Path) -> None:
    ends = Spec("first", (sys.executable, "-c", "raise SystemExit(3)"), os.environ, tmp_path, ready=lambda: False)
    with pytest.raises(DidNotStart, match="first ended with 3"):
        supervisor.start(ends)
    assert supervisor.pids() == {}


def test_a_child_that_never_gets_ready_is_stopped(supervisor: Supervisor, tmp_path: Path) -> None:
    spec = worker_spec("first", tmp_path)
    never = Spec(spec.name, spec.command, spec.env, spec.cwd, spec.stop, ready=lambda: False, ready_within=1.0)
    with pytest.raises(DidNotStart, match="took too long"):
        supervisor.start(never)
    wait_for(lambda: not any(running(pid) for pid in pids_of(tmp_path, "first")))


def test_output_is_named_on_the_console_and_kept_in_a_file(
    supervisor: Supervisor, tmp_path: Path, output: io.StringIO
) -> None:
    supervisor.start(worker_spec("first", tmp_path))
    wait_for(lambda: "hello" in output.getvalue())
    assert "first  | hello from first\n" in output.getvalue()
    assert (tmp_path / "log" / "first.log").read_text() == "hello from first\n"


def test_a_terminal_never_sees_a_childs_control_characters(tmp_path: Path, output: io.StringIO) -> None:
    Console(tmp_path, output).line("web", "a\x1b[2Jb\x9bc\rd")
    assert output.getvalue() == "web    | a\\x1b[2Jb\\x9bc\\x0dd\n"


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP], ids=["term", "int", "hup"])
def test_a_stop_signal_ends_the_whole_tree_in_order(tmp_path: Path, stop: signal.Signals) -> None:
    process = start_supervisor(tmp_path)
    everybody = [pid for name in ("broker", "worker", "beat", "web") for pid in pids_of(tmp_path, name)]
    process.send_signal(stop)
    assert process.wait(timeout=30) == 0
    assert (tmp_path / "stopped").read_text().split() == ["web", "beat", "worker", "broker"]
    assert not any(running(pid) for pid in everybody)


def test_a_terminal_that_goes_away_is_a_stop_request(tmp_path: Path) -> None:
    """Nobody sends the signal here: the supervisor does not lead the session, as under `ssh -t host make up`."""
    ours, theirs = os.openpty()
    process = start_supervisor(tmp_path, stdin=theirs)
    os.close(theirs)
    os.close(ours)
    assert process.wait(timeout=30) == 0
    assert (tmp_path / "stopped").read_text().split() == ["web", "beat", "worker", "broker"]


def test_a_second_stop_signal_cuts_the_grace_short(tmp_path: Path) -> None:
    process = start_supervisor(tmp_path, how="stubborn")  # four children, five seconds of grace each
    everybody = [pid for name in ("broker", "worker", "beat", "web") for pid in pids_of(tmp_path, name)]
    process.send_signal(signal.SIGINT)
    wait_for((tmp_path / "stopped").exists)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=30)
    # Whoever was next in line was killed without being asked: the grace of the first was cut.
    assert (tmp_path / "stopped").read_text().split() == ["web"]
    assert not any(running(pid) for pid in everybody)


@pytest.mark.parametrize("how", ["willing", "stubborn"])
def test_a_killed_supervisor_leaves_no_orphan(tmp_path: Path, how: str) -> None:
    process = start_supervisor(tmp_path, how=how)
    everybody = [pid for name in ("broker", "worker", "beat", "web") for pid in pids_of(tmp_path, name)]
    assert all(running(pid) for pid in everybody)
    process.kill()
    process.wait()
    wait_for(lambda: not any(running(pid) for pid in everybody))
