"""Tools that read: recall, browse, stats, export; and what is said of what was read. Everything goes through the gate."""

from __future__ import annotations

from evidence.backends.registry import backends
from evidence.mcp.caller import Call
from evidence.mcp.tools import Answer, Tool
from evidence.rules.vocab import Right
from evidence.selectors.answer_shapes import ExportAnswer, FeedbackOut, Listing, RecallAnswer, StatsAnswer
from evidence.selectors.answers import feedback_json, recalled_json
from evidence.selectors.context import one_line
from evidence.selectors.reading import browse_json, export_json, stats_json
from evidence.services.compiling import look_around
from evidence.services.feedback import give_feedback
from evidence.services.feedback_shapes import FeedbackShape
from evidence.services.recall_log import answer_recall
from evidence.services.request_shapes import RecallShape
from evidence.services.tool_shapes import BrowseShape, ExportShape, Nothing


def _recall(call: Call, asked: RecallShape) -> Answer:
    ask = asked.to_ask(lambda: {backend.name for backend in backends()})
    return recalled_json(answer_recall(token=call.token, ask=ask, now=call.now))


def _browse(call: Call, asked: BrowseShape) -> Answer:
    return browse_json(look_around(token=call.token, look=asked.to_look(), mode="browse", now=call.now))


def _stats(call: Call, asked: Nothing) -> Answer:
    return stats_json(call.token, call.now)


def _export(call: Call, asked: ExportShape) -> Answer:
    page = look_around(token=call.token, look=asked.to_look(), mode="export", now=call.now)
    return export_json(call.token, page, call.now, markdown=asked.format == "markdown")


def _feedback(call: Call, asked: FeedbackShape) -> Answer:
    given = give_feedback(token=call.token, **asked.to_arguments(), now=call.now)
    return feedback_json(given.row, created=given.created)


def say_record(found: Answer) -> str:
    """A record in a line, as compiled views have them."""
    record = found["record"]
    claim = record["claim"]
    said = record["content"] or record["excerpt"] or record["summary"]
    if not said and claim:
        said = f"{claim['subject']} · {claim['attribute']}: {claim['value']}"
    notes = [found["label"], *([found["advice"]] if "advice" in found else [])]
    if found["conflicts_with"]:
        notes.append(f"contradicted by {', '.join(found['conflicts_with'])}")
    return f"- [{record['id']}] ({'; '.join(notes)}) {one_line(said)}"


def _say_recalled(answer: Answer) -> str:
    lines = [say_record(found) for found in answer["results"]] or ["Nothing that you may rely on was found."]
    failed = [source["backend"] for source in answer["sources"] if source["status"] == "failed"]
    if failed:
        lines.append(f"{', '.join(failed)}: this source gave no evidence, which is not that nothing is known.")
    return "\n".join(lines)


def _say_listing(answer: Answer) -> str:
    lines = [say_record(found) for found in answer["items"]] or ["There is nothing here that you may read."]
    if answer["next"]:
        lines.append(f"There is more: after={answer['next']}")
    return "\n".join(lines)


def _say_counts(answer: Answer) -> str:
    kinds = ", ".join(
        f"{count['count']}{'+' if count['more'] else ''} {kind}" for kind, count in answer["kinds"].items()
    )
    return f"You may read: {kinds}. Open questions to you: {answer['open_questions']}."


def _say_exported(answer: Answer) -> str:
    return str(answer["markdown"]) if "markdown" in answer else _say_listing(answer)


def _say_feedback(answer: Answer) -> str:
    said = f"{answer['type']} {answer['outcome'] or ''}".strip()
    return f"Noted as {answer['id']}: {said}. Nothing is changed by it; people see it."


READING: tuple[Tool, ...] = (  # type: ignore[type-arg]
    Tool(
        "recall", "Recall",
        "Ask what is known before you state it. Every result is a record with its label: approved and verified may be relied on, "
        "stale has to be re-checked before it is stated, unverified is what somebody said. Results that contradict each other "
        "name each other; both sides of an open question are shown.",
        Right.RECALL, RecallShape, RecallAnswer, _recall, _say_recalled, reads=True,
    ),
    Tool(
        "browse", "Browse", "List the facts, articles and observations that you may read, newest first.",
        Right.RECALL, BrowseShape, Listing, _browse, _say_listing, reads=True,
    ),
    Tool(
        "stats", "Counts", "How much there is for you to read, by kind and label, and how many questions wait for you.",
        Right.RECALL, Nothing, StatsAnswer, _stats, _say_counts, reads=True,
    ),
    Tool(
        "export", "Export",
        "Take along what you may read, page by page, as JSON or Markdown. An export cites ids and is no authority.",
        Right.RECALL, ExportShape, ExportAnswer, _export, _say_exported, reads=True,
    ),
    Tool(
        "feedback", "Say whether it helped",
        "Say of one result of a recall whether it helped: its receipt, the record and its rank, and the outcome. People see it; "
        "nothing is ranked, hidden or changed by it. Another word about the same query and record is a correction and names the "
        "one that stands.",
        Right.RECALL, FeedbackShape, FeedbackOut, _feedback, _say_feedback,
    ),
)  # fmt: skip
