"""Proposals with a target over REST: filed, followed, decided, with the reason that goes back (doors "Proposals")."""

from __future__ import annotations

from typing import Any

import pytest

from evidence.models import HeldRecord
from evidence.rules.vocab import Action
from evidence.services.verification import verify_held
from tests.api import bodies
from tests.api.conftest import Door
from tests.services import make

pytestmark = pytest.mark.django_db

TEXT = "# Kestrel\n\nKestrel is deployed on Tuesday.\n"


def proposal(**target: Any) -> dict[str, Any]:
    article = {"path": "graph/kestrel.md", "base_version": "", "title": "Kestrel", "content": TEXT} | target
    return bodies.proposal(
        statement="Kestrel: when it is deployed.", trust_class="agent_inference", target=article,
        scope={"access": "public"},
    )  # fmt: skip


def decided(door: Door, held_id: str, action: Action, **members: Any) -> dict[str, Any]:
    verify_held(held_id=held_id)
    make.act(HeldRecord.objects.get(pk=held_id), make.reviewer(), action, **members)
    answer: dict[str, Any] = door.get(f"proposals/{held_id}").json()
    return answer


def test_an_agent_files_follows_and_gets_its_article(door: Door) -> None:
    filed = door.post("proposals", proposal())
    assert (filed.status_code, filed.json()["status"]) == (201, "waiting")
    again = door.post("proposals", proposal())
    assert (again.status_code, again.json()["id"]) == (200, filed.json()["id"])
    told = decided(door, filed.json()["id"], Action.APPROVE)
    assert (told["status"], told["grants"]) == ("approved", [])
    record = door.get(f"records/{told['record_id']}").json()
    shown = record.get("record", record)
    assert (shown["kind"], shown["content"], shown["source"]["id"]) == ("article", TEXT, "wiki:ada/graph/kestrel.md")
    assert record["label"] == "approved"


def test_the_next_text_names_the_version_that_it_changes(door: Door) -> None:
    first = decided(door, door.post("proposals", proposal()).json()["id"], Action.APPROVE)
    record = door.get(f"records/{first['record_id']}").json()
    version = record.get("record", record)["source"]["version"]
    anew = TEXT.replace("Tuesday", "Thursday")
    second = decided(
        door, door.post("proposals", proposal(base_version=version, content=anew)).json()["id"], Action.APPROVE
    )
    assert door.get(f"records/{second['record_id']}").status_code == 200
    assert door.get(f"records/{first['record_id']}").status_code == 404  # superseded: not what agents are given


def test_a_rejection_comes_back_with_its_reason(door: Door) -> None:
    filed = door.post("proposals", proposal()).json()
    told = decided(door, filed["id"], Action.REJECT, reason_code="too_vague", reason="Which kestrel?")
    assert told["status"] == "rejected"
    assert "too_vague" in str(told)
    assert "Which kestrel?" in str(told)


@pytest.mark.parametrize(
    ("target", "status", "code"),
    [
        ({"path": "wiki:bob/graph/kestrel.md"}, 403, "not_your_source"),
        ({"path": "../etc/passwd"}, 422, "invalid_value"),
        ({"path": "graph/../../x.md"}, 422, "invalid_value"),
        ({"path": "secret/x.md"}, 422, "invalid_value"),
        ({"path": "graph/"}, 422, "invalid_value"),
        ({"path": "graph/a\u202eb.md"}, 422, "invalid_value"),
        ({"title": " "}, 422, "invalid_value"),
        ({"content": ""}, 422, "invalid_value"),
        ({"content": "x" * 65_537}, 413, "too_large"),
        ({"content": "token = ghp_" + "a1B2" * 9}, 422, "secret_detected"),
        ({"content": "a\x00"}, 400, "invalid_text"),
        ({"approved": True}, 422, "unknown_member"),
    ],
)
def test_what_is_refused_is_not_stored(door: Door, target: dict[str, Any], status: int, code: str) -> None:
    answer = door.post("proposals", proposal(**target))
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not HeldRecord.objects.exists()


def test_another_agent_does_not_learn_of_it(door: Door, stranger: Door) -> None:
    filed = door.post("proposals", proposal()).json()
    assert stranger.get(f"proposals/{filed['id']}").status_code == 404
