"""Deciding many items at once: its words, and what keeps an item out of it (DESIGN "Nothing blocks"; scenarios S9, S10). Pure.

A bulk is the same decision taken for each item on its own. What needs an answer of its own per item is not done in bulk.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from evidence.rules.access import overlaps
from evidence.rules.permissions import Refusal, Verdict
from evidence.rules.planning import NeedKind, Plan
from evidence.rules.records import Scope, Validity
from evidence.rules.resolving import validity_overlaps
from evidence.rules.text import sha256_hex
from evidence.rules.vocab import Action, Risk

# Frozen at once: what a person can still answer for, and what one look at the preview can hold.
MOST_ITEMS = 1_000
ACTIONS: tuple[Action, ...] = (Action.APPROVE, Action.REJECT, Action.SNOOZE)
CHECKED_AT = frozenset({"", "now"})


class JobKind(StrEnum):
    BULK = "bulk"
    UNDO = "bulk_undo"


class JobStatus(StrEnum):
    """`preparing`: plans are being frozen. `preview`: frozen, and nothing done yet. The last three are final."""

    PREPARING = "preparing"
    PREVIEW = "preview"
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


WORKING = frozenset({JobStatus.WAITING, JobStatus.RUNNING})
ENDED = frozenset({JobStatus.DONE, JobStatus.FAILED, JobStatus.CANCELLED})


class ItemOutcome(StrEnum):
    """What became of one item; each is final. `skipped`: the job was cancelled before its turn."""

    DONE = "done"
    CHANGED = "changed"
    REFUSED = "refused"
    GONE = "gone"
    SKIPPED = "skipped"


class Mark(StrEnum):
    """What the preview says of an item beside the codes of refusals: it can be done, but is left out at first."""

    HIGH_RISK = "high_risk"
    EQUAL = "equal_in_bulk"
    RIVAL = "rival_in_bulk"


# An item under another code can be taken in; one under a code that is neither a mark nor empty cannot.
MARKS: frozenset[str] = frozenset(Mark)
CLOSED_EQUAL = "closed_equal"


def obstacle(made: Plan, verdict: Verdict, *, checked_at: str) -> Refusal | None:
    """Why this item cannot be decided in a bulk: what its own page would refuse, or would have to ask.

    Two questions the bulk answers for all: the reason, and with "now" the date of the check.
    """
    if made.refusal is not None:
        return made.refusal
    if verdict.refusal is not None:
        return verdict.refusal
    answered = {NeedKind.REASON, NeedKind.CHECK_DATE} if checked_at == "now" else {NeedKind.REASON}
    need = next((need for need in made.needs if need.kind not in answered), None)
    return None if need is None else Refusal(need.kind.value, need.detail)


def can_be_done(code: str) -> bool:
    """Whether an item with this code may be taken in."""
    return not code or code in MARKS


@dataclass(frozen=True, slots=True)
class Member:
    """An item that can be done, as far as its neighbours in the bulk matter. `about`: the claim, `says`: its value."""

    position: int
    risk: str
    about: str = ""
    says: str = ""
    scope: Scope = field(default_factory=Scope)
    valid: Validity | None = None


def marks_of(items: Iterable[Member]) -> dict[int, tuple[Mark, int]]:
    """What is left out at first, by position, and the item that it stands against (itself where it is its own risk).

    High risk is never chosen by default (contract 6). Of equal items the first one closes the others; of items that claim
    different values for one thing only one can be true, and no order of a list may choose it.
    """
    marks: dict[int, tuple[Mark, int]] = {}
    groups: dict[str, list[Member]] = {}
    for item in items:
        if item.risk == Risk.HIGH:
            marks[item.position] = (Mark.HIGH_RISK, item.position)
        if item.about:
            groups.setdefault(item.about, []).append(item)
    for members in groups.values():
        marks |= _equals(members) | _rivals(members)
    return marks


def rivals_of(one: Member, others: Iterable[Member]) -> list[int]:
    """Positions that have to be left out when this one is taken in: what is about the same, for readers in common."""
    return [other.position for other in others if other.position != one.position and _meet(one, other)]


def _meet(one: Member, other: Member) -> bool:
    """Whether deciding one changes what deciding the other does: one claim, readers in common, and at one time."""
    same = bool(one.about) and one.about == other.about
    return same and overlaps(one.scope, other.scope) and validity_overlaps(one.valid, other.valid)


def _rivals(members: Sequence[Member]) -> dict[int, tuple[Mark, int]]:
    if len({one.says for one in members}) == 1:
        return {}
    found = ((one, next((two for two in members if two.says != one.says and _meet(one, two)), None)) for one in members)
    return {one.position: (Mark.RIVAL, rival.position) for one, rival in found if rival is not None}


def _equals(members: Sequence[Member]) -> dict[int, tuple[Mark, int]]:
    marks: dict[int, tuple[Mark, int]] = {}
    first: list[Member] = []
    for one in members:
        known = next((two for two in first if two.says == one.says and _meet(one, two)), None)
        if known is None:
            first.append(one)
        else:
            marks[one.position] = (Mark.EQUAL, known.position)
    return marks


def selection_digest(selected: Iterable[tuple[int, int, str]], choices: Mapping[str, str]) -> str:
    """Names exactly what the button would do: positions with their frozen versions and plans, and the choices for all."""
    parts = [f"{position}:{version}:{digest}" for position, version, digest in sorted(selected)]
    return sha256_hex(*(f"{name}={choices[name]}" for name in sorted(choices)), *parts)[:32]
