"""Several writers at once, on SQLite and on PostgreSQL: one decision, no lost item, no lost update (scenarios S1, S2, S6)."""

from __future__ import annotations

import threading
import uuid
from collections import Counter
from collections.abc import Callable

import pytest
from django.db import connection, transaction
from django.utils import timezone

from evidence.models import ChainHead, Decision, Evidence, HeldRecord, Inquiry, Verification
from evidence.rules.vocab import Action, InquiryKind, Risk, Role
from evidence.selectors.audit import verify_chain
from evidence.services.answering import answer_inquiry
from evidence.services.deciding import decide
from evidence.services.errors import Refused
from evidence.services.inquiring import open_inquiry
from evidence.services.leasing import claim_next
from evidence.services.proposing import file_proposal, withdraw_proposal
from evidence.services.records import revoke_record
from evidence.services.undoing import undo
from evidence.services.verification import verify_held
from tests.services import make

pytestmark = [pytest.mark.races, pytest.mark.django_db(transaction=True)]

THREADS = 8


def at_once(work: Callable[[int], object], count: int = THREADS) -> list[object]:
    """Run `work(0..count-1)` in threads that start together; a refusal is its code, another error itself."""
    start = threading.Barrier(count)
    results: list[object] = [None] * count

    def run(number: int) -> None:
        start.wait()
        try:
            results[number] = work(number)
        except Refused as refused:
            results[number] = refused.code
        except Exception as error:
            results[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    errors = [result for result in results if isinstance(result, Exception)]
    assert not errors, errors
    return results


def test_eight_people_decide_one_item_and_one_of_them_does():
    held = make.proposal(claim=make.claim())
    people = [make.reviewer(f"r{number}") for number in range(THREADS)]

    def work(number: int) -> str:
        action = Action.APPROVE if number % 2 else Action.REJECT
        decide(
            held_id=held.id, action=action, seen_version=held.version, actor=make.person(people[number]),
            idempotency_key=uuid.uuid4().hex, reason_code="wrong",
        )  # fmt: skip
        return "done"

    results = Counter(at_once(work))
    assert results == {"done": 1, "already_decided": THREADS - 1}
    assert Decision.objects.filter(target_id=str(held.id), action__in=["approve", "reject"]).count() == 1
    assert Evidence.objects.filter(kind="fact", state="active").count() <= 1
    assert verify_chain().ok


def test_a_double_click_is_one_decision_and_the_others_are_replays():
    held = make.proposal()
    reviewer = make.reviewer()
    decided = at_once(lambda _: make.approve(held, reviewer, idempotency_key="card"))
    assert len({one.decision.id for one in decided}) == 1
    assert sum(not one.replay for one in decided) == 1


def test_eight_equal_claims_of_eight_agents_make_one_fact():
    held = [make.proposal(make.agent(f"agent-{number}"), claim=make.claim()) for number in range(THREADS)]
    people = [make.reviewer(f"r{number}") for number in range(THREADS)]
    at_once(lambda number: bool(make.approve(held[number], people[number])))
    assert Evidence.objects.filter(kind="fact", state="active").count() == 1
    assert not HeldRecord.objects.waiting().exists()
    assert verify_chain().ok


def test_eight_values_of_one_claim_leave_one_active_fact_and_lose_none():
    held = [
        make.proposal(make.agent(f"agent-{n}"), claim=make.claim(f"value {n}"), statement=f"It is value {n}.")
        for n in range(THREADS)
    ]
    people = [make.reviewer(f"r{number}") for number in range(THREADS)]

    def work(number: int) -> str:
        decide(
            held_id=held[number].id, action="approve", seen_version=held[number].version,
            actor=make.person(people[number]), idempotency_key=uuid.uuid4().hex,
        )  # fmt: skip
        return "done"

    results = Counter(at_once(work))
    facts = Evidence.objects.filter(kind="fact", source_id__startswith="fact:")
    assert facts.filter(state="active").count() == 1
    assert facts.count() == results["done"] >= 1
    assert set(results) <= {"done", "version_conflict"}


def test_filing_the_same_claim_at_once_waits_once():
    agent = make.agent()
    results = at_once(
        lambda number: (
            file_proposal(
                filer=make.filer(agent),
                draft=make.draft(claim=make.claim(), evidence=(make.inline("said", thread=f"t-{number}"),)),
            ).created
        )
    )
    assert Counter(results) == {True: 1, False: THREADS - 1}
    held = HeldRecord.objects.get()
    assert held.links.count() == THREADS


def test_next_at_the_same_instant_gives_no_item_to_two_people_and_loses_none():
    for number in range(THREADS):
        make.proposal(
            statement=f"Host number {number} is called quail-{number}.",
            claim=make.claim(str(number), f"host {number}", "name"),
        )
    people = [make.reviewer(f"r{number}") for number in range(THREADS)]
    taken = at_once(lambda number: claim_next(user=people[number], now=timezone.now()))
    ids = [item.id for item in taken if item is not None]
    assert len(ids) == len(set(ids)) == THREADS


def test_verifying_at_once_records_each_run_once():
    held = make.proposal()
    HeldRecord.objects.filter(pk=held.pk).update(verification_status="pending")
    Verification.objects.all().delete()
    at_once(lambda _: bool(verify_held(held_id=held.id)))
    assert Verification.objects.filter(held=held).count() == 1


def test_undo_and_a_later_decision_do_not_both_win():
    held = make.proposal(claim=make.claim("past due"), statement="The account is past due.")
    reviewer, other = make.reviewer(), make.reviewer("reviewer2")
    decided = make.approve(held, reviewer)
    later = make.proposal(claim=make.claim("active"), statement="The account is active.")

    def work(number: int) -> str:
        if number % 2:
            undo(decision_id=decided.decision.id, actor=make.person(reviewer))
            return "undone"
        decide(
            held_id=later.id, action="approve", seen_version=later.version, actor=make.person(other),
            idempotency_key=uuid.uuid4().hex,
        )  # fmt: skip
        return "approved"

    at_once(work)
    assert Evidence.objects.filter(kind="fact", state="active").count() <= 1
    assert verify_chain().ok


def test_the_chain_has_no_gap_after_many_writers():
    held = [
        make.proposal(statement=f"Statement number {n} about topic {n}.", claim=make.claim(str(n), f"s{n}", "a"))
        for n in range(THREADS)
    ]
    people = [make.reviewer(f"r{number}") for number in range(THREADS)]
    at_once(lambda number: bool(make.act(held[number], people[number], Action.REJECT, reason_code="wrong")))
    head = ChainHead.objects.get(namespace="default")
    assert head.seq == Decision.objects.filter(namespace="default").count()
    assert verify_chain().ok


def test_two_that_supersede_each_others_records_in_either_order_do_not_lock_each_other_out():
    """Both name the same records, from claims of their own; whoever is later sees that they are gone."""
    rounds = 4
    people = [make.reviewer(f"r{number}") for number in range(2)]
    for turn in range(rounds):
        old = [make.fact(f"Old note {turn}-{n} about shelf {n}.").record_id for n in range(6)]
        held = [
            make.proposal(
                make.agent(f"agent-{n}"),
                claim=make.claim(str(n), f"shelf {turn}-{n}", "place"),
                statement=f"Shelf {n} moved.",
            )
            for n in range(2)
        ]

        def work(number: int, held=held, old=old) -> str:
            named = old if number else old[::-1]
            decide(
                held_id=held[number].id, action="supersede", seen_version=held[number].version, reason_code="stale",
                actor=make.person(people[number]), idempotency_key=uuid.uuid4().hex, supersedes=named,
            )  # fmt: skip
            return "done"

        assert Counter(at_once(work, 2)) == {"done": 1, "version_conflict": 1}
    assert verify_chain().ok


def test_each_replaces_what_the_other_one_names():
    """Each replaces the fact on its own claim and names the other's: both want both rows."""
    people = [make.reviewer(f"r{number}") for number in range(2)]
    for turn in range(4):
        facts = [
            make.fact(
                f"It is old {n}.", about=make.claim("old", f"door {turn}-{n}", "state"), source_id=f"fact:{turn}-{n}"
            )
            for n in range(2)
        ]
        held = [
            make.proposal(
                make.agent(f"agent-{n}"),
                claim=make.claim("new", f"door {turn}-{n}", "state"),
                statement=f"It is new {n}.",
            )
            for n in range(2)
        ]

        def work(number: int, held=held, facts=facts) -> str:
            decide(
                held_id=held[number].id, action="supersede", seen_version=held[number].version, reason_code="stale",
                actor=make.person(people[number]), idempotency_key=uuid.uuid4().hex,
                supersedes=[facts[1 - number].record_id],
            )  # fmt: skip
            return "done"

        results = Counter(at_once(work, 2))
        assert results["done"] >= 1
        assert set(results) <= {"done", "version_conflict"}
    assert verify_chain().ok


def test_an_answer_and_a_decision_about_one_item_do_not_both_win():
    make.fact("The account is active.", about=make.claim("active"))
    held = make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    inquiry = Inquiry.objects.open().get(held=held)
    owner, reviewer = make.user("owner", Role.OWNER, of=make.agent()), make.reviewer()

    def work(number: int) -> str:
        if number % 2:
            answer_inquiry(
                inquiry_id=inquiry.id, answer="incoming", seen_version=inquiry.version, actor=make.person(owner),
                idempotency_key=uuid.uuid4().hex,
            )  # fmt: skip
            return "answered"
        decide(
            held_id=held.id, action="reject", seen_version=held.version, actor=make.person(reviewer),
            idempotency_key=uuid.uuid4().hex, reason_code="wrong",
        )  # fmt: skip
        return "rejected"

    results = Counter(at_once(work))
    assert results["answered"] + results["rejected"] == 1
    assert set(results) <= {"answered", "rejected", "closed", "already_decided"}
    assert Evidence.objects.filter(kind="fact", state="active").count() == 1
    assert verify_chain().ok


def test_answering_a_recheck_and_revoking_its_record_take_turns():
    owner = make.user("owner", Role.OWNER, of=make.agent())
    for turn in range(4):
        row = make.fact(f"Shelf {turn} holds the spare keys.")
        with transaction.atomic():
            inquiry = open_inquiry(
                kind=InquiryKind.RECHECK, severity=Risk.MEDIUM, agent_id="ops-agent", namespace="default",
                question=f"Still true? {turn}", current=row, incoming=None,
            )  # fmt: skip

        def work(number: int, row=row, inquiry=inquiry) -> str:
            if number:
                revoke_record(record_pk=row.pk, seen_version=1, actor=make.person(owner), reason="Moved.")
            else:
                answer_inquiry(
                    inquiry_id=inquiry.id, answer="current", seen_version=1, actor=make.person(owner),
                    idempotency_key=uuid.uuid4().hex,
                )  # fmt: skip
            return "done"

        results = Counter(at_once(work, 2))
        assert results["done"] == 1, results
    assert verify_chain().ok


def test_an_amendment_sent_many_times_at_once_is_one():
    make.fact("The account is active.", about=make.claim("active"))
    held = make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    reviewer = make.reviewer()
    first = make.approve(held, reviewer)
    held.refresh_from_db()

    def work(_: int) -> bool:
        return decide(
            held_id=held.id, action="reject", seen_version=held.version, actor=make.person(reviewer),
            idempotency_key="card", reason_code="wrong", amends=first.decision.id,
        ).replay  # fmt: skip

    assert Counter(at_once(work)) == {False: 1, True: THREADS - 1}
    assert Decision.objects.filter(action="undo").count() == 1
    held.refresh_from_db()
    assert held.status == "rejected"


def test_withdrawing_and_approving_an_equal_do_not_lock_each_other_out():
    for turn in range(4):
        about = make.claim("past due", f"account {turn}", "status")
        first = make.proposal(claim=about, statement="Past due.")
        other = make.proposal(make.agent("qa-agent"), claim=about, statement="Past due.")
        reviewer = make.reviewer()

        def work(number: int, first=first, other=other, reviewer=reviewer) -> str:
            if number:
                withdraw_proposal(held_id=other.id, filer=make.filer(make.agent("qa-agent")))
                return "withdrawn"
            decide(
                held_id=first.id, action="approve", seen_version=first.version, actor=make.person(reviewer),
                idempotency_key=uuid.uuid4().hex,
            )  # fmt: skip
            return "approved"

        results = at_once(work, 2)
        other.refresh_from_db()
        assert other.status in ("withdrawn", "superseded")
        assert set(results) <= {"withdrawn", "approved", "closed", "version_conflict"}
    assert verify_chain().ok
