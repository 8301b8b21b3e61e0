"""What doors accept of signals between agents (doors "Runs, signals"): shapes, words, limits. REST and MCP take the same."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from evidence.rules.signal_cursors import LONGEST as LONGEST_CURSOR
from evidence.rules.signal_states import DEFAULT_LEASE, LEAST_LEASE, LONGEST_LEASE
from evidence.rules.signal_vocab import AgentSignalStatus
from evidence.rules.times import read_time
from evidence.services.errors import Refused
from evidence.services.request_shapes import LIST_MAX, AnyName, Name, Names, Shape, Summary, Time, Word, said
from evidence.services.texts import CONTENT_MAX
from evidence.services.tool_shapes import MOST_LISTED, Id

LONGEST_LIFE = 10 * 365 * 24 * 3_600


def _distinct(value: list[str]) -> list[str]:
    return list(dict.fromkeys(value))


Body = Annotated[str, Field(max_length=CONTENT_MAX), AfterValidator(said)]
Tags = Annotated[Names, AfterValidator(_distinct)]
Lease = Annotated[int, Field(ge=LEAST_LEASE, le=LONGEST_LEASE)]
ClaimNumber = Annotated[int, Field(ge=1, le=2**31 - 1)]
StatusWord = Annotated[str, Word(AgentSignalStatus)]
Cursor = Annotated[str, Field(max_length=LONGEST_CURSOR)]


@dataclass(frozen=True, slots=True)
class SignalDraft:
    """What is published. `recipient` empty: whoever of the namespace takes it."""

    content: str
    title: str = ""
    tags: tuple[str, ...] = ()
    recipient: str = ""
    correlation_id: str = ""
    expires_at: datetime | None = None
    claim_required: bool = False


class PublishShape(Shape):
    """A signal to one agent (`to`), or to whoever of the namespace takes it first. It ends at `expires_at` or after
    `ttl_seconds`; with neither it waits until it is acknowledged. `claim_required`: it has to be claimed before that.
    """

    content: Body
    title: Summary = ""
    tags: Tags = []
    to: Name | None = None
    correlation_id: AnyName = ""
    expires_at: Time | None = None
    ttl_seconds: Annotated[int, Field(gt=0, le=LONGEST_LIFE)] | None = None
    claim_required: bool = False

    def to_draft(self, now: datetime) -> SignalDraft:
        """Raises `Refused` invalid_value: two ends, or one that has passed."""
        return SignalDraft(
            content=self.content, title=self.title, tags=tuple(self.tags), recipient=self.to or "",
            correlation_id=self.correlation_id, expires_at=self._end(now), claim_required=self.claim_required,
        )  # fmt: skip

    def _end(self, now: datetime) -> datetime | None:
        if self.expires_at is None:
            return now + timedelta(seconds=self.ttl_seconds) if self.ttl_seconds else None
        if self.ttl_seconds is not None:
            raise Refused("invalid_value", "Give expires_at or ttl_seconds, not both.", field="ttl_seconds")
        end = read_time(self.expires_at)
        if end is None or end <= now:
            raise Refused("invalid_value", "expires_at has passed.", field="expires_at")
        return end


class ConsumerShape(Shape):
    """`consumer` tells the workers of one agent apart; who the agent is, the token says."""

    consumer: AnyName = ""


class ClaimShape(ConsumerShape):
    """The next one that waits (with any of `tags`), or the one named in `signal`; for `lease_seconds`."""

    signal: Id | None = None
    tags: Tags = []
    lease_seconds: Lease = DEFAULT_LEASE

    def to_arguments(self) -> dict[str, Any]:
        if self.signal is not None and self.tags:
            raise Refused("invalid_value", "Name a signal, or tags of the next one; not both.", field="tags")
        return {"worker": self.consumer, "seconds": self.lease_seconds}


class ExtendShape(ConsumerShape):
    """`claim`: the number that the claim was answered with; another claim since then is refused as `state-changed`."""

    lease_seconds: Lease = DEFAULT_LEASE
    claim: ClaimNumber | None = None


class AckShape(ConsumerShape):
    """`claim`: as for extending."""

    claim: ClaimNumber | None = None


class ToolExtendShape(ExtendShape):
    """A signal that you have claimed, by its id."""

    signal: Id


class ToolAckShape(AckShape):
    """A signal that you are done with, by its id."""

    signal: Id


class PollShape(Shape):
    """What was published since (`since`: the `next` of the answer before; without it from the beginning), oldest first."""

    since: Cursor = ""
    tags: Annotated[list[Name], Field(max_length=LIST_MAX)] = []
    status: StatusWord | None = None
    limit: Annotated[int, Field(ge=1, le=MOST_LISTED, strict=False)] = 20
