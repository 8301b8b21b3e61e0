"""`make bench`: the figures that the design promises, measured on this machine in one run, as ratios where that is possible.

A throw-away SQLite desk in a temporary folder; nothing of yours is touched. Words after `make bench ARGS=` choose parts.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path


def main(arguments: list[str]) -> int:
    folder = Path(tempfile.mkdtemp(prefix="evidence-bench-"))
    # Before Django reads its settings: a desk of its own, no broker to wait for, no demo.
    os.environ |= {
        "DATA_DIR": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / 'bench.sqlite3'}",
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "DJANGO_SETTINGS_MODULE": "reviewapp.settings",
        "LOG_LEVEL": "ERROR",
    }
    import django

    django.setup()
    from django.core.management import call_command

    from bench.parts import PARTS

    call_command("migrate", verbosity=0)
    chosen = arguments or list(PARTS)
    unknown = [name for name in chosen if name not in PARTS]
    if unknown:
        print(f"unknown: {', '.join(unknown)}; there are {', '.join(PARTS)}")
        return 2
    for name in chosen:
        print(f"\n{name}")
        for label, figure in PARTS[name]():
            print(f"  {label:<58} {figure}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
