"""Three-way merges by lines: who changed what, conflicts, and that nothing is lost or made up."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.rules.merging import Side, changed_blocks, has_marks, lines_of, matched, merge

BASE = "# Deploys\n\nOn Tuesday.\n\nAsk Ada.\n"

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "", "# d", "e e"]), max_size=12).map("\n".join)


@pytest.mark.parametrize(
    ("current", "proposed", "text", "sides"),
    [
        (BASE, BASE, BASE.rstrip(), ["same"]),
        (BASE, BASE.replace("Tuesday", "Thursday"), BASE.replace("Tuesday", "Thursday").rstrip(), ["same", "proposed", "same"]),
        (BASE.replace("Tuesday", "Thursday"), BASE, BASE.replace("Tuesday", "Thursday").rstrip(), ["same", "current", "same"]),
        (
            BASE.replace("Ada", "Bob"), BASE.replace("Tuesday", "Thursday"),
            "# Deploys\n\nOn Thursday.\n\nAsk Bob.", ["same", "proposed", "same", "current"],
        ),
        (
            BASE.replace("Tuesday", "Thursday"), BASE.replace("Tuesday", "Thursday"),
            BASE.replace("Tuesday", "Thursday").rstrip(), ["same", "both", "same"],
        ),
        (
            BASE.replace("Tuesday", "Friday"), BASE.replace("Tuesday", "Thursday"),
            "# Deploys\n\n<<<<<<< current\nOn Friday.\n=======\nOn Thursday.\n>>>>>>> proposed\n\nAsk Ada.",
            ["same", "conflict", "same"],
        ),
        ("", "", "", ["both"]),
        (BASE + "\nMore.", BASE, (BASE + "\nMore."), ["same", "current"]),
        ("Top.\n" + BASE, BASE + "\nEnd.", "Top.\n" + BASE + "\nEnd.", ["current", "same", "proposed"]),
    ],
)  # fmt: skip
def test_who_changed_what(current: str, proposed: str, text: str, sides: list[str]) -> None:
    made = merge(BASE, current, proposed)
    assert (made.text, [one.side.value for one in made.stretches]) == (text, sides)
    assert made.conflicts == sides.count("conflict")
    assert has_marks(made.text) == bool(made.conflicts)


def test_one_side_removed_what_the_other_changed() -> None:
    made = merge("a\nb\nc", "a\nc", "a\nB\nc")
    assert [one.side for one in made.stretches] == [Side.SAME, Side.CONFLICT, Side.SAME]
    assert (made.stretches[1].current, made.stretches[1].proposed) == ((), ("B",))


def test_kinds_of_line_ends_are_no_change_and_a_hard_break_is_one() -> None:
    assert merge("a\nb", "a\r\nb\r\n \r\n", "a  \nb\n").text == "a  \nb"


def test_a_line_that_only_looks_like_a_mark_is_none() -> None:
    assert not has_marks("Heading\n=======\n\n<<<<<<< currently >>>>>>> proposed")


def test_changed_blocks_pair_what_stands_in_one_place() -> None:
    found = changed_blocks("a\nb\nc\nd", "a\nB\nc\nd\ne")
    assert [(one.old, one.new) for one in found] == [(("b",), ("B",)), ((), ("e",))]
    assert changed_blocks(BASE, BASE + "\n\n") == []


@given(TEXTS, TEXTS, TEXTS)
def test_nothing_is_lost_or_made_up(base: str, current: str, proposed: str) -> None:
    made = merge(base, current, proposed)
    for name, text in (("base", base), ("current", current), ("proposed", proposed)):
        assert [line for one in made.stretches for line in getattr(one, name)] == lines_of(text)
    assert merge(base, current, base).text == "\n".join(lines_of(current))
    assert merge(base, base, proposed).text == "\n".join(lines_of(proposed))
    other_way = merge(base, proposed, current)
    assert other_way.conflicts == made.conflicts
    if not made.conflicts:
        assert other_way.text == made.text


@given(TEXTS, TEXTS)
def test_matches_rise_and_are_equal(old: str, new: str) -> None:
    a, b = lines_of(old), lines_of(new)
    pairs = matched(a, b)
    assert all(a[one] == b[other] for one, other in pairs)
    assert all(x[0] < y[0] and x[1] < y[1] for x, y in pairwise(pairs))


@pytest.mark.parametrize("unit", ["\n", "a\n", "a\nb\n", "> x\n\n"])
def test_repetitive_texts_of_full_size_are_bounded(unit: str) -> None:
    """Looked at as steps, not seconds: every line is matched or left, and an end is reached."""
    text = (unit * 65_536)[:65_536]
    made = merge(f"{text}\nz", f"x\n{text}\nz", f"{text}\nz\ny")
    assert made.text == f"x\n{text}\nz\ny"
    assert made.conflicts == 0
