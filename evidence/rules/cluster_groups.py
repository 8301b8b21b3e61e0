"""Texts of one fence in groups of near-duplicates, each around the text that most are near to (for `clusters`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evidence.rules.gists import Gist
from evidence.rules.near_pairs import near_pairs
from evidence.rules.twins import alike, compatible


class Node(NamedTuple):
    """Items that say the same letter for letter, with one claim or none."""

    ids: tuple[str, ...]
    claim: tuple[str, str] | None
    """Claim key and value in normal form, where there is a claim."""
    gist: Gist


def groups(nodes: Sequence[Node]) -> Iterator[list[Node]]:
    """Groups of at least two items, the representative first; each node in one at most, whatever the order of the nodes.

    Greedy from the text that most others are near to: it takes those near it that nothing sets apart from the taken ones,
    so that no chain of likenesses joins two texts that differ.
    """
    ordered = sorted(nodes, key=lambda node: (len(node.gist.words), node.gist.text, node.ids))
    edges = _edges(ordered)
    ranks = [
        len(node.ids) + sum(near * len(ordered[to].ids) for to, near in sorted(found.items()))
        for node, found in zip(ordered, edges, strict=True)
    ]
    left = set(range(len(ordered)))
    for seed in sorted(left, key=lambda at: (-ranks[at], at)):
        if seed not in left:
            continue
        taken = [seed]
        for other in sorted(edges[seed].keys() & left, key=lambda at: (-edges[seed][at], at)):
            if all(other in edges[at] or _goes_with(ordered[at], ordered[other]) for at in taken[1:]):
                taken.append(other)
        left.difference_update(taken)
        if sum(len(ordered[at].ids) for at in taken) > 1:
            yield [ordered[at] for at in taken]


def _edges(nodes: Sequence[Node]) -> list[dict[int, float]]:
    """For each text those near it, with their likeness."""
    edges: list[dict[int, float]] = [{} for _ in nodes]
    for a, b in near_pairs([node.gist.bag for node in nodes], [node.claim for node in nodes]):
        near = _near(nodes[a], nodes[b])
        if near is not None:
            edges[a][b] = edges[b][a] = near
    return edges


def _near(one: Node, other: Node) -> float | None:
    return None if _claims_differ(one, other) else alike(one.gist, other.gist, same_claim=_same_claim(one, other))


def _goes_with(one: Node, other: Node) -> bool:
    """Whether nothing sets two members apart, near each other or not."""
    return not _claims_differ(one, other) and compatible(one.gist, other.gist, same_claim=_same_claim(one, other))


def _same_claim(one: Node, other: Node) -> bool:
    return one.claim is not None and one.claim == other.claim


def _claims_differ(one: Node, other: Node) -> bool:
    """Another value of one claim; or claims of other names, unless the statements use the same words."""
    if one.claim is None or other.claim is None or _same_claim(one, other):
        return False
    return one.claim[0] == other.claim[0] or one.gist.bag != other.gist.bag
