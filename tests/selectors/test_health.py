"""The doctor's findings about database, outbox and beat; those about broker and worker are in tests/runtime."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from evidence.models import Outbox, heldwords
from evidence.selectors import health
from evidence.selectors.health import Level


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_message_that_waits_too_long_is_told() -> None:
    now = timezone.now()
    Outbox.objects.create(key="k", topic="t", subject="s", available_at=now - timedelta(seconds=30))
    assert health.outbox(now).level is Level.OK
    late = health.outbox(now + timedelta(minutes=5))
    assert (late.level, late.detail) == (Level.WARN, "oldest due message has waited 330 s")
    assert "sweep outbox" in late.mend


@pytest.mark.django_db
def test_a_message_that_is_done_or_not_yet_due_is_not_waited_for() -> None:
    now = timezone.now()
    Outbox.objects.create(key="done", topic="t", subject="s", available_at=now - timedelta(days=1), done_at=now)
    Outbox.objects.create(key="later", topic="t", subject="s", available_at=now + timedelta(days=1))
    assert health.outbox(now).detail == "nothing waits"


@pytest.mark.postgres
@pytest.mark.django_db
def test_search_structures_that_are_away_are_told() -> None:
    assert health.full_text().level is Level.OK
    on_table = f" ON {heldwords.HELD}" if connection.vendor == "postgresql" else ""
    trigger = f"{heldwords.FTS}_{'row' if on_table else 'insert'}"
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {trigger}{on_table}")
    away = health.full_text()
    assert (away.level, away.detail) == (Level.FAIL, f"missing: {trigger}")
    assert "migrate" in away.mend


def test_beat_is_believed_while_its_sign_of_life_is_fresh(tmp_path: Path) -> None:
    sign = tmp_path / "beat"
    assert health.beat(sign).level is Level.WARN
    sign.touch()
    assert health.beat(sign).level is Level.OK
    old = sign.stat().st_mtime - 2 * health.HEARTBEAT_STALE_SECONDS
    os.utime(sign, (old, old))
    assert health.beat(sign).level is Level.WARN


def test_an_error_is_told_without_the_password_in_its_address() -> None:
    said = health._said(ValueError("cannot reach postgres://u:hunter2@h:5432/d\nmore"))
    assert said == "ValueError: h:5432/d"
