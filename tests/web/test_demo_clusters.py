"""The demo backlog: its twelve groups of rewordings are clusters, and nothing that differs is among them.

That few keys clear it: tests/e2e/test_backlog.py."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.db import transaction
from django.test import Client

from evidence.models import ClusterEntry, HeldRecord, User
from evidence.rules.joining import Part
from evidence.services.seeding import AS_OF, Seeded, seed
from evidence.tasks import outbox as _outbox  # noqa: F401 - as in a worker, where the handlers are known
from tests.web.test_clusters import members_on, open_card

# What the proposals of the backlog were written to be; nothing of the desk reads it.
GROUPS = json.loads((Path(__file__).parents[1] / "data" / "backlog_groups.json").read_text())


@pytest.fixture(scope="module")
def seeded(django_db_setup: None, django_db_blocker: Any) -> Iterator[Seeded]:
    """One seeded desk for the tests of this module; each still runs in a transaction of its own."""
    with django_db_blocker.unblock(), transaction.atomic(), time_machine.travel(AS_OF + timedelta(days=3), tick=False):
        yield seed(password="long enough to count")
        transaction.set_rollback(True)


pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("seeded")]


def client_of(name: str) -> Client:
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client


def by_origin() -> dict[str, HeldRecord]:
    return {row.origin_id: row for row in HeldRecord.objects.waiting().exclude(origin_id="")}


def test_the_twelve_groups_are_the_clusters_that_are_kept():
    groups: dict[UUID, set[str]] = {}
    for name, origin in ClusterEntry.objects.current().clustered().values_list("cluster", "held__origin_id"):
        groups.setdefault(name, set()).add(origin)
    assert sorted(map(sorted, groups.values())) == sorted(map(sorted, GROUPS["clusters"].values()))


@pytest.mark.parametrize("name", sorted(GROUPS["clusters"]))
def test_each_member_shows_the_others_and_no_near_miss(name: str):
    desk, items = client_of("reviewer"), by_origin()
    for origin in GROUPS["clusters"][name]:
        shown = set(members_on(open_card(desk, items[origin])).boxes)
        assert shown == {str(items[other].pk) for other in GROUPS["clusters"][name] if other != origin}


@pytest.mark.parametrize("origin", sorted(GROUPS["near_miss"]))
def test_a_near_miss_stands_alone(origin: str):
    page = open_card(client_of("reviewer"), by_origin()[origin])
    assert members_on(page).shown == []


def test_parts_of_the_demo_clusters():
    """Their members claim one value: all of them close with one approval."""
    desk, items = client_of("reviewer"), by_origin()
    parts = [
        text.split(":")[2]
        for members in GROUPS["clusters"].values()
        for text in members_on(open_card(desk, items[members[0]])).shown
    ]
    assert len(parts) == sum(len(members) - 1 for members in GROUPS["clusters"].values())
    assert set(parts) <= {Part.CLOSES, Part.APART}
