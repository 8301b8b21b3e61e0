"""Chance in the queue: one pick in ten is drawn from all that waits, so that nothing starves behind the order.

No clock and no dice: the same seed gives the same draw, so that a page and the claim that follows it agree.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

ONE_IN = 10
# Every item gets a number below this when it is filed; a draw is a place among these numbers.
LOTS = 2**31
# A queue that is gone through in one sitting needs no chance: everything in it comes up anyway.
FEWEST = 20


@dataclass(frozen=True, slots=True)
class Draw:
    """`by_lot`: whether this pick is one of those. `point`: where to look, below `LOTS`. `seed` settles what is left."""

    by_lot: bool
    point: int
    seed: str


NO_DRAW = Draw(by_lot=False, point=0, seed="")


def draw(seed: str) -> Draw:
    """The draw that belongs to a seed."""
    number = _number("turn", seed)
    return Draw(number % ONE_IN == 0, _number("point", seed) % LOTS, seed)


def one_of(items: Iterable[T], seed: str) -> list[T]:
    """The items in an order drawn by lot: the first is the pick, the others take its place where it is gone meanwhile."""
    numbered = [(_number(f"item {position}", seed), position, item) for position, item in enumerate(items)]
    return [item for _, _, item in sorted(numbered, key=lambda entry: entry[:2])]


def _number(what: str, seed: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{what}\0{seed}".encode()).digest()[:8])
