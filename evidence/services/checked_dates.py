"""When a claim counts as checked by an approval (contract 10 `checked_at`): the source's date, now, or a date that is said."""

from __future__ import annotations

from datetime import datetime

from evidence.models import HeldRecord
from evidence.rules.times import read_time
from evidence.selectors.planning import source_date
from evidence.services.actors import Actor
from evidence.services.errors import Refused
from evidence.services.facts import Checked

SOURCE, NOW = "source", "now"


def checked_choice(checked_at: str) -> str:
    """Which of the choices this is: "", "source", "now" or "date"; other texts are refused."""
    if checked_at in ("", SOURCE, NOW):
        return checked_at
    if read_time(checked_at) is None:
        raise Refused(
            "invalid_value", "checked_at is “source”, “now” or an ISO 8601 time with a zone.", field="checked_at"
        )
    return "date"


def checked_from(held: HeldRecord, actor: Actor, checked_at: str, now: datetime) -> Checked:
    """The check that goes onto the record: the approver confirms in each case; who read the source is who read it."""
    if checked_at == NOW:
        return Checked(now, actor.name, "checked by the approver", actor.name)
    if checked_at not in ("", SOURCE):
        at = read_time(checked_at)
        if at is None or at > now:
            raise Refused("invalid_value", "The date of a check cannot be in the future.", field="checked_at")
        return Checked(at, actor.name, "date given by the approver", actor.name)
    at = source_date(held, now)
    if at is None:
        raise Refused("check_date_required", "The source has no usable date: say when this was checked.")
    return Checked(at, held.check_by or held.agent_id, held.check_method or "as of the source", actor.name)
