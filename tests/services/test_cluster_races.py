"""Clusters under several writers at once, on SQLite and on PostgreSQL: each item decided once, none lost, none overlooked."""

from __future__ import annotations

import uuid
from collections import Counter
from uuid import UUID

import pytest

from evidence.models import ClusterEntry, Decision, Evidence, HeldRecord, Job, JobItem, User
from evidence.selectors.audit import verify_chain
from evidence.selectors.clusters import clusters_of
from evidence.services.cluster_deciding import decide_together, undo_together
from evidence.services.clustering import place, rebuild_clusters
from evidence.services.deciding import decide
from evidence.services.outbox import BULK, deliver_due
from evidence.tasks import bulk as _bulk  # noqa: F401 - as in a worker, where the handlers are known
from evidence.tasks import outbox as _outbox  # noqa: F401
from tests.services import make
from tests.services.test_cluster_deciding import filed, look, shown_of, statuses
from tests.services.test_races import at_once

pytestmark = [pytest.mark.races, pytest.mark.django_db(transaction=True)]

TEXTS = [
    "Portal logs are kept for 7 days.", "For 7 days portal logs are kept.", "The portal logs are kept for 7 days.",
    "Portal logs are kept for 7 days", "Portal logs are kept for seven days.", "For seven days portal logs are kept.",
    "Logs of the portal are kept for 7 days.", "The logs of the portal are kept for 7 days.",
]  # fmt: skip


class Card:
    """The page of one item as a person has it before them, and its button."""

    def __init__(self, held: HeldRecord, who: User, key: str = "") -> None:
        mates = look(held, who)
        self.held, self.who, self.key = held, who, key or uuid.uuid4().hex
        self.shown = shown_of(mates)
        self.picked = {mate.held.pk for mate in mates.rows if mate.standing.ticked}

    def press(self, action: str = "approve") -> str:
        decide_together(
            held_id=self.held.pk, action=action, actor=make.person(self.who), shown=self.shown, picked=self.picked,
            number=1 + len(self.picked), seen_version=self.held.version, idempotency_key=self.key,
            reason_code="" if action == "approve" else "wrong",
        )  # fmt: skip
        return "done"


def finish() -> None:
    while deliver_due(lane=BULK) + deliver_due():
        pass


def each_was_decided_once(rows: list[HeldRecord]) -> None:
    endings = ["approve", "reject", "close_equal"]
    counts = Counter(Decision.objects.filter(action__in=endings).values_list("target_id", flat=True))
    assert counts == {str(row.pk): 1 for row in rows if row.pk in _ended()}
    assert verify_chain().ok


def _ended() -> set[UUID]:
    return set(HeldRecord.objects.exclude(status="waiting").values_list("pk", flat=True))


@pytest.mark.parametrize("turn", range(3))
def test_a_cluster_and_one_of_its_members_are_decided_at_once(turn: int):
    held = filed()
    ada, card = make.reviewer("ada"), Card(held[0], make.reviewer())
    member = held[1 + turn % 3]

    def work(number: int) -> str:
        if number % 2:
            return card.press()
        decide(
            held_id=member.pk, action="reject", seen_version=member.version, actor=make.person(ada), reason_code="wrong",
            idempotency_key=f"single-{number}",
        )  # fmt: skip
        return "single"

    results = at_once(work, count=4)
    assert "done" in results
    finish()
    each_was_decided_once(held)
    outcomes = Counter(JobItem.objects.values_list("outcome", flat=True))
    single = Decision.objects.filter(target_id=str(member.pk), action="reject").exists()
    assert outcomes == ({"done": 3, "changed": 1} if single else {"done": 4})
    assert statuses(held).count("approved") == (3 if single else 4)
    assert Evidence.objects.filter(kind="fact", state="active").count() == 1


def test_two_people_decide_one_cluster_from_different_members():
    held = filed()
    cards = [Card(held[at], make.reviewer(f"r{at}")) for at in range(4)]
    results = Counter(at_once(lambda number: cards[number].press(), count=4))
    assert results["done"] >= 1
    finish()
    each_was_decided_once(held)
    assert statuses(held).count("approved") + statuses(held).count("waiting") == 4
    assert Evidence.objects.filter(kind="fact", state="active").count() == 1


def test_two_wordings_that_are_approved_at_once_make_one_record():
    """Without any cluster on the screen: the second one finds the record of the first."""
    held = filed()
    people = [make.reviewer(f"r{at}") for at in range(4)]
    results = Counter(at_once(lambda number: bool(make.approve(held[number], people[number])), count=4))
    assert results[True] >= 1
    assert set(results) <= {True, "version_conflict"}
    assert Evidence.objects.filter(kind="fact", state="active").count() == 1
    assert verify_chain().ok


def test_a_double_click_is_one_bulk():
    held = filed()
    card = Card(held[0], make.reviewer(), key="card")
    assert Counter(at_once(lambda _: card.press(), count=6)) == {"done": 6}
    assert Job.objects.count() == 1
    finish()
    each_was_decided_once(held)
    assert statuses(held) == ["approved"] * 4


def test_a_bulk_is_taken_back_once_however_often_it_is_asked():
    held, reviewer = filed(), make.reviewer()
    Card(held[0], reviewer).press()
    job = Job.objects.get()
    taken = at_once(lambda _: undo_together(job_id=job.pk, user=reviewer).pk, count=4)
    assert len(set(taken)) == 1
    finish()
    assert statuses(held) == ["waiting"] * 4
    assert Decision.objects.filter(action="undo").count() == 4
    assert verify_chain().ok


@pytest.mark.parametrize("turn", range(3))
def test_rewordings_that_arrive_at_once_all_find_each_other(turn: int):
    held = HeldRecord.objects.bulk_create(
        [
            HeldRecord(kind="fact_proposal", agent=make.agent(f"agent-{at}"), statement=text.replace("7", f"{7 + turn}"),
                       scope_owner="a", scope_access="public", verification_status="verified")
            for at, text in enumerate(TEXTS)
        ]
    )  # fmt: skip
    at_once(lambda number: place(held_id=held[number].pk))
    groups: dict[UUID, set[UUID]] = {}
    for pk, name in ClusterEntry.objects.current().clustered().values_list("pk", "cluster"):
        groups.setdefault(name, set()).add(pk)
    rule = {frozenset(map(UUID, one.ids)) for one in clusters_of(HeldRecord.objects.all())}
    assert {frozenset(group) for group in groups.values()} == rule
    assert max(map(len, rule)) > 4


@pytest.mark.parametrize("turn", range(5))
def test_two_rebuilds_at_once_end_as_one_would(turn: int):
    held = filed()
    at_once(lambda _: rebuild_clusters(), count=2 + turn % 2)
    assert set(ClusterEntry.objects.current().clustered().values_list("pk", flat=True)) == {one.pk for one in held}
    assert ClusterEntry.objects.values("cluster").distinct().count() == 1
