"""What an agent is asked for comes to it, and what it brings comes to the question; both sides are recalled meanwhile."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from evidence.models import Decision, Evidence, HeldRecord, Inquiry, News
from evidence.rules.vocab import InquiryKind
from evidence.services.errors import Refused
from evidence.services.filing import file_evidence
from evidence.services.inquiring import open_inquiry
from tests.api.conftest import Door, refusal
from tests.api.test_openapi import conforms
from tests.builders import a_token
from tests.services import disputes, make

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent() -> Door:
    return Door(a_token("ops-agent").secret)


def asked() -> Inquiry:
    """A question that its owner put to the agent."""
    question = disputes.by_report()
    disputes.answer(question, disputes.owner(), "need_evidence", reason="Show me the letter of May.")
    question.refresh_from_db()
    return question


def letter(version: str = "1", **members: Any) -> dict[str, Any]:
    return {
        "source": {"id": "entry:ops-agent/letter", "version": version}, "claim": {
            "subject": "vendor account", "attribute": "billing status", "value": "past due",
        },
        "event_at": make.days_ago(0.2), "excerpt": "The account has been past due since May.",
        "check": {"at": make.days_ago(0.1)},
    } | members  # fmt: skip


def test_the_question_comes_and_goes_back_with_its_answer(agent: Door) -> None:
    schema = json.loads(Door().get("openapi.json").content)
    assert agent.get("questions").json() == {"items": [], "grants": []}
    question = asked()
    listed = agent.get("questions")
    conforms(schema, "questions", "get", listed)
    (item,) = listed.json()["items"]
    assert (item["id"], item["wanted"]) == (str(question.pk), "Show me the letter of May.")
    assert {side["side"]: side["text"] for side in item["sides"]} == {"current": "active", "incoming": "past due"}
    body = letter()
    brought = agent.post(f"questions/{question.pk}/evidence", body, idempotency_key="one")
    conforms(schema, "questions/{question_id}/evidence", "post", brought)
    assert (brought.status_code, brought.json()["attached"], brought.json()["evidence"]["created"]) == (201, True, True)
    question.refresh_from_db()
    assert (question.status, question.evidence_asked_at, question.version) == ("open", None, 3)
    assert question.evidence_came_at is not None
    assert agent.get("questions").json()["items"] == []
    row = Decision.objects.get(action="evidence_came")
    assert (row.actor_kind, row.actor_name, row.target_id) == ("agent", "ops-agent", str(question.pk))
    assert News.objects.filter(kind="evidence_came", subject_id=str(question.pk)).count() == 1
    # It belongs to the question that is open: no second one, and no proposal of its own.
    assert (Inquiry.objects.count(), HeldRecord.objects.count()) == (1, 0)
    again = agent.post(f"questions/{question.pk}/evidence", body, idempotency_key="one")
    assert (again.status_code, again.json()["idempotent_replay"]) == (201, True)
    same = agent.post(f"questions/{question.pk}/evidence", body)
    assert (same.status_code, same.json()["attached"]) == (200, False)
    more = agent.post(f"questions/{question.pk}/evidence", letter("2"))
    assert more.status_code == 201


def test_what_was_brought_stands_behind_the_fact_that_the_answer_makes(agent: Door) -> None:
    question = asked()
    agent.post(f"questions/{question.pk}/evidence", letter())
    question.refresh_from_db()
    disputes.answer(question, disputes.owner(), "incoming")
    fact = Evidence.objects.active().get(kind="fact")
    sources = set(fact.backing.values_list("evidence__source_id", flat=True))
    assert sources == {"entry:ops-agent/billing", "entry:ops-agent/letter"}


def test_an_answer_on_the_page_that_was_open_before_the_evidence_came_is_refused(agent: Door) -> None:
    question = asked()
    agent.post(f"questions/{question.pk}/evidence", letter())
    with pytest.raises(Refused, match="version_conflict"):
        disputes.answer(question, disputes.owner(), "current", plan_digest="")


def test_questions_of_others_do_not_exist(agent: Door) -> None:
    question = asked()
    stranger = Door(a_token("bob").secret)
    elsewhere = Door(a_token("ops-agent", namespace="far").secret)
    for door in (stranger, elsewhere):
        body = letter() | {"source": {"id": "session:bob/1/summary/1"}} if door is stranger else letter()
        assert door.get("questions").json()["items"] == []
        assert refusal(door.post(f"questions/{question.pk}/evidence", body)) == (404, "not_found")
    assert refusal(agent.post("questions/no-id/evidence", letter())) == (404, "not_found")
    unasked = disputes.supersession()
    assert refusal(agent.post(f"questions/{unasked.pk}/evidence", letter())) == (404, "not_found")
    filed = Evidence.objects.filter(source_id__in=["entry:ops-agent/letter", "session:bob/1/summary/1"])
    assert not filed.exists()


def test_a_question_that_was_answered_takes_nothing_more(agent: Door) -> None:
    question = asked()
    disputes.answer(question, disputes.owner(), "current")
    assert refusal(agent.post(f"questions/{question.pk}/evidence", letter())) == (409, "closed")
    assert not Evidence.objects.filter(source_id="entry:ops-agent/letter").exists()


def test_filing_rules_hold(agent: Door) -> None:
    question = asked()
    address = f"questions/{question.pk}/evidence"
    assert refusal(agent.post(address, letter(source={"id": "entry:somebody/1"}))) == (403, "not_your_source")
    assert refusal(agent.post(address, letter(excerpt="ghp_" + "a1B2" * 9)))[1] == "secret_detected"
    assert refusal(agent.post(address, letter(trust="operator")))[0] == 422
    question.refresh_from_db()
    assert question.evidence_asked_at is not None
    held = agent.post(address, letter(channel="web-chat"))
    assert (held.status_code, held.json()["evidence"]["review"]) == (201, "held")


def test_what_the_agent_may_not_read_of_a_question_does_not_exist_for_it(agent: Door) -> None:
    """Bob's private fact stands against a report that bob may read: its text is not given away with the question."""
    make.agent("bob")
    secret = make.fact(
        "The door code changes on Mondays.", about=make.claim("on Mondays", "door code", "changes"), scope_owner="bob",
        scope_access="private",
    )  # fmt: skip
    own = file_evidence(
        filer=make.filer(),
        draft=disputes.report(
            claim=make.claim("never", "door code", "changes"), scope_access="shared", scope_shared_with=("bob",)
        ),
    ).record
    question = Inquiry.objects.get(current_record=secret.record_id, incoming_record=own.record_id)
    disputes.answer(question, disputes.owner(), "need_evidence", reason="Where from?")
    answer = agent.get("questions")
    (item,) = answer.json()["items"]
    assert "Mondays" not in answer.content.decode()
    assert ([side["side"] for side in item["sides"]], item["wanted"]) == (["incoming"], "Where from?")


@pytest.mark.parametrize("kind", ["by_report", "article_by_report", "by_two_reports"])
def test_while_it_is_open_whoever_finds_one_side_gets_both_marked_as_disagreeing(agent: Door, kind: str) -> None:
    question = disputes.EVERY[kind]()
    current, incoming = question.current_record, question.incoming_record
    for query in ("account active", "past due") if "article" not in kind else ("Tuesday", "Thursday"):
        found = agent.post("recall", {"query": query, "limit": 1, "kinds": ["observation"]}).json()["results"]
        ids = {one["record"]["id"]: set(one["conflicts_with"]) for one in found}
        if not ids:
            continue
        assert current in ids
        assert ids[current] & set(ids), query
        assert all(current in others for one, others in ids.items() if one != current)
    disputes.answer(question, disputes.owner(), "incoming" if "article" not in kind else "current")
    found = agent.post("recall", {"query": "past due Thursday account", "limit": 10}).json()["results"]
    assert all(one["conflicts_with"] == [] for one in found)
    assert incoming not in {one["record"]["id"] for one in found}


def test_another_report_of_the_same_brings_the_current_side_too(agent: Door) -> None:
    question = disputes.by_two_reports()
    second = question.attached.get().evidence
    make.Evidence.objects.filter(record_id=question.incoming_record).update(state="superseded")
    results = agent.post("recall", {"query": "past due", "limit": 1, "kinds": ["observation"]}).json()["results"]
    shown = {one["record"]["id"]: one["conflicts_with"] for one in results}
    assert shown == {second.record_id: [question.current_record], question.current_record: [second.record_id]}


@pytest.mark.parametrize(
    "kind", ["by_proposal", "supersession", "ambiguous", "asked_by_reviewer", "about_capture", "against_article"]
)
def test_a_waiting_proposal_is_never_a_side_that_agents_see(agent: Door, kind: str) -> None:
    question = disputes.EVERY[kind]()
    for query in ("account past due", "till opens ten", "deploys Thursday", "backups night two"):
        found = agent.post("recall", {"query": query, "limit": 50}).json()["results"]
        assert question.incoming_record not in {one["record"]["id"] for one in found}
        assert question.incoming_record not in {name for one in found for name in one["conflicts_with"]}


def test_sides_without_a_claim_are_marked_by_the_question_itself(agent: Door) -> None:
    one = make.fact("Parcels leave before noon.")
    other = file_evidence(
        filer=make.filer(),
        draft=disputes.report(content="Vans come at four.", claim=None, source="entry:ops-agent/vans"),
    ).record
    open_inquiry(
        kind=InquiryKind.CONFLICT, severity="high", agent_id="ops-agent", namespace="default", question="Which?",  # type: ignore[arg-type]
        current=one, incoming=other,
    )  # fmt: skip
    found = agent.post("recall", {"query": "parcels noon", "limit": 1}).json()["results"]
    assert {each["record"]["id"]: each["conflicts_with"] for each in found} == {
        one.record_id: [other.record_id], other.record_id: [one.record_id],
    }  # fmt: skip


def test_a_question_that_waits_for_the_agent_is_not_overdue(agent: Door) -> None:
    question = asked()
    later = timezone.now() + timedelta(days=30)
    assert not Inquiry.objects.overdue(later).exists()
    agent.post(f"questions/{question.pk}/evidence", letter())
    assert Inquiry.objects.overdue(later).get() == question
