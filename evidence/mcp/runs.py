"""Tools of the run ledger: an agent writes down what it does, and looks at its own runs. Same services as REST."""

from __future__ import annotations

from evidence.mcp.caller import Call
from evidence.mcp.tools import Answer, Tool
from evidence.rules.text import uuid_of
from evidence.rules.vocab import Right
from evidence.selectors.context import one_line
from evidence.selectors.run_answer_shapes import EventRecorded, RunAnswer, RunBegun, RunCompleted
from evidence.selectors.run_answers import begun_json, completed_json, own_run, recorded_json, run_answer
from evidence.services.run_checks import no_such_run
from evidence.services.run_ending import complete_run
from evidence.services.run_recording import begin_run, record_event
from evidence.services.run_shapes import (
    SUMMARY_MAX,
    BeginRunShape,
    GetRunShape,
    ToolCompleteRunShape,
    ToolRunEventShape,
)


def _begin(call: Call, asked: BeginRunShape) -> Answer:
    begun = begin_run(token=call.token, beginning=asked.to_beginning(), asked=asked.asked(), now=call.now)
    return begun_json(begun.run, created=begun.created)


def _record(call: Call, asked: ToolRunEventShape) -> Answer:
    done = record_event(
        token=call.token, run_id=uuid_of(asked.run_id), happening=asked.to_happening(), asked=asked.asked(),
        now=call.now,
    )  # fmt: skip
    return recorded_json(done.event, created=done.created)


def _get(call: Call, asked: GetRunShape) -> Answer:
    run = own_run(call.token, uuid_of(asked.run_id))
    if run is None:
        raise no_such_run()
    return run_answer(run, since=asked.since, limit=asked.limit)


def _complete(call: Call, asked: ToolCompleteRunShape) -> Answer:
    done = complete_run(
        token=call.token, run_id=uuid_of(asked.run_id), ending=asked.to_ending(), asked=asked.asked(), now=call.now
    )
    return completed_json(done.outcome, created=done.created)


def _say_begun(answer: Answer) -> str:
    again = "" if answer["created"] else " It had begun before under this key."
    return f"Run {answer['run_id']}, its work item {answer['root_work_item_id']}.{again}"


def _say_recorded(answer: Answer) -> str:
    again = "" if answer["created"] else ", recorded before under this key"
    return f"Event {answer['sequence']} ({answer['event_type']}) is {answer['event_id']}{again}."


def _say_run(answer: Answer) -> str:
    run, sequences = answer["run"], answer["sequences"]
    lines = [f"Run {run['run_id']}: {run['status']}, {sequences['last']} events."]
    lines += [
        f"- {one['sequence']} {one['event_type']}: {one_line(one['summary'], SUMMARY_MAX)}" for one in answer["events"]
    ]
    if answer["has_more"]:
        lines.append(f"There is more: since={sequences['next']}")
    if answer["degraded"]:
        lines.append("What is kept of it has to be repaired; until then it takes no writes.")
    return "\n".join(lines)


def _say_completed(answer: Answer) -> str:
    again = "" if answer["created"] else " It was said before under this key."
    return f"Run {answer['run_id']} ended: {answer['outcome']} ({answer['outcome_id']}).{again}"


RUNS: tuple[Tool, ...] = (  # type: ignore[type-arg]
    Tool(
        "begin_run", "Begin a run",
        "Begin to write down what you do: where (workspace_key) and what for (goal). The answer has the run and the work item "
        "that stands for all of it. The same idempotency_key again is the same run.",
        Right.RUNS, BeginRunShape, RunBegun, _begin, _say_begun, again=False,
    ),
    Tool(
        "record_run_event", "Record what happened",
        "Add an event to one of your runs: what was done and what came of it, never how you reasoned. memory_recalled takes the "
        "receipt of a recall, memory_applied and memory_rejected name that event. work_item_started with work_item_goal "
        "declares a part of the work. After its outcome a run takes no events.",
        Right.RUNS, ToolRunEventShape, EventRecorded, _record, _say_recorded, again=False,
    ),
    Tool(
        "get_run", "Look at a run",
        "One of your own runs: its work items, its outcome, and the page of its events after since.",
        Right.RUNS, GetRunShape, RunAnswer, _get, _say_run, reads=True,
    ),
    Tool(
        "complete_run", "Say how a run ended",
        "The outcome of a run, once every work item is completed, failed or abandoned. A later word on it is another outcome "
        "that names the one before in supersedes_outcome_id. A verified_success wants a deterministic_verifier or a human as "
        "its evaluator, and evidence.",
        Right.RUNS, ToolCompleteRunShape, RunCompleted, _complete, _say_completed, again=False,
    ),
)  # fmt: skip
