"""What was decided is told to the agent that filed it: once, through the outbox, in words that hold no text of anybody's."""

from __future__ import annotations

from typing import Any

import pytest

from evidence.models import AgentSignal, Decision, HeldRecord, Outbox
from evidence.rules.vocab import Action, Answer
from evidence.services.outbox import deliver_due
from evidence.services.proposing import withdraw_proposal
from evidence.services.records import revoke_record
from evidence.services.signal_announcing import TOPIC, tell_agent
from evidence.services.undoing import undo
from tests.builders import a_token
from tests.services import disputes, make
from tests.services.signal_doors import DOORS

pytestmark = pytest.mark.django_db
STATEMENT = "Backups run every night at two."


def waiting(*rights: str) -> HeldRecord:
    """A proposal of an agent that could hear of it."""
    held = make.proposal(statement=STATEMENT)
    a_token("ops-agent", rights=list(rights) or ["file", "signals"])
    return held


def told() -> list[dict[str, Any]]:
    deliver_due(limit=200)
    return [row.about | {"title": row.title} for row in AgentSignal.objects.order_by("sequence")]


def test_a_rejection_is_told_with_its_reason_and_once() -> None:
    held = waiting()
    decided = make.act(held, make.reviewer(), Action.REJECT, reason_code="stale", reason="The vault moved in May.")
    assert AgentSignal.objects.count() == 0, "it goes through the outbox"
    one, *more = told()
    assert more == []
    assert one["title"] == "Your proposal was rejected: stale"
    said = (one["kind"], one["id"], one["action"], one["reason_code"])
    assert said == ("proposal", str(held.pk), "reject", "stale")
    for _ in range(2):  # delivered twice, or found again after a kill
        tell_agent(str(decided.decision.pk))
    row = AgentSignal.objects.get()
    assert (row.recipient, row.publisher, row.publisher_kind) == ("ops-agent", "", "system")
    assert STATEMENT not in row.content
    assert "vault" not in row.content
    assert str(held.pk) in row.content


def test_one_credential_of_many_is_enough_to_hear_of_it() -> None:
    for _ in range(24):
        a_token("ops-agent", rights=["file"])
    make.approve(waiting(), make.reviewer())
    assert [one["action"] for one in told()] == ["approve"]


def test_the_agent_finds_it_at_both_doors() -> None:
    held = waiting()
    make.approve(held, make.reviewer())
    told()
    for name, door in DOORS.items():
        polled = door(a_token("ops-agent").secret).poll(tags=["decision:approve"]).body
        assert [one["about"]["id"] for one in polled["items"]] == [str(held.pk)], name
        assert polled["grants"] == []
        assert door(a_token("bob").secret).poll().body["items"] == [], name


def test_an_undo_says_that_it_waits_again() -> None:
    held, who = waiting(), make.reviewer()
    first = make.approve(held, who).decision
    undo(decision_id=first.pk, actor=make.person(who), seen_version=HeldRecord.objects.get(pk=held.pk).version)
    assert [one["action"] for one in told()] == ["approve", "undo"]
    assert "waits again" in told()[-1]["title"]


def test_the_owner_of_a_record_hears_that_it_was_revoked_and_that_it_stands_again() -> None:
    record = make.fact()
    a_token("ops-agent")
    owner = disputes.owner()
    first = revoke_record(
        record_pk=record.pk, seen_version=record.version, actor=make.person(owner), reason="It moved to the vault."
    )
    undo(decision_id=first.pk, actor=make.person(owner))
    assert [(one["kind"], one["id"], one["action"]) for one in told()] == [
        ("record", record.record_id, "revoke"), ("record", record.record_id, "undo"),
    ]  # fmt: skip
    assert not AgentSignal.objects.filter(content__contains="vault").exists()


def test_nobody_is_told_what_it_did_itself_or_could_not_hear() -> None:
    held = waiting("file")
    make.approve(held, make.reviewer())
    assert not Outbox.objects.filter(topic=TOPIC).exists(), "no credential of the agent may read signals"
    a_token("ops-agent")
    other = make.proposal(statement="The cache is cleared on Mondays.")
    withdraw_proposal(held_id=other.pk, filer=make.filer(), seen_version=None)
    assert told() == []


def test_an_owner_who_wants_evidence_asks_with_a_signal_and_an_answer_tells_the_item() -> None:
    owner = disputes.owner()
    question = disputes.by_proposal()
    a_token("ops-agent")
    disputes.answer(question, owner, Answer.NEED_EVIDENCE, reason="Which invoice?")
    assert [(one["kind"], one["id"]) for one in told()] == [("question", str(question.pk))]
    question.refresh_from_db()
    disputes.answer(question, owner, Answer.INCOMING)
    last = told()[-1]
    assert (last["kind"], last["action"], last["id"]) == ("proposal", "approve", str(question.held_id))
    assert Decision.objects.filter(action="answer").count() == 2
