"""The sweep `telling`: what got lost on the way is taken up again, and what is old is forgotten. Idempotent, in small steps."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from evidence.models import Delivery, News
from evidence.services.sending import wake_what_is_late
from evidence.services.telling import KEEP_NEWS, tell_again_what_got_lost

CHUNK = 1_000


def sweep_telling(*, now: datetime | None = None) -> int:
    """Returns how much was taken up again."""
    forget_old(before=(now or timezone.now()) - KEEP_NEWS)
    return tell_again_what_got_lost() + wake_what_is_late()


def forget_old(*, before: datetime) -> int:
    """News of half a year ago, with its notices, and messages that hold nothing any more."""
    old = list(News.objects.filter(at__lt=before).order_by("at").values_list("pk", flat=True)[:CHUNK])
    News.objects.filter(pk__in=old).delete()
    empty = Delivery.objects.filter(last_at__lt=before, notices__isnull=True)
    Delivery.objects.filter(pk__in=list(empty.values_list("pk", flat=True)[:CHUNK])).delete()
    return len(old)
