"""Bulk work against itself and against people: nothing twice, nothing lost, every row final (S9, S24, S25)."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from evidence.models import Decision, HeldRecord, Job, Outbox, User
from evidence.rules.bulk import JobStatus
from evidence.rules.vocab import Action
from evidence.selectors.audit import verify_chain
from evidence.services.bulk import cancel_job, preview_bulk
from evidence.services.bulk_running import carry_on, run_bulk
from evidence.services.bulk_selecting import digest_of, take
from evidence.services.bulk_undoing import undo_bulk
from evidence.services.bulk_work import work_on_job
from evidence.services.deciding import decide
from evidence.services.editing import edit_held
from evidence.services.errors import Refused
from evidence.services.undoing import undo
from tests.services import make
from tests.services.test_races import at_once

pytestmark = [pytest.mark.races, pytest.mark.django_db(transaction=True)]


def code_of(attempt: Callable[[], object]) -> str:
    """The code of a refusal; empty when it went through."""
    try:
        attempt()
    except Refused as refused:
        return refused.code
    return ""


def hosts(count: int) -> list[HeldRecord]:
    return [
        make.proposal(
            statement=f"Host number {n} is called quail-{n}.", claim=make.claim(f"quail-{n}", f"host {n}", "name")
        )
        for n in range(count)
    ]


def started(who: User, held: list[HeldRecord], action: Action = Action.APPROVE, **members: object) -> Job:
    job = preview_bulk(user=who, action=action, held_ids=[one.pk for one in held])
    number, selection = digest_of(job)
    return run_bulk(job_id=job.pk, user=who, number=number, selection=selection, **members)


def finish(job: Job) -> Counter[str]:
    """Carry it on until it is over; gives the outcomes."""
    while work_on_job(str(job.pk)):
        pass
    assert Job.objects.get(pk=job.pk).status in (JobStatus.DONE, JobStatus.CANCELLED)
    return Counter(job.items.filter(selected=True).values_list("outcome", flat=True))


def agree(job: Job, action: str = "approve") -> None:
    """What the rows say is what the database holds."""
    done = list(job.items.filter(outcome="done", code=action).values_list("result_id", flat=True))
    decisions = [str(pk) for pk in Decision.objects.filter(bulk_id=job.pk, action=action).values_list("pk", flat=True)]
    assert sorted(done) == sorted(decisions)
    assert len(done) == len(set(done))
    assert verify_chain().ok


def test_the_button_pressed_in_eight_tabs_starts_one_job():
    reviewer = make.reviewer()
    job = preview_bulk(user=reviewer, action="approve", held_ids=[one.pk for one in hosts(4)])
    number, selection = digest_of(job)
    at_once(lambda _: run_bulk(job_id=job.pk, user=reviewer, number=number, selection=selection).pk)
    assert Outbox.objects.filter(topic="bulk").count() == 1
    assert finish(job) == {"done": 4}
    agree(job)


def test_workers_on_the_same_job_share_it_and_do_nothing_twice():
    job = started(make.reviewer(), hosts(16))
    at_once(lambda _: carry_on(job.pk), 4)
    assert finish(job) == {"done": 16}
    agree(job)
    assert HeldRecord.objects.filter(status="approved").count() == 16


def test_a_bulk_and_people_who_decide_the_same_items_do_not_both_win():
    held = hosts(8)
    job = started(make.reviewer(), held)
    people = [make.reviewer(f"r{number}") for number in range(3)]

    def work(number: int) -> object:
        if number == 3:
            return carry_on(job.pk)
        return [
            code_of(lambda one=one: reject(one, people[number])) for one in (reversed(held) if number % 2 else held)
        ]

    def reject(one: HeldRecord, who: User) -> None:
        decide(
            held_id=one.pk, action="reject", seen_version=one.version, actor=make.person(who),
            idempotency_key=uuid.uuid4().hex, reason_code="wrong",
        )  # fmt: skip

    results = at_once(work, 4)
    outcomes = finish(job)
    codes = Counter(code for one in results[:3] for code in one)
    assert set(codes) <= {"", "already_decided"}
    by_people = codes[""]
    assert outcomes["done"] + by_people == 8
    assert outcomes["done"] + outcomes["changed"] == 8
    assert Decision.objects.filter(action__in=["approve", "reject"]).count() == 8
    for row in job.items.filter(outcome="changed"):
        assert Decision.objects.get(pk=row.result_id).target_id == row.subject
    agree(job)


def test_a_bulk_never_decides_what_somebody_edited_meanwhile():
    held = hosts(8)
    job = started(make.reviewer(), held)
    editor = make.reviewer("ada")

    def work(number: int) -> object:
        if number:
            return carry_on(job.pk)
        return {str(one.pk): code_of(lambda one=one: edit(one)) for one in reversed(held)}

    def edit(one: HeldRecord) -> None:
        edit_held(
            held_id=one.pk, seen_version=one.version, actor=make.person(editor), reason="moved",
            statement=f"{one.statement} Since Monday.",
        )  # fmt: skip

    codes = at_once(work, 2)[0]
    assert set(codes.values()) <= {"", "already_decided", "closed"}
    edited = [key for key, code in codes.items() if not code]
    outcomes = finish(job)
    assert outcomes == Counter({"done": 8 - len(edited), "changed": len(edited)}) - Counter()
    assert set(job.items.filter(outcome="changed").values_list("subject", flat=True)) == set(edited)
    for one in HeldRecord.objects.filter(status="approved"):
        assert "Since Monday" not in one.statement
    agree(job)


def test_cancelling_while_workers_are_at_it_leaves_every_row_final():
    held = hosts(12)
    reviewer = make.reviewer()
    job = started(reviewer, held)

    def work(number: int) -> object:
        return cancel_job(job_id=job.pk, user=reviewer).status if number == 0 else carry_on(job.pk)

    at_once(work, 3)
    outcomes = finish(job)
    assert set(outcomes) <= {"done", "skipped"}
    assert sum(outcomes.values()) == 12
    assert HeldRecord.objects.filter(status="approved").count() == outcomes["done"]
    agree(job)


def test_two_bulks_over_the_same_items_decide_each_once():
    held = hosts(8)
    jobs = [started(make.reviewer(f"r{number}"), held) for number in range(2)]
    at_once(lambda number: carry_on(jobs[number].pk), 2)
    outcomes = [finish(job) for job in jobs]
    assert sum(one["done"] for one in outcomes) == 8
    assert sum(one["changed"] for one in outcomes) == 8
    for job in jobs:
        agree(job)


def test_taking_back_and_deciding_again_do_not_both_win():
    held = hosts(6)
    reviewer = make.reviewer()
    job = started(reviewer, held)
    assert finish(job) == {"done": 6}
    decisions = list(job.items.order_by("position").values_list("result_id", flat=True))

    def work(number: int) -> object:
        if number == 0:
            return carry_on(undo_bulk(job_id=job.pk, user=reviewer).pk)
        return Counter(code_of(lambda one=one: undo(decision_id=one, actor=make.person(reviewer))) for one in decisions)

    codes = at_once(work, 2)[1]
    assert set(codes) <= {"", "undo_blocked"}
    back = Job.objects.get(kind="bulk_undo")
    outcomes = finish(back)
    assert outcomes["done"] + codes[""] == 6
    assert outcomes["done"] + outcomes["changed"] == 6
    assert Decision.objects.filter(action="undo").count() == 6
    assert HeldRecord.objects.waiting().count() == 6
    assert verify_chain().ok


def test_a_preview_prepared_by_several_workers_is_frozen_once():
    reviewer, held = make.reviewer(), hosts(30)
    job = preview_bulk(user=reviewer, action="approve", held_ids=[one.pk for one in held])
    assert job.status == JobStatus.PREPARING
    at_once(lambda _: work_on_job(str(job.pk)), 3)
    while work_on_job(str(job.pk)):
        pass
    before = digest_of(Job.objects.get(pk=job.pk))
    assert Job.objects.get(pk=job.pk).status == JobStatus.PREVIEW
    work_on_job(str(job.pk))
    assert digest_of(job) == before
    assert not job.items.filter(plan_digest="").exists()


def test_a_selection_that_moves_while_the_button_is_pressed_is_done_as_shown_or_not_at_all():
    for turn in range(4):
        reviewer, held = make.reviewer(), hosts(3) if turn == 0 else list(HeldRecord.objects.waiting())
        job = preview_bulk(user=reviewer, action="snooze", held_ids=[one.pk for one in held])
        number, selection = digest_of(job)

        def work(who: int, job=job, number=number, selection=selection, reviewer=reviewer) -> str:
            if who:
                take(job_id=job.pk, user=reviewer, which="none")
                return "taken out"
            until = timezone.now() + timedelta(days=1)
            run_bulk(job_id=job.pk, user=reviewer, number=number, selection=selection, until=until)
            return "run"

        results = at_once(work, 2)
        job.refresh_from_db()
        if "run" in results:
            assert finish(job) == {"done": 3}
            assert "closed" in results
        else:
            assert results == ["empty_selection", "taken out"]
            assert job.status == JobStatus.PREVIEW
