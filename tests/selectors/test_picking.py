"""One pick in ten is drawn from the whole queue, the page and the claim agree on it, and nobody gets what they may not."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evidence.models import HeldRecord, User
from evidence.rules.lots import FEWEST, LOTS, draw
from evidence.rules.vocab import Action, Role
from evidence.selectors import picking
from evidence.selectors.picking import draw_for, drawn_by_lot, free_rows, next_pick, unskipped
from evidence.services import leasing
from tests.services import make
from tests.services.test_races import at_once

pytestmark = pytest.mark.django_db

NOW = timezone.now()
DRAWN = [f"seed {number}" for number in range(600) if draw(f"seed {number}").by_lot]
NOT_DRAWN = next(f"seed {number}" for number in range(100) if not draw(f"seed {number}").by_lot)


def many(count: int, agent: str = "ops-agent", **columns: object) -> list[HeldRecord]:
    """Waiting items in the order of the queue, as an import leaves them."""
    owner = make.agent(agent)
    rows = [
        HeldRecord(
            kind="fact_proposal", agent=owner, statement=f"Statement {agent} {number}", scope_owner=agent,
            priority=number, **columns,
        )
        for number in range(count)
    ]  # fmt: skip
    return HeldRecord.objects.bulk_create(rows)


def queue_of(user: User):
    return unskipped(user, free_rows(user, HeldRecord.objects.all(), timezone.now()))


def lots(user: User, seed: str) -> list[uuid.UUID]:
    return drawn_by_lot(user, queue_of(user), draw(seed))


def with_a_draw(user: User, items: list[HeldRecord]) -> HeldRecord:
    """The first of the items after which the person's next pick is drawn by lot."""
    return next(item for item in items if draw_for(user, leaving=item.pk).by_lot)


def test_a_pick_that_is_not_drawn_is_the_first_of_the_order():
    made = many(40)
    reviewer = make.reviewer()
    assert lots(reviewer, NOT_DRAWN) == []
    assert leasing.claim_next(user=reviewer, now=NOW, seed=NOT_DRAWN) == made[0]
    assert not HeldRecord.objects.filter(lease_by_lot=True).exists()


def test_a_pick_that_is_drawn_is_one_of_the_whole_queue_and_marked():
    made = many(40)
    reviewer = make.reviewer()
    held = leasing.claim_next(user=reviewer, now=NOW, seed=DRAWN[0])
    assert held.pk == lots(make.reviewer("ada"), DRAWN[0])[0] or held.pk in {row.pk for row in made}
    held.refresh_from_db()
    assert held.lease_by_lot


def test_every_item_comes_up_in_the_draws():
    made = many(60)
    reviewer = make.reviewer()
    first = {lots(reviewer, f"seed {number}")[0] for number in range(12_000) if draw(f"seed {number}").by_lot}
    assert first == {row.pk for row in made}


def test_a_short_queue_needs_no_chance():
    many(FEWEST - 1)
    reviewer = make.reviewer()
    assert all(lots(reviewer, seed) == [] for seed in DRAWN)
    many(1, "one-more")
    assert len(lots(reviewer, DRAWN[0])) == FEWEST


def test_what_is_skipped_snoozed_held_by_others_or_decided_is_not_drawn():
    made = many(24)
    reviewer, ada = make.reviewer(), make.reviewer("ada")
    reviewer.skips.create(held=made[0])
    HeldRecord.objects.filter(pk=made[1].pk).update(snoozed_until=NOW + timedelta(days=1))
    HeldRecord.objects.filter(pk=made[2].pk).update(lease_holder=ada, lease_until=timezone.now() + timedelta(minutes=2))
    HeldRecord.objects.filter(pk=made[3].pk).update(status="rejected")
    assert {pk for seed in DRAWN for pk in lots(reviewer, seed)} == {row.pk for row in made[4:]}


def test_a_search_narrows_the_draw():
    many(60)
    risky = many(25, "risky-agent", risk="high")
    reviewer = make.reviewer()
    base = HeldRecord.objects.filter(risk="high")
    for seed in DRAWN[:20]:
        held = leasing.claim_next(user=reviewer, now=timezone.now(), base=base, seed=seed)
        assert held in risky


def test_nobody_is_given_an_item_of_an_agent_they_do_not_review():
    many(60, "theirs")
    mine = many(FEWEST, "mine")
    reviewer = make.user("own", Role.REVIEWER, of=make.agent("mine"))
    for seed in DRAWN[:20]:
        assert set(lots(reviewer, seed)) == {row.pk for row in mine}


def test_a_small_share_of_a_large_queue_has_its_draws_too(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(picking, "STRETCH", 30)
    many(400, "theirs")
    mine = [*many(25, "mine"), *many(75, "also-mine")]
    reviewer = make.user("own", Role.REVIEWER, of=make.agent("mine"))
    make.user("own", Role.REVIEWER, of=make.agent("also-mine"))
    found = [lots(reviewer, seed)[0] for seed in DRAWN]
    assert set(found) <= {row.pk for row in mine}
    also = {row.pk for row in mine[25:]}
    assert 0.6 < sum(pk in also for pk in found) / len(found) < 0.9


def test_the_page_the_one_fetched_ahead_and_the_claim_agree():
    made = many(60)
    reviewer = make.reviewer()
    leaving = with_a_draw(reviewer, made)
    ahead = next_pick(reviewer, HeldRecord.objects.all(), timezone.now(), leaving=leaving.pk)
    leasing.skip(held_id=leaving.pk, user=reviewer, now=timezone.now())
    shown = next_pick(reviewer, HeldRecord.objects.all(), timezone.now())
    again = next_pick(reviewer, HeldRecord.objects.all(), timezone.now())
    taken = leasing.claim_next(user=reviewer, now=timezone.now(), preferred=shown.pk)
    assert ahead == shown == again == taken
    assert taken.lease_by_lot
    assert next_pick(reviewer, HeldRecord.objects.all(), timezone.now()) == taken


def test_what_is_shown_is_claimed_although_something_more_urgent_came_meanwhile():
    made = many(5)
    reviewer = make.reviewer()
    shown = next_pick(reviewer, HeldRecord.objects.all(), timezone.now())
    assert shown == made[0]
    HeldRecord.objects.filter(pk=made[4].pk).update(priority=-1)
    assert leasing.claim_next(user=reviewer, now=timezone.now(), preferred=shown.pk) == shown


def test_what_is_shown_but_taken_meanwhile_or_not_theirs_is_not_claimed():
    made = many(5)
    other = many(1, "other-agent")[0]
    reviewer, ada = make.user("own", Role.REVIEWER, of=make.agent()), make.reviewer("ada")
    leasing.claim(held_id=made[0].pk, user=ada, now=timezone.now())
    for preferred in (made[0].pk, other.pk, uuid.uuid4()):
        taken = leasing.claim_next(user=reviewer, now=timezone.now(), preferred=preferred)
        assert taken == made[1]


def test_claiming_again_what_one_holds_in_another_tab_keeps_its_token():
    many(3)
    reviewer = make.reviewer()
    first = leasing.claim_next(user=reviewer, now=timezone.now())
    again = leasing.claim_next(user=reviewer, now=timezone.now(), preferred=first.pk)
    assert (again.pk, again.lease_token) == (first.pk, first.lease_token)


def test_the_draw_follows_what_was_finished_last_and_undoing_it_changes_nothing():
    many(3)
    reviewer = make.reviewer()
    assert not draw_for(reviewer).by_lot  # who did nothing yet gets the first of the order
    held = make.proposal()
    done = make.act(held, reviewer, Action.REJECT, reason_code="wrong")
    after = draw_for(reviewer)
    assert after == draw_for(reviewer, leaving=held.pk)
    from evidence.services.undoing import undo

    undo(decision_id=done.decision.id, actor=make.person(reviewer))
    assert draw_for(reviewer) == after
    skipped = many(1)[0]
    leasing.skip(held_id=skipped.pk, user=reviewer, now=timezone.now())
    assert draw_for(reviewer) == draw_for(reviewer, leaving=skipped.pk) != after


def test_a_new_item_gets_a_lot_of_its_own():
    numbers = {row.lot for row in many(200)}
    assert len(numbers) > 190
    assert all(0 <= number < LOTS for number in numbers)
    assert max(numbers) > LOTS // 2 > min(numbers)


@pytest.mark.postgres
def test_a_draw_walks_the_lots_and_looks_at_a_bounded_stretch():
    many(60)
    reviewer = make.reviewer()
    with CaptureQueriesContext(connection) as queries:
        assert lots(reviewer, DRAWN[0])
    assert len(queries) <= 4
    stretches = [query["sql"] for query in queries if f"LIMIT {picking.STRETCH}" in query["sql"]]
    assert stretches
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {stretches[0]}")
            plan = " ".join(row[3] for row in cursor.fetchall())
        assert "held_lots" in plan
        assert "SCAN" not in plan


@pytest.mark.races
@pytest.mark.django_db(transaction=True)
def test_eight_people_with_the_same_draw_at_once_get_eight_items():
    many(40)
    people = [make.reviewer(f"r{number}") for number in range(8)]
    taken = at_once(lambda number: leasing.claim_next(user=people[number], now=timezone.now(), seed=DRAWN[0]))
    assert len({held.pk for held in taken}) == 8
    held = HeldRecord.objects.filter(lease_until__isnull=False)
    assert sorted(held.values_list("lease_holder", flat=True)) == [person.pk for person in people]
    # So many of the lot are tried, each taken by one of them; who finds them all taken gets the next of the order.
    assert sum(row.lease_by_lot for row in held) >= leasing.TRIES
