"""`manage.py runs_check [--repair] [--json]`: hold what is kept of runs against their ledger. Exit 1 where it differs."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from evidence.services import run_states, run_utility


class Command(BaseCommand):
    help = "Hold the state of every run and the use of records against the ledger; --repair makes what drifted again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--repair", action="store_true", help="make what drifted again, from the ledger")
        parser.add_argument("--json", action="store_true", help="one JSON object on standard output")

    def handle(self, *, repair: bool = False, json: bool = False, **_: object) -> None:
        runs = list(run_states.drifted_runs())
        used = list(run_utility.drifted())
        if repair:
            for run, _drift in runs:
                run_states.repair(run)
            run_utility.repair()
        if json:
            self.stdout.write(_as_json(runs, used, repaired=repair))
        else:
            self._tell(runs, used, repaired=repair)
        if (runs or used) and not repair:
            sys.exit(1)

    def _tell(self, runs: list[Any], used: list[Any], *, repaired: bool) -> None:
        for run, drift in runs:
            self.stdout.write(f"run {run}: {', '.join(drift[:5])}{' …' if len(drift) > 5 else ''}")
        for namespace, record, _version in used:
            self.stdout.write(f"use of {record} in {namespace}")
        word = "repaired" if repaired else "drifted"
        self.stdout.write(f"{len(runs)} runs and the use of {len(used)} records {word}")


def _as_json(runs: list[Any], used: list[Any], *, repaired: bool) -> str:
    return json.dumps(
        {
            "repaired": repaired,
            "runs": [{"run": str(run), "drift": drift} for run, drift in runs],
            "utility": [
                {"namespace": namespace, "record": record, "content_version": version}
                for namespace, record, version in used
            ],
        }
    )
