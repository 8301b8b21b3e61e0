"""Which waiting items say nearly the same: derived from their texts, rebuilt at any time without changing what is true.

No foreign key reaches the queue: checking one would lock rows that reviewers claim, and they would pass them over.
"""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db import connection, models
from django.db.models import F

from evidence.models.held import HeldRecord
from evidence.rules.vocab import HeldStatus


class ClusterEntryQuerySet(models.QuerySet["ClusterEntry"]):
    def current(self) -> ClusterEntryQuerySet:
        """Of items that wait, as they were when their cluster was found. For looking at all of it: pages ask by name."""
        return self.filter(held__status=HeldStatus.WAITING, held__version=F("version"))

    def clustered(self) -> ClusterEntryQuerySet:
        return self.filter(cluster__isnull=False)


class ClusterEntry(models.Model):
    """One item that was looked at: what is kept of it to compare, and the cluster that it is in, if any."""

    held = models.OneToOneField(
        HeldRecord, on_delete=models.CASCADE, primary_key=True, related_name="cluster_entry", db_constraint=False
    )
    # Any one id for all members: it stays as they come and go.
    cluster = models.UUIDField(null=True)
    version = models.PositiveIntegerField()
    rules = models.PositiveSmallIntegerField()
    block = models.BigIntegerField(null=True)
    alike = models.BigIntegerField(null=True)
    claim = models.BigIntegerField(null=True)
    words = models.JSONField(default=list)

    objects = ClusterEntryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "cluster entries"
        indexes = [models.Index(fields=["cluster"], condition=models.Q(cluster__isnull=False), name="clusterentry_of")]


class ClusterKeyQuerySet(models.QuerySet["ClusterKey"]):
    def sharing(self, keys: Collection[int], *, each: int, limit: int) -> list[tuple[UUID, int]]:
        """Items under these keys, with how many they share; most first. Of each key the newest so many are met."""
        if not keys:
            return []
        table = connection.ops.quote_name(self.model._meta.db_table)
        under = (
            f"SELECT held_id FROM (SELECT held_id FROM {table} WHERE key = %s ORDER BY held_id DESC LIMIT {each:d}) k"  # noqa: S608
        )
        met = " UNION ALL ".join([under] * len(keys))
        counted = (
            f"SELECT held_id, COUNT(*) AS shared FROM ({met}) m GROUP BY held_id ORDER BY shared DESC, held_id DESC"  # noqa: S608
        )
        with connection.cursor() as cursor:
            cursor.execute(f"{counted} LIMIT {limit:d}", sorted(keys))
            return [(held if isinstance(held, UUID) else UUID(held), shared) for held, shared in cursor.fetchall()]


class ClusterKey(models.Model):
    """An item under one of the keys by which others that may say the same find it (`rules.cluster_keys`)."""

    id = models.BigAutoField(primary_key=True)
    key = models.BigIntegerField()
    held = models.ForeignKey(HeldRecord, on_delete=models.CASCADE, related_name="cluster_keys", db_constraint=False)

    objects = ClusterKeyQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["key", "held"], name="clusterkey_once")]
