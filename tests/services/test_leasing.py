"""Leases: one holder, a heartbeat with a fencing token, visible take-over, skips of one's own (scenarios S6, S7)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from evidence.services.leasing import LEASE, claim, claim_next, extend, release, skip
from tests.services import make

pytestmark = pytest.mark.django_db


@pytest.fixture
def items():
    texts = ("Backups run at two.", "The staging host is called quail.", "Invoices go out on Mondays.")
    return [make.proposal(statement=text) for text in texts]


def test_two_people_get_two_items(items):
    now = timezone.now()
    taken = [claim_next(user=make.reviewer(name), now=now) for name in ("a", "b", "c")]
    assert sorted(item.id for item in taken) == sorted(item.id for item in items)
    assert claim_next(user=make.reviewer("d"), now=now) is None


def test_a_lapsed_lease_is_free_again(items):
    now = timezone.now()
    first = claim_next(user=make.reviewer("a"), now=now)
    later = now + LEASE + timedelta(seconds=1)
    again = [claim_next(user=make.reviewer(name), now=later) for name in ("b", "c", "d")]
    assert first.id in {item.id for item in again}


def test_a_heartbeat_keeps_it_and_a_stale_one_does_not_steal_it_back(items):
    now, a, b = timezone.now(), make.reviewer("a"), make.reviewer("b")
    mine = claim(held_id=items[0].id, user=a, now=now)
    assert claim(held_id=items[0].id, user=b, now=now).mine is False
    theirs = claim(held_id=items[0].id, user=b, now=now, take_over=True)
    assert theirs.token > mine.token
    assert extend(held_id=items[0].id, user=a, token=mine.token, now=now) is None
    assert extend(held_id=items[0].id, user=b, token=theirs.token, now=now).mine


def test_several_tabs_of_one_person_share_a_lease(items):
    now, a = timezone.now(), make.reviewer("a")
    one, two = (claim(held_id=items[0].id, user=a, now=now) for _ in range(2))
    assert one.token == two.token


def test_a_stale_token_releases_nothing(items):
    now, a = timezone.now(), make.reviewer("a")
    lease = claim(held_id=items[0].id, user=a, now=now)
    assert not release(held_id=items[0].id, user=a, token=lease.token - 1)
    assert release(held_id=items[0].id, user=a, token=lease.token)


def test_a_skipped_item_comes_back_after_all_others_and_only_for_who_skipped_it(items):
    now, a = timezone.now(), make.reviewer("a")
    first = claim_next(user=a, now=now)
    skip(held_id=first.id, user=a, now=now)
    order = []
    for _ in items:
        item = claim_next(user=a, now=now)
        order.append(item.id)
        skip(held_id=item.id, user=a, now=now + timedelta(seconds=len(order)))
    assert order[-1] == first.id
    assert claim_next(user=make.reviewer("b"), now=now).id == first.id


def test_a_lease_changes_neither_version_nor_order(items):
    held = items[0]
    before = (held.version, held.priority)
    claim(held_id=held.id, user=make.reviewer("a"), now=timezone.now())
    held.refresh_from_db()
    assert (held.version, held.priority) == before


def test_what_one_approved_first_waits_for_somebody_else():
    held = make.proposal(**make.risky())
    first, second = make.reviewer("a"), make.reviewer("b")
    make.approve(held, first)
    assert claim_next(user=first, now=timezone.now()) is None
    assert claim_next(user=second, now=timezone.now()).id == held.id
