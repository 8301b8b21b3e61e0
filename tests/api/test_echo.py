"""Text that repeats what the agent was served is kept, marked and no evidence, over REST and MCP (contract 6)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from evidence.backends.port import Deadline, Search
from evidence.models import Evidence, HeldRecord, RecallItem, RecallLog
from evidence.rules.records import Claim, Hit
from evidence.rules.vocab import Action, Role, State
from evidence.rules.vocab import Door as DoorWord
from evidence.services import batching
from evidence.services.actors import Actor
from evidence.services.deciding import decide
from evidence.services.indexing import index_record
from evidence.services.verification import verify_held
from tests.api.bodies import CLAIM, evidence, proposal
from tests.api.conftest import Door
from tests.backends.memory import MemoryBackend
from tests.builders import a_person, a_record, a_token
from tests.mcp.conftest import Agent

pytestmark = pytest.mark.postgres
SAID = "The kestrel service deploys on Tuesday mornings after the nightly backup."
OWN = "I saw the deploy job of the kestrel service start on Tuesday morning in the log."
KNOWN = Claim("kestrel", "deploy day", "Tuesday")


def served(door: Door, how: str = "recall") -> None:
    """Have the agent shown what there is, in each of the ways."""
    ways: dict[str, Any] = {
        "recall": lambda: door.post("recall", {"query": "kestrel deploys"}),
        "record": lambda: door.get(f"records/{Evidence.objects.get().record_id}"),
        "browse": lambda: door.get("browse"),
        "export": lambda: door.get("export"),
        "context": lambda: door.get("context?kind=startup"),
        "tool": lambda: Agent(door.secret).does("recall", query="kestrel deploys"),
    }
    answer = ways[how]()
    assert how == "tool" or answer.status_code == 200
    batching.flush_all()


def filed(door: Door, text: str, **members: Any) -> tuple[dict[str, Any], Evidence]:
    answer = door.post("evidence", evidence(content=text) | members)
    assert answer.status_code == 201, answer.content
    return answer.json(), Evidence.objects.get(record_id=answer.json()["id"])


@pytest.mark.parametrize("how", ["recall", "record", "browse", "export", "context", "tool"])
def test_however_it_was_served_a_repeat_is_known(door: Door, how: str) -> None:
    record = a_record(SAID)
    served(door, how)
    assert filed(door, f"According to the desk: {SAID}")[1].echoes == record.record_id
    assert filed(door, OWN, source={"id": "session:ada/t2/summary/1"})[1].echoes == ""


def test_what_somebody_else_was_served_is_no_echo(door: Door, stranger: Door) -> None:
    a_record(SAID)
    served(stranger)
    assert filed(door, SAID)[1].echoes == ""


def test_a_new_version_of_the_same_source_is_none(door: Door) -> None:
    source = {"id": "entry:ada/notes/1", "version": "1"}
    filed(door, SAID, source=source)
    served(door)
    assert filed(door, SAID, source=source | {"version": "2"})[1].echoes == ""


@pytest.mark.parametrize("gone", [State.SUPERSEDED, State.ACTIVE])
def test_long_ago_or_replaced_since(door: Door, gone: State) -> None:
    """What was replaced is remembered among the newest answers, what stands is found by its words however long it is ago."""
    record = a_record(SAID)
    served(door)
    if gone == State.SUPERSEDED:
        Evidence.objects.filter(pk=record.pk).update(state=gone)
    else:
        long_ago = datetime.now(UTC) - timedelta(days=200)
        RecallLog.objects.update(at=long_ago)
        RecallItem.objects.update(at=long_ago)
    assert filed(door, SAID)[1].echoes == record.record_id


class Summing(MemoryBackend):
    """Tells in words of its own what it was told."""

    def retrieve(self, search: Search, *, deadline: Deadline) -> tuple[Hit, ...]:
        sources = tuple(record_id for _, record_id in self.kept)
        return (Hit("h-1", "1", 1.0, SAID, sources),)


def test_text_that_a_backend_wrote_is_known_again_though_it_is_not_kept(door: Door, settings: Any) -> None:
    settings.MEMORY_BACKENDS = ("sql", f"{__name__}.Summing")
    index_record(record_pk=a_record("The kestrel leaves on Tuesdays.").pk)
    assert door.ids("which day") == ["d-h-1"]
    batching.flush_all()
    assert filed(door, SAID)[1].echoes == "d-h-1"
    assert SAID not in str(list(RecallItem.objects.values()))


def test_an_echo_supports_nothing_and_is_no_source(door: Door) -> None:
    a_record(SAID)
    served(door)
    told = door.post("proposals", proposal(statement="The kestrel is deployed on Tuesdays.", claim=CLAIM, evidence=[
        evidence(content=SAID)
    ])).json()  # fmt: skip
    verify_held(held_id=told["id"])
    held = HeldRecord.objects.get(pk=told["id"])
    assert (held.flags, held.independent_sources) == (["echo"], 0)
    assert "source_not_supportive" in door.get(f"proposals/{held.id}").json()["verification"]["reasons"]
    more = evidence(content=OWN, source={"id": "session:ada/t2/summary/1"})
    door.post("proposals", proposal(statement="The kestrel is deployed on Tuesdays.", claim=CLAIM, evidence=[more]))
    verify_held(held_id=held.id)
    held.refresh_from_db()
    assert (held.flags, held.independent_sources) == (["echo"], 1)
    assert sorted(held.links.values_list("polarity", flat=True)) == ["qualifies", "supports"]


def test_an_echo_brings_no_rejected_claim_back(door: Door) -> None:
    first = door.post("proposals", proposal(claim=CLAIM)).json()
    verify_held(held_id=first["id"])
    held = HeldRecord.objects.get(pk=first["id"])
    reviewer = a_person("rita", Role.REVIEWER)
    decide(held_id=held.id, action=Action.REJECT, actor=Actor.person(reviewer, DoorWord.WEB), seen_version=held.version,
           reason_code="wrong", idempotency_key="once")  # fmt: skip
    a_record(SAID)
    served(door)
    echo = evidence(content=SAID, source={"id": "session:ada/t9/summary/1"})
    again = door.post("proposals", proposal(claim=CLAIM, evidence=[echo]))
    assert (again.status_code, again.json()["code"]) == (409, "already_rejected")
    seen = evidence(content=OWN, source={"id": "session:ada/t9/summary/2"})
    assert door.post("proposals", proposal(claim=CLAIM, evidence=[seen])).status_code == 201


def test_an_echo_refreshes_no_check_and_a_look_of_its_own_does(door: Door) -> None:
    checked = datetime.now(UTC) - timedelta(days=3)
    record = a_record(SAID, claim=KNOWN, check_at=checked)
    served(door)
    claim = {"subject": "kestrel", "attribute": "deploy day", "value": "Tuesday"}
    told, _ = filed(door, SAID, claim=claim)
    assert told["finding"] == {"outcome": "keep", "reason": "echo", "current": record.record_id}
    old = {"at": (checked - timedelta(days=1)).isoformat(), "method": "asked"}
    told, _ = filed(door, SAID, claim=claim, check=old, source={"id": "session:ada/t2/summary/1"})
    assert told["finding"]["reason"] == "echo"
    record.refresh_from_db()
    assert record.check_at == checked
    now = {"at": (datetime.now(UTC) - timedelta(minutes=1)).isoformat(), "method": "read the deploy job"}
    told, _ = filed(door, SAID, claim=claim, check=now, source={"id": "session:ada/t3/summary/1"})
    assert told["finding"]["outcome"] == "same"
    record.refresh_from_db()
    assert record.check_at is not None
    assert record.check_at > checked


def test_what_was_served_a_moment_before_is_found_when_it_is_verified(door: Door) -> None:
    record = a_record(SAID)
    door.post("recall", {"query": "kestrel deploys"})  # remembered a moment later: not when the evidence is filed
    told = door.post("proposals", proposal(statement="The kestrel is deployed on Tuesdays.", evidence=[
        evidence(content=SAID)
    ])).json()  # fmt: skip
    assert not Evidence.objects.exclude(echoes="").exists()
    batching.flush_all()
    verify_held(held_id=told["id"])
    assert HeldRecord.objects.get(pk=told["id"]).flags == ["echo"]
    assert Evidence.objects.exclude(echoes="").get().echoes == record.record_id


def test_over_mcp(db: None) -> None:
    agent = Agent(a_token("ada").secret)
    a_record(SAID)
    agent.does("export")
    batching.flush_all()
    stored = agent.does("store", **evidence(content=SAID))
    assert Evidence.objects.get(record_id=stored["id"]).echoes
    proposed = agent.does(
        "propose", **proposal(statement="The kestrel is deployed on Tuesdays.", evidence=[stored["id"]])
    )
    verify_held(held_id=proposed["id"])
    status = agent.does("proposal_status", proposal=proposed["id"])
    assert "source_not_supportive" in status["verification"]["reasons"]
