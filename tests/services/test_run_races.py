"""Several writers of runs at once, on SQLite and on PostgreSQL: one line of events, one outcome, one event for one key."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evidence.models import Run, RunEvent, RunOutcome, RunState, RunWorkItem
from evidence.rules.run_vocab import Evaluator, RunEventType, RunOutcomeWord
from evidence.services.run_ending import complete_run
from evidence.services.run_recording import begin_run, record_event
from evidence.services.run_shapes import Asked, Beginning, Ending, Happening
from evidence.services.run_states import drift_of
from tests.builders import a_token
from tests.services.test_races import at_once

pytestmark = [pytest.mark.races, pytest.mark.django_db(transaction=True)]
SEEN = Happening(RunEventType.OBSERVATION, "It was so.")
FAILED = Ending(RunOutcomeWord.FAILED, Evaluator.AGENT)


@pytest.fixture(autouse=True)
def data_dir(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


def begun() -> tuple[Any, Run]:
    token = a_token("ada").token
    return token, begin_run(token=token, beginning=Beginning("w", "g")).run


def test_writers_of_one_run_make_one_line_of_events() -> None:
    token, run = begun()

    def work(number: int) -> None:
        for turn in range(4):
            word = RunEventType.WORK_ITEM_STARTED if turn == 1 else RunEventType.OBSERVATION
            part = Happening(word, "x", goal=f"part {number}" if turn == 1 else "")
            record_event(token=token, run_id=run.pk, happening=part)

    at_once(work, 6)
    assert list(RunEvent.objects.order_by("sequence").values_list("sequence", flat=True)) == list(range(1, 25))
    assert sorted(RunWorkItem.objects.values_list("number", flat=True)) == list(range(1, 8))
    assert drift_of(run.pk) == []


def test_one_key_sent_many_times_at_once_is_one() -> None:
    token, run = begun()
    asked = Asked(key="k", body={"a": 1})
    found = at_once(lambda _: record_event(token=token, run_id=run.pk, happening=SEEN, asked=asked).event.pk, 6)
    assert len(set(found)) == RunEvent.objects.count() == 1
    runs = at_once(lambda _: begin_run(token=token, beginning=Beginning("w", "g"), asked=asked).run.pk, 6)
    assert len(set(runs)) == 1
    assert Run.objects.count() == 2


def test_the_same_expectation_is_met_once() -> None:
    token, run = begun()

    def work(_: int) -> str:
        record_event(token=token, run_id=run.pk, happening=SEEN, asked=Asked(last_sequence=0))
        return "recorded"

    assert Counter(at_once(work, 6)) == {"recorded": 1, "version_conflict": 5}


def test_a_run_ends_once_and_later_words_stand_in_a_line() -> None:
    token, run = begun()
    record_event(token=token, run_id=run.pk, happening=Happening(RunEventType.WORK_ITEM_COMPLETED, "x"))

    def work(number: int) -> str:
        if number % 2:
            record_event(token=token, run_id=run.pk, happening=SEEN)
            return "recorded"
        complete_run(token=token, run_id=run.pk, ending=FAILED)
        return "ended"

    said = Counter(at_once(work, 8))
    assert (said["ended"], said["version_conflict"]) == (1, 3)
    assert said["recorded"] + said["closed"] == 4
    ended = RunOutcome.objects.get()
    later = Ending(RunOutcomeWord.ABANDONED, Evaluator.AGENT, supersedes=ended.pk)

    def supersede(_: int) -> str:
        complete_run(token=token, run_id=run.pk, ending=later)
        return "superseded"

    assert Counter(at_once(supersede, 6)) == {"superseded": 1, "version_conflict": 5}
    assert RunState.objects.get().outcome == RunOutcome.objects.get(supersedes=ended)
    assert drift_of(run.pk) == []
