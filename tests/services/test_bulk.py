"""Bulk decisions: what was previewed is what is done, one row at a time, and nothing else (S9, S10, S21)."""

from __future__ import annotations

import uuid
from collections import Counter
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evidence.models import Decision, Evidence, HeldRecord, Job, JobItem, Membership, Outbox, User
from evidence.rules.bulk import ItemOutcome, JobStatus
from evidence.rules.vocab import Action, Role
from evidence.selectors import bulk as reads
from evidence.selectors.audit import verify_chain
from evidence.selectors.bulk import Origin
from evidence.selectors.planning import permission, plan_for
from evidence.selectors.queue import QueueFilter
from evidence.services.bulk import cancel_job, preview_again, preview_bulk
from evidence.services.bulk_running import run_bulk
from evidence.services.bulk_selecting import digest_of, select_items, take
from evidence.services.bulk_undoing import undo_bulk
from evidence.services.editing import edit_held
from evidence.services.errors import Refused
from evidence.services.outbox import BULK, deliver_due
from evidence.services.sweeps import sweep_kept
from evidence.tasks import bulk as _bulk  # noqa: F401 - as in a worker, where the handlers are known
from evidence.tasks import outbox as _outbox  # noqa: F401
from tests.services import make

pytestmark = pytest.mark.django_db


def hosts(count: int, **members: object) -> list[HeldRecord]:
    """Proposals that have nothing to do with each other, too few of one agent to count as a burst."""
    return [
        make.proposal(
            make.agent(f"agent-{n // 10}" if n >= 10 else "ops-agent"),
            statement=f"Host number {n} is called quail-{n}.",
            claim=make.claim(f"quail-{n}", f"host {n}", "name"),
            **members,
        )
        for n in range(count)
    ]


def preview(who: User, held: list[HeldRecord], action: Action = Action.APPROVE, **members: object) -> Job:
    return preview_bulk(user=who, action=action, held_ids=[one.pk for one in held], **members)


def run(job: Job, who: User, **members: object) -> Job:
    """Press the button, and let a worker finish."""
    number, selection = digest_of(job)
    started = run_bulk(job_id=job.pk, user=who, number=number, selection=selection, **members)
    work()
    started.refresh_from_db()
    return started


def work() -> None:
    """What workers do, until nothing is due in either lane."""
    while deliver_due(lane=BULK) + deliver_due():
        pass


def rows(job: Job) -> list[JobItem]:
    return list(job.items.order_by("position"))


def outcomes(job: Job) -> Counter[str]:
    return Counter(row.outcome for row in rows(job) if row.selected)


def refused_with(code: str) -> pytest.RaisesExc[Refused]:
    return pytest.raises(Refused, match=f"^{code}:")


def test_forty_nine_are_approved_and_the_one_that_changed_is_named():
    """Scenario S9."""
    reviewer, held = make.reviewer(), hosts(50)
    job = preview(reviewer, held)
    work()
    job.refresh_from_db()
    assert (job.status, digest_of(job)[0]) == (JobStatus.PREVIEW, 50)
    ada = make.reviewer("ada")
    edit_held(
        held_id=held[7].pk, seen_version=held[7].version, actor=make.person(ada), reason="moved",
        statement="Host number 7 is called wren-7.",
    )  # fmt: skip
    job = run(job, reviewer)
    assert job.status == JobStatus.DONE
    assert outcomes(job) == {"done": 49, "changed": 1}
    changed = next(row for row in rows(job) if row.outcome == ItemOutcome.CHANGED)
    assert (changed.subject, changed.code) == (str(held[7].pk), "version_conflict")
    assert Decision.objects.get(pk=changed.result_id).actor_name == "ada"
    approved = Decision.objects.filter(bulk_id=job.pk)
    assert (approved.filter(action="approve").count(), approved.count()) == (49, 49)
    assert HeldRecord.objects.filter(status="approved").count() == 49
    assert {row.result_id for row in rows(job) if row.outcome == "done"} == {str(one.pk) for one in approved}
    assert verify_chain().ok


def test_only_the_previewed_snapshot_is_touched_while_new_items_stream_in():
    """Scenario S10: the search and its narrowing are kept, and what arrives later is not in it."""
    reviewer = make.reviewer()
    mine = hosts(3)
    other = make.proposal(of=make.agent("other-agent"), statement="The lighthouse keeps a log.")
    wanted = QueueFilter("agent:ops-agent")
    found = reads.all_matching(reviewer, wanted, timezone.now())
    job = preview_bulk(user=reviewer, action="approve", held_ids=found.ids, found={"query": wanted.query})
    late = make.proposal(statement="Backups run at two.")
    run(job, reviewer)
    assert {row.subject for row in rows(job)} == {str(one.pk) for one in mine}
    assert job.detail["query"] == "q=agent%3Aops-agent"
    assert set(HeldRecord.objects.waiting()) == {other, late}


def test_an_empty_selection_is_a_refusal():
    reviewer, held = make.reviewer(), hosts(2)
    with refused_with("empty_selection"):
        preview(reviewer, [])
    job = preview(reviewer, held)
    take(job_id=job.pk, user=reviewer, which="none")
    with refused_with("empty_selection"):
        run_bulk(job_id=job.pk, user=reviewer, number=0, selection=digest_of(job)[1])
    assert Job.objects.get(pk=job.pk).status == JobStatus.PREVIEW
    assert not Decision.objects.filter(action="approve").exists()


def test_the_number_on_the_button_is_the_number_that_is_done():
    reviewer, held = make.reviewer(), hosts(3)
    job = preview(reviewer, held)
    number, selection = digest_of(job)
    select_items(job_id=job.pk, user=reviewer, shown=[0, 1, 2], picked=[0, 1])
    for told in ((number, selection), (3, digest_of(job)[1]), (2, selection), (None, "")):
        with refused_with("version_conflict"):
            run_bulk(job_id=job.pk, user=reviewer, number=told[0], selection=told[1])
    run(job, reviewer)
    assert outcomes(job) == {"done": 2}
    assert [row.outcome for row in rows(job)] == ["done", "done", ""]
    assert HeldRecord.objects.waiting().count() == 1


def test_pressing_twice_carries_out_once():
    reviewer, held = make.reviewer(), hosts(2)
    job = preview(reviewer, held)
    number, selection = digest_of(job)
    for _ in range(2):
        run_bulk(job_id=job.pk, user=reviewer, number=number, selection=selection)
    assert Outbox.objects.filter(topic="bulk").count() == 1
    work()
    run_bulk(job_id=job.pk, user=reviewer, number=number, selection=selection)
    work()
    assert Decision.objects.filter(action="approve").count() == 2


def test_high_risk_is_left_out_at_first_and_can_be_taken_in():
    reviewer = make.reviewer()
    safe, risky = make.proposal(), make.proposal(statement="Logs go to disk.", **make.risky("Logs go to disk."))
    job = preview(reviewer, [safe, risky])
    assert {row.subject: (row.selected, row.code) for row in rows(job)} == {
        str(safe.pk): (True, ""),
        str(risky.pk): (False, "high_risk"),
    }
    take(job_id=job.pk, user=reviewer, which="all")
    assert digest_of(job)[0] == 1
    take(job_id=job.pk, user=reviewer, which="high_risk")
    assert digest_of(job)[0] == 2
    assert outcomes(run(job, reviewer)) == {"done": 2}


def test_the_first_of_two_approvals_is_given_in_bulk_and_said_so():
    reviewer, _ = make.reviewer(), make.reviewer("reviewer2")
    risky = make.proposal(statement="Logs go to disk.", **make.risky("Logs go to disk."))
    job = preview(reviewer, [risky])
    take(job_id=job.pk, user=reviewer, which="high_risk")
    job = run(job, reviewer)
    assert [(row.outcome, row.code) for row in rows(job)] == [("done", "first_approval")]
    risky.refresh_from_db()
    assert risky.is_waiting


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"durability": "temporary"}, "conversion_required"),
        ({"layer": "L1"}, "ratification_required"),
        ({"event_at": "", "evidence": ()}, "check_date_required"),
    ],
)
def test_what_needs_an_answer_of_its_own_cannot_be_taken_in(members: dict[str, object], code: str):
    reviewer = make.reviewer()
    held = make.proposal(statement="Logs go to disk.", **members)
    job = preview(reviewer, [held])
    assert [(row.selected, row.code) for row in rows(job)] == [(False, code)]
    kept_out = select_items(job_id=job.pk, user=reviewer, shown=[0], picked=[0]).kept_out
    take(job_id=job.pk, user=reviewer, which="all")
    assert kept_out == [0]
    assert digest_of(job)[0] == 0


def test_without_dates_all_can_be_checked_just_now():
    reviewer = make.reviewer()
    undated = make.proposal(statement="Logs go to disk.", event_at="")
    risky = make.proposal(statement="Mail goes out at six.", event_at="", **make.risky("Mail goes out at six."))
    dated = make.proposal(statement="Backups run at two.", claim=make.claim())
    job = preview(reviewer, [undated, risky, dated])
    codes = {row.subject: row.code for row in rows(job)}
    assert codes == {str(undated.pk): "check_date_required", str(risky.pk): "check_date_required", str(dated.pk): ""}
    place = next(row.position for row in rows(job) if row.subject == str(dated.pk))
    select_items(job_id=job.pk, user=reviewer, shown=[place], picked=[])
    again = preview_again(job_id=job.pk, user=reviewer, checked_at="now")
    assert Job.objects.get(pk=job.pk).status == JobStatus.CANCELLED
    assert {row.subject: (row.code, row.selected) for row in rows(again)} == {
        str(undated.pk): ("", True),
        str(risky.pk): ("high_risk", False),
        str(dated.pk): ("", False),  # taken out by hand
    }
    run(again, reviewer)
    assert Evidence.objects.get(kind="fact").check_by == "reviewer"


def test_a_role_that_is_missing_is_said_item_by_item():
    """Scenario S21: the same refusals as for one item."""
    mine, other = make.agent(), make.agent("other-agent")
    person = make.user("pat", Role.REVIEWER, of=mine)
    make.user("pat", Role.OWNER, of=other)
    make.reviewer("ada")
    own_edit = make.proposal(mine, "Backups run at two.")
    edit_held(
        held_id=own_edit.pk, seen_version=own_edit.version, actor=make.person(person), reason="moved",
        statement="Backups run at three.",
    )  # fmt: skip
    plain = make.proposal(mine, "Mail goes out at six.")
    foreign = make.proposal(other, "The lighthouse keeps a log.")
    job = preview(person, [own_edit, plain, foreign])
    codes = {row.subject: row.code for row in rows(job)}
    assert codes == {str(own_edit.pk): "own_edit", str(plain.pk): "", str(foreign.pk): "not_reviewer"}
    assert [(row.code, row.selected) for row in rows(preview(person, [own_edit], Action.REJECT))] == [("", True)]


def test_rights_are_looked_at_again_when_it_is_carried_out():
    reviewer, held = make.reviewer(), hosts(2)
    job = preview(reviewer, held)
    number, selection = digest_of(job)
    run_bulk(job_id=job.pk, user=reviewer, number=number, selection=selection)
    Membership.objects.filter(user=reviewer).update(role=Role.AUDITOR)
    work()
    job.refresh_from_db()
    assert [(row.outcome, row.code) for row in rows(job)] == [("refused", "not_reviewer")] * 2
    assert job.status == JobStatus.DONE
    User.objects.filter(pk=reviewer.pk).update(is_active=False)
    assert not Decision.objects.filter(bulk_id=job.pk).exists()


@pytest.mark.parametrize(
    ("closed", "code"), [({"is_active": False}, "right_missing"), ({"is_active": True, "gone": True}, "not_found")]
)
def test_a_closed_account_and_a_lost_sight_end_every_row(closed: dict[str, bool], code: str):
    reviewer, held = make.reviewer(), hosts(2)
    job = preview(reviewer, held)
    number, selection = digest_of(job)
    run_bulk(job_id=job.pk, user=reviewer, number=number, selection=selection)
    User.objects.filter(pk=reviewer.pk).update(is_active=closed["is_active"])
    if "gone" in closed:
        Membership.objects.all().delete()
    work()
    assert {row.code for row in rows(job)} == {code}
    assert Job.objects.get(pk=job.pk).status == JobStatus.DONE


def test_of_equal_items_one_is_in_and_closes_the_others():
    reviewer = make.reviewer()
    equal = [make.proposal(make.agent(f"agent-{n}"), claim=make.claim(), statement="Past due.") for n in range(3)]
    job = preview(reviewer, equal)
    assert [(row.selected, row.code) for row in rows(job)] == [
        (True, ""),
        (False, "equal_in_bulk"),
        (False, "equal_in_bulk"),
    ]
    assert "item 1 here" in rows(job)[1].detail
    kept_out = select_items(job_id=job.pk, user=reviewer, shown=[0, 1, 2], picked=[0, 2]).kept_out
    assert kept_out == [0]
    assert [row.selected for row in rows(job)] == [False, False, True]
    assert outcomes(run(job, reviewer)) == {"done": 1}
    assert Counter(Decision.objects.filter(bulk_id=job.pk).values_list("action", flat=True)) == {
        "approve": 1,
        "close_equal": 2,
    }
    assert not HeldRecord.objects.waiting().exists()


def test_an_equal_item_that_comes_in_after_all_closes_with_the_other():
    """Two rows that were made to stand side by side: the second one is done, and says how."""
    reviewer = make.reviewer()
    equal = [make.proposal(make.agent(f"agent-{n}"), claim=make.claim(), statement="Past due.") for n in range(2)]
    job = preview(reviewer, equal)
    job.items.update(selected=True)
    job = run(job, reviewer)
    assert [(row.outcome, row.code) for row in rows(job)] == [("done", "approve"), ("done", "closed_equal")]


def test_of_rival_claims_none_is_chosen_and_only_one_can_be():
    reviewer = make.reviewer()
    rivals = [
        make.proposal(make.agent(f"agent-{n}"), claim=make.claim(f"value {n}"), statement=f"It is value {n}.")
        for n in range(2)
    ]
    job = preview(reviewer, rivals)
    assert [(row.selected, row.code) for row in rows(job)] == [(False, "rival_in_bulk")] * 2
    select_items(job_id=job.pk, user=reviewer, shown=[0, 1], picked=[0])
    assert select_items(job_id=job.pk, user=reviewer, shown=[0, 1], picked=[0, 1]).kept_out == [0]
    assert [row.selected for row in rows(job)] == [False, True]
    assert [(row.selected, row.code) for row in rows(preview(reviewer, rivals, Action.REJECT))] == [(True, "")] * 2


def test_rejecting_needs_a_reason_and_gives_it_to_every_item():
    reviewer, held = make.reviewer(), hosts(2)
    job = preview(reviewer, held, Action.REJECT)
    number, selection = digest_of(job)
    with refused_with("reason_required"):
        run_bulk(job_id=job.pk, user=reviewer, number=number, selection=selection)
    with refused_with("secret_detected"):
        run(job, reviewer, reason_code="wrong", reason="the token is ghp_" + "a1B2c3D4" * 5)
    job = run(job, reviewer, reason_code="poisoned", reason="All of it is planted.")
    assert set(HeldRecord.objects.values_list("status", "reason_code", "reason")) == {
        ("rejected", "poisoned", "All of it is planted.")
    }
    assert "reason" not in job.detail  # the decisions keep it, where a purge finds it


def test_snoozing_needs_a_date_to_come():
    reviewer, held = make.reviewer(), hosts(2)
    job = preview(reviewer, held, Action.SNOOZE)
    number, selection = digest_of(job)
    for until in (None, timezone.now() - timedelta(days=1)):
        with refused_with("invalid_value"):
            run_bulk(job_id=job.pk, user=reviewer, number=number, selection=selection, until=until)
    until = timezone.now().replace(microsecond=0) + timedelta(days=3)
    assert outcomes(run(job, reviewer, until=until)) == {"done": 2}
    assert set(HeldRecord.objects.values_list("snoozed_until", flat=True)) == {until}


@pytest.mark.parametrize("action", [Action.APPROVE, Action.REJECT, Action.SNOOZE])
def test_the_frozen_plan_is_the_one_that_decide_compares(action: Action):
    """What is asked once for many items comes to the same as what is asked for one."""
    owner = make.user("pat", Role.REVIEWER, Role.OWNER)
    make.reviewer("ada")
    make.fact("The account is active.", about=make.claim("active"))
    held = [
        make.proposal(statement="The account is past due.", claim=make.claim("past due")),
        make.proposal(statement="Logs go to disk.", **make.risky("Logs go to disk.")),
        make.proposal(statement="For now only.", durability="temporary"),
    ]
    looked = reads.Planner(owner, action, timezone.now()).look(reads.rows_to_plan([one.pk for one in held]).values())
    for one in held:
        made, verdict = looked[str(one.pk)]
        single = plan_for(one, action=action, user=owner, now=timezone.now())
        assert (made.digest, made.effects, made.needs) == (single.digest, single.effects, single.needs)
        assert verdict == permission(one, owner, action)


def test_many_items_are_planned_with_a_bounded_number_of_questions():
    reviewer = make.reviewer()
    held = hosts(30)
    counted = []
    for some in (held[:10], held):
        with CaptureQueriesContext(connection) as queries:
            preview(reviewer, some, Action.REJECT)
        counted.append(len(queries))
    assert counted[1] - counted[0] <= 2 * 3  # three about the person for each of two more agents
    with CaptureQueriesContext(connection) as queries:
        preview(reviewer, held[:20], Action.APPROVE)
    assert len(queries) <= 20 * 14


def test_more_than_a_few_are_prepared_by_a_worker_and_cannot_be_run_before():
    reviewer, held = make.reviewer(), hosts(30)
    job = preview(reviewer, held)
    assert job.status == JobStatus.PREPARING
    assert digest_of(job)[0] == 0
    for refuse in (
        lambda: run_bulk(job_id=job.pk, user=reviewer, number=30, selection=""),
        lambda: take(job_id=job.pk, user=reviewer, which="all"),
        lambda: select_items(job_id=job.pk, user=reviewer, shown=[0], picked=[0]),
    ):
        with refused_with("in_progress"):
            refuse()
    work()
    job.refresh_from_db()
    assert (job.status, digest_of(job)[0]) == (JobStatus.PREVIEW, 30)


def test_an_item_that_was_never_verified_is_verified_before_it_is_frozen():
    reviewer, held = make.reviewer(), hosts(2)
    HeldRecord.objects.update(verification_status="pending")
    job = preview(reviewer, held)
    assert not HeldRecord.objects.filter(verification_status="pending").exists()
    assert outcomes(run(job, reviewer)) == {"done": 2}


def test_what_was_decided_before_the_preview_is_shown_and_not_taken_in():
    reviewer, held = make.reviewer(), hosts(2)
    make.approve(held[0], reviewer)
    job = preview(reviewer, held)
    assert [(row.selected, row.code) for row in rows(job)] == [(False, "already_decided"), (True, "")]


def test_a_version_that_the_caller_saw_counts():
    reviewer, held = make.reviewer(), hosts(2)
    seen = {str(held[0].pk): held[0].version - 1, str(held[1].pk): held[1].version}
    job = preview(reviewer, held, seen=seen)
    assert [(row.selected, row.code) for row in rows(job)] == [(False, "version_conflict"), (True, "")]


def test_what_a_decision_changes_for_a_later_item_is_not_done_unseen():
    """Approving the first makes the second one a repeat of a fact: that was not on the screen."""
    reviewer = make.reviewer()
    held = [make.proposal(statement=f"The backup of {name} runs every night at two.") for name in ("mail", "the mail")]
    job = run(preview(reviewer, held), reviewer)
    assert outcomes(job) == {"done": 1, "changed": 1}
    again = preview_again(job_id=job.pk, user=reviewer)
    assert [row.subject for row in rows(again)] == [row.subject for row in rows(job) if row.outcome == "changed"]


def test_one_item_that_fails_does_not_hold_up_the_others(monkeypatch: pytest.MonkeyPatch):
    from evidence.services import bulk_running

    reviewer, held = make.reviewer(), hosts(3)
    real = bulk_running.decide

    def broken(**given: object) -> object:
        if given["held_id"] == str(held[1].pk):
            raise ZeroDivisionError
        return real(**given)

    monkeypatch.setattr(bulk_running, "decide", broken)
    job = run(preview(reviewer, held), reviewer)
    assert [(row.outcome, row.code) for row in rows(job)] == [
        ("done", "approve"),
        ("refused", "internal"),
        ("done", "approve"),
    ]
    assert job.status == JobStatus.DONE


def test_jobs_take_turns(monkeypatch: pytest.MonkeyPatch):
    """A long job gives way after a stretch: the one that came later is not kept waiting for its end."""
    from evidence.services import bulk_running

    monkeypatch.setattr(bulk_running, "CHUNK", 2)
    reviewer, held = make.reviewer(), hosts(8)
    long, short = preview(reviewer, held[:6]), preview(reviewer, held[6:])
    for job in (long, short):
        number, selection = digest_of(job)
        run_bulk(job_id=job.pk, user=reviewer, number=number, selection=selection)
    for _ in range(2):
        deliver_due(limit=1, lane=BULK)
    assert (outcomes(long), outcomes(short)) == ({"done": 2, "": 4}, {"done": 2})
    assert Job.objects.get(pk=long.pk).status == JobStatus.RUNNING
    assert Job.objects.get(pk=short.pk).status == JobStatus.DONE
    work()
    assert outcomes(long) == {"done": 6}


def test_cancelling_leaves_the_rest_alone_and_says_so(monkeypatch: pytest.MonkeyPatch):
    from evidence.services import bulk_running

    monkeypatch.setattr(bulk_running, "CHUNK", 2)
    reviewer, held = make.reviewer(), hosts(5)
    job = preview(reviewer, held)
    number, selection = digest_of(job)
    run_bulk(job_id=job.pk, user=reviewer, number=number, selection=selection)
    deliver_due(limit=1, lane=BULK)
    cancel_job(job_id=job.pk, user=reviewer)
    work()
    job.refresh_from_db()
    assert (job.status, outcomes(job)) == (JobStatus.CANCELLED, {"done": 2, "skipped": 3})
    assert Decision.objects.filter(bulk_id=job.pk).count() == 2
    again = preview_again(job_id=job.pk, user=reviewer)
    assert len(rows(again)) == 3


def test_a_discarded_preview_cannot_be_run():
    reviewer, held = make.reviewer(), hosts(2)
    job = preview(reviewer, held)
    cancel_job(job_id=job.pk, user=reviewer)
    with refused_with("closed"):
        run_bulk(job_id=job.pk, user=reviewer, number=2, selection=digest_of(job)[1])


def test_a_bulk_is_taken_back_as_a_whole_and_later_decisions_stay():
    reviewer, held = make.reviewer(), hosts(4)
    job = run(preview(reviewer, held), reviewer)
    record = Evidence.objects.filter(source_id__startswith="fact:", claim_value="quail-2").get()
    from evidence.services.records import revoke_record

    revoke_record(
        record_pk=record.pk, seen_version=record.version, actor=make.person(make.user("olga", Role.OWNER)), reason="No."
    )
    undo = undo_bulk(job_id=job.pk, user=reviewer)
    assert undo_bulk(job_id=job.pk, user=reviewer) == undo
    work()
    undo.refresh_from_db()
    assert (undo.status, outcomes(undo)) == (JobStatus.DONE, {"done": 3, "changed": 1})
    blocked = next(row for row in rows(undo) if row.outcome == "changed")
    assert (blocked.subject, blocked.code) == (str(held[2].pk), "undo_blocked")
    assert Decision.objects.get(pk=blocked.result_id).action == "revoke"
    assert Decision.objects.filter(bulk_id=undo.pk, action="undo").count() == 3
    assert HeldRecord.objects.waiting().count() == 3
    assert verify_chain().ok


def test_items_of_one_bulk_that_touch_the_same_record_are_taken_back_in_reverse():
    reviewer = make.reviewer()
    make.fact("The account is active.", about=make.claim("active"))
    same = [make.proposal(make.agent(f"a-{n}"), claim=make.claim("active"), statement="Active.", scope_access="public",
                          evidence=(make.inline(f"active {n}", thread=f"t-{n}", of=f"a-{n}"),)) for n in range(1)]  # fmt: skip
    held = [*same, *hosts(2)]
    job = run(preview(reviewer, held), reviewer)
    done = outcomes(job)["done"]
    undo = undo_bulk(job_id=job.pk, user=reviewer)
    work()
    assert outcomes(undo) == {"done": done}


def test_only_its_owner_can_do_anything_with_a_job():
    reviewer, other, held = make.reviewer(), make.reviewer("ada"), hosts(2)
    job = preview(reviewer, held)
    number, selection = digest_of(job)
    for attempt in (
        lambda: run_bulk(job_id=job.pk, user=other, number=number, selection=selection),
        lambda: take(job_id=job.pk, user=other, which="none"),
        lambda: select_items(job_id=job.pk, user=other, shown=[0], picked=[]),
        lambda: cancel_job(job_id=job.pk, user=other),
        lambda: preview_again(job_id=job.pk, user=other),
        lambda: undo_bulk(job_id=job.pk, user=other),
        lambda: cancel_job(job_id=uuid.uuid4(), user=reviewer),
    ):
        with refused_with("not_found"):
            attempt()
    assert digest_of(job) == (number, selection)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"action": "supersede"}, "invalid_value"),
        ({"action": ""}, "invalid_value"),
        ({"checked_at": "yesterday"}, "invalid_value"),
        ({"reason_code": "bored"}, "invalid_value"),
        ({"reason": "\0"}, "invalid_text"),
        ({"reason": "x" * 2_001}, "too_large"),
        ({"held_ids": [uuid.uuid4() for _ in range(1_001)]}, "too_large"),
        ({"held_ids": []}, "empty_selection"),
    ],
)
def test_what_cannot_be_asked_is_refused_and_stores_nothing(given: dict[str, object], code: str):
    asked = {"user": make.reviewer(), "action": "approve", "held_ids": [make.proposal().pk]} | given
    with refused_with(code):
        preview_bulk(**asked)
    assert not Job.objects.exists()


def test_who_reviews_nothing_is_told_so():
    with refused_with("not_reviewer"):
        preview(make.user("olga", Role.OWNER), hosts(1))


@pytest.mark.parametrize("by", ["agent", "source", "thread", "system"])
def test_everything_from_one_place_is_found_and_nothing_else(by: str):
    reviewer = make.reviewer()
    agent, other = make.agent(), make.agent("other-agent")
    session = make.inline("planted", thread="t-bad")
    bad = [
        make.proposal(agent, f"Planted claim number {n}.", evidence=(session,), claim=make.claim(str(n), f"s{n}", "a"))
        for n in range(3)
    ]
    good = make.proposal(agent, "Backups run at two.", evidence=(make.inline("two", thread="t-good"),))
    make.proposal(other, "Elsewhere it rains.", evidence=(make.inline("rain", thread="t-bad", of="other-agent"),))
    HeldRecord.objects.filter(pk__in=[one.pk for one in bad]).update(origin_system="bridge")
    make.act(bad[2], reviewer, Action.REJECT, reason_code="wrong")
    row = Evidence.objects.get(thread="t-bad", scope_owner="ops-agent", excerpt="planted")
    origin = {
        "agent": Origin("agent", "ops-agent"),
        "source": Origin("source", row.source_id, "default"),
        "thread": Origin("thread", "t-bad", "default", "ops-agent"),
        "system": Origin("system", "bridge"),
    }[by]
    found = reads.of_origin(reviewer, origin)
    expected = {bad[0].pk, bad[1].pk} | ({good.pk} if by == "agent" else set())
    assert set(found.ids) == expected
    assert not found.more
    assert reads.of_origin(make.user("pat", Role.REVIEWER, of=other), origin).ids == []


def test_all_matching_is_capped_and_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reads, "MOST_ITEMS", 5)
    monkeypatch.setattr(reads, "STRETCH", 2)
    reviewer, held = make.reviewer(), hosts(7)
    found = reads.all_matching(reviewer, QueueFilter(), timezone.now())
    assert (len(found.ids), found.more) == (5, True)
    make.approve(held[0], reviewer)
    make.approve(held[1], reviewer)
    found = reads.all_matching(reviewer, QueueFilter("status:any"), timezone.now())
    assert (set(found.ids), found.more) == ({one.pk for one in held[2:]}, False)


def test_a_preview_that_nobody_carried_out_is_discarded_after_a_week():
    who = make.reviewer()
    old, young, done = (preview(who, hosts(2)) for _ in range(3))
    run(done, who)
    Job.objects.exclude(pk=young.pk).update(created_at=timezone.now() - timedelta(days=8))
    assert sweep_kept() == 1
    statuses = {job.pk: job.status for job in Job.objects.all()}
    assert statuses == {old.pk: JobStatus.CANCELLED, young.pk: JobStatus.PREVIEW, done.pk: JobStatus.DONE}
    assert not JobItem.objects.filter(job=old).exists()
    assert JobItem.objects.filter(job=done).count() == 2
    assert sweep_kept() == 0
