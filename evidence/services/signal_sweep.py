"""What becomes of signals that are over: expired ones are noted as that, and after a while all of them are removed.

Nothing depends on it but the size of the table and of the index that claimers walk. Statements are set-based and bounded, so that
nobody waits long; two sweeps at once do the same work once.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from evidence.models import AgentSignal, AgentSignalTag

CHUNK = 2_000
ROUNDS = 50


def sweep_signals(*, now: datetime | None = None) -> int:
    """Returns how many rows it noted or removed."""
    done = cleanup_signals(keep_days=settings.SIGNAL_KEEP_DAYS, apply=True, now=now)
    return done["expired"] + done["removed"]


def cleanup_signals(*, keep_days: int, apply: bool, now: datetime | None = None) -> dict[str, int]:
    """`expired`: newly noted as over. `removable`: over for longer than `keep_days`. Without `apply` nothing is touched."""
    at = now or timezone.now()
    before = at - timedelta(days=keep_days)
    lapsed = AgentSignal.objects.lapsed(at)
    if not apply:
        removable = AgentSignal.objects.over_before(before).count() + lapsed.filter(expires_at__lt=before).count()
        return {"expired": lapsed.count(), "removable": removable, "removed": 0}
    # A claim that is just being made holds its row; it is over all the same, and found by the next sweep.
    expired = lapsed.update(ended_at=F("expires_at"))
    removed = sum(_in_chunks(before))
    return {"expired": expired, "removable": removed, "removed": removed}


def _in_chunks(before: datetime) -> list[int]:
    done: list[int] = []
    while len(done) < ROUNDS and (not done or done[-1] == CHUNK):
        with transaction.atomic():
            pks = list(AgentSignal.objects.over_before(before).values_list("pk", flat=True)[:CHUNK])
            AgentSignalTag.objects.filter(signal__in=pks).delete()
            # Counted here: two sweeps that meet count no row twice.
            done.append(AgentSignal.objects.filter(pk__in=pks).delete()[0])
    return done
