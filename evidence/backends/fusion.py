"""Reciprocal rank fusion: one order out of several, by ranks alone, since scores of different sources mean different things."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")
SMOOTHING = 60
"""The usual constant: how little the first ranks of one list outweigh being in several."""


def fused(lists: Iterable[Sequence[T]], key: Callable[[T], Hashable]) -> list[tuple[float, T]]:
    """Best first, with scores between 0 and 1; equals in the order of the lists. Of two with one key the better ranked stays."""
    ranked = list(lists)
    points: dict[Hashable, float] = {}
    best: dict[Hashable, tuple[int, int, T]] = {}
    for place, items in enumerate(ranked):
        seen: set[Hashable] = set()
        for rank, item in enumerate(items):
            name = key(item)
            if name in seen:
                continue
            seen.add(name)
            points[name] = points.get(name, 0.0) + 1 / (SMOOTHING + 1 + rank)
            if name not in best or rank < best[name][0]:
                best[name] = (rank, place, item)
    most = len(ranked) / (SMOOTHING + 1)
    order = sorted(points, key=lambda name: (-points[name], *best[name][:2]))
    return [(round(points[name] / most, 6), best[name][2]) for name in order]
