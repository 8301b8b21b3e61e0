"""Keys of clusters: whatever belongs together has one in common, so that nobody has to look further."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given

from bench.clusters import queue
from evidence.rules.cluster_keys import MOST_KEYS, Keys, keys_of, may_be_near
from evidence.rules.clusters import ClusterItem, clusters
from evidence.rules.records import Claim, Scope
from tests.rules.test_clusters import PUBLIC, TOGETHER, queues


def known(items: list[ClusterItem]) -> dict[str, tuple[ClusterItem, Keys]]:
    found = ((item, keys_of(item)) for item in items)
    return {item.id: (item, keys) for item, keys in found if keys is not None}


def neighbours(one: Keys, other: Keys) -> bool:
    return bool(one.lookup & other.lookup) and may_be_near(one.trace, other.trace)


def reached(items: list[ClusterItem]) -> list[list[ClusterItem]]:
    """The items in groups: whatever one of a group could stand next to is in it, found by the keys alone."""
    by_key: dict[int, set[str]] = defaultdict(set)
    held = known(items)
    for name, (_, keys) in held.items():
        for key in keys.lookup:
            by_key[key].add(name)
    groups, left = [], set(held)
    while left:
        group, front = set(), {min(left)}
        while front:
            group |= front
            front = {
                other
                for name in front
                for other in {other for key in held[name][1].lookup for other in by_key[key]} - group
                if may_be_near(held[name][1].trace, held[other][1].trace) and clusters([held[name][0], held[other][0]])
            }
        groups.append([held[name][0] for name in sorted(group)])
        left -= group
    return groups


@given(queues)
def test_two_that_belong_together_have_a_key_in_common(filed: list[ClusterItem]) -> None:
    held = known(filed)
    for one, other in combinations(filed, 2):
        if clusters([one, other]):
            assert neighbours(held[one.id][1], held[other.id][1])


@given(queues)
def test_the_clusters_of_what_the_keys_reach_are_the_clusters_of_the_whole_queue(filed: list[ClusterItem]) -> None:
    found = {cluster for group in reached(filed) for cluster in clusters(group)}
    assert found == set(clusters(filed))


def test_the_keys_of_a_long_queue_lead_to_all_its_clusters_and_to_little_else() -> None:
    items = [filed.item for filed in queue(1500, seed=4)]
    groups = reached(items)
    assert {cluster for group in groups for cluster in clusters(group)} == set(clusters(items))
    assert max(map(len, groups)) < 40


@pytest.mark.parametrize(("one", "other"), TOGETHER)
def test_rewordings_have_a_key_in_common(one: str, other: str) -> None:
    first, second = (keys_of(ClusterItem(str(at), text, scope=PUBLIC)) for at, text in enumerate((one, other)))
    assert first is not None
    assert second is not None
    assert neighbours(first, second)


ITEM = ClusterItem("p-1", "Portal logs are kept for 7 days", scope=PUBLIC)
CLAIM = Claim("portal", "logs", "7 days")


@pytest.mark.parametrize(
    "change",
    [
        {"namespace": "other"},
        {"scope": Scope("ops-agent", "private")},
        {"statement": "Portal logs are kept for 9 days"},
        {"statement": "Portal logs are not kept for 7 days"},
    ],
)
def test_what_can_never_be_together_has_no_key_in_common(change: dict[str, object]) -> None:
    one = keys_of(replace(ITEM, claim=CLAIM))
    other = keys_of(replace(ITEM, claim=CLAIM, **change))  # type: ignore[arg-type]
    assert one is not None
    assert other is not None
    assert one.block != other.block
    assert not one.lookup & other.lookup


def test_one_claim_is_a_key_whatever_the_words() -> None:
    one = keys_of(replace(ITEM, claim=CLAIM))
    other = keys_of(replace(ITEM, claim=CLAIM, statement="For 7 days anybody can read what the gateway wrote down"))
    assert one is not None
    assert other is not None
    assert one.trace.claim == other.trace.claim
    assert neighbours(one, other)


def test_keys_are_few_and_fit_a_column() -> None:
    keys = keys_of(
        replace(ITEM, statement=" ".join(f"word{letter}{other}" for letter in "abcdefgh" for other in "xyz"))
    )
    assert keys is not None
    assert len(keys.lookup) <= MOST_KEYS + 2
    assert all(-(2**63) <= key < 2**63 for key in {keys.block, *keys.lookup, *keys.trace.words})


@pytest.mark.parametrize("text", ["", "...", "the", "不"])
def test_where_nothing_is_said_there_are_no_keys(text: str) -> None:
    assert keys_of(replace(ITEM, statement=text)) is None


def test_half_a_character_does_no_harm() -> None:
    assert keys_of(replace(ITEM, statement="Portal \ud800 logs are kept")) is not None
