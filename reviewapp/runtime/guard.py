"""Ends the process groups of a supervisor that is gone. Run by path as a process of its own; imports no project.

Standard input is a pipe from the supervisor: "+123" names a group to end, "-123" takes it off the list. When the pipe closes
the supervisor has ended, however that happened, and every group still on the list is ended with it: first asked, then killed.
"""

import os
import signal
import sys
import time


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # it must outlive the one it watches
    groups: set[int] = set()
    for line in sys.stdin:
        change, group = line[0], int(line[1:])
        if change == "+":
            groups.add(group)
        else:
            groups.discard(group)
    end(groups, grace=float(sys.argv[1]))


def end(groups: set[int], *, grace: float) -> None:
    left = {group for group in groups if send(group, signal.SIGTERM)}
    deadline = time.monotonic() + grace
    while left and time.monotonic() < deadline:
        time.sleep(0.05)
        left = {group for group in left if send(group, 0)}
    for group in left:
        send(group, signal.SIGKILL)


def send(group: int, number: int) -> bool:
    """Whether the group still had somebody in it."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    except PermissionError:
        return number == 0
    return True


if __name__ == "__main__":
    main()
