"""People work off the queue over REST: what waits, claiming, leases (doors "Queue and decisions")."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest

from evidence.models import HeldRecord, User
from evidence.rules.vocab import Right, Role
from tests.api.conftest import Door, refusal
from tests.api.test_openapi import conforms
from tests.builders import a_person_token, a_token
from tests.services import make

pytestmark = pytest.mark.django_db
ALIEN = "0190aaaa-0000-7000-8000-000000000000"


def door_of(user: User) -> Door:
    return Door(a_person_token(user).secret)


@pytest.fixture
def reviewer() -> Door:
    return door_of(make.user("reviewer", Role.REVIEWER, of=make.agent()))


@pytest.fixture
def schema() -> dict[str, Any]:
    return json.loads(Door().get("openapi.json").content)  # type: ignore[no-any-return]


def test_the_queue_is_searched_paged_and_counted(reviewer: Door, schema: dict[str, Any]) -> None:
    rows = [make.proposal(statement=f"Host {number} is called quail {number}.") for number in range(3)]
    other = make.proposal(of=make.agent("elsewhere"), statement="Nobody here sees it.")
    first = reviewer.get("queue?limit=2&count=1")
    conforms(schema, "queue", "get", first)
    second = reviewer.get(f"queue?limit=2&after={first.json()['next']}")
    conforms(schema, "queue", "get", second)
    found = [item["id"] for answer in (first, second) for item in answer.json()["items"]]
    assert sorted(found) == sorted(str(row.pk) for row in rows)
    assert (first.json()["count"], second.json()["next"], "count" in second.json()) == ("3", None, False)
    assert str(other.pk) not in found
    narrowed = reviewer.get("queue?q=quail+1").json()
    assert [item["statement"] for item in narrowed["items"]] == ["Host 1 is called quail 1."]


def test_a_search_that_cannot_be_read_finds_nothing_instead_of_too_much(reviewer: Door) -> None:
    make.proposal()
    answer = reviewer.get("queue?q=risk:purple")
    assert refusal(answer) == (422, "invalid_value")
    assert (answer.json()["field"], len(answer.json()["errors"])) == ("q", 1)
    assert refusal(reviewer.post("queue/next", {"q": "risk:purple"})) == (422, "invalid_value")
    assert refusal(reviewer.get("queue?after=made-up"))[0] in (400, 422)
    assert refusal(reviewer.get("queue?limit=1000"))[0] == 422


def test_the_count_is_capped(reviewer: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    from evidence.selectors import paging

    for number in range(3):
        make.proposal(statement=f"Host {number} is called quail {number}.")
    monkeypatch.setattr(paging, "COUNT_LIMIT", 2)
    assert reviewer.get("queue?count=1").json()["count"] == "2+"


def test_looking_claims_nothing(reviewer: Door) -> None:
    held = make.proposal()
    reviewer.get("queue")
    reviewer.get(f"held/{held.pk}")
    held.refresh_from_db()
    assert held.lease_holder_id is None


def test_the_next_item_is_claimed_once(reviewer: Door, schema: dict[str, Any]) -> None:
    held = make.proposal()
    got = reviewer.post("queue/next")
    conforms(schema, "queue/next", "post", got)
    body = got.json()
    assert (body["item"]["id"], body["item"]["leased_by"], body["lease"]["mine"]) == (str(held.pk), "reviewer", True)
    second = door_of(make.user("second", Role.REVIEWER, of=make.agent()))
    none = second.post("queue/next", {"q": "risk:low"})
    conforms(schema, "queue/next", "post", none)
    assert none.json() == {"item": None, "lease": None, "held_by_others": "1"}


def test_leases_are_prolonged_taken_over_and_given_back(reviewer: Door, schema: dict[str, Any]) -> None:
    held = make.proposal()
    path = f"held/{held.pk}/lease"
    mine = reviewer.post(path, {})
    conforms(schema, "held/{held_id}/lease", "post", mine)
    token = mine.json()["token"]
    assert reviewer.post(path, {"token": token}).json()["token"] == token
    second = door_of(make.user("second", Role.REVIEWER, of=make.agent()))
    theirs = second.post(path).json()
    assert (theirs["mine"], theirs["holder"], theirs["token"]) == (False, "reviewer", None)
    assert second.send("DELETE", f"{path}?token={token}").json() == {"released": False}
    taken = second.post(path, {"take_over": True}).json()
    assert taken["mine"] is True
    assert refusal(reviewer.post(path, {"token": token})) == (409, "closed")
    given = second.send("DELETE", f"{path}?token={taken['token']}")
    conforms(schema, "held/{held_id}/lease", "delete", given)
    assert given.json() == {"released": True}
    held.refresh_from_db()
    assert held.lease_holder_id is None


def test_who_may_not_see_an_item_learns_nothing_of_it(reviewer: Door) -> None:
    held = make.proposal(of=make.agent("elsewhere"))
    unknown = [reviewer.send(method, f"held/{ALIEN}{rest}", body) for method, rest, body in EVERYTHING]
    hidden = [reviewer.send(method, f"held/{held.pk}{rest}", body) for method, rest, body in EVERYTHING]
    assert [refusal(answer) for answer in unknown] == [(404, "not_found")] * len(EVERYTHING)
    assert [answer.content for answer in hidden] == [answer.content for answer in unknown]
    assert refusal(reviewer.get("held/no-id")) == (404, "not_found")
    assert HeldRecord.objects.get(pk=held.pk).lease_holder_id is None


EVERYTHING: list[tuple[str, str, Any]] = [
    ("GET", "", None),
    ("POST", "/lease", {}),
    ("DELETE", "/lease?token=1", None),
    ("POST", "/decision", {"action": "approve", "version": 2}),
    ("POST", "/edit", {"version": 2, "statement": "Another.", "reason": "why"}),
]


def test_only_people_and_only_reviewers_work_off_the_queue() -> None:
    held = make.proposal()
    agent = Door(a_token("ops-agent", rights=list(Right)).secret)
    auditor = door_of(make.user("auditor", Role.AUDITOR))
    for method, rest, body in EVERYTHING:
        assert refusal(agent.send(method, f"held/{held.pk}{rest}", body)) == (403, "right_missing")
        assert refusal(Door().send(method, f"held/{held.pk}{rest}", body)) == (401, "unauthenticated")
        if method == "POST":
            assert refusal(auditor.send(method, f"held/{held.pk}{rest}", body)) == (403, "not_reviewer")
    assert auditor.post("queue/next").json()["item"] is None
    assert auditor.get(f"held/{held.pk}").json()["allowed_actions"] == []
    assert refusal(agent.get("queue")) == (403, "right_missing")


HOSTILE = [
    "\0", "\ud800", "a\0b", "%", "'", '"', "\\", "-", "*", "risk:", ":high", "agent:\0", "NEAR(", "((((", "a OR", "\u202e",
    "id:zzz", "filed:9999-99-99", "filed:>0001-01-01", "x" * 999, "x" * 5_000, "is:mine is:leased", "不" * 300,
    "1e999", "claim:a\nb",
]  # fmt: skip


def test_whatever_is_searched_for_is_answered(reviewer: Door) -> None:
    make.proposal()
    for text in HOSTILE:
        said = quote(text.encode("utf-8", "surrogatepass"))
        for address in (f"queue?q={said}&count=1", f"queue?after={said}", f"held/{said}", f"jobs/{ALIEN}?after={said}"):
            answer = reviewer.get(address)
            assert answer.status_code in (200, 400, 404, 413, 422), (address, answer.content)
            if answer.status_code != 200:
                refusal(answer)
        posted = reviewer.post("queue/next", {"q": text})
        assert posted.status_code in (200, 400, 413, 422), (text, posted.content)
