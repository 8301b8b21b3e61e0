"""Several at once about the same facts, on SQLite and on PostgreSQL: each fact is decided once, nobody waits for ever."""

from __future__ import annotations

import uuid
from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone

from evidence.models import Decision, Evidence, News, Outbox, RecheckItem
from evidence.rules.vocab import Role
from evidence.selectors.audit import verify_chain
from evidence.services.rechecks import Pick, Settling, Words, settle_rechecks, undo_rechecks
from evidence.services.records import recheck_record
from evidence.services.sweeps import sweep_expiry
from tests.services import make
from tests.services.test_races import at_once
from tests.services.test_rechecks import due, old, press

pytestmark = [pytest.mark.races, pytest.mark.django_db(transaction=True)]


def test_two_owners_settle_one_place_at_once_and_each_fact_is_decided_once():
    owners = [make.user(name, Role.OWNER, of=make.agent()) for name in ("olga", "otto", "oda", "ole")]
    rows = [old(number) for number in range(6)]

    def work(number: int) -> str:
        action = Settling.STILL if number % 2 else Settling.GONE
        done = press(action, rows if number < 2 else rows[::-1], owners[number], reason="I looked.")
        return f"{len(done.done) + len(done.left)}"

    assert set(at_once(work, 4)) == {"6"}
    decided = Decision.objects.filter(action__in=["refresh_check", "revoke"])
    assert Counter(decided.values_list("target_id", flat=True)) == Counter(str(row.pk) for row in rows)
    assert due() == set()
    assert verify_chain().ok


def test_one_press_sent_many_times_at_once_is_one():
    owner = make.user("olga", Role.OWNER, of=make.agent())
    rows = [old(number) for number in range(3)]

    def work(number: int) -> int:
        return len(press(Settling.STILL, rows, owner, key="the same").done)

    assert set(at_once(work, 6)) == {3}
    assert Decision.objects.filter(action="refresh_check").count() == 3


def test_sweeps_at_once_open_one_item_each_and_tell_each_owner_once():
    for name in ("olga", "otto"):
        make.user(name, Role.OWNER, of=make.agent())
    rows = [old(number) for number in range(12)]
    at_once(lambda _: sweep_expiry(), 6)
    assert RecheckItem.objects.open().count() == len(rows)
    assert RecheckItem.objects.count() == len(rows)
    assert News.objects.count() == 2
    assert Outbox.objects.filter(topic="tell").count() == 2


def test_the_sweep_beside_rechecks_leaves_nothing_open_that_is_settled():
    owner = make.user("olga", Role.OWNER, of=make.agent())
    rows = [old(number) for number in range(8)]

    def work(number: int) -> str:
        if number % 2:
            sweep_expiry()
        else:
            half = rows[:4] if number else rows[4:]
            for row in half:
                recheck_record(record_pk=row.pk, seen_version=1, actor=make.person(owner))
        return "done"

    at_once(work, 4)
    assert due() == set()
    sweep_expiry()
    assert not RecheckItem.objects.open().exists()


def test_a_recheck_and_an_approval_that_supersedes_take_turns():
    owner, reviewer = make.user("olga", Role.OWNER, of=make.agent()), make.reviewer()
    for turn in range(3):
        row = old(turn)
        about = make.claim("99 euros", f"plan {turn}", "price")
        held = make.proposal(
            statement=f"Plan {turn} costs 99 euros.", claim=about, volatility="billing",
            check_at=make.days_ago(0.1), scope_access="public",
        )  # fmt: skip

        def work(number: int, row=row, held=held) -> str:
            if number:
                done = press(Settling.STILL, [row], owner)
                return "checked" if done.done else done.left[0].code
            make.approve(held, reviewer, plan_digest=None, checked_at="now")
            return "approved"

        results = set(at_once(work, 2))
        row.refresh_from_db()
        standing = Evidence.objects.active().filter(kind="fact", claim_key=row.claim_key)
        assert standing.count() == 1
        assert results <= {"checked", "approved", "closed", "version_conflict"}, results
        if "approved" in results:
            assert standing.get().claim_value == "99 euros"
    assert verify_chain().ok


def test_an_undo_beside_a_later_decision_takes_back_the_rest():
    owner = make.user("olga", Role.OWNER, of=make.agent())
    other = make.user("otto", Role.OWNER, of=make.agent())
    rows = [old(number) for number in range(3)]
    done = press(Settling.STILL, rows, owner)

    def work(number: int) -> str:
        if number == 0:
            back = undo_rechecks(bulk_id=done.bulk_id, actor=make.person(owner))
            return f"{len(back.done)} of {len(back.done) + len(back.left)}"
        later = settle_rechecks(
            action=Settling.GONE, picks=[Pick(str(rows[0].pk), 2)], actor=make.person(other),
            idempotency_key=uuid.uuid4().hex, words=Words(reason="Gone."),
        )  # fmt: skip
        return "revoked" if later.done else "left"

    undone, revoked = at_once(work, 2)
    assert (undone, revoked) in {("2 of 3", "revoked"), ("3 of 3", "left")}
    assert verify_chain().ok
    assert len(due()) == (3 if revoked == "left" else 2)


def test_putting_off_at_once_keeps_one_item():
    owners = [make.user(name, Role.OWNER, of=make.agent()) for name in ("olga", "otto", "oda")]
    row = old()
    until = timezone.now() + timedelta(days=1)

    def work(number: int) -> str:
        if number == 3:
            sweep_expiry()
            return "swept"
        done = press(Settling.LATER, [row], owners[number], until=until)
        return "later" if done.done else done.left[0].code

    assert set(at_once(work, 4)) <= {"later", "swept", "version_conflict"}
    assert RecheckItem.objects.count() == 1
