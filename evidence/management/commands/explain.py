"""`manage.py explain RULE`: JSON lines in, one answer a line out (contract 11). No database, no system checks.

Only moves lines between the streams and the pure `rules.explain`; exit status 2 when a line could not be taken. What each
rule takes and answers, with examples: docs/contract.md, whose tests run them through this command.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from evidence.rules.explain import EXPLAIN, explain_line

NOT_ALL_TAKEN = 2


class Command(BaseCommand):
    help = (
        "Answers one rule for each JSON line on standard input, in the same order, without a database: "
        '"why did this conflict?", "why is this stale?". A line that cannot be taken gets an answer with `error`, `code` and '
        "`field`; the exit status is then 2. Members of each question and answer, with examples: docs/contract.md."
    )
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("rule", choices=sorted(EXPLAIN), help="The rule to ask.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            all_taken = self._answer_lines(options["rule"])
        except BrokenPipeError:
            # Whoever reads has seen enough (`| head`): end quietly, also when Python flushes the stream at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return
        if not all_taken:
            sys.exit(NOT_ALL_TAKEN)

    def _answer_lines(self, rule: str) -> bool:
        all_taken = True
        for line in sys.stdin.buffer:
            if line.strip():
                answer, taken = explain_line(rule, line)
                all_taken = all_taken and taken
                self.stdout.write(json.dumps(answer, allow_nan=False))
        self.stdout.flush()
        return all_taken
