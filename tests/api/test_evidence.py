"""`POST evidence`: what is stored, what is held, what it says about the current record, and whose sources one may use."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from evidence.models import Evidence, HeldRecord, Inquiry
from evidence.rules.records import Claim
from evidence.rules.vocab import Access
from tests.api.bodies import CLAIM, evidence
from tests.api.conftest import Door, refusal
from tests.builders import a_record, a_token


def test_evidence_is_stored_once_with_its_defaults(door: Door) -> None:
    answer = door.post("evidence", evidence())
    assert answer.status_code == 201
    body = answer.json()
    row = Evidence.objects.get()
    assert body == {
        "id": row.record_id, "held_id": None, "state": "active", "review": None, "label": "unverified", "created": True,
    }  # fmt: skip
    assert (row.kind, row.volatility, row.trust) == ("observation", "work-state", "internal")
    assert (row.scope_owner, row.scope_access, row.filed_by) == ("ada", "private", "ada")
    again = door.post("evidence", evidence())
    assert (again.status_code, again.json()) == (200, body | {"created": False})
    assert Evidence.objects.count() == 1


def test_filed_evidence_can_be_recalled_at_once_by_its_agent_alone(door: Door, stranger: Door) -> None:
    filed = door.post("evidence", evidence()).json()["id"]
    assert door.ids("kestrel deploys") == [filed]
    assert stranger.ids("kestrel deploys") == []


def test_a_check_gives_a_label_and_the_checker_is_the_filer(door: Door) -> None:
    now = datetime.now(UTC).isoformat()
    body = door.post("evidence", evidence(check={"at": now, "method": "read the pipeline"})).json()
    assert body["label"] == "verified"
    row = Evidence.objects.get()
    assert (row.check_by, row.check_method, row.check_confirmed_by) == ("ada", "read the pipeline", "")


def test_external_evidence_is_held_and_not_recalled(door: Door) -> None:
    body = door.post("evidence", evidence(channel="webhook")).json()
    assert (body["review"], body["state"]) == ("held", "active")
    held = HeldRecord.objects.get()
    assert body["held_id"] == str(held.id)
    assert door.ids("kestrel deploys") == []
    again = door.post("evidence", evidence(channel="webhook")).json()
    assert (again["held_id"], again["created"]) == (str(held.id), False)
    assert door.get(f"proposals/{held.id}").json()["status"] == "waiting"


def test_other_content_under_the_same_version_is_refused(door: Door) -> None:
    source = {"id": "task:ada/7", "version": "1"}
    door.post("evidence", evidence(source=source))
    assert refusal(door.post("evidence", evidence(source=source, content="Other."))) == (409, "source_version_conflict")
    assert Evidence.objects.get().content == "The kestrel deploys on Tuesdays."


@pytest.mark.parametrize("content", ["The kestrel deploys on Tuesdays.", "Other."], ids=["equal", "other"])
def test_a_version_that_the_token_may_not_read_is_a_conflict_whatever_it_holds(door: Door, content: str) -> None:
    a_record(
        content, kind="observation", source_id="session:ada/t1/summary/1", scope_owner="bob",
        scope_access=Access.PRIVATE, source_version=_version_of("The kestrel deploys on Tuesdays."),
    )  # fmt: skip
    assert refusal(door.post("evidence", evidence())) == (409, "source_version_conflict")


def _version_of(content: str) -> str:
    from evidence.rules.identity import computed_version

    return computed_version(excerpt="", content=content, summary="")


@pytest.mark.parametrize(
    "source", ["session:bob/t1/summary/1", "wiki:bob/graph/x", "fact:0", "proposal:0", "backend:0", "task:bob/1", "x"]
)
def test_sources_of_others_are_refused(door: Door, source: str) -> None:
    assert refusal(door.post("evidence", evidence(source={"id": source, "version": "1"})))[0] in (403, 422)
    assert not Evidence.objects.exists()


@pytest.mark.parametrize(
    ("token", "scope", "code"),
    [
        ({"max_access": Access.PRIVATE}, {"access": "public"}, "not_your_scope"),
        ({"max_access": Access.SHARED}, {"access": "public"}, "not_your_scope"),
        ({"max_access": Access.PUBLIC}, {"owner": "bob"}, "not_your_scope"),
        ({"max_access": Access.PUBLIC}, {"project": "kestrel"}, "reserved"),
    ],
)
def test_scopes(db: None, token: dict[str, Any], scope: dict[str, Any], code: str) -> None:
    door = Door(a_token("ada", **token).secret)
    assert refusal(door.post("evidence", evidence(scope=scope)))[1] == code
    assert not Evidence.objects.exists()


def test_a_finding_names_the_conflict_and_opens_a_question(door: Door) -> None:
    current = a_record("It is Monday.", claim=Claim("kestrel", "deploy day", "Monday"))
    body = door.post("evidence", evidence(claim=CLAIM)).json()
    question = Inquiry.objects.get()
    assert body["finding"] == {
        "outcome": "conflict", "reason": "incoming_unverified", "current": current.record_id,
        "inquiry": str(question.id),
    }  # fmt: skip


def test_a_finding_about_an_unreadable_record_is_not_told(db: None) -> None:
    door = Door(a_token("ada").secret)
    a_record("It is Monday.", claim=Claim("kestrel", "deploy day", "Monday"), scope_owner="bob", scope_access="private")
    plain = door.post("evidence", evidence(claim=CLAIM, scope={"access": "public"}))
    assert plain.status_code == 201
    assert "finding" not in plain.json()


def test_the_namespace_is_the_tokens(db: None) -> None:
    door = Door(a_token("eve", namespace="elsewhere").secret)
    door.post("evidence", evidence(source={"id": "task:eve/1", "version": "1"}))
    assert Evidence.objects.get().namespace == "elsewhere"


def test_rights(db: None) -> None:
    assert refusal(Door(a_token("ada", rights=["recall"]).secret).post("evidence", evidence())) == (
        403,
        "right_missing",
    )
