"""Near-duplicates among waiting items, so that a reviewer decides them once: clusters with what differs inside each.

A pure function of the items: the same clusters in whatever order they come. Items meet only inside one fence (namespace,
kind, audience, reach, validity). Texts that differ in a number, date, unit, version, name, identifier or negation are
never together, every two members of a cluster are held against each other, and each is near its representative.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from evidence.rules.access import escaped
from evidence.rules.cluster_groups import Node, groups
from evidence.rules.gists import gist_of
from evidence.rules.records import Claim, Reach, Scope, Validity
from evidence.rules.text import norm
from evidence.rules.twins import likeness, own_spoken
from evidence.rules.vocab import Access


@dataclass(frozen=True, slots=True)
class ClusterItem:
    """What is read of a waiting item."""

    id: str
    statement: str
    claim: Claim | None = None
    namespace: str = "default"
    kind: str = ""
    scope: Scope = field(default_factory=Scope)
    reach: Reach | None = None
    valid: Validity | None = None


@dataclass(frozen=True, slots=True)
class Member:
    id: str
    likeness: float
    """Shared words by the mean count, to the representative: 0 to 1; 1 for the representative itself."""
    only_here: tuple[str, ...] = ()
    """What it says and the representative does not, as written; empty where only the wording differs."""
    only_there: tuple[str, ...] = ()
    """What the representative says and it does not."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """At least two members, the representative first, then the likest."""

    members: tuple[Member, ...]

    @property
    def representative(self) -> str:
        return self.members[0].id

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(member.id for member in self.members)


def clusters(items: Iterable[ClusterItem]) -> tuple[Cluster, ...]:
    """The clusters of at least two items, the largest first; each item is in one at most.

    Items of one id count once. Texts without content words are in none.
    """
    known = {item.id: item for item in sorted(items, key=_order, reverse=True)}
    blocks: dict[tuple[object, ...], list[Node]] = defaultdict(list)
    for block, node in _nodes(known.values()):
        blocks[block].append(node)
    found = [_cluster(group) for nodes in blocks.values() for group in groups(nodes)]
    return tuple(sorted(found, key=lambda cluster: (-len(cluster.members), cluster.ids)))


def fence_of(item: ClusterItem) -> tuple[str, ...]:
    """What two items must share to be decided together (contract 1, 4, 7). All text.

    The owner counts where it decides who may read: what is public is one audience, whoever filed it.
    """
    scope, reach, valid = item.scope, item.reach or Reach(), item.valid or Validity()
    readers = () if scope.access == Access.PUBLIC else (scope.owner, *sorted(set(scope.shared_with)))
    audience = (scope.access, ",".join(map(escaped, readers)), scope.project or "")
    span = (str(valid.start or ""), str(valid.until or ""))
    return (item.namespace, item.kind, *audience, norm(reach.level), norm(reach.ref), *span)


def spoken_alike(statement: str) -> str:
    """Equal for statements that say the same letter for letter, case and full stop aside."""
    return norm(statement).rstrip(".! ")


def _order(item: ClusterItem) -> tuple[object, ...]:
    """A total order of items by what is in them, so that nothing depends on the order in which they came."""
    claim = (item.claim.subject, item.claim.attribute, item.claim.value) if item.claim else ()
    return item.id, item.statement, claim, fence_of(item)


def _nodes(items: Iterable[ClusterItem]) -> Iterator[tuple[tuple[object, ...], Node]]:
    """Items that say the same letter for letter, case and full stop aside, with what their texts have in common for certain."""
    same: dict[tuple[tuple[str, ...], tuple[str, str] | None, str], list[ClusterItem]] = defaultdict(list)
    for item in items:
        claim = (item.claim.key, item.claim.value_key) if item.claim else None
        same[fence_of(item), claim, spoken_alike(item.statement)].append(item)
    for (fence, claim, _), group in same.items():
        first = min(group, key=lambda item: (item.statement, item.id))
        gist = gist_of(first.statement)
        if gist.words:
            yield (fence, gist.block), Node(tuple(sorted(item.id for item in group)), claim, gist)


def _cluster(nodes: Sequence[Node]) -> Cluster:
    """The members by their place: the first node represents, its first id is shown."""
    first = nodes[0].gist
    members = [
        Member(name, likeness(node.gist, first), own_spoken(node.gist, first), own_spoken(first, node.gist))
        for node in nodes
        for name in node.ids
    ]
    return Cluster((members[0], *sorted(members[1:], key=lambda member: (-member.likeness, member.id))))
