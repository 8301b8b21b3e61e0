"""The same request under one key happens once, also when it comes from eight threads at once (doors "Idempotency-Key")."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from evidence.models import Decision, Evidence, HeldRecord, IdempotencyKey
from evidence.services import idempotency
from evidence.services.idempotency import IN_FLIGHT, KEPT, Outcome, Request, once
from tests.api.bodies import evidence, proposal
from tests.api.conftest import Door, refusal
from tests.builders import a_token


def test_a_repeat_is_answered_from_what_it_came_to(door: Door) -> None:
    first = door.post("evidence", evidence(), Idempotency_Key="k1")
    again = door.post("evidence", evidence(), Idempotency_Key="k1")
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json() | {"idempotent_replay": True}
    assert "idempotent_replay" not in first.json()
    assert Evidence.objects.count() == 1


def test_a_replay_shows_how_things_are_now(door: Door) -> None:
    body = door.post("proposals", proposal(), Idempotency_Key="k1").json()
    door.post(f"proposals/{body['id']}/withdraw")
    again = door.post("proposals", proposal(), Idempotency_Key="k1").json()
    assert (again["id"], again["status"], again["idempotent_replay"]) == (body["id"], "withdrawn", True)
    assert HeldRecord.objects.count() == 1


def test_a_replay_is_built_under_todays_permissions(door: Door) -> None:
    filed = door.post("evidence", evidence(), Idempotency_Key="k1").json()["id"]
    Evidence.objects.filter(record_id=filed).update(scope_owner="bob")
    assert refusal(door.post("evidence", evidence(), Idempotency_Key="k1")) == (404, "not_found")


def test_another_body_under_the_same_key_is_a_conflict(door: Door) -> None:
    door.post("evidence", evidence(), Idempotency_Key="k1")
    other = evidence(content="Other.")
    assert refusal(door.post("evidence", other, Idempotency_Key="k1")) == (422, "idempotency_conflict")
    assert Evidence.objects.count() == 1


def test_the_order_of_members_makes_no_other_body(door: Door) -> None:
    door.post("evidence", evidence(), Idempotency_Key="k1")
    turned = dict(reversed(list(evidence().items())))
    assert door.post("evidence", turned, Idempotency_Key="k1").json()["idempotent_replay"] is True


def test_a_key_belongs_to_credential_and_path(door: Door) -> None:
    door.post("evidence", evidence(), Idempotency_Key="k1")
    assert "idempotent_replay" not in door.post("proposals", proposal(), Idempotency_Key="k1").json()
    same_agent = Door(a_token("ada").secret)
    assert "idempotent_replay" not in same_agent.post("evidence", evidence(), Idempotency_Key="k1").json()


def test_errors_are_not_kept(door: Door) -> None:
    taken = {"id": "session:bob/t/summary/1"}
    assert refusal(door.post("evidence", evidence(source=taken), Idempotency_Key="k1"))[1] == "not_your_source"
    assert not IdempotencyKey.objects.exists()
    assert door.post("evidence", evidence(), Idempotency_Key="k1").status_code == 201


def test_no_text_of_the_request_is_kept(door: Door) -> None:
    door.post("evidence", evidence(), Idempotency_Key="my-key-1")
    kept = str(IdempotencyKey.objects.values().get())
    assert "kestrel" not in kept
    assert "my-key-1" not in kept


def test_recall_takes_no_key(door: Door) -> None:
    for _ in range(2):
        assert "idempotent_replay" not in door.post("recall", {"query": "x"}, Idempotency_Key="k1").json()
    assert not IdempotencyKey.objects.exists()


@pytest.mark.parametrize("key", ["x" * 201, "ü", "a\tb"])
def test_odd_keys_are_refused(door: Door, key: str) -> None:
    answer = door.post("evidence", evidence(), Idempotency_Key=key)
    assert refusal(answer) == (422, "invalid_value")
    assert answer.json()["field"] == "Idempotency-Key"


def a_request(body: object = None) -> Request:
    return Request(credential="c", method="POST", path="/p", key="k", body=body)


def age(by: timedelta) -> None:
    for row in IdempotencyKey.objects.all():
        IdempotencyKey.objects.filter(pk=row.pk).update(created_at=row.created_at - by)


def in_flight() -> None:
    """As a process leaves it that was killed while it worked."""
    idempotency._claim(a_request())


def test_a_request_in_flight_is_not_done_twice(db: None) -> None:
    in_flight()
    with pytest.raises(idempotency.Refused, match="in_progress"):
        once(request=a_request(), work=lambda: pytest.fail("done twice"))


def test_a_crash_in_flight_blocks_for_a_minute_only(db: None) -> None:
    in_flight()
    age(IN_FLIGHT)
    assert once(request=a_request(), work=lambda: Outcome(201, {"a": 1})) == Outcome(201, {"a": 1})
    assert once(request=a_request(), work=lambda: pytest.fail("done twice")).replay


def test_a_slow_request_that_was_taken_over_undoes_its_work(db: None) -> None:
    def slow() -> Outcome:
        IdempotencyKey.objects.create(scope="work of the slow one", body_hash="x")
        age(IN_FLIGHT)  # whoever takes over moves the row's time
        return Outcome(201, {})

    with pytest.raises(idempotency.Refused, match="in_progress"):
        once(request=a_request(), work=slow)
    assert not IdempotencyKey.objects.filter(scope="work of the slow one").exists()


def test_a_key_is_free_again_after_24_hours(db: None) -> None:
    once(request=a_request("old"), work=lambda: Outcome(201, {}))
    age(KEPT)
    assert once(request=a_request("new"), work=lambda: Outcome(200, {"new": True})) == Outcome(200, {"new": True})


@pytest.mark.races
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("keyed", [True, False], ids=["with a key", "without"])
def test_eight_threads_with_one_request_make_one_record(keyed: bool) -> None:
    secret = a_token("ada").secret
    answers: list[Any] = []
    start = threading.Barrier(8)

    def send() -> None:
        try:
            door = Door(secret)
            headers = {"Idempotency_Key": "k1"} if keyed else {}
            start.wait()
            answers.append(door.post("proposals", proposal(), **headers))
        finally:
            connection.close()

    threads = [threading.Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # With a key: created once, replayed or still in progress for the others. Without: one created, the others the same one.
    statuses = sorted(answer.status_code for answer in answers)
    assert set(statuses) <= ({201, 409} if keyed else {200, 201})
    assert sum(1 for answer in answers if answer.status_code == 201 and "idempotent_replay" not in answer.json()) == 1
    assert {answer.json()["code"] for answer in answers if answer.status_code == 409} <= {"in_progress"}
    assert (HeldRecord.objects.count(), Evidence.objects.exclude(source_id__startswith="proposal:").count()) == (1, 1)
    assert Decision.objects.filter(action="file", target_kind="held").count() == 1
