"""Letting people in while a worker writes one row after the other: SQLite has one writer."""

from __future__ import annotations

import time

from django.db import connection

HOLD_SECONDS = 0.25
# Whoever waits for the writer looks for it every 0.1 seconds.
BREATH_SECONDS = 0.12


class Breath:
    """Begins with the stretch of work; between two rows it pauses where the writer has been held for long enough."""

    def __init__(self) -> None:
        self._held_since = time.monotonic()

    def let_others_in(self) -> None:
        if connection.vendor == "sqlite" and time.monotonic() - self._held_since >= HOLD_SECONDS:
            time.sleep(BREATH_SECONDS)
            self._held_since = time.monotonic()
