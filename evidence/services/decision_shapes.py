"""What doors accept from people who work off the queue (doors "Queue and decisions"): shapes, words, limits."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, StringConstraints

from evidence.models import HeldRecord
from evidence.rules import vocab
from evidence.rules.bulk import ACTIONS, CHECKED_AT, MOST_ITEMS
from evidence.rules.records import Scope
from evidence.rules.times import read_time
from evidence.rules.vocab import Action
from evidence.services.editing import UNCHANGED
from evidence.services.errors import Refused
from evidence.services.request_shapes import ClaimShape, RecordId, ScopeShape, Shape, Time, VolatilityWord, Word
from evidence.services.texts import REASON_MAX, STATEMENT_MAX

SEARCH_MAX = 1_000
MOST_UNLINKED = 50
MOST_REPLACED = 200

ActionWord = Annotated[str, Word(vocab.Action)]
BulkActionWord = Annotated[str, Word(ACTIONS)]
ReasonWord = Annotated[str, Word(("", *vocab.ReasonCode))]
DurableWord = Annotated[str, Word(("", *sorted(vocab.DURABLE)))]
BulkCheckedWord = Annotated[str, Word(sorted(CHECKED_AT))]
Reason = Annotated[str, StringConstraints(max_length=REASON_MAX)]
Version = Annotated[int, Field(ge=1, le=2**31 - 1)]
Token = Annotated[int, Field(ge=0, le=2**31 - 1)]
Search = Annotated[str, StringConstraints(max_length=SEARCH_MAX)]


class NextShape(Shape):
    """Which part of the queue to take the next item from: a search, as in its search box."""

    q: Search = ""


class LeaseShape(Shape):
    """Without a token: claim. With the token of one's own lease: prolong it. `take_over`: even where somebody holds it."""

    token: Token | None = None
    take_over: bool = False


class DecisionShape(Shape):
    """A decision. `version` is the one that was seen; `plan_digest` the plan that was seen, where it is to be compared.

    `checked_at`: `source`, `now` or a time. `reason` is what the owner is asked for `ask_owner`. `until` is for `snooze`.
    """

    action: ActionWord
    version: Version | None = None
    plan_digest: Annotated[str, StringConstraints(max_length=64)] = ""
    reason_code: ReasonWord = ""
    reason: Reason = ""
    checked_at: Annotated[str, StringConstraints(max_length=64)] = ""
    supersedes: Annotated[list[RecordId], Field(max_length=MOST_REPLACED)] = []
    durability: DurableWord = ""
    ratify: bool = False
    until: Time | None = None

    def to_arguments(self) -> dict[str, Any]:
        """The keyword arguments of `decide` but for the item, the actor and the key."""
        asks = self.action == Action.ASK_OWNER
        return {
            "action": self.action, "seen_version": self.version, "plan_digest": self.plan_digest or None,
            "reason_code": self.reason_code, "reason": "" if asks else self.reason,
            "question": self.reason if asks else "", "checked_at": self.checked_at, "supersedes": tuple(self.supersedes),
            "durability": self.durability, "ratify": self.ratify, "until": read_time(self.until),
        }  # fmt: skip


class EditShape(Shape):
    """A change of a waiting item. What is left out stays; `claim: null` takes the claim away. `evidence`: ids to unlink."""

    version: Version | None = None
    statement: Annotated[str, StringConstraints(max_length=STATEMENT_MAX)] | None = None
    claim: ClaimShape | None = None
    volatility: VolatilityWord | None = None
    scope: ScopeShape | None = None
    evidence: Annotated[list[RecordId], Field(max_length=MOST_UNLINKED)] = []
    reason: Reason = ""

    def to_arguments(self, held: HeldRecord) -> dict[str, Any]:
        """The keyword arguments of `edit_held` but for the item, the actor and the key."""
        claim = (self.claim.to_claim() if self.claim else None) if "claim" in self.model_fields_set else UNCHANGED
        scope = self.scope and Scope(
            owner=self.scope.owner or held.scope_owner, access=self.scope.access,
            shared_with=tuple(self.scope.shared_with), project=held.scope.project,
        )  # fmt: skip
        return {
            "seen_version": self.version, "statement": self.statement, "claim": claim, "volatility": self.volatility,
            "scope": scope, "unlink": tuple(self.evidence), "reason": self.reason,
        }  # fmt: skip


class UndoShape(Shape):
    """`version`: the one that the item has now; an item that was changed since is left alone."""

    version: Version | None = None
    reason: Reason = ""


class BulkItemShape(Shape):
    """One item, as it was seen."""

    id: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    version: Version


class BulkShape(Shape):
    """One decision for many items, each on its own. `checked_at: now`: all of them were checked just now."""

    items: Annotated[list[BulkItemShape], Field(max_length=MOST_ITEMS)]
    action: BulkActionWord
    checked_at: BulkCheckedWord = ""
    reason_code: ReasonWord = ""
    reason: Reason = ""
    until: Time | None = None

    def seen(self) -> dict[str, int]:
        """Versions by id, in the order given. Raises `Refused` where one id stands twice."""
        found: dict[str, int] = {}
        for number, item in enumerate(self.items):
            key = _canonical(item.id)
            if key in found:
                detail = f"items[{number}].id stands twice."
                raise Refused("invalid_value", detail, field=f"items[{number}].id")
            found[key] = item.version
        return found


class BulkUndoShape(Shape):
    reason: Reason = ""


def _canonical(text: str) -> str:
    """An id as the database writes it; what is no id is nobody's, and stays as it came."""
    try:
        return str(UUID(text))
    except ValueError:
        return text
