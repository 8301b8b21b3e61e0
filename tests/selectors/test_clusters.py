"""Near-duplicates among rows of the queue."""

from __future__ import annotations

import pytest

from evidence.models import HeldRecord
from evidence.selectors.clusters import clusters_of
from tests.services import make

pytestmark = pytest.mark.django_db


def test_rewordings_of_several_agents_are_together_and_nothing_else_is() -> None:
    one = make.proposal(statement="Portal logs are kept for 7 days.")
    other = make.proposal(make.agent("data-agent"), "We keep the logs of the portal for 7 days.")
    make.proposal(statement="Portal logs are kept for 9 days.")
    make.proposal(statement="Portal logs are kept for 7 days", scope_access="private")
    found = clusters_of(HeldRecord.objects.order_by("id"))
    assert [set(cluster.ids) for cluster in found] == [{str(one.id), str(other.id)}]


def test_only_what_waits_is_clustered() -> None:
    make.proposal(statement="Portal logs are kept for 7 days.")
    gone = make.proposal(statement="For 7 days portal logs are kept.")
    HeldRecord.objects.filter(pk=gone.pk).update(status="withdrawn")
    assert clusters_of(HeldRecord.objects.all()) == ()
