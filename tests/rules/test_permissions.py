"""Who may decide an item, and who may approve it by an answer (separation of duties), as tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evidence.rules.permissions import Standpoint, Verdict, approvals_needed, may_approve_by_answer, may_decide

REVIEWER = Standpoint(is_reviewer=True, other_reviewer_exists=True)


def code(verdict: Verdict) -> str | None:
    return verdict.refusal.code if verdict.refusal else None


@pytest.mark.parametrize(
    ("risk", "layer", "two", "other", "needed"),
    [
        ("high", "L2", True, True, 2),
        ("low", "L1", True, True, 2),
        ("high", "L1", True, True, 2),
        ("medium", "L2", True, True, 1),
        ("low", "L2", True, True, 1),
        ("high", "L1", False, True, 1),
        ("high", "L1", True, False, 1),
    ],
)
def test_how_many_people_an_approval_takes(risk: str, layer: str, two: bool, other: bool, needed: int) -> None:
    assert approvals_needed(risk=risk, layer=layer, two_approvals=two, other_reviewer_exists=other) == needed


# The person, the item, and what stands against an approval where another reviewer exists; alone it is solo instead.
APPROVING: list[tuple[dict[str, Any], dict[str, Any], str | None]] = [
    ({}, {}, None),
    ({}, {"risk": "high"}, None),
    ({"owns_agent": True}, {}, None),
    ({"owns_agent": True}, {"risk": "high"}, "four_eyes"),
    ({"owns_agent": True}, {"risk": "medium"}, None),
    ({"owns_agent": True}, {"strict": True}, "four_eyes"),
    ({"changed_meaning_last": True}, {}, "own_edit"),
    ({"changed_meaning_last": True, "owns_agent": True}, {"risk": "high"}, "own_edit"),
    ({"gave_first_approval": True}, {"risk": "high"}, "four_eyes"),
]
ITEM: dict[str, Any] = {"risk": "low", "layer": "L2", "strict": False, "two_approvals": True}


@pytest.mark.parametrize("action", ["approve", "supersede"])
@pytest.mark.parametrize(("person", "item", "refused"), APPROVING, ids=str)
def test_who_may_approve(action: str, person: dict[str, Any], item: dict[str, Any], refused: str | None) -> None:
    verdict = may_decide(action, replace(REVIEWER, **person), **(ITEM | item))
    assert (code(verdict), verdict.solo) == (refused, False)


@pytest.mark.parametrize(("person", "item", "refused"), APPROVING, ids=str)
def test_alone_it_goes_through_and_is_marked(person: dict[str, Any], item: dict[str, Any], refused: str | None) -> None:
    alone = replace(REVIEWER, other_reviewer_exists=False, **person)
    verdict = may_decide("approve", alone, **(ITEM | item))
    assert code(verdict) is None
    assert verdict.solo == (refused is not None or item.get("risk") == "high")


def test_an_approval_that_takes_two_is_solo_where_there_is_one() -> None:
    alone = replace(REVIEWER, other_reviewer_exists=False)
    assert may_decide("approve", alone, **(ITEM | {"layer": "L1"})).solo
    assert not may_decide("approve", alone, **(ITEM | {"layer": "L1", "two_approvals": False})).solo


@pytest.mark.parametrize("action", ["reject", "snooze", "ask_owner"])
def test_anything_but_an_approval_takes_a_reviewer_only(action: str) -> None:
    person = replace(REVIEWER, changed_meaning_last=True, owns_agent=True, gave_first_approval=True)
    assert may_decide(action, person, **(ITEM | {"risk": "high", "strict": True})) == Verdict(None)


@pytest.mark.parametrize("action", ["approve", "reject", "supersede", "snooze", "ask_owner"])
def test_without_a_membership_nothing_may_be_decided(action: str) -> None:
    for alone in (True, False):
        person = replace(REVIEWER, is_reviewer=False, other_reviewer_exists=not alone)
        assert code(may_decide(action, person, **ITEM)) == "not_reviewer"


@pytest.mark.parametrize(
    ("person", "item", "have", "refused", "solo"),
    [
        ({"is_reviewer": False}, {}, 0, None, False),
        ({"owns_agent": True}, {}, 0, None, False),
        ({"owns_agent": True}, {"risk": "high"}, 1, "four_eyes", False),
        ({"changed_meaning_last": True}, {}, 0, "own_edit", False),
        ({"changed_meaning_last": True}, {"risk": "high"}, 0, "own_edit", False),
        ({}, {"risk": "high"}, 0, "four_eyes", False),
        ({}, {"risk": "high"}, 1, None, False),
        ({}, {"layer": "L1"}, 0, "four_eyes", False),
        ({}, {"risk": "high", "two_approvals": False}, 0, None, False),
        ({"gave_first_approval": True}, {"risk": "high"}, 1, "four_eyes", False),
        ({"other_reviewer_exists": False}, {}, 0, None, False),
        ({"other_reviewer_exists": False}, {"risk": "high"}, 0, None, True),
        ({"other_reviewer_exists": False, "changed_meaning_last": True}, {}, 0, None, True),
    ],
    ids=str,
)
def test_who_may_approve_by_an_answer(
    person: dict[str, Any], item: dict[str, Any], have: int, refused: str | None, solo: bool
) -> None:
    verdict = may_approve_by_answer(replace(REVIEWER, **person), approvals_have=have, **(ITEM | item))
    assert (code(verdict), verdict.solo) == (refused, solo)
