"""Signals of a bridge arrive once, as what they are there, and are not done twice (`reference` rows on signals)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from evidence.models import AgentSignal
from evidence.rules.times import to_iso
from evidence.services.import_report import Line
from evidence.services.importing import run_import
from evidence.services.signal_claiming import ack_signal, claim_next
from tests.builders import a_token
from tests.exchange.bridges import NAMESPACE, add_memory, change, opened, sample

pytestmark = pytest.mark.django_db
NOW = timezone.now()
SOON = to_iso(NOW + timedelta(hours=1))
PAST = to_iso(NOW - timedelta(hours=1))
EARLIER = to_iso(NOW - timedelta(hours=2))


def only_signals(folder: Path) -> Path:
    """The sample without anything else, so that a run takes no time; and without the bridge's own guards of a signal's state."""
    path = sample(folder)
    with opened(path) as connection:
        guards = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'memories'")
        for (name,) in guards.fetchall():
            connection.execute(f'DROP TRIGGER "{name}"')
    for table in ("memory_annotations", "memory_revisions", "memory_edges", "memory_tombstones", "memories"):
        change(path, f"DELETE FROM {table}")
    return path


def bridge(path: Path) -> list[Line]:
    lines: list[Line] = []
    run_import(format_name="bridge", path=path, on_line=lines.append)
    return [line for line in lines if "memories[" in line.place]


def test_each_arrives_as_what_it_is_and_the_same_again_changes_nothing(tmp_path: Path) -> None:
    path = only_signals(tmp_path)
    base = {"kind": "signal", "tags": ["job:build"], "created_at": EARLIER}
    add_memory(path, 1, "waits", signal_status="pending", **base)
    add_memory(path, 2, "held", signal_status="claimed", claimed_by="w", claimed_at=PAST, lease_expires_at=SOON, **base)
    add_memory(path, 3, "done", signal_status="acked", claimed_by="w", claimed_at=PAST, acknowledged_at=PAST, **base)
    add_memory(path, 4, "over", signal_status="pending", expires_at=PAST, **base)
    add_memory(path, 5, "no end", signal_status="pending", expires_at="tomorrow", **base)
    add_memory(path, 6, "done at no time", signal_status="acked", **base)
    add_memory(path, 7, "Use ghp_" + "a1B2" * 9, signal_status="pending", **base)
    first = bridge(path)
    now = timezone.now()
    assert {row.content: str(row.status_at(now)) for row in AgentSignal.objects.all()} == {
        "waits": "pending", "held": "pending", "done": "acked", "over": "expired",
    }  # fmt: skip
    assert [(line.outcome, line.code) for line in first if line.code] == [
        ("created", "lease_stays_there"), ("refused", "invalid_value"), ("refused", "invalid_value"),
        ("refused", "secret_detected"),
    ]  # fmt: skip
    assert [line.outcome for line in bridge(path)][:4] == ["unchanged"] * 4
    assert AgentSignal.objects.count() == 4

    token = a_token("gardener", namespace=NAMESPACE).token
    taken = claim_next(token=token, seconds=60, tags=("job:build",)).signal
    assert taken is not None
    assert (taken.content, taken.publisher, taken.origin_system) == ("waits", "agent:gardener", "bridge")


def test_what_was_done_there_since_is_done_here_and_what_is_done_here_stays(tmp_path: Path) -> None:
    path = only_signals(tmp_path)
    for number in (1, 2):
        add_memory(path, number, f"Job {number}", kind="signal", signal_status="pending", created_at=EARLIER)
    bridge(path)
    token = a_token("gardener", namespace=NAMESPACE).token
    here = claim_next(token=token, seconds=60).signal
    assert here is not None
    ack_signal(token=token, signal_id=str(here.pk))
    change(
        path,
        "UPDATE memories SET signal_status = 'acked', claimed_by = 'w', claimed_at = ?, acknowledged_at = ?",
        PAST,
        PAST,
    )
    bridge(path)
    ours, theirs = AgentSignal.objects.order_by("sequence")
    assert (ours.status, ours.holder_agent) == ("acked", "gardener")
    assert (theirs.status, theirs.holder_agent, to_iso(theirs.acked_at)) == ("acked", "w", PAST)  # type: ignore[arg-type]
    AgentSignal.objects.all().delete()
    change(path, "UPDATE memories SET correlation_id = 'x'")
    bridge(path)
    assert AgentSignal.objects.count() == 0, "what was removed here after its time does not come back"
