"""Several writers at once, on SQLite and on PostgreSQL: one decision, no lost item, no lost update (scenarios S1, S2, S6)."""

from __future__ import annotations

import threading
import uuid
from collections import Counter
from collections.abc import Callable

import pytest
from django.db import connection
from django.utils import timezone

from evidence.models import ChainHead, Decision, Evidence, HeldRecord, Verification
from evidence.rules.vocab import Action
from evidence.selectors.audit import verify_chain
from evidence.services.deciding import decide
from evidence.services.errors import Refused
from evidence.services.leasing import claim_next
from evidence.services.proposing import file_proposal
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
