"""A filer changes its own waiting proposal over REST: a new version, matched and verified again (doors "Proposals")."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from django.db import connection

from evidence.models import Decision, Evidence, HeldLink, HeldRecord, Inquiry
from evidence.rules.vocab import Role
from evidence.services.editing import edit_held
from evidence.services.verification import verify_held
from tests.api.bodies import CLAIM, SECRET, evidence, proposal
from tests.api.conftest import Door, refusal
from tests.api.test_openapi import conforms
from tests.builders import a_person_token, a_record, a_token
from tests.services import make

pytestmark = pytest.mark.django_db


@pytest.fixture
def filed(door: Door) -> dict[str, Any]:
    answer = door.post("proposals", proposal(claim=CLAIM))
    verify_held(held_id=answer.json()["id"])
    return door.get(f"proposals/{answer.json()['id']}").json()  # type: ignore[no-any-return]


def put(door: Door, filed: dict[str, Any], **members: Any) -> Any:
    body = proposal(claim=CLAIM, version=filed["version"]) | members
    return door.send("PUT", f"proposals/{filed['id']}", {name: one for name, one in body.items() if one is not None})


def test_it_is_a_new_version_that_is_matched_and_verified_again(door: Door, filed: dict[str, Any]) -> None:
    stands = a_record("The kestrel deploys on Fridays.", claim=make.claim("Friday", "kestrel", "deploy day"))
    text = "The kestrel deploys on Mondays."
    answer = put(door, filed, statement=text, claim=CLAIM | {"value": "Monday"}, evidence=[evidence(content=text)])
    conforms(json.loads(Door().get("openapi.json").content), "proposals/{proposal_id}", "put", answer)
    body = answer.json()
    assert (answer.status_code, body["id"], body["status"]) == (200, filed["id"], "waiting")
    assert body["version"] > filed["version"]
    assert (body["verification"]["status"], body["matched"]) == ("pending", [stands.record_id])
    held = HeldRecord.objects.get()
    assert (held.statement, held.claim_value) == (text, "Monday")
    assert (held.fact_proposal.observation.content, held.fact_proposal.observation.claim_value) == (text, "Monday")
    linked = HeldLink.objects.linked().filter(held=held).values_list("evidence__content", flat=True)
    assert list(linked) == [text]
    verify_held(held_id=held.pk)
    assert door.get(f"proposals/{held.pk}").json()["verification"]["status"] != "pending"
    assert Inquiry.objects.open().filter(held=held).exists()
    assert Decision.objects.get(action="edit").actor_id == "ada"
    unknown = door.get(f"proposals/{held.pk}", If_None_Match=answer.headers["ETag"])
    assert unknown.status_code == 200  # it was verified since


def test_said_as_it_stands_nothing_changes(door: Door, filed: dict[str, Any]) -> None:
    answer = put(door, filed)
    assert answer.json() == filed
    assert door.get(f"proposals/{filed['id']}", If_None_Match=answer.headers["ETag"]).status_code == 304
    assert not Decision.objects.filter(action="edit").exists()


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"version": None}, (422, "version_required")),
        ({"version": 99}, (409, "version_conflict")),
        ({"statement": SECRET}, (422, "secret_detected")),
        ({"statement": None}, (422, "invalid_value")),
        ({"risk": "low"}, (422, "reserved")),
        ({"evidence": ["e-" + "0" * 32]}, (422, "invalid_value")),
        ({"evidence": [evidence(source={"id": "session:bob/t/summary/1"})]}, (403, "not_your_source")),
        (
            {"target": {"path": "graph/k.md", "base_version": "", "title": "K", "content": "# K"}},
            (422, "invalid_value"),
        ),
    ],
)
def test_what_is_refused_changes_nothing(
    door: Door, filed: dict[str, Any], members: dict[str, Any], expected: tuple[int, str]
) -> None:
    assert refusal(put(door, filed, **members)) == expected
    assert door.get(f"proposals/{filed['id']}").json() == filed


def test_anothers_does_not_exist_and_a_decided_one_is_closed(door: Door, stranger: Door, filed: dict[str, Any]) -> None:
    hidden = put(stranger, filed, evidence=[])
    unknown = put(stranger, filed | {"id": "0190aaaa-0000-7000-8000-000000000000"}, evidence=[])
    assert refusal(hidden) == (404, "not_found")
    assert hidden.content == unknown.content
    door.post(f"proposals/{filed['id']}/withdraw")
    assert refusal(put(door, filed)) == (409, "closed")


def test_a_rejected_claim_does_not_come_back_by_another_ones_edit(door: Door, filed: dict[str, Any]) -> None:
    make.act(HeldRecord.objects.get(), make.reviewer(), make.Action.REJECT, reason_code="wrong")
    other = door.post("proposals", proposal(statement="The finch is idle.")).json()
    assert refusal(put(door, other)) == (409, "already_rejected")


def test_two_that_say_the_same_are_not_made_by_an_edit(door: Door, filed: dict[str, Any]) -> None:
    other = door.post("proposals", proposal(statement="The finch is idle.")).json()
    assert refusal(put(door, other)) == (422, "invalid_value")
    assert HeldRecord.objects.filter(status="waiting").count() == 2


def test_what_a_reviewer_took_off_stays_off(door: Door, filed: dict[str, Any]) -> None:
    held = HeldRecord.objects.get()
    record = HeldLink.objects.get(held=held).evidence
    who = make.user("reviewer", Role.REVIEWER)
    edit_held(
        held_id=held.pk, seen_version=held.version, actor=make.person(who), reason="Not about this.",
        unlink=[record.record_id],
    )  # fmt: skip
    assert refusal(put(door, filed)) == (409, "version_conflict")
    held.refresh_from_db()
    put(door, filed | {"version": held.version}, tags=["again"], evidence=[record.record_id])
    assert not HeldLink.objects.linked().filter(held=held).exists()


def test_an_article_is_said_anew(door: Door) -> None:
    target = {"path": "graph/k.md", "base_version": "", "title": "K", "content": "# K\n\nOne."}
    made = door.post("proposals", proposal(target=target)).json()
    body = proposal(target=target | {"content": "# K\n\nTwo."}, version=made["version"])
    answer = door.send("PUT", f"proposals/{made['id']}", body)
    assert (answer.status_code, answer.json()["version"]) == (200, made["version"] + 1)
    assert HeldRecord.objects.get().promotion.content == "# K\n\nTwo."
    assert Evidence.objects.filter(kind="article").count() == 0


@pytest.mark.races
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_several_that_saw_one_version_one_is_first() -> None:
    """Three changes and a decision at once: one of them counts, the others are told."""
    secret = a_token("ada").secret
    filed = Door(secret).post("proposals", proposal(claim=CLAIM)).json()
    verify_held(held_id=filed["id"])
    version = HeldRecord.objects.get().version
    reviewer = Door(a_person_token(make.reviewer()).secret)
    start, answers = threading.Barrier(4), []

    def change(number: int) -> Any:
        return put(Door(secret), filed | {"version": version}, tags=[f"t{number}"])

    def decide(_: int) -> Any:
        body = {"action": "reject", "version": version, "reason_code": "wrong"}
        return reviewer.post(f"held/{filed['id']}/decision", body)

    def send(number: int) -> None:
        try:
            start.wait()
            answers.append((decide if number == 0 else change)(number))
        finally:
            connection.close()

    threads = [threading.Thread(target=send, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    assert {answer.json()["code"] for answer in answers if answer.status_code == 409} <= {
        "version_conflict", "already_decided", "closed",
    }  # fmt: skip
    assert Decision.objects.filter(action__in=["edit", "reject"]).count() == 1
