"""`make bench`: the figures that the design promises, measured on this machine in one run, as ratios where that is possible.

    python -m bench [rules] [pipeline] [pages]

`rules` needs no database (`bench.rules`). The others get a throw-away SQLite desk in a temporary folder; nothing of yours
is touched. Words after `make bench ARGS=` choose parts.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench import rules

RULES = "rules"
OF_A_DESK = ("pipeline", "pages")


def main(arguments: Sequence[str]) -> int:
    known = (RULES, *OF_A_DESK)
    if unknown := [name for name in arguments if name not in known]:
        print(f"unknown: {', '.join(unknown)}; there are {', '.join(known)}")
        return 2
    chosen = arguments or known
    if RULES in chosen:
        print(RULES)
        rules.main([])
    if parts := [name for name in chosen if name != RULES]:
        _measure_a_desk(parts)
    return 0


def _measure_a_desk(parts: Sequence[str]) -> None:
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
    for name in parts:
        print(f"\n{name}")
        for label, figure in PARTS[name]():
            print(f"  {label:<58} {figure}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
