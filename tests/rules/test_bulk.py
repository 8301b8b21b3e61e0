"""Bulk decisions, the pure part: what keeps an item out, what excludes what, and the name of a selection."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from evidence.rules.bulk import Mark, Member, can_be_done, marks_of, obstacle, rivals_of, selection_digest
from evidence.rules.permissions import Refusal, Verdict
from evidence.rules.planning import Need, NeedKind, Plan
from evidence.rules.records import Scope, Validity

PUBLIC = Scope("ada", "public")
MAY = Verdict(None)


def member(
    position: int, about: str = "door", says: str = "open", risk: str = "low", scope: Scope = PUBLIC, **more: object
) -> Member:
    return Member(position, risk, about, says, scope, **more)  # type: ignore[arg-type]


def made(*needs: NeedKind, refusal: Refusal | None = None) -> Plan:
    return Plan("approve", (), tuple(Need(kind, kind.value) for kind in needs), refusal)


@pytest.mark.parametrize(
    ("plan", "verdict", "checked_at", "code"),
    [
        (made(), MAY, "", None),
        (made(NeedKind.REASON), MAY, "", None),
        (made(NeedKind.CHECK_DATE), MAY, "", "check_date_required"),
        (made(NeedKind.CHECK_DATE), MAY, "now", None),
        (made(NeedKind.CHECK_DATE, NeedKind.CONVERSION), MAY, "now", "conversion_required"),
        (made(NeedKind.RATIFICATION, NeedKind.CONVERSION), MAY, "", "ratification_required"),
        (made(NeedKind.REASON, NeedKind.SUPERSEDES), MAY, "now", "supersedes_required"),
        (made(), Verdict(Refusal("own_edit", "")), "", "own_edit"),
        (made(refusal=Refusal("already_decided", "")), Verdict(Refusal("own_edit", "")), "", "already_decided"),
        (made(), Verdict(None, solo=True), "", None),
    ],
)
def test_what_keeps_an_item_out(plan: Plan, verdict: Verdict, checked_at: str, code: str | None) -> None:
    found = obstacle(plan, verdict, checked_at=checked_at)
    assert (found.code if found else None) == code


@pytest.mark.parametrize(
    ("code", "possible"), [("", True), *((mark, True) for mark in Mark), ("own_edit", False), ("gone", False)]
)
def test_only_marks_can_be_taken_in(code: str, possible: bool) -> None:
    assert can_be_done(code) is possible


def test_of_equals_the_first_is_in_and_the_others_name_it() -> None:
    found = marks_of([member(0), member(1), member(2, about="window"), member(3)])
    assert found == {1: (Mark.EQUAL, 0), 3: (Mark.EQUAL, 0)}


def test_of_rivals_none_is_in() -> None:
    found = marks_of([member(0), member(1, says="shut"), member(2)])
    assert found == {0: (Mark.RIVAL, 1), 1: (Mark.RIVAL, 0), 2: (Mark.RIVAL, 1)}


def test_high_risk_is_out_whatever_else_it_is() -> None:
    found = marks_of([member(0, risk="high"), member(1, about="window", risk="high"), member(2, about="")])
    assert found == {0: (Mark.HIGH_RISK, 0), 1: (Mark.HIGH_RISK, 1)}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (member(0, scope=Scope("ada", "private")), member(1, says="shut", scope=Scope("bob", "private"))),
        (member(0, valid=Validity(until=datetime(2026, 1, 1, tzinfo=UTC))), member(1, says="shut", valid=Validity(datetime(2026, 1, 1, tzinfo=UTC)))),
        (member(0, about=""), member(1, about="", says="shut")),
        (member(0), member(1, about="window", says="shut")),
    ],
)  # fmt: skip
def test_what_does_not_meet_excludes_nothing(one: Member, other: Member) -> None:
    assert marks_of([one, other]) == {}
    assert rivals_of(one, [one, other]) == []


def test_taking_one_in_puts_out_all_that_meet_it() -> None:
    items = [member(0), member(1), member(2, says="shut"), member(3, about="window")]
    assert rivals_of(items[1], items) == [0, 2]


def test_the_name_of_a_selection_is_that_of_exactly_this_one() -> None:
    chosen = [(0, 1, "a"), (1, 1, "b")]
    name = selection_digest(chosen, {"action": "approve", "checked_at": ""})
    assert selection_digest(reversed(chosen), {"checked_at": "", "action": "approve"}) == name
    others = [
        selection_digest(chosen[:1], {"action": "approve", "checked_at": ""}),
        selection_digest([(0, 2, "a"), (1, 1, "b")], {"action": "approve", "checked_at": ""}),
        selection_digest([(0, 1, "a"), (1, 1, "c")], {"action": "approve", "checked_at": ""}),
        selection_digest(chosen, {"action": "reject", "checked_at": ""}),
        selection_digest(chosen, {"action": "approve", "checked_at": "now"}),
    ]
    assert len({name, *others}) == 6
