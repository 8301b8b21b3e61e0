"""`manage.py audit_anchor`: anchor every chain that grew, now; the sweep does it every hour."""

from __future__ import annotations

from django.core.management.base import BaseCommand

from evidence.services.audit_anchoring import sweep_anchors
from evidence.services.outbox import deliver_due


class Command(BaseCommand):
    help = "Write down where each audit chain stands, in the database, in AUDIT_ANCHOR_FILE and at AUDIT_ANCHOR_URL."

    def handle(self, **options: object) -> None:
        anchored = sweep_anchors()
        deliver_due(limit=20)
        self.stdout.write(f"{anchored} chain{'' if anchored == 1 else 's'} anchored")
