"""Becomes the command it is given, after asking the kernel to end it when its parent ends. Run by path; imports no project.

A function run between fork and exec would do the same, but that is unsafe in a parent with threads; a program is not.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    parent, command = int(sys.argv[1]), sys.argv[2:]
    if sys.platform == "linux":
        # Holds for this process only, not for its children: those are the guard's business.
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        if os.getppid() != parent:  # the parent ended before the kernel was asked
            sys.exit(1)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
