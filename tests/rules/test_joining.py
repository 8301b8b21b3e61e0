"""Members of a cluster: who is ticked, who is left to a decision of its own, and what joining a record may do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evidence.rules.joining import Asked, Joining, Part, Standing, only_joins, standing_of
from evidence.rules.planning import Effect, EffectKind, Plan
from evidence.rules.vocab import Action, Risk

NEAR = Asked(closes=False, is_near=True, risk=Risk.LOW)
EQUAL = replace(NEAR, closes=True)


@pytest.mark.parametrize(
    ("asked", "part", "ticked"),
    [
        (NEAR, Part.JOINS, True),
        (replace(NEAR, risk=Risk.MEDIUM), Part.JOINS, True),
        (replace(NEAR, risk=Risk.HIGH), Part.JOINS, False),
        (replace(NEAR, holder="ada"), Part.JOINS, False),
        (replace(NEAR, obstacle="Say for how long."), Part.APART, False),
        (replace(NEAR, would_join=False), Part.APART, False),
        (replace(NEAR, is_near=False), Part.APART, False),
        (replace(NEAR, may_decide=False), Part.JOINS, False),
        (EQUAL, Part.CLOSES, True),
        (replace(EQUAL, obstacle="Say for how long.", would_join=False), Part.CLOSES, True),
        (replace(EQUAL, is_near=False), Part.CLOSES, False),
        (replace(EQUAL, risk=Risk.HIGH), Part.CLOSES, False),
        (replace(EQUAL, holder="ada"), Part.CLOSES, False),
    ],
)
def test_parts_and_ticks(asked: Asked, part: Part, ticked: bool) -> None:
    found = standing_of(asked)
    assert (found.part, found.ticked) == (part, ticked)
    assert bool(found.why) is not ticked


def test_the_first_thing_that_speaks_against_it_is_said() -> None:
    asked = replace(NEAR, risk=Risk.HIGH, holder="ada", obstacle="Say for how long.")
    assert standing_of(asked) == Standing(Part.APART, False, "Say for how long.")
    assert standing_of(replace(asked, obstacle="")).why == "High risk is never ticked by default."


LINK = Effect(EffectKind.LINK_EVIDENCE, "record", "e-1", "")
JOINING = Joining("e-1", equals=frozenset({"h-2"}), questions=frozenset({"q-1"}))


@pytest.mark.parametrize(
    ("effects", "joins"),
    [
        ([LINK], True),
        ([LINK, Effect(EffectKind.REFRESH_CHECK, "record", "e-1", "")], True),
        ([LINK, Effect(EffectKind.CLOSE_EQUAL, "held", "h-2", "")], True),
        ([LINK, Effect(EffectKind.CLOSE_QUESTION, "inquiry", "q-1", "")], True),
        ([], False),
        ([Effect(EffectKind.REFRESH_CHECK, "record", "e-1", "")], False),
        ([replace(LINK, target_id="e-2")], False),
        ([LINK, Effect(EffectKind.CLOSE_EQUAL, "held", "h-3", "")], False),
        ([LINK, Effect(EffectKind.CLOSE_QUESTION, "inquiry", "q-2", "")], False),
        ([LINK, Effect(EffectKind.SUPERSEDE_RECORD, "record", "e-1", "")], False),
        ([Effect(EffectKind.CREATE_RECORD, "held", "h-1", "")], False),
        ([Effect(EffectKind.FIRST_APPROVAL, "held", "h-1", "")], False),
    ],
)
def test_joining_adds_evidence_and_does_nothing_that_was_not_shown(effects: list[Effect], joins: bool) -> None:
    assert only_joins(Plan(Action.APPROVE, tuple(effects)), JOINING) is joins
