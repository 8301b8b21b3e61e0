"""Chance in the queue: about one pick in ten, spread over all that waits, and the same for the same seed."""

from __future__ import annotations

from collections import Counter

from evidence.rules.lots import LOTS, ONE_IN, draw, one_of

SEEDS = [f"person:{number}" for number in range(20_000)]


def test_the_same_seed_gives_the_same_draw():
    assert [draw(seed) for seed in SEEDS[:50]] == [draw(seed) for seed in SEEDS[:50]]
    assert one_of("abcdef", "x") == one_of("abcdef", "x")


def test_one_pick_in_ten_is_drawn():
    drawn = sum(draw(seed).by_lot for seed in SEEDS)
    assert abs(drawn - len(SEEDS) / ONE_IN) < 4 * (len(SEEDS) * 0.1 * 0.9) ** 0.5


def test_the_places_are_spread_over_all_lots_also_among_the_picks_that_are_drawn():
    points = [draw(seed).point for seed in SEEDS if draw(seed).by_lot]
    assert all(0 <= point < LOTS for point in points)
    quarters = Counter(point * 4 // LOTS for point in points)
    assert sorted(quarters) == [0, 1, 2, 3]
    assert max(quarters.values()) < 1.3 * min(quarters.values())


def test_every_item_comes_first_about_as_often():
    first = Counter(one_of(range(8), seed)[0] for seed in SEEDS)
    assert sorted(first) == list(range(8))
    assert max(first.values()) < 1.15 * min(first.values())


def test_nothing_is_lost_in_the_order():
    assert sorted(one_of(range(30), "seed")) == list(range(30))
    assert one_of([], "seed") == []
