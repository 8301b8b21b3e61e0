"""The geometry of charts, and numbers in words."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from evidence.selectors.insights_judged import Share
from evidence.web import charts
from evidence.web.insights_tables import percent, rough


@pytest.mark.parametrize(
    ("values", "top"),
    [
        ([], 1),
        ([0], 1),
        ([1], 1),
        ([3], 4),
        ([9], 10),
        ([11], 12),
        ([102], 120),
        ([999], 1_000),
        ([1_000_001], 1_200_000),
    ],
)
def test_a_scale_ends_at_a_round_number_that_nothing_exceeds(values: list[int], top: int) -> None:
    assert charts.top_of(values) == top


def test_the_middle_of_every_scale_is_a_whole_number() -> None:
    tops = {charts.top_of([value]) for value in range(1, 3_000)}
    assert all(top % 2 == 0 for top in tops - {1})
    assert all(top <= 2 * value for value in range(2, 3_000) for top in [charts.top_of([value])])


def points(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"[ML]([\d.]+) ([\d.]+)", path)]


def test_a_line_goes_from_edge_to_edge_and_never_out_of_the_plot() -> None:
    path, area = charts.line([0, 5, 10], 10)
    assert points(path) == [(0, 160), (360, 80), (720, 0)]
    assert area.startswith(path)
    assert area.endswith("L720 160L0 160Z")


def test_no_value_and_one_value_can_be_drawn() -> None:
    assert charts.line([], 1) == ("", "")
    assert points(charts.line([3], 4)[0]) == [(0, 40), (720, 40)]
    assert charts.columns([], 1) == []
    assert charts.bar([], 0).parts == ()
    assert charts.bands([[0, 0]], height=10) == ["", ""]


def test_columns_stand_on_each_other_side_by_side() -> None:
    lower, upper = charts.columns([[1, 1], [0, 2]], 4, lane=1, lanes=2)
    boxes = re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)", lower + upper)
    assert boxes == [("180", "120", "144", "40"), ("180", "80", "144", "40"), ("540", "80", "144", "80")]


def test_attributes_are_plain_numbers() -> None:
    path, area = charts.line([1, 2, 3, 10**7], 10**7)
    assert re.fullmatch(r"[MLZ\d. -]+", path + area)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, ""), (-3, "0 seconds"), (1, "1 second"), (59, "59 seconds"), (60, "1 minute"), (90, "1.5 minutes"),
        (3_600, "1 hour"), (86_400 * 1.73, "1.7 days"), (86_400 * 1234.6, "1,235 days"),
    ],
)  # fmt: skip
def test_a_time_as_people_say_it(seconds: float | None, words: str) -> None:
    assert rough(None if seconds is None else timedelta(seconds=seconds)) == words


def test_few_decisions_say_little_and_the_range_says_how_little() -> None:
    assert Share(0, 0).range is None
    few, many = Share(1, 10).range, Share(100, 1_000).range
    assert few is not None
    assert many is not None
    assert few[0] < many[0] < 0.1 < many[1] < few[1]
    assert (percent(0.1), percent(None)) == ("10\u00a0%", "")
    assert Share(0, 5).range == pytest.approx((0, 0.434), abs=0.01)
    assert Share(5, 5).range == pytest.approx((0.566, 1), abs=0.01)
