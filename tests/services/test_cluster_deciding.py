"""Near-duplicates decided together: one bulk, one audit row each, one active record, and nothing that was not on the screen."""

from __future__ import annotations

import uuid
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from evidence.models import Decision, Evidence, HeldRecord, Inquiry, Job, JobItem, Outbox, RecordLink, User
from evidence.rules.bulk import JobStatus
from evidence.rules.joining import Part
from evidence.rules.vocab import Action, Role
from evidence.selectors.audit import verify_chain
from evidence.selectors.bulk import Planner
from evidence.selectors.cluster_mates import SHOWN, Mates, mates_of
from evidence.selectors.planning import plan_for
from evidence.services import cluster_deciding
from evidence.services.asking import ask_owner_about
from evidence.services.cluster_deciding import Shown, decide_together, undo_together
from evidence.services.deciding import Decided
from evidence.services.editing import edit_held
from evidence.services.errors import Refused
from evidence.services.leasing import claim
from evidence.services.outbox import BULK, deliver_due
from evidence.tasks import bulk as _bulk  # noqa: F401 - as in a worker, where the handlers are known
from evidence.tasks import outbox as _outbox  # noqa: F401
from tests.services import make

pytestmark = pytest.mark.django_db

SAME = [
    "Portal logs are kept for 7 days.",
    "For 7 days portal logs are kept.",
    "Portal logs are kept for 7 days in the archive.",
    "The portal logs are kept for 7 days.",
]
CLAIM = make.claim("7 days", "portal", "logs")


def filed(number: int = 4, **members: Any) -> list[HeldRecord]:
    """Rewordings of one thing, each by an agent of its own."""
    made = [make.proposal(make.agent(f"agent-{at}"), text, **members) for at, text in enumerate(SAME[:number])]
    return [HeldRecord.objects.get(pk=one.pk) for one in made]


def dubious(text: str) -> HeldRecord:
    """A high-risk rewording, out of somebody else's documentation."""
    low = "third_party_documentation"
    evidence = (make.inline(text, of="agent-1", trust_class=low),)
    return make.proposal(make.agent("agent-1"), text, trust_class=low, evidence=evidence)


def look(held: HeldRecord, who: User) -> Mates:
    """What the page shows beside the item."""
    held.refresh_from_db()
    now = timezone.now()
    return mates_of(held, who, now, plan_for(held, action="approve", user=who, now=now))


def shown_of(mates: Mates) -> list[Shown]:
    return [Shown(mate.held.pk, mate.held.version, mate.seal, mate.standing.part) for mate in mates.rows]


def together(
    held: HeldRecord, who: User, mates: Mates, action: str = "approve", *, without: tuple[HeldRecord, ...] = (), **choices: Any
) -> Decided:  # fmt: skip
    """Press the button of the page: those that are ticked, but these."""
    out = {one.pk for one in without}
    picked = {mate.held.pk for mate in mates.rows if mate.standing.ticked} - out
    shown = shown_of(mates)
    number = 1 + len(cluster_deciding.taken_of(action, shown, picked))  # type: ignore[arg-type]
    defaults: dict[str, Any] = {
        "seen_version": held.version, "idempotency_key": uuid.uuid4().hex, "number": number,
        "plan_digest": plan_for(held, action=action, user=who, now=timezone.now()).digest,  # type: ignore[arg-type]
    }  # fmt: skip
    return decide_together(
        held_id=held.pk, action=action, actor=make.person(who), shown=shown, picked=picked, **(defaults | choices)
    )


def outcomes(done: Decided) -> Counter[str]:
    return Counter(JobItem.objects.filter(job=done.decision.bulk_id).values_list("outcome", flat=True))


def statuses(rows: list[HeldRecord]) -> list[str]:
    return [HeldRecord.objects.values_list("status", flat=True).get(pk=row.pk) for row in rows]


def active_facts() -> list[Evidence]:
    return list(Evidence.objects.filter(kind="fact", state="active"))


def refused_with(code: str) -> pytest.RaisesExc[Refused]:
    return pytest.raises(Refused, match=f"^{code}:")


def work() -> None:
    while deliver_due(lane=BULK) + deliver_due():
        pass


def test_what_is_shown_are_the_others_that_say_nearly_the_same():
    reviewer, held = make.reviewer(), filed()
    make.proposal(make.agent("agent-8"), "Portal logs are kept for 9 days.")
    mates = look(held[0], reviewer)
    assert mates.joint
    assert {mate.held.pk for mate in mates.rows} == {one.pk for one in held[1:]}
    assert all(mate.standing.part is Part.JOINS and mate.standing.ticked and mate.evidence == 1 for mate in mates.rows)


def test_four_approved_at_once_are_one_record_with_the_evidence_of_all():
    reviewer, held = make.reviewer(), filed()
    done = together(held[0], reviewer, look(held[0], reviewer))
    assert statuses(held) == ["approved"] * 4
    fact = active_facts()[0]
    assert [fact] == active_facts()
    assert RecordLink.objects.filter(record=fact).count() == 4
    rows = Decision.objects.filter(bulk_id=done.decision.bulk_id)
    assert {row.target_id for row in rows} == {str(one.pk) for one in held}
    assert set(rows.values_list("action", flat=True)) == {"approve"}
    assert outcomes(done) == {"done": 4}
    assert Job.objects.get(pk=done.decision.bulk_id).status == JobStatus.DONE
    assert verify_chain().ok


def test_equal_claims_close_with_the_first_and_count_as_done():
    reviewer, held = make.reviewer(), filed(3, claim=CLAIM)
    mates = look(held[0], reviewer)
    assert [mate.standing.part for mate in mates.rows] == [Part.CLOSES] * 2
    done = together(held[0], reviewer, mates)
    assert statuses(held) == ["approved", "superseded", "superseded"]
    assert outcomes(done) == {"done": 3}
    assert Counter(Decision.objects.filter(bulk_id=done.decision.bulk_id).values_list("action", flat=True)) == {
        "approve": 1, "close_equal": 2,
    }  # fmt: skip
    assert len(active_facts()) == 1


@pytest.mark.parametrize("action", ["reject", "snooze"])
def test_rejecting_and_snoozing_take_the_ticked_ones_along(action: str):
    reviewer, held = make.reviewer(), filed()
    choices: dict[str, Any] = {"reason_code": "wrong", "reason": "It is nine."}
    if action == "snooze":
        choices = {"until": timezone.now() + timedelta(days=2)}
    done = together(held[0], reviewer, look(held[0], reviewer), action, without=(held[2],), **choices)
    rows = Decision.objects.filter(bulk_id=done.decision.bulk_id, action=action)
    assert {row.target_id for row in rows} == {str(one.pk) for one in (held[0], held[1], held[3])}
    if action == "reject":
        assert statuses(held) == ["rejected", "rejected", "waiting", "rejected"]
        assert set(HeldRecord.objects.filter(status="rejected").values_list("reason", "reason_code")) == {
            ("It is nine.", "wrong")
        }
        assert "reason" not in Job.objects.get(pk=done.decision.bulk_id).detail
    else:
        assert HeldRecord.objects.filter(snoozed_until__isnull=False).count() == 3


def test_an_outlier_that_was_unticked_is_left_alone():
    reviewer, held = make.reviewer(), filed()
    together(held[0], reviewer, look(held[0], reviewer), without=(held[1], held[3]))
    assert statuses(held) == ["approved", "waiting", "approved", "waiting"]


def test_with_nobody_ticked_it_is_an_ordinary_decision():
    reviewer, held = make.reviewer(), filed()
    done = together(held[0], reviewer, look(held[0], reviewer), without=tuple(held[1:]))
    assert done.decision.bulk_id is None
    assert not Job.objects.exists()


def test_what_arrives_after_the_page_was_drawn_is_not_in_it():
    reviewer, held = make.reviewer(), filed(3)
    mates = look(held[0], reviewer)
    late = make.proposal(make.agent("agent-9"), SAME[3])
    together(held[0], reviewer, mates)
    assert statuses([*held, late]) == ["approved"] * 3 + ["waiting"]


def test_an_equal_that_arrives_meanwhile_is_a_conflict_and_nothing_is_done():
    """The plan that was shown would close one that was not on the screen."""
    reviewer, held = make.reviewer(), filed(3, claim=CLAIM)
    mates, digest = (
        look(held[0], reviewer),
        plan_for(held[0], action="approve", user=reviewer, now=timezone.now()).digest,
    )
    make.proposal(make.agent("agent-9"), SAME[3], claim=CLAIM)
    with refused_with("version_conflict"):
        together(held[0], reviewer, mates, plan_digest=digest)
    assert statuses(held) == ["waiting"] * 3
    assert not Job.objects.exists()


def test_a_member_that_changed_meanwhile_is_reported_and_not_decided():
    reviewer, held = make.reviewer(), filed()
    mates = look(held[0], reviewer)
    ada = make.person(make.reviewer("ada"))
    edit_held(held_id=held[1].pk, seen_version=held[1].version, actor=ada, reason="x", statement="Portal logs: 9 days")
    done = together(held[0], reviewer, mates)
    assert statuses(held) == ["approved", "waiting", "approved", "approved"]
    row = JobItem.objects.get(job=done.decision.bulk_id, subject=str(held[1].pk))
    assert (row.outcome, row.code) == ("changed", "version_conflict")
    assert outcomes(done) == {"done": 3, "changed": 1}


@pytest.mark.parametrize("action", ["approve", "reject"])
def test_a_member_that_somebody_else_decided_is_reported(action: str):
    reviewer, held = make.reviewer(), filed()
    mates = look(held[0], reviewer)
    make.act(held[2], make.reviewer("ada"), "reject", reason_code="wrong")
    done = together(held[0], reviewer, mates, action, reason_code="duplicate" if action == "reject" else "")
    assert outcomes(done) == {"done": 3, "changed": 1}
    assert Decision.objects.get(target_id=str(held[2].pk), action="reject").actor_name == "ada"


def test_a_question_that_was_asked_meanwhile_is_not_answered_unseen():
    reviewer, held = make.reviewer(), filed(3)
    mates = look(held[0], reviewer)
    ask_owner_about(held[1], "Is it?", make.person(make.reviewer("ada")))
    done = together(held[0], reviewer, mates)
    assert statuses(held) == ["approved", "waiting", "approved"]
    assert Inquiry.objects.get().status == "open"
    assert outcomes(done) == {"done": 2, "changed": 1}


def test_a_question_that_was_on_the_screen_is_answered_with_its_item():
    reviewer, held = make.reviewer(), filed(3)
    ask_owner_about(held[1], "Is it?", make.person(make.reviewer("ada")))
    together(held[0], reviewer, look(held[0], reviewer))
    assert statuses(held) == ["approved"] * 3
    assert Inquiry.objects.get().status == "answered"


def test_workers_that_verify_the_others_in_between_change_nothing_that_was_seen(monkeypatch: pytest.MonkeyPatch):
    """The first approval moves what the others match; their versions rise before it is their turn."""
    reviewer, held = make.reviewer(), filed()
    monkeypatch.setattr(cluster_deciding, "carry_on", lambda job_id: None)
    done = together(held[0], reviewer, look(held[0], reviewer))
    versions = [one.version for one in HeldRecord.objects.waiting().order_by("pk")]
    assert statuses(held) == ["approved", "waiting", "waiting", "waiting"]
    while deliver_due():
        pass
    assert [one.version for one in HeldRecord.objects.waiting().order_by("pk")] != versions
    monkeypatch.undo()
    cluster_deciding.carry_on_quietly(done.decision.bulk_id)
    assert statuses(held) == ["approved"] * 4
    assert len(active_facts()) == 1


def test_a_process_that_dies_after_the_first_decision_leaves_the_rest_to_a_worker(monkeypatch: pytest.MonkeyPatch):
    def dies(job_id: object) -> None:
        raise SystemError("killed")

    reviewer, held = make.reviewer(), filed()
    monkeypatch.setattr(cluster_deciding, "carry_on", dies)
    done = together(held[0], reviewer, look(held[0], reviewer))
    assert deliver_due(lane=BULK) == 0
    Outbox.objects.filter(topic="bulk").update(available_at=timezone.now())
    work()
    assert statuses(held) == ["approved"] * 4
    assert outcomes(done) == {"done": 4}


def test_a_refusal_of_the_first_one_does_nothing_to_any():
    reviewer, held = make.reviewer(), filed()
    mates = look(held[0], reviewer)
    edit_held(
        held_id=held[0].pk,
        seen_version=held[0].version,
        actor=make.person(reviewer),
        reason="x",
        statement=SAME[0] + "!",
    )
    with refused_with("version_conflict"):
        together(held[0], reviewer, mates)
    assert statuses(held) == ["waiting"] * 4
    assert not Job.objects.exists()
    assert not Decision.objects.filter(action="approve").exists()


def test_the_number_on_the_button_is_the_number_that_is_done():
    reviewer, held = make.reviewer(), filed()
    mates = look(held[0], reviewer)
    for number in (None, 1, 3, 5):
        with refused_with("version_conflict"):
            together(held[0], reviewer, mates, number=number)
    assert statuses(held) == ["waiting"] * 4
    done = together(held[0], reviewer, mates, number=4)
    assert JobItem.objects.filter(job=done.decision.bulk_id).count() == 4


def test_pressing_twice_decides_once():
    reviewer, held = make.reviewer(), filed()
    mates = look(held[0], reviewer)
    first = together(held[0], reviewer, mates, idempotency_key="card")
    again = together(held[0], reviewer, mates, idempotency_key="card", seen_version=held[0].version)
    assert (first.replay, again.replay) == (False, True)
    assert first.decision == again.decision
    assert Job.objects.count() == 1
    assert Decision.objects.filter(action="approve").count() == 4


def test_undo_takes_all_of_it_back_and_puts_the_cluster_together_again():
    reviewer, held = make.reviewer(), filed()
    done = together(held[0], reviewer, look(held[0], reviewer))
    undo = undo_together(job_id=done.decision.bulk_id, user=reviewer)
    assert Job.objects.get(pk=undo.pk).status == JobStatus.DONE
    assert statuses(held) == ["waiting"] * 4
    assert active_facts() == []
    assert Decision.objects.filter(action="undo", bulk_id=undo.pk).count() == 4
    work()
    assert {mate.held.pk for mate in look(held[0], reviewer).rows} == {one.pk for one in held[1:]}
    assert verify_chain().ok


def test_undo_of_equals_brings_them_back():
    reviewer, held = make.reviewer(), filed(3, claim=CLAIM)
    done = together(held[0], reviewer, look(held[0], reviewer))
    undo_together(job_id=done.decision.bulk_id, user=reviewer)
    assert statuses(held) == ["waiting"] * 3


def test_undo_leaves_alone_what_was_decided_since():
    reviewer, held = make.reviewer(), filed()
    done = together(held[0], reviewer, look(held[0], reviewer), "reject", reason_code="wrong")
    second = Decision.objects.get(target_id=str(held[1].pk), action="reject")
    from evidence.services.undoing import undo

    undo(decision_id=second.pk, actor=make.person(reviewer))
    held[1].refresh_from_db()
    make.act(held[1], reviewer, "reject", reason_code="duplicate")
    taken = undo_together(job_id=done.decision.bulk_id, user=reviewer)
    assert statuses(held) == ["waiting", "rejected", "waiting", "waiting"]
    assert Counter(taken.items.values_list("outcome", flat=True)) == {"done": 3, "changed": 1}


def test_only_who_decided_takes_it_back():
    reviewer, held = make.reviewer(), filed(2)
    done = together(held[0], reviewer, look(held[0], reviewer))
    with refused_with("not_found"):
        undo_together(job_id=done.decision.bulk_id, user=make.reviewer("ada"))


def test_nothing_is_ticked_that_asks_for_a_look_of_its_own():
    reviewer, ada = make.reviewer(), make.reviewer("ada")
    held = filed(1)
    risky = dubious(SAME[1])
    passing = make.proposal(make.agent("agent-2"), SAME[2], durability="session")
    leased = make.proposal(make.agent("agent-3"), SAME[3])
    claim(held_id=leased.pk, user=ada, now=timezone.now())
    standing = {mate.held.pk: mate.standing for mate in look(held[0], reviewer).rows}
    assert standing.keys() == {risky.pk, passing.pk, leased.pk}
    assert not any(one.ticked for one in standing.values())
    assert "Two people" in standing[risky.pk].why
    assert standing[passing.pk].part is Part.APART
    assert standing[passing.pk].why
    assert standing[leased.pk].why == "ada has it open."


def test_a_lonely_reviewer_may_tick_high_risk_and_it_joins():
    reviewer, held = make.reviewer(), filed(1)
    risky = dubious(SAME[1])
    mates = look(held[0], reviewer)
    assert [(mate.standing.part, mate.standing.ticked) for mate in mates.rows] == [(Part.JOINS, False)]
    decide_together(
        held_id=held[0].pk, action="approve", actor=make.person(reviewer), shown=shown_of(mates), picked={risky.pk}, number=2,
        seen_version=held[0].version, idempotency_key="k",
    )  # fmt: skip
    assert statuses([held[0], risky]) == ["approved", "approved"]
    assert len(active_facts()) == 1


def test_the_first_of_two_approvals_takes_nobody_along():
    reviewer, _ = make.reviewer(), make.reviewer("ada")
    risky = dubious(SAME[1])
    held = filed(1)
    mates = look(risky, reviewer)
    assert not mates.joint
    done = together(risky, reviewer, mates)
    assert done.approvals == {"have": 1, "need": 2}
    assert statuses([risky, *held]) == ["waiting", "waiting"]
    assert outcomes(done) == {"done": 1, "skipped": 1}


def test_a_member_that_would_become_a_record_of_its_own_is_not_approved():
    """The rule of clusters is satisfied, the matcher is not: said beforehand, and refused all the same if it is sent."""
    reviewer = make.reviewer()
    held = make.proposal(make.agent("agent-0"), SAME[0])
    claimed = make.proposal(make.agent("agent-1"), SAME[1], claim=CLAIM)
    mate = look(held, reviewer).rows[0]
    assert (mate.held.pk, mate.standing.part, mate.standing.ticked) == (claimed.pk, Part.APART, False)
    forged = [Shown(claimed.pk, claimed.version, mate.seal, Part.JOINS)]
    done = decide_together(
        held_id=held.pk, action="approve", actor=make.person(reviewer), shown=forged, picked={claimed.pk}, number=2,
        seen_version=held.version, idempotency_key="k",
    )  # fmt: skip
    assert statuses([held, claimed]) == ["approved", "waiting"]
    assert outcomes(done) == {"done": 1, "changed": 1}
    assert len(active_facts()) == 1


def test_what_says_something_else_cannot_be_slipped_in():
    reviewer, held = make.reviewer(), filed(2)
    other = make.proposal(make.agent("agent-9"), "Portal logs are kept for 9 days.")
    seal = look(other, reviewer).rows
    assert seal == []
    from evidence.selectors.cluster_mates import seals_of

    forged = [
        Shown(
            other.pk,
            other.version,
            seals_of([other], Planner(reviewer, Action.REJECT, timezone.now()))[str(other.pk)],
            Part.JOINS,
        )
    ]
    done = decide_together(
        held_id=held[0].pk, action="reject", actor=make.person(reviewer), shown=forged, picked={other.pk}, number=2,
        seen_version=held[0].version, idempotency_key="k", reason_code="wrong",
    )  # fmt: skip
    assert statuses([held[0], other]) == ["rejected", "waiting"]
    row = JobItem.objects.get(job=done.decision.bulk_id, subject=str(other.pk))
    assert row.detail == "It does not say nearly the same any more."


def test_only_agents_that_the_person_reviews_can_be_ticked():
    held = filed(3)
    reviewer = make.user("rita", Role.REVIEWER, of=held[0].agent)
    make.user("rita", Role.OWNER, of=held[1].agent)
    mates = look(held[0], reviewer)
    assert [(mate.held.pk, mate.may_decide, mate.standing.ticked) for mate in mates.rows] == [
        (held[1].pk, False, False)
    ]


def test_many_are_handed_to_a_worker(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cluster_deciding, "AT_ONCE", 2)
    reviewer, held = make.reviewer(), filed()
    done = together(held[0], reviewer, look(held[0], reviewer))
    assert statuses(held) == ["approved", "waiting", "waiting", "waiting"]
    work()
    assert statuses(held) == ["approved"] * 4
    assert outcomes(done) == {"done": 4}
    undo = undo_together(job_id=done.decision.bulk_id, user=reviewer)
    assert statuses(held) == ["approved"] * 4
    work()
    assert statuses(held) == ["waiting"] * 4
    assert Job.objects.get(pk=undo.pk).status == JobStatus.DONE


def test_no_more_are_shown_than_can_be_looked_at():
    reviewer = make.reviewer()
    held = [make.proposal(make.agent(f"agent-{at}"), SAME[0] + "!" * at, claim=CLAIM) for at in range(SHOWN + 3)]
    mates = look(held[0], reviewer)
    assert (len(mates.rows), str(mates.more)) == (SHOWN, "2")


@pytest.mark.parametrize("action", ["supersede", "ask_owner", "burn"])
def test_only_what_is_the_same_for_all_is_done_together(action: str):
    reviewer, held = make.reviewer(), filed(2)
    mates = look(held[0], reviewer)
    with refused_with("invalid_value"):
        decide_together(
            held_id=held[0].pk, action=action, actor=make.person(reviewer), shown=shown_of(mates), picked=set(), number=1,
            seen_version=1, idempotency_key="k",
        )  # fmt: skip
