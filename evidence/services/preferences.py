"""What a person sets for themselves: keys on or off, time zone, language. No audit row: nobody else is touched by it."""

from __future__ import annotations

from zoneinfo import available_timezones

from django.conf import settings

from evidence.models import User
from evidence.services.errors import Refused


def set_shortcuts(*, user: User, on: bool) -> None:
    user.shortcuts_on = on
    user.save(update_fields=["shortcuts_on"])


def set_time_zone(*, user: User, name: str) -> None:
    """Raises `Refused` invalid_value for a zone that does not exist."""
    if name not in available_timezones():
        raise Refused("invalid_value", "There is no such time zone.", field="time_zone")
    user.time_zone = name
    user.save(update_fields=["time_zone"])


def set_language(*, user: User, code: str) -> None:
    """Empty: as the browser asks. Raises `Refused` invalid_value for a language that the desk does not speak."""
    if code and code not in dict(settings.LANGUAGES):
        raise Refused("invalid_value", "The desk does not speak this language.", field="language")
    user.language = code
    user.save(update_fields=["language"])
