"""Re-checks: one press settles what was ticked as it was seen, is taken back whole, and the sweep asks without deciding."""

from __future__ import annotations

import uuid
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from evidence.models import Decision, Evidence, HeldRecord, Inquiry, News, Outbox, RecheckItem, User
from evidence.rules.rechecks import recheck_of
from evidence.rules.times import to_iso
from evidence.rules.vocab import Role
from evidence.selectors.audit import verify_chain
from evidence.services import recheck_sweep, sweeps
from evidence.services.errors import Refused
from evidence.services.recheck_changes import propose_change
from evidence.services.rechecks import Pick, Settling, Words, settle_rechecks, undo_rechecks
from evidence.services.records import recheck_record, revoke_record, snooze_recheck
from evidence.services.undoing import undo
from evidence.services.verification import verify_held
from tests.services import make

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture
def owner() -> User:
    return make.user("olga", Role.OWNER, of=make.agent())


def old(number: int = 1, *, days: float = 3, **columns: Any) -> Evidence:
    """A billing fact that was checked so many days ago, on the billing page."""
    defaults = {
        "about": make.claim(f"{number} euros", f"plan {number}", "price"), "volatility": "billing",
        "check_method": "Billing page", "checked": timezone.now() - timedelta(days=days),
    }  # fmt: skip
    return make.fact(f"Plan {number} costs {number} euros.", **(defaults | columns))


def press(action: Settling, rows: list[Evidence], who: User, *, key: str = "", **words: Any) -> Any:
    return settle_rechecks(
        action=action, picks=[Pick(str(row.pk), row.version) for row in rows], actor=make.person(who),
        idempotency_key=key or uuid.uuid4().hex, words=Words(**words),
    )  # fmt: skip


def due() -> set[Any]:
    return set(Evidence.objects.to_recheck(timezone.now()).values_list("pk", flat=True))


def everything(*leave_out: str) -> list[dict[str, Any]]:
    rows = Evidence.objects.order_by("pk").values()
    return [{name: value for name, value in row.items() if name not in leave_out} for row in rows]


# -- what is due --


def test_what_is_due_is_what_the_rule_says_whether_a_sweep_has_run_or_not(owner):
    now = timezone.now()
    over = {"volatility": "stable", "valid_until": now - timedelta(days=1)}
    rows = [
        old(1), old(2, days=1.6), old(3, days=1.4), old(4, volatility="stable"), old(5, ttl_days=30.0), old(6, **over),
        old(7, review="rejected"), old(8, trust="external"), old(9, state="superseded"), old(10, checked=None),
        make.article(volatility="billing"),
    ]  # fmt: skip
    assert due() == {rows[0].pk, rows[1].pk, rows[5].pk}
    for row in rows:
        found = recheck_of(row.to_record())
        assert (row.recheck_at, row.recheck_turns_at) == ((found.due_at, found.turns_at) if found else (None, None))


def test_facts_from_before_get_the_same_instants_as_new_ones():
    now = timezone.now()
    for number, columns in enumerate(
        [{}, {"about": None}, {"volatility": "stable"}, {"trust": "external"}, {"review": "held"}, {"thread": "t-1"},
         {"valid_until": now}, {"check_method": "looked it up"}, {"checked": None}, {"ttl_days": 40.0}]
    ):  # fmt: skip
        old(number, **columns)
    make.article()
    names = ("recheck_at", "recheck_turns_at", "recheck_key")
    before = list(Evidence.objects.order_by("pk").values("pk", *names))
    Evidence.objects.update(recheck_at=None, recheck_turns_at=None, recheck_key="")
    import_module("evidence.migrations.0009_recheck_instants").compute(apps, None)
    assert list(Evidence.objects.order_by("pk").values("pk", *names)) == before


def test_what_is_over_and_was_followed_is_history(owner):
    now = timezone.now()
    turn = now - timedelta(days=1)
    first = old(1, volatility="stable", valid_until=turn)
    assert due() == {first.pk}
    later = old(1, volatility="stable", about=make.claim("2 euros", "plan 1", "price"), valid_from=turn)
    assert due() == set()
    revoke_record(record_pk=later.pk, seen_version=1, actor=make.person(owner), reason="No.")
    assert due() == {first.pk}


# -- one press --


def test_one_press_settles_what_was_ticked_with_a_decision_each(owner):
    rows = [old(number) for number in range(3)]
    done = press(Settling.STILL, rows[:2], owner, method="")
    assert due() == {rows[2].pk}
    assert not done.left
    for row in rows[:2]:
        row.refresh_from_db()
        assert (row.check_confirmed_by, row.check_by, row.check_method) == ("olga", "olga", "Billing page")
        assert timezone.now() - row.check_at < timedelta(minutes=1)
    decisions = Decision.objects.filter(bulk_id=done.bulk_id)
    assert {(row.action, row.target_kind, row.target_id) for row in decisions} == {
        ("refresh_check", "record", str(row.pk)) for row in rows[:2]
    }
    assert verify_chain().ok


def test_what_changed_meanwhile_is_left_alone_and_named(owner):
    rows = [old(number) for number in range(3)]
    recheck_record(record_pk=rows[0].pk, seen_version=1, actor=make.person(owner))
    revoke_record(record_pk=rows[1].pk, seen_version=1, actor=make.person(owner), reason="Gone.")
    done = press(Settling.GONE, rows, owner, reason="Cancelled.")
    assert [row.target_id for row in done.done] == [str(rows[2].pk)]
    assert {(left.record_pk, left.code) for left in done.left} == {
        (str(rows[0].pk), "version_conflict"), (str(rows[1].pk), "closed"),
    }  # fmt: skip
    rows[0].refresh_from_db()
    assert rows[0].state == "active"


def test_the_same_press_twice_is_one(owner):
    rows = [old(1), old(2)]
    first = press(Settling.STILL, rows, owner, key="k")
    again = press(Settling.STILL, rows, owner, key="k")
    assert {row.id for row in again.done} == {row.id for row in first.done}
    assert again.bulk_id == first.bulk_id
    assert Decision.objects.filter(action="refresh_check").count() == 2
    assert press(Settling.GONE, rows, owner, key="k", reason="x").left[0].code == "idempotency_conflict"


def test_no_longer_true_empties_the_texts(owner):
    row = old()
    press(Settling.GONE, [row], owner, reason="The plan ended.")
    row.refresh_from_db()
    assert (row.state, row.content, row.claim_value) == ("revoked", "", "")


def test_later_is_for_all_its_owners_and_about_this_turn_only(owner):
    row = old()
    until = timezone.now() + timedelta(days=2)
    press(Settling.LATER, [row], owner, until=until)
    assert due() == {row.pk}
    assert not Evidence.objects.to_recheck(timezone.now()).awake(timezone.now()).exists()
    assert Evidence.objects.to_recheck(until).awake(until).exists()
    sweeps.sweep_expiry()
    assert RecheckItem.objects.open().get().snoozed_by == "olga"
    assert Decision.objects.get(action="snooze").effects[0]["until"] == to_iso(until)
    row.refresh_from_db()
    assert row.version == 1
    Evidence.objects.filter(pk=row.pk).update(recheck_turns_at=timezone.now() - timedelta(hours=1))
    assert Evidence.objects.to_recheck(timezone.now()).awake(timezone.now()).exists()


def test_asking_the_agent_opens_one_question_that_waits_for_evidence(owner):
    row = old()
    press(Settling.ASK, [row], owner, reason="What does the page say?")
    press(Settling.ASK, [row], owner)
    question = Inquiry.objects.get()
    assert (question.kind, question.status, question.touches, question.current_record) == (
        "recheck", "open", 1, row.record_id,
    )  # fmt: skip
    assert question.evidence_asked_at is not None
    assert due() == {row.pk}
    press(Settling.STILL, [row], owner)
    question.refresh_from_db()
    assert (question.status, question.answer) == ("answered", "current")


def test_an_agent_that_nobody_knows_here_is_not_asked():
    row = old(scope_owner="from-elsewhere")
    done = press(Settling.ASK, [row], make.user("olga", Role.OWNER))
    assert [left.code for left in done.left] == ["invalid_value"]


def test_still_true_takes_an_end_away_that_has_passed(owner):
    now = timezone.now()
    row = old(volatility="stable", valid_until=now - timedelta(days=1))
    press(Settling.STILL, [row], owner)
    row.refresh_from_db()
    assert (row.valid_until, row.recheck_at) == (None, None)
    assert due() == set()


def test_an_end_stays_where_another_fact_has_begun(owner):
    now = timezone.now()
    turn = now - timedelta(days=1)
    row = old(1, valid_until=turn)
    old(1, about=make.claim("2 euros", "plan 1", "price"), valid_from=turn)
    done = press(Settling.STILL, [row], owner)
    assert [left.code for left in done.left] == ["invalid_value"]
    row.refresh_from_db()
    assert row.valid_until == turn


@pytest.mark.parametrize(
    ("action", "words", "code"),
    [
        (Settling.GONE, {}, "reason_required"),
        (Settling.GONE, {"reason": "ghp_" + "a1B2" * 9}, "secret_detected"),
        (Settling.STILL, {"method": "x" * 301}, "too_large"),
        (Settling.LATER, {}, "invalid_value"),
        ("perhaps", {}, "invalid_value"),
    ],
)
def test_what_is_wrong_with_all_of_them_is_refused_and_nothing_is_written(owner, action, words, code):
    row = old()
    with pytest.raises(Refused, match=code):
        press(action, [row], owner, **words)
    with pytest.raises(Refused, match="empty_selection"):
        press(Settling.STILL, [], owner)
    assert not Decision.objects.exists()


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.ADMINISTRATOR, Role.AUDITOR])
def test_only_an_owner_says_so(role):
    row = old()
    who = make.user("other", role)
    with pytest.raises(Refused, match="not_reviewer"):
        press(Settling.STILL, [row], who)
    with pytest.raises(Refused, match="not_reviewer"):
        recheck_record(record_pk=row.pk, seen_version=1, actor=make.person(who))
    stranger = make.user("stranger", Role.OWNER, of=make.agent("elsewhere"))
    assert [left.code for left in press(Settling.GONE, [row], stranger, reason="x").left] == ["not_found"]
    assert not Decision.objects.exists()


# -- taking it back --


@pytest.mark.parametrize("action", list(Settling))
def test_a_press_is_taken_back_whole(owner, action):
    rows = [old(number) for number in range(3)]
    before = everything("version")
    until = timezone.now() + timedelta(days=2)
    done = press(action, rows, owner, reason="Because.", until=until)
    undone = undo_rechecks(bulk_id=done.bulk_id, actor=make.person(owner))
    assert (len(undone.done), undone.left) == (3, ())
    assert everything("version") == before
    now = timezone.now()
    assert Evidence.objects.to_recheck(now).awake(now).count() == 3
    assert not Inquiry.objects.open().exists()
    assert verify_chain().ok


def test_a_later_decision_is_left_alone(owner):
    rows = [old(1), old(2)]
    done = press(Settling.STILL, rows, owner)
    rows[0].refresh_from_db()
    revoke_record(record_pk=rows[0].pk, seen_version=rows[0].version, actor=make.person(owner), reason="No.")
    undone = undo_rechecks(bulk_id=done.bulk_id, actor=make.person(owner))
    assert [left.record_pk for left in undone.left] == [str(rows[0].pk)]
    assert due() == {rows[1].pk}
    again = undo_rechecks(bulk_id=done.bulk_id, actor=make.person(owner))
    assert {row.id for row in again.done} == {row.id for row in undone.done}


def test_a_snooze_that_was_set_anew_is_not_undone(owner):
    row = old()
    now = timezone.now()
    first = snooze_recheck(record_pk=row.pk, seen_version=1, actor=make.person(owner), until=now + timedelta(days=1))
    snooze_recheck(record_pk=row.pk, seen_version=1, actor=make.person(owner), until=now + timedelta(days=2))
    with pytest.raises(Refused, match="undo_blocked"):
        undo(decision_id=first.id, actor=make.person(owner))


def test_somebody_elses_press_is_not_theirs_to_take_back(owner):
    done = press(Settling.STILL, [old()], owner)
    with pytest.raises(Refused, match="not_found"):
        undo_rechecks(bulk_id=done.bulk_id, actor=make.person(make.user("otto", Role.OWNER)))
    boss = make.person(make.user("boss", Role.ADMINISTRATOR))
    assert len(undo_rechecks(bulk_id=done.bulk_id, actor=boss).done) == 1


# -- the sweep --


def test_the_sweep_keeps_one_open_item_and_touches_no_record(owner):
    rows = [old(1), old(2, days=1.6), old(3, days=1)]
    HeldRecord.objects.all().delete()
    before = everything()
    assert sweeps.sweep_expiry() == 2
    assert sweeps.sweep_expiry() == 0
    assert everything() == before
    assert set(RecheckItem.objects.open().values_list("record_id", flat=True)) == {rows[0].pk, rows[1].pk}
    assert not Decision.objects.exists()
    assert not Inquiry.objects.exists()


@pytest.mark.parametrize("end", ["still", "gone", "superseded", "deleted"])
def test_an_item_is_closed_by_whatever_settles_its_record(owner, end):
    row = old()
    sweeps.sweep_expiry()
    if end in ("still", "gone"):
        press(Settling(end), [row], owner, reason="x")
        assert not RecheckItem.objects.open().exists()
    else:
        Evidence.objects.filter(pk=row.pk).update(state=end)
    sweeps.sweep_expiry()
    assert not RecheckItem.objects.open().exists()
    assert RecheckItem.objects.count() == 1


def test_undoing_opens_it_again_and_tells_nobody_twice(owner):
    row = old()
    sweeps.sweep_expiry()
    done = press(Settling.STILL, [row], owner)
    undo_rechecks(bulk_id=done.bulk_id, actor=make.person(owner))
    sweeps.sweep_expiry()
    assert RecheckItem.objects.open().get().record_id == row.pk
    assert RecheckItem.objects.count() == 1
    assert News.objects.count() == 1


def test_new_ones_are_one_message_for_each_owner(owner):
    make.user("everything", Role.OWNER)
    make.user("elsewhere", Role.OWNER, of=make.agent("elsewhere"))
    for number in range(5):
        old(number)
    sweeps.sweep_expiry()
    assert sorted(people for (people,) in News.objects.values_list("people")) == sorted(
        [[user.pk] for user in User.objects.filter(username__in=["olga", "everything"])]
    )
    assert Outbox.objects.filter(topic="tell").count() == 2
    sweeps.sweep_expiry()
    assert Outbox.objects.filter(topic="tell").count() == 2
    old(9)
    sweeps.sweep_expiry()
    assert Outbox.objects.filter(topic="tell").count() == 4


def test_what_nobody_owned_is_told_to_whoever_owns_it_later():
    make.agent()
    old()
    sweeps.sweep_expiry()
    assert not News.objects.exists()
    late = make.user("late", Role.OWNER, of=make.agent())
    sweeps.sweep_expiry()
    assert News.objects.get().people == [late.pk]


def test_a_sweep_that_dies_half_way_is_carried_on(owner, monkeypatch):
    for number in range(7):
        old(number)
    monkeypatch.setattr(recheck_sweep, "STRETCH", 3)
    with monkeypatch.context() as patched:
        patched.setattr(recheck_sweep, "announce_rechecks", lambda **_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            sweeps.sweep_expiry()
    assert not News.objects.exists()
    sweeps.sweep_expiry()
    assert RecheckItem.objects.open().count() == 7
    assert News.objects.count() == 1


def test_what_was_settled_long_ago_is_forgotten(owner):
    row = old()
    sweeps.sweep_expiry()
    press(Settling.STILL, [row], owner)
    sweeps.sweep_expiry(now=timezone.now() + timedelta(days=91))
    assert RecheckItem.objects.filter(closed_at__isnull=False).count() == 0


def test_the_sweep_walks_indexes(owner):
    for number in range(40):
        old(number, days=3 if number % 2 else 0.1)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
    now = timezone.now()
    plan = Evidence.objects.to_recheck(now).without_recheck().order_by("recheck_turns_at", "pk_uuid").explain()
    assert "evidence_rechecks" in plan, plan
    assert "Seq Scan" not in plan, plan
    assert "SCAN evidence_evidence" not in plan, plan
    again = RecheckItem.objects.due_again(Evidence.objects.to_recheck(now)).explain()
    assert "evidence_rechecks" in again, again
    assert "Seq Scan" not in again, again
    assert "SCAN" not in again, again


# -- it is now … --


def change(row: Evidence, who: User, value: str = "12 euros", **members: Any) -> HeldRecord:
    return propose_change(
        record_pk=row.pk,
        seen_version=members.pop("version", row.version),
        value=value,
        actor=make.person(who),
        **members,
    )


def test_another_value_is_a_proposal_and_the_fact_stands_until_it_is_decided(owner):
    row = old(1)
    held = change(row, owner, method="Invoice of May")
    assert (held.claim_value, held.agent_id, held.status, held.scope_access) == (
        "12 euros",
        "ops-agent",
        "waiting",
        "public",
    )
    assert held.statement == "Plan 1 costs 12 euros."
    assert (held.check_by, held.check_method, held.meaning_editor, held.trust) == (
        "olga", "Invoice of May", owner, "operator",
    )  # fmt: skip
    assert due() == {row.pk}
    assert Decision.objects.get(action="file").actor_name == "olga"
    assert change(row, owner) == held
    verify_held(held_id=held.id)
    held.refresh_from_db()
    assert held.match_kind in ("updates_existing", "potential_conflict")
    make.approve(held, make.reviewer())
    row.refresh_from_db()
    assert row.state == "superseded"
    now = Evidence.objects.active().get(kind="fact")
    assert (now.claim_value, now.check_by, now.check_confirmed_by) == ("12 euros", "olga", "reviewer")
    assert due() == set()


def test_who_found_something_else_does_not_approve_it_alone(owner):
    make.reviewer("ada")
    held = change(old(1), make.user("olga", Role.REVIEWER, of=make.agent()))
    verify_held(held_id=held.id)
    held.refresh_from_db()
    with pytest.raises(Refused, match="own_edit"):
        make.approve(held, owner)


def test_a_fact_without_a_claim_gets_another_text(owner):
    held = change(old(1, about=None), owner, "Plans are free.")
    assert (held.statement, held.claim_key) == ("Plans are free.", "")


@pytest.mark.parametrize(
    ("value", "members", "code"),
    [
        ("", {}, "invalid_value"),
        ("  1  EUROS ", {}, "invalid_value"),
        ("x" * 501, {}, "too_large"),
        ("a\x00b", {}, "invalid_text"),
        ("ghp_" + "a1B2" * 9, {}, "secret_detected"),
        ("2", {"version": 2}, "version_conflict"),
        ("2", {"version": None}, "version_required"),
    ],
)
def test_what_cannot_be_proposed_is_refused(owner, value, members, code):
    row = old(1)
    with pytest.raises(Refused, match=code):
        change(row, owner, value, **members)
    with pytest.raises(Refused, match="not_reviewer"):
        change(row, make.reviewer())
    assert not HeldRecord.objects.exists()
    assert Evidence.objects.count() == 1
