"""People answer questions over REST, by the roles that their token's person has (doors "Queue and decisions")."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evidence.models import Decision, Evidence, Inquiry
from evidence.rules.vocab import Right, Role
from evidence.services.actors import Actor
from evidence.services.article_counting import ask_about_never_reviewed
from tests.api.conftest import Door, refusal
from tests.api.test_openapi import conforms
from tests.builders import a_person_token, a_token
from tests.services import disputes, make

pytestmark = pytest.mark.django_db


def person(name: str, *roles: Role, of: str | None = "ops-agent") -> Door:
    return Door(a_person_token(make.user(name, *roles, of=make.agent(of) if of else None)).secret)


@pytest.fixture
def owner() -> Door:
    return person("owner", Role.OWNER)


@pytest.fixture
def schema() -> dict[str, Any]:
    return json.loads(Door().get("openapi.json").content)  # type: ignore[no-any-return]


def test_list_read_and_answer_are_as_described(owner: Door, schema: dict[str, Any]) -> None:
    question = disputes.by_proposal()
    listed = owner.get("inquiries")
    conforms(schema, "inquiries", "get", listed)
    assert [item["id"] for item in listed.json()["items"]] == [str(question.pk)]
    read = owner.get(f"inquiries/{question.pk}")
    conforms(schema, "inquiries/{inquiry_id}", "get", read)
    body = read.json()
    assert [side["side"] for side in body["sides"]] == (
        ["incoming", "current"] if question.incoming_first else ["current", "incoming"]
    )
    offered = {one["answer"]: one for one in body["answers"]}
    assert offered["incoming"]["plan"][-1]["kind"] == "approve_item"
    asked = {"answer": "incoming", "version": body["version"], "plan_digest": offered["incoming"]["plan_digest"]}
    answered = owner.post(f"inquiries/{question.pk}/answer", asked, idempotency_key="one")
    conforms(schema, "inquiries/{inquiry_id}/answer", "post", answered)
    done = answered.json()
    assert (answered.status_code, done["grants"], done["inquiry"]["status"]) == (200, [], "answered")
    assert [one["kind"] for one in done["effects"]] == [
        "incoming",
        *(one["kind"] for one in offered["incoming"]["plan"]),
    ]
    again = owner.post(f"inquiries/{question.pk}/answer", asked, idempotency_key="one")
    assert (again.json()["decision"], again.json()["idempotent_replay"]) == (done["decision"], True)
    assert Decision.objects.filter(action="answer").count() == 1
    other = owner.post(f"inquiries/{question.pk}/answer", asked | {"answer": "current"}, idempotency_key="one")
    assert refusal(other) == (422, "idempotency_conflict")


def test_who_may(owner: Door) -> None:
    question = disputes.by_proposal()
    body = {"answer": "current", "version": question.version}
    assert refusal(Door().get("inquiries")) == (401, "unauthenticated")
    agent = Door(a_token("ops-agent", rights=list(Right)).secret)
    assert refusal(agent.get("inquiries")) == (403, "right_missing")
    assert refusal(agent.post(f"inquiries/{question.pk}/answer", body)) == (403, "right_missing")
    stranger = person("stranger", Role.OWNER, of="quite-another")
    for address in (f"inquiries/{question.pk}", "inquiries/nothing"):
        assert refusal(stranger.get(address)) == (404, "not_found")
    assert stranger.get("inquiries").json()["items"] == []
    assert refusal(stranger.post(f"inquiries/{question.pk}/answer", body)) == (404, "not_found")
    auditor = person("auditor", Role.AUDITOR)
    assert auditor.get(f"inquiries/{question.pk}").json()["answers"] == []
    assert refusal(auditor.post(f"inquiries/{question.pk}/answer", body)) == (403, "not_reviewer")
    assert refusal(owner.post("evidence", {})) == (403, "right_missing")
    question.refresh_from_db()
    assert question.status == "open"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"answer": "current"}, (422, "version_required")),
        ({"answer": "current", "version": 99}, (409, "version_conflict")),
        ({"answer": "current", "version": 1, "plan_digest": "another"}, (409, "version_conflict")),
        ({"answer": "perhaps", "version": 1}, (422, "invalid_value")),
        ({"answer": "other_value", "version": 1}, (422, "invalid_value")),
        ({"answer": "both_scope", "version": 1}, (422, "invalid_value")),
        ({"answer": "both_time", "version": 1}, (422, "invalid_value")),
        ({"answer": "article_should_change", "version": 1}, (422, "invalid_value")),
        ({"answer": "current", "version": 1, "by": "me"}, (422, "unknown_member")),
        ({"answer": "current", "version": 1, "reason": "ghp_" + "a1B2" * 9}, (422, "secret_detected")),
        ({"answer": "other_value", "version": 1, "value": "a\0b"}, (400, "invalid_text")),
    ],
)
def test_what_is_missing_or_moved(owner: Door, body: dict[str, Any], expected: tuple[int, str]) -> None:
    question = disputes.by_proposal()
    assert refusal(owner.post(f"inquiries/{question.pk}/answer", body)) == expected
    question.refresh_from_db()
    assert (question.status, Evidence.objects.active().filter(kind="fact").count()) == ("open", 1)


def test_somebody_was_first(owner: Door) -> None:
    question = disputes.by_proposal()
    body = {"answer": "current", "version": question.version}
    assert owner.post(f"inquiries/{question.pk}/answer", body).status_code == 200
    late = person("late", Role.OWNER).post(f"inquiries/{question.pk}/answer", body)
    assert refusal(late) == (409, "closed")
    assert (late.json()["decided_by"], late.json()["answer"], late.json()["grants"]) == ("owner", "current", [])


def test_scopes_and_times_are_given_as_the_doors_say(owner: Door) -> None:
    question = disputes.by_proposal()
    scopes = {
        "current": {"access": "private"},
        "incoming": {"owner": "sales-agent", "access": "shared", "shared_with": ["qa-agent"]},
    }
    body = {"answer": "both_scope", "version": question.version, "scopes": scopes, "reason": "Each has its own."}
    assert owner.post(f"inquiries/{question.pk}/answer", body).status_code == 200
    facts = Evidence.objects.active().filter(kind="fact")
    assert {row.claim_value: (row.scope_owner, row.scope_access) for row in facts} == {
        "active": ("ops-agent", "private"), "past due": ("sales-agent", "shared"),
    }  # fmt: skip


def test_times(owner: Door) -> None:
    question = disputes.by_proposal()
    turn = "2026-03-01T00:00:00Z"
    body = {
        "answer": "both_time",
        "version": question.version,
        "validity": {"current": {"until": turn}, "incoming": {"from": turn}},
    }
    assert owner.post(f"inquiries/{question.pk}/answer", body).status_code == 200
    facts = {row.claim_value: row for row in Evidence.objects.active().filter(kind="fact")}
    assert facts["active"].valid_until == facts["past due"].valid_from


def test_the_list_is_paged_and_narrowed(owner: Door) -> None:
    for number in range(3):
        held = make.proposal(statement=f"Host {number} is called quail {number}.")
        make.act(held, make.reviewer(), make.Action.ASK_OWNER, question=f"Is it {number}?")
    first = owner.get("inquiries?limit=2&show=mine").json()
    second = owner.get(f"inquiries?limit=2&show=mine&after={first['next']}").json()
    assert [len(first["items"]), len(second["items"]), second["next"]] == [2, 1, None]
    assert owner.get("inquiries?status=answered").json()["items"] == []
    assert refusal(owner.get("inquiries?show=everything"))[0] == 422
    assert refusal(owner.get("inquiries?after=made-up"))[0] in (400, 422)


def test_a_question_from_a_reader_of_every_kind_can_be_read(owner: Door) -> None:
    """Also where a side is gone."""
    for make_one in (disputes.current_gone, disputes.against_article, disputes.recheck):
        question = make_one()
        body = owner.get(f"inquiries/{question.pk}").json()
        assert body["id"] == str(question.pk)
    assert Inquiry.objects.open().count() >= 3


def test_the_question_about_articles_that_nobody_reviewed_is_answered_by_yes_or_no(owner: Door) -> None:
    article = make.article(approval_by="", approval_at=None, approval_proposal="", review="")
    asked = ask_about_never_reviewed(agent_id="ops-agent", namespace="default", actor=Actor.system()).inquiry
    assert asked is not None
    body = owner.get(f"inquiries/{asked.pk}").json()
    assert [(one["answer"], one["plan"][0]["kind"]) for one in body["answers"]] == [
        ("incoming", "count_reviewed"), ("current", "keep_record"),
    ]  # fmt: skip
    given = {"answer": "incoming", "version": body["version"], "reason": "I wrote them."}
    assert owner.post(f"inquiries/{asked.pk}/answer", given).status_code == 200
    article.refresh_from_db()
    assert article.approval_by == "owner"
    assert refusal(owner.post(f"inquiries/{asked.pk}/answer", given))[0] == 409
