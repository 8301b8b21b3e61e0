"""Log lines carry no secret, whatever carries it: a message, a value, a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from reviewapp.logs import redact_secrets, redacted
from tests.runtime.programs import ROOT

SECRET = "redis://:hunter2hunter2@broker.example:6379/0"


def test_a_secret_takes_its_line_and_leaves_the_others() -> None:
    assert redacted(f"first\nconnecting to {SECRET}\nlast") == "first\n[redacted: url_credentials]\nlast"


def test_a_clean_text_stays_as_it_is() -> None:
    text = "check the CSRF token before posting\n  twice"
    assert redacted(text) is text


def test_a_key_that_spans_lines_takes_the_whole_text() -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA0Z3VS5JJcds3xfn\n-----END RSA PRIVATE KEY-----"
    assert "MIIEow" not in redacted(key)


def test_values_at_any_depth_are_looked_at() -> None:
    event = redact_secrets(None, "info", {"event": "x", "n": 3, "deep": [{"url": SECRET}], "error": ValueError(SECRET)})
    assert SECRET not in json.dumps(event)
    assert (event["event"], event["n"]) == ("x", 3)


def test_what_cannot_be_looked_at_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    class Hostile:
        def __str__(self) -> str:
            raise RuntimeError("no")

    assert redact_secrets(None, "info", {"event": SECRET, "what": Hostile()}) == {
        "event": "[withheld: RuntimeError while looking for secrets]"
    }


LOGGED = """
import logging, django, structlog
django.setup()
structlog.get_logger("evidence.test").info("from structlog", url={secret!r}, held_id="h-1")
logging.getLogger("some.library").warning("connecting to %s", {secret!r})
try:
    raise ValueError({secret!r})
except ValueError:
    logging.getLogger("some.library").exception("it failed")
"""


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_every_source_of_lines_is_covered(tmp_path: Path, log_format: str) -> None:
    env = os.environ | {"DJANGO_SETTINGS_MODULE": "reviewapp.settings", "DATA_DIR": str(tmp_path), "LOG_LEVEL": "INFO"}
    command = [sys.executable, "-c", LOGGED.format(secret=SECRET)]
    done = subprocess.run(
        command, cwd=ROOT, env=env | {"LOG_FORMAT": log_format}, capture_output=True, text=True, check=True
    )
    assert "hunter2" not in done.stderr + done.stdout
    for part in ("from structlog", "h-1", "it failed", "Traceback"):
        assert part in done.stderr
    if log_format == "json":
        assert all(isinstance(json.loads(line), dict) for line in done.stderr.splitlines())
