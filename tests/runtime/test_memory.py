"""Servers and workers keep the collector away from what stays."""

from __future__ import annotations

import subprocess
import sys

import pytest

LOADED = {
    "server": "import reviewapp.wsgi",
    "worker": "from reviewapp.celery import app; from celery.signals import worker_init; worker_init.send(sender=app)",
}


@pytest.mark.parametrize("program", LOADED)
def test_what_is_loaded_is_looked_through_no_more(program: str) -> None:
    asks = f"import gc; {LOADED[program]}; print(gc.get_freeze_count() > 50_000, gc.get_threshold()[0] > 700)"
    ran = subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True, check=True)
    assert ran.stdout.split()[-2:] == ["True", "True"], ran
