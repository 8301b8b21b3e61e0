"""Verifying what waits unverified, in stretches, on the lane of long work: an import may leave a million items behind.

One message for all of them, so that neither the outbox nor the quick lane fills with them and other long work has its turn.
"""

from __future__ import annotations

import time
from uuid import UUID

import structlog
from django.utils import timezone

from evidence.models import HeldRecord, Outbox
from evidence.models.base import new_id
from evidence.services.breathing import Breath
from evidence.services.errors import Refused
from evidence.services.outbox import enqueue, handles
from evidence.services.verification import verify_held

log = structlog.get_logger(__name__)

TOPIC = "verify_waiting"
# Well under the time after which the outbox takes the worker for dead.
STRETCH_SECONDS = 5.0
STRETCH = 500


def wake_verifier() -> None:
    """Ask for it in the caller's transaction, once. What is missed because a run just ends, the sweep finds."""
    if not Outbox.objects.filter(topic=TOPIC, done_at__isnull=True).exists():
        enqueue(topic=TOPIC, subject="", key=str(new_id()))


@handles(TOPIC)
def verify_stretch(_subject: str = "") -> bool:
    """The oldest items first, for a few seconds; True while any is left that can be verified."""
    began, breath = time.monotonic(), Breath()
    verified = 0
    ids = list(HeldRecord.objects.needing_verification().order_by("id").values_list("id", flat=True)[:STRETCH])
    for pk in ids:
        verified += _verified(pk)
        if time.monotonic() - began >= STRETCH_SECONDS:
            return True
        breath.let_others_in()
    return bool(verified) and len(ids) == STRETCH


def _verified(pk: UUID) -> bool:
    """Whether it is; one that cannot be is left to the sweep, which asks for it alone and tells of it."""
    try:
        verify_held(held_id=pk)
    except Refused:
        return True  # gone meanwhile
    except Exception:
        log.exception("verification_failed", held=str(pk), at=timezone.now().isoformat())
        return False
    return True
