"""What a person sets for themselves: keys on or off, the time zone. No audit row: nobody else is touched by it."""

from __future__ import annotations

from zoneinfo import available_timezones

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
