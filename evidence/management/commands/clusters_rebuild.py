"""`manage.py clusters_rebuild`: find every cluster of the queue anew. The queue can be worked on; no item changes."""

from __future__ import annotations

from django.core.management.base import BaseCommand

from evidence.services.clustering import rebuild_clusters


class Command(BaseCommand):
    help = "Find every cluster of the queue anew. Safe at any time, and again after an interruption."

    def handle(self, **_: object) -> None:
        self.stdout.write(f"{rebuild_clusters()} waiting items placed")
