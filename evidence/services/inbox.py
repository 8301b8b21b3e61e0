"""What a person did with the entries of their inbox. Theirs alone, so no audit row; looking at one marks nothing."""

from __future__ import annotations

from uuid import UUID

from django.utils import timezone

from evidence.models import Delivery, User


def mark_read(*, user: User, delivery_id: UUID, read: bool = True) -> None:
    """One's own entry; what is not there, or another's, is left alone."""
    own = Delivery.objects.inbox_of(user).filter(pk=delivery_id)
    if read:
        own.filter(read_at__isnull=True).update(read_at=timezone.now())
    else:
        own.update(read_at=None)


def mark_all_read(*, user: User, until: UUID | None) -> int:
    """Everything up to the newest entry that was on the screen: what came since is not swept away unseen."""
    rows = Delivery.objects.unread().filter(user=user)
    rows = rows if until is None else rows.filter(pk__lte=until)
    return rows.update(read_at=timezone.now())
