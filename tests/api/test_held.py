"""People decide, edit and take back over REST, through the same services as the pages (doors "Queue and decisions")."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from evidence.models import Decision, Evidence, HeldRecord, Inquiry, RecallItem, RecallLog
from evidence.rules.times import to_iso
from evidence.rules.vocab import Action, Role
from tests.api.bodies import SECRET
from tests.api.conftest import Door, refusal
from tests.api.test_openapi import conforms
from tests.api.test_queue import door_of
from tests.services import make

pytestmark = pytest.mark.django_db


@pytest.fixture
def reviewer() -> Door:
    return door_of(make.user("reviewer", Role.REVIEWER, of=make.agent()))


@pytest.fixture
def schema() -> dict[str, Any]:
    return json.loads(Door().get("openapi.json").content)  # type: ignore[no-any-return]


def decide(door: Door, held: HeldRecord, action: str = "approve", **members: Any) -> Any:
    headers = {"Idempotency_Key": members.pop("key")} if "key" in members else {}
    body = {"action": action, "version": held.version} | members
    return door.post(
        f"held/{held.pk}/decision", {name: one for name, one in body.items() if one is not None}, **headers
    )


def test_an_item_says_what_each_action_would_do_and_that_is_what_is_done(
    reviewer: Door, schema: dict[str, Any]
) -> None:
    make.fact(about=make.claim("active"))
    held = make.proposal(statement="The vendor account is past due.", claim=make.claim("past due"))
    read = reviewer.get(f"held/{held.pk}")
    conforms(schema, "held/{held_id}", "get", read)
    item = read.json()
    assert (item["version"], item["claim"]["value"], item["current"][0]["value"]) == (
        held.version,
        "past due",
        "active",
    )
    assert item["evidence"][0]["excerpt"]
    assert set(item["plans"]) == set(Action)
    assert {one["code"] for one in item["not_allowed"]} <= {"reviewed_article", "verification_rejected"}
    assert item["verification"]["status"] == held.verification_status
    plan = item["plans"]["approve"]
    done = decide(reviewer, held, plan_digest=plan["plan_digest"], checked_at="now")
    conforms(schema, "held/{held_id}/decision", "post", done)
    body = done.json()
    planned = [{name: step[name] for name in ("kind", "target_kind", "target_id")} for step in plan["plan"]]
    assert (body["effects"], body["grants"], body["item"]["status"]) == (planned, [], "approved")
    decision = Decision.objects.get(pk=body["decision"]["id"])
    assert (decision.door, decision.actor_name, decision.digest) == ("api", "reviewer", body["decision"]["digest"])


def test_a_decision_that_is_sent_twice_is_taken_once(reviewer: Door) -> None:
    held = make.proposal()
    first, again = (decide(reviewer, held, key="k1") for _ in range(2))
    assert again.json() == first.json() | {"idempotent_replay": True}
    assert refusal(decide(reviewer, held, "snooze", key="k1")) == (422, "idempotency_conflict")
    assert Decision.objects.filter(action="approve").count() == 1
    other = make.proposal(statement="Another thing entirely, of another host.")
    assert decide(reviewer, other, key="k1").status_code == 200  # a key is of a path


def test_who_was_first_is_told(reviewer: Door) -> None:
    held = make.proposal()
    assert decide(reviewer, held, "reject", reason_code="wrong").status_code == 200
    late = decide(door_of(make.user("late", Role.REVIEWER)), held)
    assert refusal(late) == (409, "already_decided")
    body = late.json()
    assert (body["decided_by"], body["item_status"], body["reason_code"], body["grants"]) == (
        "reviewer", "rejected", "wrong", [],
    )  # fmt: skip
    assert (body["seen_version"], body["current_version"]) == (held.version, held.version + 1)


def test_another_plan_than_the_one_seen_is_a_conflict_with_the_new_one(reviewer: Door) -> None:
    held = make.proposal(statement="The vendor account is past due.", claim=make.claim("past due"))
    seen = reviewer.get(f"held/{held.pk}").json()["plans"]["approve"]
    make.fact(about=make.claim("active"))
    answer = decide(reviewer, held, plan_digest=seen["plan_digest"], key="k1")
    assert refusal(answer) == (409, "version_conflict")
    held.refresh_from_db()
    now = reviewer.get(f"held/{held.pk}").json()["plans"]["approve"]
    assert now["plan_digest"] != seen["plan_digest"]
    assert answer.json()["current_version"] <= held.version
    assert held.is_waiting


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"version": None}, (422, "version_required")),
        ({"version": 99}, (409, "version_conflict")),
        ({"action": "reject"}, (422, "reason_required")),
        ({"action": "supersede", "reason_code": "stale"}, (422, "supersedes_required")),
        ({"action": "supersede", "reason_code": "stale", "supersedes": ["e-" + "0" * 32]}, (422, "invalid_value")),
        ({"action": "snooze"}, (422, "invalid_value")),
        ({"action": "snooze", "until": "2020-01-01T00:00:00Z"}, (422, "invalid_value")),
        ({"action": "snooze", "until": "tomorrow"}, (422, "invalid_value")),
        ({"action": "sign"}, (422, "invalid_value")),
        ({"reason_code": "because"}, (422, "invalid_value")),
        ({"durability": "session"}, (422, "invalid_value")),
        ({"checked_at": "yesterday"}, (422, "invalid_value")),
        ({"plan_digest": "another"}, (409, "version_conflict")),
        ({"by": "me"}, (422, "unknown_member")),
        ({"reason": SECRET}, (422, "secret_detected")),
        ({"reason": "a\0b"}, (400, "invalid_text")),
        ({"reason": "x" * 5_000}, (413, "too_large")),
    ],
)
def test_what_is_missing_wrong_or_moved(reviewer: Door, members: dict[str, Any], expected: tuple[int, str]) -> None:
    held = make.proposal()
    assert refusal(decide(reviewer, held, **members)) == expected
    held.refresh_from_db()
    assert held.is_waiting
    assert not Decision.objects.exclude(action__in=["file", "verify"]).filter(actor_kind="person").exists()


def test_a_dated_source_a_conversion_and_a_ratification_are_asked_for(reviewer: Door) -> None:
    undated = make.proposal(event_at="")
    assert refusal(decide(reviewer, undated)) == (422, "check_date_required")
    assert decide(reviewer, undated, checked_at=make.days_ago(2)).status_code == 200
    short = make.proposal(statement="The build queue is long.", durability="session")
    assert refusal(decide(reviewer, short)) == (422, "conversion_required")
    assert decide(reviewer, short, durability="project").status_code == 200
    core = make.proposal(statement="Always answer in English.", layer="L1")
    assert refusal(decide(reviewer, core)) == (422, "ratification_required")
    assert decide(reviewer, core, ratify=True).status_code == 200


def test_putting_off_and_asking_leave_it_waiting(reviewer: Door, schema: dict[str, Any]) -> None:
    held = make.proposal()
    later = to_iso(timezone.now() + timedelta(days=2))
    snoozed = decide(reviewer, held, "snooze", until=later)
    conforms(schema, "held/{held_id}/decision", "post", snoozed)
    held.refresh_from_db()
    assert (held.is_waiting, held.snoozed_until is not None) == (True, True)
    assert decide(reviewer, held, "ask_owner", reason="Is that so?").status_code == 200
    assert Inquiry.objects.open().get(held=held).question == "Is that so?"


def test_the_first_of_two_approvals_says_that_one_is_missing(reviewer: Door, schema: dict[str, Any]) -> None:
    make.user("second", Role.REVIEWER)
    make.policy(two_approvals=True)
    held = make.proposal(**make.risky())
    first = decide(reviewer, held)
    conforms(schema, "held/{held_id}/decision", "post", first)
    assert first.json()["approvals"] == {"have": 1, "need": 2}
    assert refusal(decide(reviewer, held))[0] == 403
    assert decide(door_of(make.user("second")), held).json()["item"]["status"] == "approved"


def test_an_edit_is_a_new_version_that_is_verified_again(reviewer: Door, schema: dict[str, Any]) -> None:
    held = make.proposal(statement="The vendor account is past due.", claim=make.claim("past due"))
    path, base = f"held/{held.pk}/edit", {"version": held.version, "reason": "It was cut off."}
    edited = reviewer.post(path, base | {"statement": "The vendor account is past due since May."}, Idempotency_Key="k")
    conforms(schema, "held/{held_id}/edit", "post", edited)
    body = edited.json()
    assert (body["statement"], body["claim"]["value"]) == ("The vendor account is past due since May.", "past due")
    assert body["version"] > held.version
    assert body["verification"]["status"] != "pending"
    again = reviewer.post(path, base | {"statement": "The vendor account is past due since May."}, Idempotency_Key="k")
    assert again.json()["idempotent_replay"] is True
    assert refusal(reviewer.post(path, base | {"statement": "Else."})) == (409, "version_conflict")
    now = {"version": body["version"], "reason": "No claim."}
    evidence = [one["id"] for one in body["evidence"]]
    without = reviewer.post(path, now | {"claim": None, "evidence": evidence}).json()
    assert (without["claim"], without["evidence"]) == (None, [])
    assert refusal(reviewer.post(path, {"version": without["version"], "statement": "Else."})) == (
        422,
        "reason_required",
    )
    assert refusal(reviewer.post(path, {"statement": "Else.", "reason": "x"})) == (422, "version_required")
    foreign = {"version": without["version"], "reason": "x", "scope": {"access": "public", "project": "p"}}
    assert refusal(reviewer.post(path, foreign)) == (422, "reserved")


def test_who_changed_what_is_claimed_may_not_approve_it_alone(reviewer: Door) -> None:
    make.user("second", Role.REVIEWER)
    held = make.proposal(statement="The vendor account is past due.", claim=make.claim("past due"))
    claim = {"subject": "vendor account", "attribute": "billing status", "value": "closed"}
    reviewer.post(f"held/{held.pk}/edit", {"version": held.version, "claim": claim, "reason": "It is closed."})
    item = reviewer.get(f"held/{held.pk}").json()
    held.refresh_from_db()
    answer = decide(reviewer, held)
    assert refusal(answer)[0] == 403
    assert {"action": "approve", "code": answer.json()["code"]}.items() <= item["not_allowed"][0].items()
    assert "approve" not in item["allowed_actions"]


def test_a_decision_is_taken_back_and_says_who_saw_it(reviewer: Door, schema: dict[str, Any]) -> None:
    held = make.proposal()
    done = decide(reviewer, held).json()
    fact = Evidence.objects.active().get(kind="fact")
    log = RecallLog.objects.create(namespace="default", agent="ops-agent", query_hash="x", at=timezone.now())
    RecallItem.objects.create(
        recall=log, namespace="default", record_id=fact.record_id, label="verified", rank=1, at=timezone.now()
    )
    path = f"decisions/{done['decision']['id']}/undo"
    assert refusal(reviewer.post(path, {})) == (422, "version_required")
    assert refusal(reviewer.post(path, {"version": 1})) == (409, "version_conflict")
    other = door_of(make.user("other", Role.REVIEWER))
    assert refusal(other.post(path, {"version": done["item"]["version"]})) == (403, "not_reviewer")
    undone = reviewer.post(path, {"version": done["item"]["version"], "reason": "Slip."}, Idempotency_Key="k")
    conforms(schema, "decisions/{decision_id}/undo", "post", undone)
    body = undone.json()
    assert (body["item"]["status"], body["decision"]["undoes"], body["grants"]) == (
        "waiting",
        done["decision"]["id"],
        [],
    )
    assert [one["record_id"] for one in body["shown"]] == [fact.record_id]
    again = reviewer.post(path, {"version": done["item"]["version"], "reason": "Slip."}, Idempotency_Key="k")
    assert again.json() == body | {"idempotent_replay": True}
    assert refusal(reviewer.post(path, {"version": body["item"]["version"]})) == (409, "undo_blocked")


def test_a_decision_about_what_one_may_not_see_does_not_exist(reviewer: Door) -> None:
    held = make.proposal(of=make.agent("elsewhere"))
    decision = make.approve(held, make.user("everybody", Role.REVIEWER)).decision
    hidden = reviewer.post(f"decisions/{decision.pk}/undo", {"version": 1})
    unknown = reviewer.post("decisions/0190aaaa-0000-7000-8000-000000000000/undo", {"version": 1})
    assert refusal(hidden) == (404, "not_found")
    assert hidden.content == unknown.content
