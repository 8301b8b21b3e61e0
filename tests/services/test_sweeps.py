"""Sweeps: idempotent, deciding nothing, and what a label says never waits for one (contract 2, 10)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from evidence.models import Decision, Evidence, HeldRecord, Inquiry, Outbox, RecheckItem
from evidence.rules.labels import label_of_window
from evidence.selectors.planning import window_of
from evidence.services import sweeps
from evidence.services.leasing import claim
from evidence.services.outbox import enqueue
from tests.services import make

pytestmark = pytest.mark.django_db


def test_every_sweep_runs_twice_and_the_second_time_changes_nothing():
    make.fact(about=make.claim("active"), volatility="billing", checked=timezone.now() - timedelta(days=3))
    make.proposal()
    for name, sweep in sweeps.SWEEPS.items():
        sweep()
        before = (Inquiry.objects.count(), Decision.objects.count(), HeldRecord.objects.values_list("version").first())
        sweep()
        after = (Inquiry.objects.count(), Decision.objects.count(), HeldRecord.objects.values_list("version").first())
        assert before == after, name


def test_facts_that_turn_are_asked_about_once_and_stay_as_they_are():
    make.agent()
    stale = make.fact(about=make.claim("active"), volatility="billing", checked=timezone.now() - timedelta(days=3))
    soon = make.fact(
        "Deploy 7 is live.", about=make.claim("7", "deploy", "live"), volatility="deploy",
        checked=timezone.now() - timedelta(hours=37),
    )  # fmt: skip
    make.fact(
        "Stable.", about=make.claim("x", "y", "z"), volatility="stable", checked=timezone.now() - timedelta(days=999)
    )
    assert sweeps.sweep_expiry() == 2
    assert sweeps.sweep_expiry() == 0
    assert set(RecheckItem.objects.open().values_list("record_id", flat=True)) == {stale.pk, soon.pk}
    assert Evidence.objects.filter(state="active").count() == 3
    assert label_of_window(window_of(stale), timezone.now()) == "stale"


def test_lapsed_leases_are_forgotten_and_live_ones_kept():
    held = make.proposal()
    now = timezone.now()
    claim(held_id=held.id, user=make.reviewer(), now=now)
    assert sweeps.sweep_leases(now=now + timedelta(minutes=1)) == 0
    assert sweeps.sweep_leases(now=now + timedelta(minutes=3)) == 1


def test_what_lost_its_evidence_expires_and_nothing_expires_by_age():
    held = make.proposal()
    HeldRecord.objects.filter(pk=held.pk).update(created_at=timezone.now() - timedelta(days=4000))
    assert sweeps.sweep_orphans() == 0
    Evidence.objects.filter(linked_by__held=held).update(state="deleted")
    assert sweeps.sweep_orphans() == 1
    held.refresh_from_db()
    assert held.status == "expired"
    assert Decision.objects.get(action="expire").actor_kind == "system"


def test_an_item_that_was_never_verified_is_asked_for_again():
    held = make.proposal()
    HeldRecord.objects.filter(pk=held.pk).update(verification_status="pending")
    Outbox.objects.all().delete()
    assert sweeps.sweep_verify() == 1
    sweeps.sweep_verify()
    assert Outbox.objects.filter(topic="verify").count() == 1


def test_a_message_that_fails_is_kept_and_the_others_are_delivered(monkeypatch):
    from evidence.services import outbox

    done: list[str] = []

    def handler(subject: str) -> None:
        if subject == "bad":
            raise ValueError("private text")
        done.append(subject)

    monkeypatch.setitem(outbox._handlers, "test", handler)
    for subject in ("bad", "good"):
        enqueue(topic="test", subject=subject, key=subject)
        enqueue(topic="test", subject=subject, key=subject)
    assert outbox.deliver_due() == 2
    assert done == ["good"]
    failed = Outbox.objects.get(subject="bad")
    assert (failed.done_at, failed.last_error) == (None, "ValueError")
    assert failed.available_at > timezone.now()
    assert outbox.deliver_due() == 0


def test_delivered_messages_are_forgotten_after_a_while():
    enqueue(topic="verify", subject="00000000-0000-0000-0000-000000000000", key="x")
    sweeps.sweep_outbox()
    assert Outbox.objects.count() == 1
    sweeps.sweep_outbox(now=timezone.now() + timedelta(days=3))
    assert Outbox.objects.count() == 0
