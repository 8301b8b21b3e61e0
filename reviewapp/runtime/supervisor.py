"""Keeps children running: restarts what crashed, with growing pauses, and stops all in order. Knows no program by name."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from reviewapp.runtime.child import Child, Guard, Spec
from reviewapp.runtime.console import Console

FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 30.0
STABLE_SECONDS = 30.0
ROUND_SECONDS = 0.1
STDIN = 0
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(BaseException):
    """A stop signal arrived while things were being prepared. No `Exception`: no handler on the way may swallow it."""


class DidNotStart(Exception):
    """A child ended, or did not become ready, on its first start."""


class StopSignals:
    """Counts stop signals. While `interrupting` they also raise; the second one means: at once."""

    def __init__(self) -> None:
        self.count = 0
        self._raise = False
        self._terminal = select.poll()

    def install(self) -> None:
        for number in STOP_SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup means it
                signal.signal(number, self._received)
        if signal.getsignal(signal.SIGHUP) == self._received and os.isatty(STDIN):
            self._terminal.register(STDIN, 0)  # asks for nothing; a hang-up is always told

    def _received(self, _number: int, _frame: FrameType | None) -> None:
        self.count += 1
        if self._raise:
            self._raise = False
            raise Interrupted

    @contextmanager
    def interrupting(self) -> Iterator[None]:
        """Preparation can take a while (a large migration) and must still be stoppable."""
        self._raise = True
        try:
            if self.count:
                raise Interrupted
            yield
        finally:
            self._raise = False

    def requested(self) -> bool:
        """Also when the terminal went away: `make` as leader of the session keeps the hang-up signal to itself."""
        return self.count > 0 or bool(self._terminal.poll(0))

    def hurry(self) -> bool:
        return self.count > 1


def pause_after(failures: int) -> float:
    """Seconds before the next start: 0.5, 1, 2, ... at most 30."""
    return float(min(FIRST_PAUSE_SECONDS * 2 ** max(failures - 1, 0), LONGEST_PAUSE_SECONDS))


class Supervised:
    """A child with its history of crashes."""

    def __init__(self, child: Child) -> None:
        self.child = child
        self.failures = 0
        self.restart_at: float | None = None


class Supervisor:
    """Start in the order given to `start`, stop in `stop_order`."""

    def __init__(self, console: Console, guard: Guard, signals: StopSignals, *, stop_order: Sequence[str]) -> None:
        self._console = console
        self._guard = guard
        self._signals = signals
        self._stop_order = stop_order
        self._members: dict[str, Supervised] = {}

    def start(self, spec: Spec) -> None:
        """Start one child and wait until it is ready. Raises DidNotStart, and leaves nothing of it behind."""
        child = Child(spec, self._console, self._guard)
        self._members[spec.name] = Supervised(child)
        child.start()
        if not child.await_ready():
            code = child.exit_code()
            del self._members[spec.name]
            child.stop(self._signals.hurry)
            how = "took too long" if code is None else f"ended with {code}"
            raise DidNotStart(f"{spec.name} {how}")

    def pids(self) -> dict[str, int | None]:
        return {name: member.child.pid for name, member in self._members.items()}

    def run(self) -> None:
        """Until a stop signal: look after every child, ten times a second."""
        while not self._signals.requested():
            self.look()
            time.sleep(ROUND_SECONDS)

    def look(self) -> None:
        """One round: notice who ended, restart whose pause is over."""
        self._guard.keep_alive()
        now = time.monotonic()
        for name, member in self._members.items():
            if member.restart_at is not None:
                if now >= member.restart_at:
                    member.restart_at = None
                    member.child.start()
            elif not member.child.alive():
                self._crashed(name, member, now)

    def _crashed(self, name: str, member: Supervised, now: float) -> None:
        lived = now - member.child.started_at
        member.failures = 1 if lived >= STABLE_SECONDS else member.failures + 1
        pause = pause_after(member.failures)
        member.restart_at = now + pause
        code = member.child.exit_code()
        self._console.say(f"{name} ended with {code} after {lived:.0f} s; starting it again in {pause:g} s")
        member.child.clear()

    def stop(self) -> None:
        """Stop all, in order; a second stop signal cuts every grace short."""
        for name in self._stop_order:
            member = self._members.pop(name, None)
            if member is not None:
                self._console.say(f"stopping {name}")
                member.child.stop(self._signals.hurry)
