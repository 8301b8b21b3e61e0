"""One decision for many items over REST: a job, what became of each item, and taking it back (doors "Queue and decisions")."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from evidence.models import Decision, HeldRecord, Job
from evidence.rules.vocab import Role
from evidence.services import bulk, bulk_freezing
from evidence.services.bulk_work import work_on_job
from tests.api.conftest import Door, refusal
from tests.api.test_openapi import conforms
from tests.api.test_queue import ALIEN, door_of
from tests.services import make

pytestmark = pytest.mark.django_db


@pytest.fixture
def reviewer() -> Door:
    return door_of(make.user("reviewer", Role.REVIEWER, of=make.agent()))


@pytest.fixture
def schema() -> dict[str, Any]:
    return json.loads(Door().get("openapi.json").content)  # type: ignore[no-any-return]


SAID = ("Backups run every night at two.", "Invoices go out in March.", "The kestrel team reviews on Fridays.")


def named(rows: Sequence[HeldRecord]) -> list[dict[str, Any]]:
    return [{"id": str(row.pk), "version": row.version} for row in rows]


def some(number: int = 3) -> list[HeldRecord]:
    return [make.proposal(statement=text) for text in SAID[:number]]


def work(job_id: str) -> None:
    """As a worker that the outbox wakes until nothing is left."""
    while work_on_job(job_id):
        pass


def outcomes(door: Door, job_id: str) -> dict[str, tuple[str, str | None]]:
    return {one["id"]: (one["outcome"], one["code"]) for one in door.get(f"jobs/{job_id}").json()["items"]}


def test_each_item_is_decided_on_its_own_and_says_what_became_of_it(reviewer: Door, schema: dict[str, Any]) -> None:
    good, moved, risky = (
        *some(2),
        make.proposal(statement="Logs are kept a year.", **make.risky("Logs are kept a year.")),
    )
    alien = make.proposal(of=make.agent("elsewhere"), statement="Not theirs to see.")
    items = [*named([good, moved, risky, alien]), {"id": ALIEN, "version": 1}, {"id": "no id", "version": 1}]
    items[1]["version"] += 5
    started = reviewer.post("bulk", {"items": items, "action": "approve"}, Idempotency_Key="k")
    conforms(schema, "bulk", "post", started)
    assert (started.status_code, started.json()["job"]["status"], started.json()["job"]["waiting"]) == (
        202,
        "waiting",
        1,
    )
    job_id = started.json()["job"]["id"]
    again = reviewer.post("bulk", {"items": items, "action": "approve"}, Idempotency_Key="k").json()
    assert (again["job"]["id"], again["idempotent_replay"], Job.objects.count()) == (job_id, True, 1)
    work(job_id)
    read = reviewer.get(f"jobs/{job_id}")
    conforms(schema, "jobs/{job_id}", "get", read)
    assert outcomes(reviewer, job_id) == {
        str(good.pk): ("done", "approve"),
        str(moved.pk): ("left_out", "version_conflict"),
        str(risky.pk): ("left_out", "high_risk"),
        str(alien.pk): ("gone", "not_found"),
        ALIEN: ("gone", "not_found"),
        "no id": ("gone", "not_found"),
    }
    assert (read.json()["job"]["status"], read.json()["job"]["done"], read.json()["grants"]) == ("done", 1, [])
    decision = Decision.objects.get(action="approve")
    assert (str(decision.bulk_id), decision.door, read.json()["items"][0]["decision"]) == (
        job_id,
        "api",
        str(decision.pk),
    )


def test_what_a_worker_has_to_prepare_is_carried_out_without_asking_again(
    reviewer: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(bulk.FROZEN_AT_ONCE, make.Action.APPROVE, 2)
    monkeypatch.setattr(bulk_freezing, "STRETCH", 2)
    rows = some(3)
    job = reviewer.post("bulk", {"items": named(rows), "action": "approve"}).json()["job"]
    assert job["status"] == "preparing"
    work(job["id"])
    assert Job.objects.get(pk=job["id"]).status == "waiting"
    work(job["id"])
    assert {one[0] for one in outcomes(reviewer, job["id"]).values()} == {"done"}


def test_where_nothing_can_be_done_the_job_says_so(reviewer: Door) -> None:
    rows = some(1)
    items = [{"id": str(rows[0].pk), "version": 99}]
    job = reviewer.post("bulk", {"items": items, "action": "approve"}).json()["job"]
    assert (job["status"], job["done"], job["selected"]) == ("done", 0, 0)
    assert outcomes(reviewer, job["id"]) == {str(rows[0].pk): ("left_out", "version_conflict")}


def test_a_bulk_is_taken_back(reviewer: Door, schema: dict[str, Any]) -> None:
    rows = some(2)
    asked = {"items": named(rows), "action": "reject", "reason_code": "too_vague", "reason": "Which one?"}
    job_id = reviewer.post("bulk", asked).json()["job"]["id"]
    assert refusal(reviewer.post(f"bulk/{job_id}/undo")) == (409, "in_progress")
    work(job_id)
    undone = reviewer.post(f"bulk/{job_id}/undo", {"reason": "Slip."}, Idempotency_Key="k")
    conforms(schema, "bulk/{job_id}/undo", "post", undone)
    assert (undone.status_code, undone.json()["job"]["kind"]) == (202, "bulk_undo")
    work(undone.json()["job"]["id"])
    assert [row.status for row in HeldRecord.objects.all()] == ["waiting", "waiting"]
    assert reviewer.get(f"jobs/{job_id}").json()["job"]["undone_by"] == undone.json()["job"]["id"]
    assert reviewer.post(f"bulk/{job_id}/undo").json()["job"]["id"] == undone.json()["job"]["id"]


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"items": []}, (422, "empty_selection")),
        ({"items": [{"id": ALIEN, "version": 1}]}, (422, "empty_selection")),
        ({"items": [{"id": ALIEN}]}, (422, "invalid_value")),
        ({"items": [{"id": ALIEN, "version": 1}] * 2}, (422, "invalid_value")),
        ({"action": "supersede"}, (422, "invalid_value")),
        ({"action": "reject"}, (422, "reason_required")),
        ({"action": "snooze"}, (422, "invalid_value")),
        ({"checked_at": "source"}, (422, "invalid_value")),
        ({"take": "all"}, (422, "unknown_member")),
    ],
)
def test_what_is_missing_or_wrong(reviewer: Door, members: dict[str, Any], expected: tuple[int, str]) -> None:
    body = {"items": named(some(1)), "action": "approve"} | members
    assert refusal(reviewer.post("bulk", body)) == expected
    assert not Job.objects.exists()


def test_a_job_is_its_owners(reviewer: Door) -> None:
    job_id = reviewer.post("bulk", {"items": named(some(1)), "action": "approve"}).json()["job"]["id"]
    other = door_of(make.user("other", Role.REVIEWER))
    for answer, unknown in (
        (other.get(f"jobs/{job_id}"), other.get(f"jobs/{ALIEN}")),
        (other.post(f"bulk/{job_id}/undo"), other.post(f"bulk/{ALIEN}/undo")),
    ):
        assert refusal(answer) == (404, "not_found")
        assert answer.content == unknown.content
    auditor = door_of(make.user("auditor", Role.AUDITOR))
    assert auditor.get(f"jobs/{job_id}").status_code == 200
    assert refusal(auditor.post(f"bulk/{job_id}/undo")) == (404, "not_found")
    assert refusal(auditor.post("bulk", {"items": named(some(1)), "action": "approve"}))[0] == 403


def test_jobs_are_read_page_by_page(reviewer: Door) -> None:
    rows = some(3)
    job_id = reviewer.post("bulk", {"items": named(rows), "action": "approve"}).json()["job"]["id"]
    first = reviewer.get(f"jobs/{job_id}?limit=2").json()
    second = reviewer.get(f"jobs/{job_id}?limit=2&after={first['next']}").json()
    assert [one["id"] for one in first["items"] + second["items"]] == [str(row.pk) for row in rows]
    assert second["next"] is None
