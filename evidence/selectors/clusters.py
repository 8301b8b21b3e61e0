"""Waiting fact proposals that say nearly the same: the clusters that are kept, and the rule that they are held against.

A kept cluster tells where to look. What is in it by now, and what a page shows, is what the rule says of the rows as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from uuid import UUID

from django.db.models import Q

from evidence.models import ClusterEntry, HeldRecord
from evidence.rules.clusters import Cluster, ClusterItem, clusters
from evidence.rules.records import Validity
from evidence.rules.vocab import HeldKind, HeldStatus

# So many members of the clusters of one page are looked at.
MOST = 2_000


def clusters_of(rows: Iterable[HeldRecord]) -> tuple[Cluster, ...]:
    """The near-duplicates among these rows; ids are those of the rows. Other than waiting fact proposals are left out."""
    return clusters(item_of(row) for row in rows if row.kind == HeldKind.FACT_PROPOSAL and row.is_waiting)


def around(held: HeldRecord, rows: Iterable[HeldRecord]) -> dict[str, float]:
    """Those of the rows that the rule has in one cluster with the item, with their likeness to its representative."""
    found = (cluster for cluster in clusters_of([held, *rows]) if str(held.pk) in cluster.ids)
    return {member.id: member.likeness for cluster in found for member in cluster.members if member.id != str(held.pk)}


def kept_with(held_id: UUID | str) -> list[UUID]:
    """The other members of the cluster that is kept of an item, oldest first; what waits no more or has changed is out."""
    members = _members(ClusterEntry.objects.clustered().filter(pk=UUID(str(held_id))).values_list("cluster", flat=True))
    mine = UUID(str(held_id))
    return sorted(pk for pk in members if pk != mine) if mine in members else []


def in_cluster_of(held_id: UUID | str) -> Q:
    """Rows of the queue in one cluster with the item, itself among them."""
    others = kept_with(held_id)
    return Q(pk__in=[held_id, *others] if others else [])


def names_of(rows: Iterable[HeldRecord]) -> dict[UUID, UUID]:
    """The clusters that are kept of these items, as they are now, by item."""
    versions = {row.pk: row.version for row in rows if row.is_waiting}
    entries = ClusterEntry.objects.clustered().filter(pk__in=versions) if versions else ClusterEntry.objects.none()
    kept = entries.values_list("pk", "cluster", "version")
    return {pk: name for pk, name, version in kept if name is not None and version == versions[pk]}


def sizes_of(names: Collection[UUID], seen: frozenset[str] | None) -> Counter[UUID]:
    """How many of each cluster wait and are as they were. `seen`: whose items count; none means everybody's."""
    return Counter(_members(names, seen).values()) if names else Counter()


def _members(names: Iterable[UUID | None], seen: frozenset[str] | None = None) -> dict[UUID, UUID]:
    """Items and their clusters. What waits is told apart here: asked with the ids, SQLite would begin with all that waits."""
    entries = ClusterEntry.objects.filter(cluster__in=[name for name in set(names) if name is not None])
    kept = {pk: (name, version) for pk, name, version in entries.values_list("pk", "cluster", "version")[:MOST]}
    found: dict[UUID, UUID] = {}
    rows = HeldRecord.objects.filter(pk__in=kept).values_list("pk", "version", "status", "agent_id")
    for pk, version, status, agent in rows:
        name, as_kept = kept[pk]
        is_there = status == HeldStatus.WAITING and (seen is None or agent in seen)
        if name is not None and version == as_kept and is_there:
            found[pk] = name
    return found


# What `item_of` reads.
ITEM_COLUMNS = (
    "id", "namespace", "kind", "statement", "claim_subject", "claim_attribute", "claim_value", "claim_key", "scope_owner",
    "scope_access", "scope_shared_with", "scope_project", "reach_level", "reach_ref", "valid_from", "valid_until", "status",
)  # fmt: skip


def item_of(row: HeldRecord) -> ClusterItem:
    """What the rule reads of a row."""
    return ClusterItem(
        id=str(row.id), statement=row.statement, claim=row.claim, namespace=row.namespace, kind=row.kind, scope=row.scope,
        reach=row.reach, valid=Validity(row.valid_from, row.valid_until),
    )  # fmt: skip
