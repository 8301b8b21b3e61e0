"""Deciding near-duplicates together: what each one's part in it is, and what approving one more of them may do. Pure.

One of them is decided as ever. The others are decided after it; where it was approved they find its record and add their evidence
to it (contract 7: never a second active record), and a member that would do anything else is left for a decision of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from evidence.rules.planning import EffectKind, Plan
from evidence.rules.vocab import Action, MatchKind, Risk

# Names in the detail of a job: the item that was on the screen, and what was seen of each of the others.
FIRST, SEEN = "cluster", "seen"
TOGETHER: tuple[Action, ...] = (Action.APPROVE, Action.REJECT, Action.SNOOZE)
SAYS_THE_SAME = frozenset({MatchKind.DUPLICATE, MatchKind.STRENGTHENS})


class Part(StrEnum):
    """What an approval of the item on the screen means for another one."""

    CLOSES = "closes"
    """Claims the same value: it closes with the approval in any case, credited (contract 10)."""
    JOINS = "joins"
    """If it is ticked, its evidence is added to the record."""
    APART = "apart"
    """It needs a decision of its own."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is known of a member before anything is decided. `is_near`: the rule of clusters has it with the one on the screen."""

    closes: bool
    is_near: bool
    risk: str
    may_decide: bool = True
    obstacle: str = ""
    """Why it cannot be approved without a word of its own; empty where it can."""
    would_join: bool = True
    holder: str = ""
    """Who else has it open right now."""


@dataclass(frozen=True, slots=True)
class Standing:
    part: Part
    ticked: bool
    why: str = ""
    """Why it is not ticked."""


def standing_of(asked: Asked) -> Standing:
    """A member's part, and whether it is ticked at first: only where nothing speaks for a look of its own."""
    part = Part.CLOSES if asked.closes else Part.JOINS
    if part is Part.JOINS and (asked.obstacle or not asked.would_join or not asked.is_near):
        part = Part.APART
    why = next(_reasons(asked), "")
    return Standing(part, not why, why)


def _reasons(asked: Asked) -> Iterator[str]:
    if not asked.may_decide:
        yield "You do not review this agent."
    if not asked.is_near:
        yield "It claims the same, but its words differ in something that may matter."
    if not asked.closes and asked.obstacle:
        yield asked.obstacle
    if not asked.closes and not asked.would_join:
        yield "Worded too differently to add to the same record: an approval would make another one."
    if asked.risk == Risk.HIGH:
        yield "High risk is never ticked by default."
    if asked.holder:
        yield f"{asked.holder} has it open."


@dataclass(frozen=True, slots=True)
class Joining:
    """What the approval of one more member may touch; everything in it was on the screen."""

    record_id: str
    """The record that stands after the first approval."""
    equals: frozenset[str] = field(default_factory=frozenset)
    questions: frozenset[str] = field(default_factory=frozenset)


def only_joins(made: Plan, joining: Joining) -> bool:
    """Whether a plan adds evidence to the record and does nothing that was not shown."""
    linked = [effect for effect in made.effects if effect.kind == EffectKind.LINK_EVIDENCE]
    known = {
        EffectKind.LINK_EVIDENCE: {joining.record_id},
        EffectKind.REFRESH_CHECK: {joining.record_id},
        EffectKind.CLOSE_EQUAL: joining.equals,
        EffectKind.CLOSE_QUESTION: joining.questions,
    }
    return bool(linked) and all(effect.target_id in known.get(effect.kind, ()) for effect in made.effects)
