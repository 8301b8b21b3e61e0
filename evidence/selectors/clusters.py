"""Waiting fact proposals that say nearly the same, as the rule sees them. Reads the rows it is given, stores nothing."""

from __future__ import annotations

from collections.abc import Iterable

from evidence.models import HeldRecord
from evidence.rules.clusters import Cluster, ClusterItem, clusters
from evidence.rules.records import Validity
from evidence.rules.vocab import HeldKind


def clusters_of(rows: Iterable[HeldRecord]) -> tuple[Cluster, ...]:
    """The near-duplicates among these rows; ids are those of the rows. Other than waiting fact proposals are left out."""
    return clusters(item_of(row) for row in rows if row.kind == HeldKind.FACT_PROPOSAL and row.is_waiting)


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
