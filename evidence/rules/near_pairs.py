"""Which of many sets of words are near each other, without holding every set against every other (for `clusters`).

Two sets of a given likeness share a word among the rarest of each; only those are looked up. Exact but for two limits per set,
`LOOKED_AT` and `NEAREST`, which keep the work in proportion to the number of sets. What they lose: where thousands of texts are
put together from the same few words, pairs of sets whose places are far apart; they stay single, and nothing is glued.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from typing import Final

LEAST: Final = 0.7
"""Dice (shared words by the mean count) from which sets are near."""
NEAREST: Final = 24
"""Pairs at most that a set is given with sets before it: the likest."""
LOOKED_AT: Final = 300
"""Sets before it at most that a set is held against: by its rarest words first, and of one word the closest in order."""


def near_pairs(bags: Sequence[frozenset[str]], groups: Sequence[Hashable | None]) -> Iterator[tuple[int, int]]:
    """Places of near sets, and of sets of one group whatever their words; the first place below the second, each pair once.

    A group of none is no group. Sets that come earlier are preferred where more than `NEAREST` are equally near.
    """
    counts = Counter(word for bag in bags for word in bag)
    by_word: dict[str, list[int]] = defaultdict(list)
    by_group: dict[Hashable, list[int]] = defaultdict(list)
    for at, (bag, group) in enumerate(zip(bags, groups, strict=True)):
        rare = sorted(bag, key=lambda word: (counts[word], word))
        rare = rare[: telling(len(bag))]
        possible = _within_limit([by_word[word] for word in rare])
        shares = ((_dice(bag, bags[there]), -there) for there in possible)
        near = heapq.nlargest(NEAREST, (pair for pair in shares if pair[0] >= LEAST))
        if group is not None:
            fellows = ((_dice(bag, bags[there]), -there) for there in by_group[group][-LOOKED_AT:])
            near += heapq.nlargest(NEAREST, fellows)
            by_group[group].append(at)
        for there in sorted({-place for _, place in near}):
            yield there, at
        for word in rare:
            by_word[word].append(at)


def telling(count: int) -> int:
    """How many of `count` words, taken in one order that holds for all sets, always hold one that a near set takes too."""
    return count - math.ceil(LEAST / (2 - LEAST) * count) + 1 if count else 0


def _within_limit(lists: Sequence[Sequence[int]]) -> set[int]:
    """Places of the lists, up to `LOOKED_AT`: the first list first, of each the last places."""
    found: set[int] = set()
    for places in lists:
        found.update(places[len(found) - LOOKED_AT :])
        if len(found) >= LOOKED_AT:
            break
    return found


def _dice(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / ((len(one) + len(other)) or 1)
