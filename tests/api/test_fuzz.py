"""Whatever arrives, the answer is a coded one: generated bodies at every door, near to what is right and far from it."""

from __future__ import annotations

import json
import string
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from evidence.rules.run_vocab import RunEventType
from evidence.rules.vocab import Action
from evidence.services.errors import STATUS_OF
from evidence.services.request_errors import RESERVED
from tests.api.bodies import CLAIM, evidence, proposal
from tests.api.conftest import Door, refusal
from tests.builders import a_person_token, a_record, a_token
from tests.services import make

NASTY = st.sampled_from(
    ["", " ", "\0", "\ud800", "'", '"', "%", "\\", "{{7*7}}", "<img onerror=x>", "😀" * 50, "不" * 50, "a" * 2_001,
     "NEAR(", "a AND", '"', "* OR *", "-", "terms:x", "' & !x", ":*", "\u202e", "1e999", "2026-13-01T00:00:00Z",
     "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+14:00", "2026-03-01T09:30:00Z"]
)  # fmt: skip
TEXT = NASTY | st.text(st.characters(), max_size=30)
LEAF = st.none() | st.booleans() | st.integers() | st.floats() | TEXT
JSON = st.recursive(
    LEAF, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4), max_leaves=12
)
NAMES = st.sampled_from([*evidence(), *proposal(), "query", "limit", "kinds", "claim", "scope", "check", "valid", "tags",
                         "summary", "excerpt", "reach", "supersedes", "target", "labels", "backends", "mode", "channel",
                         "receipt", "record", "rank", "outcome", "reason", "type", *sorted(RESERVED)])  # fmt: skip
RUN_NAMES = ["payload", "evidence", "metrics", "memory_attribution", "work_item_id", "parent_work_item_id", "work_item_goal",
             "closes_event_id", "idempotency_key", "expected_last_sequence", "expected_database_epoch", "summary", "outcome",
             "evaluator", "termination_reason", "supersedes_outcome_id", "regression_of_run_id", "workspace_key"]  # fmt: skip
STARTS: dict[str, Any] = {
    "evidence": evidence(), "proposals": proposal(), "recall": {"query": "kestrel"},
    "feedback": {"receipt": "v1.e30.AA", "record": "e-1", "rank": 1, "outcome": "helpful"},
    "runs": {"workspace_key": "w", "goal": "g"},
}  # fmt: skip
QUIET = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


class AnyBody(TestCase):
    """Each example runs in a transaction of its own."""

    def setUp(self) -> None:
        self.door = Door(a_token("ada").secret)
        a_record("The kestrel deploys on Tuesdays.")

    def coded(self, path: str, body: Any) -> None:
        raw = json.dumps(body).encode()
        answer = self.door.post(path, raw=raw)
        if answer.status_code in (200, 201):
            assert "code" not in answer.json()
            return
        status, code = refusal(answer)
        assert STATUS_OF[code] == status, (body, answer.content)

    @QUIET
    @given(st.sampled_from(sorted(STARTS)), JSON)
    def test_any_json(self, path: str, body: Any) -> None:
        self.coded(path, body)

    @QUIET
    @given(st.sampled_from(sorted(STARTS)), st.dictionaries(NAMES, JSON, min_size=1, max_size=3))
    def test_right_bodies_with_wrong_members(self, path: str, changes: dict[str, Any]) -> None:
        self.coded(path, STARTS[path] | changes)

    @settings(QUIET, max_examples=60)
    @given(
        st.sampled_from(["events", "complete"]),
        st.sampled_from([*RunEventType]),
        st.dictionaries(st.sampled_from(RUN_NAMES), JSON, max_size=3),
    )
    def test_right_events_with_wrong_members(self, door: str, word: str, changes: dict[str, Any]) -> None:
        run = self.door.post("runs", STARTS["runs"]).json()["run_id"]
        start = {"event_type": word, "summary": "It was so."}
        ending = {"outcome": "failed", "evaluator_type": "agent"}
        self.coded(f"runs/{run}/{door}", (start if door == "events" else ending) | changes)

    @QUIET
    @given(
        st.sampled_from([CLAIM, evidence()["source"], {"access": "public"}, {"at": "2026-03-01T09:30:00Z"}]),
        NAMES,
        JSON,
    )
    def test_right_parts_with_wrong_members(self, part: dict[str, Any], name: str, value: Any) -> None:
        for member in ("claim", "source", "scope", "check"):
            self.coded("evidence", evidence(**{member: part | {name: value}}))

    @QUIET
    @given(TEXT | st.text(max_size=300), st.integers(1, 100))
    def test_any_query(self, query: str, limit: int) -> None:
        self.coded("recall", {"query": query, "limit": limit})

    @QUIET
    @given(st.binary(max_size=200))
    def test_any_bytes(self, raw: bytes) -> None:
        answer = self.door.post("recall", raw=raw)
        if answer.status_code != 200:
            assert refusal(answer)[0] in (400, 413, 422)

    @QUIET
    @given(st.text(string.printable, max_size=40).map(lambda text: text.replace("?", "").replace("#", "")))
    def test_any_address(self, name: str) -> None:
        for path in (f"records/{name}", f"proposals/{name}", name):
            answer = self.door.get(path)
            if answer.status_code not in (200, 301):
                assert refusal(answer)[0] in (400, 404, 405)


MEMBERS: dict[str, tuple[str, ...]] = {
    "decision": (
        "action",
        "version",
        "reason",
        "reason_code",
        "checked_at",
        "until",
        "supersedes",
        "durability",
        "ratify",
    ),
    "edit": ("version", "statement", "claim", "scope", "evidence", "volatility", "reason"),
    "lease": ("token", "take_over"),
    "undo": ("version", "reason"),
    "next": ("q",),
    "bulk": ("items", "action", "checked_at", "reason", "reason_code", "until"),
}
PLAUSIBLE: Any = st.sampled_from(
    [*Action, "now", "source", "2030-01-01T00:00:00Z", "2020-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59", "wrong", "project",
     "stable", "risk:low", "quail", "", " ", True, False, 0, 1, 2, 2**31 - 1, 2**31, -1, 1.5, None, [], ["e-" + "0" * 32], CLAIM,
     {"access": "public"}, {"owner": "ops-agent", "access": "shared", "shared_with": ["\u202e"]}]
)  # fmt: skip


class AnyWordOfAPerson(TestCase):
    """Bodies of those who work off the queue, near to what is right; a reviewer sends them."""

    def setUp(self) -> None:
        self.held = make.proposal()
        self.person = Door(a_person_token(make.reviewer()).secret)
        decision = make.act(make.proposal(statement="Else."), make.reviewer(), make.Action.REJECT, reason_code="wrong")
        version = {"version": self.held.version}
        self.starts: dict[str, Any] = {
            f"held/{self.held.pk}/decision": version | {"action": "reject", "reason_code": "wrong"},
            f"held/{self.held.pk}/edit": version | {"reason": "why", "statement": "Another."},
            f"held/{self.held.pk}/lease": {},
            f"decisions/{decision.decision.pk}/undo": version,
            "queue/next": {"q": "quail"},
            "bulk": {"items": [{"id": str(self.held.pk)} | version], "action": "approve"},
        }

    @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def test_right_bodies_with_wrong_members(self, data: st.DataObject) -> None:
        path = data.draw(st.sampled_from(sorted(self.starts)))
        names = st.sampled_from(MEMBERS[path.rpartition("/")[2]])
        changes = data.draw(st.dictionaries(names, PLAUSIBLE | JSON, max_size=1))
        answer = self.person.post(path, raw=json.dumps(self.starts[path] | changes).encode())
        if answer.status_code not in (200, 202):
            status, code = refusal(answer)
            assert STATUS_OF[code] == status, (path, changes, answer.content)


@pytest.mark.parametrize("size", [1_000, 60_000])
def test_a_very_long_query_is_answered(door: Door, size: int) -> None:
    row = a_record("The kestrel deploys on Tuesdays.")
    words = " ".join(f"word{number}" for number in range(size // 8))
    assert door.ids(f"kestrel {words}"[:size]) == [row.record_id]
