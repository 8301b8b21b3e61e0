"""Near sets: found without holding each against each, and never with more work than a fixed share per set."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from evidence.rules.near_pairs import LEAST, LOOKED_AT, NEAREST, near_pairs

bags = st.lists(st.frozensets(st.sampled_from("abcdefghijkl"), max_size=7), max_size=NEAREST)


def dice(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / ((len(one) + len(other)) or 1)


@given(bags)
def test_few_sets_are_paired_exactly(given_bags: list[frozenset[str]]) -> None:
    wanted = {(a, b) for a, b in combinations(range(len(given_bags)), 2) if dice(given_bags[a], given_bags[b]) >= LEAST}
    assert set(near_pairs(given_bags, [None] * len(given_bags))) == wanted


def test_sets_of_one_group_are_paired_whatever_their_words() -> None:
    assert list(near_pairs([frozenset("ab"), frozenset("cd"), frozenset("ef")], ["x", None, "x"])) == [(0, 2)]


class Compared(frozenset[str]):
    """A set that counts how often it is held against another."""

    times: Counter[str] = Counter()

    def __and__(self, other: object) -> frozenset[str]:
        self.times["held against another"] += 1
        return frozenset(self) & other  # type: ignore[operator]


def test_many_sets_of_the_same_few_words_cost_no_more_each() -> None:
    chance = random.Random(7)
    number = LOOKED_AT * 4
    made = [Compared(chance.sample("abcdefghijklmnop", 5)) for _ in range(number)]
    Compared.times.clear()
    pairs = list(near_pairs(made, ["all of one claim"] * number))
    assert Compared.times["held against another"] <= 2 * LOOKED_AT * number
    assert max(Counter(later for _, later in pairs).values()) <= 2 * NEAREST
    assert len(pairs) > NEAREST * LOOKED_AT
