"""Clusters kept step by step are the clusters of the whole queue, however items come, change and go."""

from __future__ import annotations

import random
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from bench.clusters import queue
from evidence.models import ClusterEntry, ClusterKey, HeldRecord
from evidence.rules.clusters import clusters
from evidence.rules.records import Scope
from evidence.selectors.clusters import clusters_of, item_of
from evidence.services import clustering
from evidence.services.clustering import place, rebuild_clusters, sweep_clusters
from evidence.services.editing import edit_held
from evidence.services.outbox import deliver_due
from evidence.services.proposing import withdraw_proposal
from evidence.tasks import outbox as _outbox  # noqa: F401 - as in a worker, where the handlers are known
from tests.services import make

pytestmark = pytest.mark.django_db

SEVEN = [
    "Portal logs are kept for 7 days.",
    "We keep the logs of the portal for 7 days.",
    "For 7 days portal logs are kept.",
    "Logs of the portal are kept for 7 days.",
]


def filed(*statements: str, **members: object) -> list[HeldRecord]:
    """One proposal of an agent of its own for each statement, verified and placed."""
    return [make.proposal(make.agent(f"agent-{at}"), text, **members) for at, text in enumerate(statements)]


def together() -> set[frozenset[UUID]]:
    """The stored clusters of what waits, by item."""
    groups: dict[UUID, set[UUID]] = {}
    for pk, name in ClusterEntry.objects.current().clustered().values_list("pk", "cluster"):
        groups.setdefault(name, set()).add(pk)
    return {frozenset(group) for group in groups.values() if len(group) > 1}


def by_the_rule() -> set[frozenset[UUID]]:
    return {frozenset(map(UUID, cluster.ids)) for cluster in clusters_of(HeldRecord.objects.all())}


def bare(texts: list[tuple[str, Scope]]) -> list[HeldRecord]:
    """Rows of the queue as filing leaves them, without the work of filing."""
    agent = make.agent()
    return HeldRecord.objects.bulk_create(
        [
            HeldRecord(
                kind="fact_proposal", agent=agent, statement=text, scope_owner=scope.owner, scope_access=scope.access,
                verification_status="verified",
            )
            for text, scope in texts
        ]
    )  # fmt: skip


def test_a_rewording_joins_the_item_that_says_so_already() -> None:
    held = filed(*SEVEN[:2], "Portal logs are kept for 9 days.", "Portal logs are not kept for 7 days.")
    assert together() == {frozenset(one.pk for one in held[:2])}


@pytest.mark.parametrize("seed", range(4))
def test_whatever_the_order_the_clusters_are_those_of_the_rule(seed: int) -> None:
    rows = bare([(one.item.statement, one.item.scope) for one in queue(120, seed=seed)])
    random.Random(seed).shuffle(rows)
    for row in rows:
        place(held_id=row.pk)
    assert together() == by_the_rule() != set()
    for row in rows[::3]:
        HeldRecord.objects.filter(pk=row.pk).update(status="rejected")
        place(held_id=row.pk)
    assert together() == by_the_rule()
    assert not ClusterKey.objects.filter(held__in=[row.pk for row in rows[::3]]).exists()


def test_what_is_rebuilt_is_what_was_kept() -> None:
    bare([(one.item.statement, one.item.scope) for one in queue(80, seed=9)])
    assert sweep_clusters() == 80
    kept = together()
    assert sweep_clusters() == 0
    assert rebuild_clusters() == 80
    assert together() == kept == by_the_rule()


def test_placing_again_changes_nothing_and_writes_nothing() -> None:
    held = filed(*SEVEN[:2])
    kept = list(ClusterEntry.objects.order_by("pk").values())
    with CaptureQueriesContext(
        connection,
    ) as seen:
        place(held_id=held[0].pk)
    assert all(query["sql"].startswith("SELECT") for query in seen.captured_queries)
    assert list(ClusterEntry.objects.order_by("pk").values()) == kept


def test_an_edit_takes_an_item_out_and_a_second_one_brings_it_back() -> None:
    one, other = filed(*SEVEN[:2])
    editor = make.person(make.reviewer())

    def edit(text: str) -> None:
        one.refresh_from_db()
        edit_held(held_id=one.pk, seen_version=one.version, actor=editor, reason="It moved.", statement=text)

    edit("Portal logs are kept for 9 days.")
    assert together() == set()
    edit("Logs of the portal are kept for 7 days.")
    assert together() == {frozenset({one.pk, other.pk})}


def test_whatever_waits_no_more_is_out_at_once_and_forgotten_later() -> None:
    one, other, third = filed(*SEVEN[:3])
    withdraw_proposal(filer=make.filer(one.agent), held_id=one.pk)
    assert together() == {frozenset({other.pk, third.pk})}
    make.act(other, make.reviewer(), "reject", reason_code="wrong")
    assert together() == set()
    while deliver_due():
        pass
    assert set(ClusterEntry.objects.values_list("pk", flat=True)) - {one.pk} == {third.pk}
    sweep_clusters()
    assert ClusterEntry.objects.get().cluster is None


def test_those_left_behind_find_each_other_anew() -> None:
    """What held two together is gone: they are held against each other, and not kept for old times' sake."""
    hub = "The mobile client caches depot pictures"
    rows = bare([(text, Scope("a", "public")) for text in (hub, f"{hub} in debug builds", f"{hub} today")])
    for row in rows:
        place(held_id=row.pk)
    HeldRecord.objects.filter(pk=rows[0].pk).update(status="rejected")
    place(held_id=rows[0].pk)
    assert together() == by_the_rule()


def test_a_cluster_keeps_its_name_while_members_come_and_go() -> None:
    one, other, third = filed(*SEVEN[:3])
    name = ClusterEntry.objects.get(pk=other.pk).cluster
    make.act(one, make.reviewer(), "reject", reason_code="wrong")
    place(held_id=one.pk)
    last = make.proposal(make.agent("agent-9"), SEVEN[3])
    assert set(ClusterEntry.objects.clustered().values_list("pk", "cluster")) == {
        (other.pk, name), (third.pk, name), (last.pk, name),
    }  # fmt: skip


def test_a_text_in_which_nothing_is_said_is_looked_at_once() -> None:
    bare([("...", Scope("a", "public"))])
    assert (sweep_clusters(), sweep_clusters()) == (1, 0)
    assert not ClusterKey.objects.exists()


def test_other_kinds_are_no_members() -> None:
    filed(*SEVEN[:1])
    row = bare([(SEVEN[0], Scope("a", "public"))])[0]
    HeldRecord.objects.filter(pk=row.pk).update(kind="held_evidence")
    place(held_id=row.pk)
    assert not ClusterEntry.objects.filter(pk=row.pk).exists()


def test_many_of_one_text_cost_no_more_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the bounds the work stays the same, and what comes joins the cluster that is there."""
    monkeypatch.setattr(clustering, "MOST", 10)
    monkeypatch.setattr(clustering, "READ", 8)
    rows = bare([(f"Portal logs are kept for 7 days{' ' * at}.", Scope("a", "public")) for at in range(40)])
    costs = []
    for row in rows:
        with CaptureQueriesContext(connection) as seen:
            place(held_id=row.pk)
        costs.append(len(seen))
    assert max(costs[20:]) <= max(costs[:20])
    assert together() == {frozenset(row.pk for row in rows)}


def test_a_failure_is_noted_and_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(item: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(clustering, "keys_of", fails)
    held = filed(SEVEN[0])[0]
    assert held.verification_status != "pending"
    monkeypatch.undo()
    assert sweep_clusters() == 1
    assert ClusterEntry.objects.filter(pk=held.pk).exists()


def test_a_placing_that_was_cut_off_is_finished_by_the_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = bare([(text, Scope("a", "public")) for text in SEVEN[:2]])
    place(held_id=rows[0].pk)

    def dies(*_: object, **__: object) -> None:
        raise SystemError("killed")

    monkeypatch.setattr(clustering, "_looked_around", dies)
    with pytest.raises(SystemError):
        place(held_id=rows[1].pk)
    monkeypatch.undo()
    assert together() == set()
    assert sweep_clusters() == 1
    assert together() == {frozenset(row.pk for row in rows)}


def test_keys_that_were_left_behind_are_in_nobodys_way() -> None:
    held = filed(*SEVEN[:2])
    ClusterEntry.objects.all().delete()
    assert sweep_clusters() == 2
    assert together() == {frozenset(one.pk for one in held)}


def test_no_stored_cluster_spans_a_fence() -> None:
    rows = bare([(one.item.statement, one.item.scope) for one in queue(150, seed=21)])
    for row in rows:
        place(held_id=row.pk)
    items = {row.pk: item_of(row) for row in rows}
    for group in together():
        assert len(clusters([items[pk] for pk in group])) == 1
