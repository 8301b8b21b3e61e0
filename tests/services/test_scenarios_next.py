"""A hundred reviewers ask for the next item at the same instant (scenario S6), on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections import Counter
from uuid import UUID

import pytest
from django.utils import timezone

from evidence.models import HeldRecord
from evidence.services.leasing import claim_next
from tests.services import make
from tests.services.test_races import at_once

pytestmark = [pytest.mark.races, pytest.mark.django_db(transaction=True)]

REVIEWERS = 100
AT_ONCE = 50  # as many as PostgreSQL has connections to give, with some to spare


def test_a_hundred_press_next_and_no_item_goes_to_two_of_them_and_none_is_lost():
    agent = make.agent()
    rows = HeldRecord.objects.bulk_create(
        [
            HeldRecord(
                kind="fact_proposal", agent=agent, statement=f"Statement {n}", scope_owner=agent.id, priority=n, lot=n
            )
            for n in range(REVIEWERS)
        ]
    )
    people = [make.reviewer(f"r{n}") for n in range(REVIEWERS)]

    def work(number: int) -> list[tuple[int, UUID | None]]:
        found = []
        for person in people[number::AT_ONCE]:
            held = claim_next(user=person, now=timezone.now())
            found.append((person.pk, held.pk if held else None))
        return found

    taken = [one for results in at_once(work, AT_ONCE) for one in results]  # type: ignore[attr-defined]
    times = Counter(held for _, held in taken)
    assert set(times) == {row.pk for row in rows}
    assert set(times.values()) == {1}
    holders = dict(HeldRecord.objects.values_list("pk", "lease_holder_id"))
    assert holders == {held: person for person, held in taken}
    assert claim_next(user=make.reviewer("late"), now=timezone.now()) is None
