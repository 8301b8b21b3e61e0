"""Runs pytest with a real PostgreSQL under it: `python -m tests.on_postgres -m "races or postgres"`.

The server must exist before Django's settings are read, hence a process around pytest and not a fixture within.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from types import FrameType

from tests.fixtures.needs import REQUIRED
from tests.fixtures.servers import postgres_server


def main(arguments: list[str]) -> int:
    signal.signal(signal.SIGTERM, _leave)  # so that the server is stopped on the way out
    try:
        context = postgres_server()
        url = context.__enter__()
    except Exception as error:
        print(f"PostgreSQL is not available: {error}", file=sys.stderr)
        return 1 if REQUIRED else 0
    try:
        env = os.environ | {"TEST_DATABASE_URL": url}
        return subprocess.run([sys.executable, "-m", "pytest", *arguments], env=env, check=False).returncode
    finally:
        context.__exit__(None, None, None)


def _leave(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(143)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
