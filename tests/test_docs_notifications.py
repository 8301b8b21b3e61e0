"""docs/notifications.md says what is so: its snippet verifies our calls, its table names every event."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest

from evidence.rules.signing import secret_of, signature
from evidence.rules.telling import BACK_OFF, NoticeKind
from tests.fixtures.receivers import HookSink

PAGE = (Path(__file__).parent.parent / "docs" / "notifications.md").read_text(encoding="utf-8")


def snippet() -> Any:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    found: dict[str, Any] = {}
    exec(code, found)
    return found["is_genuine"]


def test_the_snippet_knows_our_signature_and_no_other() -> None:
    is_genuine = snippet()
    secret, body, now = secret_of("key", "salt"), b'{"count":1}', int(time.time())
    headers = {
        "webhook-id": "m-1", "webhook-timestamp": str(now), "webhook-signature": signature(secret, "m-1", now, body),
    }  # fmt: skip
    assert is_genuine(secret, headers, body)
    assert not is_genuine(secret, headers, body + b" ")
    assert not is_genuine(secret_of("key", "other"), headers, body)
    assert not is_genuine(secret, headers | {"webhook-id": "m-2"}, body)
    assert not is_genuine(secret, headers, body, now=now + 301)


@pytest.mark.django_db
def test_the_snippet_takes_a_call_that_arrived(hook_sink: HookSink, settings: Any) -> None:
    from evidence.services.hooking import secret_for
    from evidence.tasks import outbox as _outbox  # noqa: F401 - as in a worker, where the handlers are known
    from tests.services.test_sending import hook, question, run

    settings.WEBHOOK_ALLOW_PRIVATE = True
    made = hook(hook_sink)
    question()
    run()
    (call,) = hook_sink.calls
    assert snippet()(secret_for(made), call.headers, call.body)


def test_every_event_stands_in_the_table() -> None:
    assert set(re.findall(r"^\| .+? \| `(\w+)` \|", PAGE, re.MULTILINE)) == set(NoticeKind)


def test_the_waits_are_those_that_are_told() -> None:
    assert [wait.total_seconds() for wait in BACK_OFF] == [20, 60, 300, 1200, 3600, 3 * 3600, 8 * 3600]
    assert "20 seconds, a minute, five, twenty, one hour, three and eight" in " ".join(PAGE.split())
