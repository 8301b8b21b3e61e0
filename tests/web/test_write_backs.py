"""Carrying decisions back from a page: the plan first, then just that plan, into stores that the settings name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from evidence.models import HeldRecord, Job, JobItem
from evidence.rules.vocab import Action, Door, Role
from evidence.services.actors import Actor
from evidence.services.importing import run_import
from evidence.services.outbox import IMPORTS, deliver_due
from tests.exchange import pi_stores
from tests.services import make
from tests.services.test_writing_back import decided

pytestmark = pytest.mark.django_db


@pytest.fixture
def store(tmp_path: Path, settings: Any) -> Path:
    path = pi_stores.sample(tmp_path)
    settings.WRITE_BACK_STORES = {"harbor": ("pi-decisions", str(path)), "odd": ("nothing", "/")}
    run_import(format_name="pi", path=path)
    return path


@pytest.fixture
def admin(client: Client) -> Client:
    client.force_login(make.user("boss", Role.ADMINISTRATOR))
    return client


def reject_one() -> HeldRecord:
    origin = (
        HeldRecord.objects.waiting().filter(origin_system="pi").order_by("origin_id").values_list("origin_id")[0][0]
    )
    return decided(Actor.person(make.reviewer("rosa"), Door.WEB), origin, Action.REJECT)


def planned(client: Client) -> Job:
    assert client.post(reverse("write-back-plan"), {"store": "harbor"}).status_code == 302
    deliver_due(lane=IMPORTS)
    return Job.objects.filter(kind="write_back_run").latest("created_at")


def test_the_plan_is_shown_and_then_carried_out(admin: Client, store: Path) -> None:
    held = reject_one()
    before = pi_stores.digests(store)
    job = planned(admin)
    page = admin.get(reverse("write-back", args=[job.pk])).content.decode()
    assert held.origin_id in page
    assert "Write 1 decision there" in page
    assert pi_stores.digests(store) == before
    for _twice in range(2):
        assert admin.post(reverse("write-back-carry-out", args=[job.pk])).status_code == 302
    deliver_due(lane=IMPORTS)
    job.refresh_from_db()
    assert (job.status, job.detail["written"]) == ("done", 1)
    assert len(set(pi_stores.digests(store)) - set(before)) == 1
    log = Job.objects.get(kind="write_back")
    page = admin.get(reverse("write-back", args=[log.pk])).content.decode()
    assert reverse("audit-row", args=[held.decision_id]) in page
    assert reverse("write-back", args=[log.pk]) in admin.get(reverse("write-back", args=[job.pk])).content.decode()
    assert planned(admin).detail["planned"] == 0


def test_another_plan_than_the_one_that_was_shown_is_not_carried_out(admin: Client, store: Path) -> None:
    reject_one()
    job = planned(admin)
    reject_one()
    before = pi_stores.digests(store)
    admin.post(reverse("write-back-carry-out", args=[job.pk]))
    deliver_due(lane=IMPORTS)
    job.refresh_from_db()
    assert (job.status, pi_stores.digests(store)) == ("failed", before)
    assert "look at it again" in admin.get(reverse("write-back", args=[job.pk])).content.decode()


def test_only_named_stores_and_only_administrators(admin: Client, store: Path, client: Client) -> None:
    for name in ("odd", "elsewhere", str(store)):
        assert admin.post(reverse("write-back-plan"), {"store": name}).status_code == 404
    client.force_login(make.user("eye", Role.AUDITOR))
    assert client.post(reverse("write-back-plan"), {"store": "harbor"}).status_code == 403
    assert client.get(reverse("write-backs")).status_code == 200
    assert not JobItem.objects.filter(job__kind="write_back_run").exists()


def test_a_store_that_is_gone_is_said(admin: Client, store: Path) -> None:
    reject_one()
    store.rename(store.with_name("elsewhere"))
    job = planned(admin)
    assert job.status == "failed"
    assert job.detail["error"] in admin.get(reverse("write-back", args=[job.pk])).content.decode()
