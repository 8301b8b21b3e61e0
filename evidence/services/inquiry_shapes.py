"""What doors accept from people who answer questions (doors "Queue and decisions"): shapes, words, limits."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from evidence.models import Inquiry
from evidence.rules import vocab
from evidence.rules.records import Scope
from evidence.rules.times import read_time
from evidence.services.request_shapes import ScopeShape, Shape, ValidShape, Word
from evidence.services.texts import CLAIM_MEMBER_MAX, REASON_MAX

AnswerWord = Annotated[str, Word(vocab.Answer)]


class ScopesShape(Shape):
    """For `both_scope`: who each of the two is for. Without an owner: the agent of the question."""

    current: ScopeShape
    incoming: ScopeShape


class SpansShape(Shape):
    """For `both_time`: from when until when each of the two held; an open end is left out."""

    current: ValidShape
    incoming: ValidShape


class AnswerShape(Shape):
    """An answer. `value` for other_value; for need_evidence `reason` is what the agent is asked for.

    `plan_digest`, where given, is the plan that was seen; if it is another one by now, nothing happens (409).
    """

    answer: AnswerWord
    version: Annotated[int, Field(ge=1)] | None = None
    plan_digest: Annotated[str, StringConstraints(max_length=64)] = ""
    value: Annotated[str, StringConstraints(max_length=CLAIM_MEMBER_MAX)] = ""
    scopes: ScopesShape | None = None
    validity: SpansShape | None = None
    reason: Annotated[str, StringConstraints(max_length=REASON_MAX)] = ""

    def to_arguments(self, inquiry: Inquiry) -> dict[str, Any]:
        """The keyword arguments of `answer_inquiry` but for the question, the actor and the key."""
        return {
            "answer": self.answer, "seen_version": self.version, "plan_digest": self.plan_digest, "value": self.value,
            "reason": self.reason,
            "scopes": _both(self.scopes, lambda one: _scope(one, inquiry.agent_id)),
            "validity": _both(self.validity, lambda one: (read_time(one.start), read_time(one.until))),
        }  # fmt: skip


def _both(given: Any, read: Any) -> dict[str, Any] | None:
    return None if given is None else {"current": read(given.current), "incoming": read(given.incoming)}


def _scope(shape: ScopeShape, owner: str) -> Scope:
    return Scope(owner=shape.owner or owner, access=shape.access, shared_with=tuple(shape.shared_with))
