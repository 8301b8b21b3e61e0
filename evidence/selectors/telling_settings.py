"""What people chose to be told, and the state of webhooks and of what could not be sent. Reads only."""

from __future__ import annotations

from evidence.models import User
from evidence.models.telling import Delivery, Preference, TellingHours, Webhook


def choices_of(user: User) -> dict[tuple[str, str], str]:
    """What a person chose, by kind and channel; the rest is as by default."""
    return {(one.kind, one.channel): one.choice for one in Preference.objects.filter(user=user)}


def hours_of(user: User) -> TellingHours:
    """Quiet hours and the hour of the digest; the default where nothing was chosen."""
    return TellingHours.objects.filter(user=user).first() or TellingHours()


def all_webhooks() -> list[Webhook]:
    return list(Webhook.objects.all())


def in_trouble(limit: int) -> list[Delivery]:
    """What could not be sent or may not have arrived, newest first."""
    return list(Delivery.objects.in_trouble().select_related("webhook", "user").order_by("-id")[:limit])
