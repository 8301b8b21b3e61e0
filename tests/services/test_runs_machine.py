"""Any sequence of begins, events, outcomes and replays, held against a model of a few lines; the ledger decides alike."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from evidence.models import RunEvent, RunOutcome, RunState, WorkItemState
from evidence.rules.run_vocab import Evaluator, RunEventType, RunOutcomeWord
from evidence.services.errors import Refused
from evidence.services.run_ending import complete_run
from evidence.services.run_recording import begin_run, record_event
from evidence.services.run_shapes import Asked, Beginning, Ending, Happening
from evidence.services.run_states import drift_of
from tests.builders import a_token

OPEN = {"active", "blocked"}
# Written out once more, from the description and not from the rules: word -> (states it comes in, state that follows).
MOVES = {
    "work_item_started": ({"active", "blocked"}, "active"), "work_item_resumed": ({"blocked"}, "active"),
    "blocker_resolved": ({"blocked"}, "active"), "blocker": ({"active", "blocked"}, "blocked"),
    "work_item_completed": ({"active"}, "completed"), "work_item_failed": ({"active", "blocked"}, "failed"),
    "work_item_abandoned": ({"active", "blocked"}, "abandoned"),
}  # fmt: skip
# What ends a work item comes more seldom than what it goes on with.
GOING_ON = ["work_item_started", "work_item_resumed", "blocker", "blocker_resolved", "observation", "information_gap"]
WORDS = st.sampled_from([*MOVES, *GOING_ON, *GOING_ON])


class Runs(RuleBasedStateMachine):
    """`items`: work items with their states, in the order of their declaration."""

    @initialize()
    def begin(self) -> None:
        self.token = a_token("ada").token
        begun = begin_run(token=self.token, beginning=Beginning("w", "g"))
        self.run, self.items = begun.run, {begun.root.pk: "active"}
        self.events, self.gaps, self.outcomes = 0, list[UUID](), list[UUID]()
        self.sent: dict[str, tuple[str, UUID]] = {}

    def attempt(self, work: Any) -> Any:
        """The answer, or the code of the refusal."""
        try:
            with transaction.atomic():
                return work()
        except Refused as refused:
            return refused.code

    def record(self, happening: Happening, **asked: Any) -> Any:
        return self.attempt(
            lambda: record_event(token=self.token, run_id=self.run.pk, happening=happening, asked=Asked(**asked)).event
        )

    def item(self, number: int) -> UUID:
        return list(self.items)[number % len(self.items)]

    @rule(
        words=st.lists(WORDS, min_size=1, max_size=6), number=st.integers(0, 2), key=st.sampled_from(["", "", "a", "b"])
    )
    def tell(self, words: list[str], number: int, key: str) -> None:
        """Several events about one work item; the key belongs to the first of them."""
        for word in words:
            self.tell_one(word, self.item(number), key)
            key = ""

    def tell_one(self, word: str, item: UUID, key: str = "") -> None:
        said = f"{word} {item}"
        answer = self.record(Happening(RunEventType(word), "x", work_item=item), key=key, body={"said": said})
        if key and key in self.sent:
            known, event = self.sent[key]
            assert (answer == "idempotency_conflict") if known != said else (answer.pk == event)
            return
        state = self.items[item]
        if self.outcomes:
            assert answer == "closed"
        elif word in MOVES and state not in MOVES[word][0]:
            assert answer == ("wrong_state" if state in OPEN else "closed")
        else:
            self.events += 1
            assert answer.sequence == self.events
            self.items[item] = MOVES[word][1] if word in MOVES else state
            if word == "information_gap":
                self.gaps.append(answer.pk)
            if key:
                self.sent[key] = (said, answer.pk)

    @precondition(lambda self: self.events > 8)
    @rule()
    def give_up(self) -> None:
        """So that runs end at all."""
        for item, state in list(self.items.items()):
            if state in OPEN:
                self.tell_one("work_item_abandoned", item)

    @rule(number=st.integers(0, 2))
    def declare(self, number: int) -> None:
        parent = self.item(number)
        answer = self.record(Happening(RunEventType.WORK_ITEM_STARTED, "x", parent=parent, goal="part"))
        state = self.items[parent]
        if self.outcomes:
            assert answer == "closed"
        elif state != "active":
            assert answer == ("wrong_state" if state in OPEN else "closed")
        else:
            self.events += 1
            self.items[answer.work_item_id] = "active"

    @precondition(lambda self: self.gaps)
    @rule(number=st.integers(0, 3))
    def close_gap(self, number: int) -> None:
        gap = self.gaps[number % len(self.gaps)]
        answer = self.record(Happening(RunEventType.INFORMATION_GAP_CLOSED, "x", closes=gap))
        if self.outcomes:
            assert answer == "closed"
        else:
            self.events += 1
            self.gaps.remove(gap)

    @rule(off=st.integers(-1, 1))
    def expect(self, off: int) -> None:
        answer = self.record(Happening(RunEventType.CHECKPOINT, "x"), last_sequence=max(self.events + off, 0))
        if max(self.events + off, 0) != self.events:
            assert answer == "version_conflict"
        elif self.outcomes:
            assert answer == "closed"
        else:
            self.events += 1

    @rule(
        outcome=st.sampled_from(["failed", "partial_success", "verified_success"]),
        names=st.sampled_from(["head", "first", ""]),
    )
    def end(self, outcome: str, names: str) -> None:
        named = {"head": self.outcomes[-1:], "first": self.outcomes[:1], "": []}[names]
        ending = Ending(
            RunOutcomeWord(outcome), Evaluator.HUMAN, evidence=("seen",), supersedes=named[0] if named else None
        )
        answer = self.attempt(lambda: complete_run(token=self.token, run_id=self.run.pk, ending=ending).outcome)
        if named != self.outcomes[-1:]:
            assert answer == "version_conflict"
        elif (not self.outcomes and OPEN & set(self.items.values())) or (outcome == "verified_success" and self.gaps):
            assert answer == "wrong_state"
        else:
            self.outcomes.append(answer.pk)

    @invariant()
    def the_ledger_says_the_same(self) -> None:
        state = RunState.objects.get(pk=self.run.pk)
        assert drift_of(self.run.pk) == []
        assert {row.pk: row.status for row in WorkItemState.objects.filter(run=self.run)} == self.items
        assert (state.last_sequence, state.outcome_id) == (self.events, self.outcomes[-1] if self.outcomes else None)
        assert state.generation == 1 + self.events + len(self.outcomes)
        assert RunEvent.objects.filter(run=self.run).count() == self.events
        assert RunOutcome.objects.filter(run=self.run).count() == len(self.outcomes)


class AnySequence(TestCase):
    def test_any_sequence(self) -> None:
        quick = settings(
            max_examples=25, stateful_step_count=16, deadline=None, suppress_health_check=list(HealthCheck)
        )
        run_state_machine_as_test(Runs, settings=quick)
