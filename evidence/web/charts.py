"""Charts as SVG: pure geometry, drawn by `templates/components`. Texts beside a chart are HTML, so that they stay readable.

Shapes are stretched to the width there is; every series has a fill of its own (solid, hatched, dotted, hollow) beside its
colour. Attributes are texts made here: templates would write a number in the person's language.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 720, 160
# Ends of a scale whose half is a whole number too, beyond the smallest.
_SMALL, _STEPS = (1, 2, 4, 6, 8), (10, 12, 16, 20, 24, 30, 40, 50, 60, 80)


@dataclass(frozen=True, slots=True)
class Series:
    """One path. `look` is a class of the style sheet, `name` what the legend says."""

    name: str
    look: str
    path: str


@dataclass(frozen=True, slots=True)
class Chart:
    """`ticks` stand beside the plot from top to bottom, `marks` below it from left to right."""

    id: str
    title: str
    description: str
    series: tuple[Series, ...]
    ticks: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    height: int = HEIGHT

    @property
    def box(self) -> str:
        return f"0 0 {WIDTH} {self.height}"

    @property
    def middle(self) -> str:
        return _number(self.height / 2)


def top_of(values: Sequence[float]) -> int:
    """The end of the scale: a round number that nothing exceeds, at least 1."""
    highest = max(values, default=0)
    for step in _SMALL:
        if step >= highest:
            return step
    size = 1
    while True:
        for step in _STEPS:
            if step * size >= highest:
                return step * size
        size *= 10


def line(values: Sequence[int], top: int, *, height: int = HEIGHT) -> tuple[str, str]:
    """The line through the values, and the area under it. One value is a level line."""
    points = [*values, values[-1]] if len(values) == 1 else list(values)
    if not points:
        return "", ""
    step = WIDTH / (len(points) - 1)
    places = [f"{_number(step * at)} {_number(_level(value, top, height))}" for at, value in enumerate(points)]
    path = "M" + "L".join(places)
    return path, f"{path}L{WIDTH} {height}L0 {height}Z"


def columns(
    stacks: Sequence[Sequence[int]], top: int, *, lane: int = 0, lanes: int = 1, height: int = HEIGHT
) -> list[str]:
    """One path for each layer of the stacks, from the bottom up. `lane` of `lanes` side by side in each place."""
    layers = len(stacks[0]) if stacks else 0
    paths = [""] * layers
    place = WIDTH / max(1, len(stacks))
    width = place * 0.8 / lanes
    for at, stack in enumerate(stacks):
        left, floor = place * at + place * 0.1 + width * lane, float(height)
        for layer, value in enumerate(stack):
            tall = height * value / top
            if value:
                paths[layer] += _box(left, floor - tall, width, tall)
            floor -= tall
    return paths


def bands(rows: Sequence[Sequence[int]], *, height: int) -> list[str]:
    """Lying stacks, each as long as the longest, one below the other: shares of each row."""
    layers = len(rows[0]) if rows else 0
    paths = [""] * layers
    place = height / max(1, len(rows))
    for at, row in enumerate(rows):
        left, whole = 0.0, sum(row)
        for layer, value in enumerate(row):
            wide = WIDTH * value / whole if whole else 0
            if value:
                paths[layer] += _box(left, place * at + place * 0.1, wide, place * 0.8)
            left += wide
    return paths


@dataclass(frozen=True, slots=True)
class Bar:
    """A short bar beside a number: its parts one after the other, with their looks."""

    parts: tuple[tuple[str, str], ...]
    box: str = "0 0 100 10"


def bar(parts: Sequence[tuple[str, int]], longest: int) -> Bar:
    """`parts` are looks with their values; `longest` fills the whole width."""
    made: list[tuple[str, str]] = []
    left = 0.0
    for look, value in parts:
        wide = 100 * value / longest if longest else 0
        if value:
            made.append((look, _box(left, 0, wide, 10)))
        left += wide
    return Bar(tuple(made))


def _box(left: float, up: float, wide: float, tall: float) -> str:
    return f"M{_number(left)} {_number(up)}h{_number(wide)}v{_number(tall)}h{_number(-wide)}Z"


def _level(value: float, top: int, height: int) -> float:
    return height - height * value / top


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"
