"""What a person wants to be told, and when: kinds by channel, quiet hours, the digest. No audit row: it is theirs alone."""

from __future__ import annotations

import re
from collections.abc import Mapping

from django.db import transaction

from evidence.models import Preference, TellingHours, User
from evidence.rules.telling import Channel, Choice, NoticeKind, choices_for, default_choice
from evidence.services.errors import Refused

_CLOCK = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])(:00)?")

Chosen = Mapping[tuple[NoticeKind, Channel], str]


def choose_telling(*, user: User, chosen: Chosen, quiet_from: str, quiet_until: str, digest_at: str) -> None:
    """Keep all of it at once. Raises `Refused` invalid_value, and then nothing is kept. What is the default is not stored."""
    wanted = {place: _choice(place, word) for place, word in chosen.items()}
    hours = {
        "quiet_from": minutes_of(quiet_from, "quiet_from"), "quiet_until": minutes_of(quiet_until, "quiet_until"),
        "digest_at": minutes_of(digest_at, "digest_at"),
    }  # fmt: skip
    if (hours["quiet_from"] is None) != (hours["quiet_until"] is None):
        raise Refused("invalid_value", "Quiet hours have a beginning and an end, or neither.", field="quiet_until")
    if hours["digest_at"] is None:
        raise Refused("invalid_value", "Say when the daily digest is due.", field="digest_at")
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # two tabs of one person take turns
        for (kind, channel), choice in wanted.items():
            mine = Preference.objects.filter(user=user, kind=kind, channel=channel)
            if choice == default_choice(kind, channel):
                mine.delete()
            else:
                Preference.objects.update_or_create(user=user, kind=kind, channel=channel, defaults={"choice": choice})
        TellingHours.objects.update_or_create(user=user, defaults=hours)


def minutes_of(text: str, field: str) -> int | None:
    """ "07:30" as minutes after midnight; none for an empty field."""
    if not text:
        return None
    found = _CLOCK.fullmatch(text)
    if found is None:
        raise Refused("invalid_value", "A time is written hours:minutes.", field=field)
    return int(found[1]) * 60 + int(found[2])


def _choice(place: tuple[NoticeKind, Channel], word: str) -> Choice:
    kind, channel = place
    if word not in choices_for(kind, channel):
        raise Refused("invalid_value", "There is no such choice for this.", field=f"{kind}.{channel}")
    return Choice(word)
