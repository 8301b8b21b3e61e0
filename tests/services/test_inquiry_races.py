"""Questions under several hands at once, on SQLite and on PostgreSQL: one answer, one passing on, no evidence lost."""

from __future__ import annotations

import uuid
from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone

from evidence.models import Decision, Evidence, HeldRecord, Inquiry, News
from evidence.rules.vocab import Role
from evidence.selectors.audit import verify_chain
from evidence.services.deciding import decide
from evidence.services.filing import file_evidence
from evidence.services.inquiry_evidence import bring_evidence
from evidence.services.sweeps import sweep_inquiries
from tests.services import disputes, make
from tests.services.test_races import at_once

pytestmark = [pytest.mark.races, pytest.mark.django_db(transaction=True)]

OWNERS = 6


def owners() -> list[object]:
    return [make.user(f"owner-{number}", Role.OWNER) for number in range(OWNERS)]


def test_of_several_owners_who_answer_at_once_one_does():
    people = owners()
    question = disputes.by_proposal()
    words = ("current", "incoming", "neither", "other_value", "both_time", "both_scope")

    def work(number: int) -> str:
        disputes.answer(question, people[number], words[number])
        return "answered"

    results = Counter(at_once(work, OWNERS))
    assert results["answered"] == 1, results
    assert set(results) <= {"answered", "closed", "version_conflict", "invalid_value"}
    question.refresh_from_db()
    row = Decision.objects.get(action="answer")
    assert (question.status, row.effects[0]["kind"]) == ("answered", question.answer)
    facts = Evidence.objects.active().filter(kind="fact").count()
    assert facts == {"current": 1, "incoming": 1, "neither": 0, "other_value": 1}.get(question.answer, 2)
    assert verify_chain().ok


def test_one_answer_sent_many_times_at_once_is_one():
    (who, *_) = owners()
    question = disputes.by_report()
    done = at_once(lambda _: disputes.answer(question, who, "incoming", idempotency_key="page"), OWNERS)
    assert len({one.decision.id for one in done}) == 1
    assert sum(not one.replay for one in done) == 1


def test_answering_and_approving_what_came_from_outside_do_not_both_win():
    disputes.one_person_is_enough()
    people = owners()
    reviewers = [make.reviewer(f"reviewer-{number}") for number in range(3)]
    question = disputes.about_capture()
    held = question.held
    assert held is not None

    def work(number: int) -> str:
        if number % 2:
            disputes.answer(question, people[number], "current", plan_digest="")
            return "answered"
        decide(
            held_id=held.pk, action="approve", seen_version=held.version, actor=make.person(reviewers[number // 2]),
            idempotency_key=uuid.uuid4().hex,
        )  # fmt: skip
        return "approved"

    results = Counter(at_once(work, OWNERS))
    assert results["answered"] + results["approved"] == 1, results
    assert set(results) <= {"answered", "approved", "closed", "already_decided", "version_conflict"}
    status = HeldRecord.objects.get(pk=held.pk).status
    assert status == ("rejected" if results["answered"] else "approved")
    assert verify_chain().ok


def test_an_answer_and_the_evidence_that_comes_do_not_overtake_each_other():
    (who, *_) = owners()
    for turn in range(4):
        question = disputes.by_report() if not turn else asked_again(turn)
        disputes.answer(question, who, "need_evidence")
        question.refresh_from_db()

        def work(number: int, question=question, turn=turn) -> str:
            if number:
                disputes.answer(question, who, "current", plan_digest="")
                return "answered"
            draft = disputes.report(source=f"entry:ops-agent/letter-{turn}", scope_access="private")
            bring_evidence(filer=make.filer(), inquiry_id=question.pk, draft=draft)
            return "brought"

        results = Counter(at_once(work, 2))
        question.refresh_from_db()
        if results["answered"]:
            assert (question.status, results) == ("answered", Counter(answered=1, closed=1))
        else:
            assert (question.status, results) == ("open", Counter(brought=1, version_conflict=1))
            disputes.answer(question, who, "current")
    assert verify_chain().ok


def asked_again(turn: int) -> Inquiry:
    filed = file_evidence(filer=make.filer(), draft=disputes.report(source=f"entry:ops-agent/{turn}"))
    assert filed.finding is not None
    return Inquiry.objects.get(pk=filed.finding.inquiry_id)


def test_two_reports_of_the_same_at_once_are_one_question():
    disputes.stands()

    def work(number: int) -> str:
        file_evidence(filer=make.filer(), draft=disputes.report(source=f"entry:ops-agent/{number}"))
        return "filed"

    assert Counter(at_once(work, OWNERS)) == {"filed": OWNERS}
    question = Inquiry.objects.get()
    assert (question.touches, question.attached.count()) == (OWNERS - 1, OWNERS - 1)


def test_sweeps_at_once_pass_a_question_on_once():
    make.user("ada", Role.ADMINISTRATOR)
    question = disputes.by_report()
    Inquiry.objects.filter(pk=question.pk).update(due_at=timezone.now() - timedelta(days=1))
    assert sorted(at_once(lambda _: sweep_inquiries(), OWNERS)) == [0] * (OWNERS - 1) + [1]
    assert Decision.objects.filter(action="escalate").count() == 1
    assert News.objects.filter(kind="question_overdue").count() == 1


def test_two_questions_about_one_fact_are_answered_in_turns():
    """Both want the same fact superseded: the second sees that its current side is gone, and that its plan is another."""
    people = owners()
    disputes.stands()
    questions = []
    for number, value in enumerate(("past due", "closed")):
        file_evidence(filer=make.filer(), draft=disputes.report(value, source=f"entry:ops-agent/{number}"))
        questions.append(Inquiry.objects.order_by("-pk").first())

    def work(number: int) -> str:
        disputes.answer(questions[number], people[number], "incoming")
        return "answered"

    results = at_once(work, 2)
    assert sorted(set(results)) in (["answered"], ["answered", "version_conflict"])
    assert Evidence.objects.active().filter(kind="fact").count() == 1
    assert verify_chain().ok
