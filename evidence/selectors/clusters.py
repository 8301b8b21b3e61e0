"""Waiting fact proposals that say nearly the same: the clusters that are kept, and the rule that they are held against.

A kept cluster tells where to look. What is in it by now, and what a page shows, is what the rule says of the rows as they are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from uuid import UUID

from django.db.models import Q

from evidence.models import ClusterEntry, HeldRecord
from evidence.rules.clusters import Cluster, ClusterItem, clusters
from evidence.rules.records import Validity
from evidence.rules.vocab import HeldKind

# So many members of one cluster are looked at.
MOST = 1_000


def clusters_of(rows: Iterable[HeldRecord]) -> tuple[Cluster, ...]:
    """The near-duplicates among these rows; ids are those of the rows. Other than waiting fact proposals are left out."""
    return clusters(item_of(row) for row in rows if row.kind == HeldKind.FACT_PROPOSAL and row.is_waiting)


def around(held: HeldRecord, rows: Iterable[HeldRecord]) -> dict[str, float]:
    """Those of the rows that the rule has in one cluster with the item, with their likeness to its representative."""
    found = (cluster for cluster in clusters_of([held, *rows]) if str(held.pk) in cluster.ids)
    return {member.id: member.likeness for cluster in found for member in cluster.members if member.id != str(held.pk)}


def kept_with(held_id: UUID | str) -> list[UUID]:
    """The other members of the cluster that is kept of an item, oldest first; what waits no more or has changed is out."""
    mine = ClusterEntry.objects.current().clustered().filter(pk=held_id).values("cluster")
    rows = ClusterEntry.objects.current().filter(cluster__in=mine).exclude(pk=held_id)
    return list(rows.order_by("pk").values_list("pk", flat=True)[:MOST])


def in_cluster_of(held_id: UUID | str) -> Q:
    """Rows of the queue in one cluster with the item, itself among them."""
    mine = ClusterEntry.objects.current().clustered().filter(pk=held_id).values("cluster")
    return Q(pk__in=ClusterEntry.objects.current().filter(cluster__in=mine).values("pk"))


def names_of(ids: Collection[UUID]) -> dict[UUID, UUID]:
    """The clusters that are kept of these items, by item."""
    rows = ClusterEntry.objects.current().clustered().filter(pk__in=ids)
    return {pk: name for pk, name in rows.values_list("pk", "cluster") if name is not None}


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
