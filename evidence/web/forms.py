"""What people send, read into the words that services take. Reading only: every rule about it is the service's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from evidence.rules.records import Claim, Scope
from evidence.rules.text import uuid_of
from evidence.rules.times import to_iso
from evidence.rules.vocab import Action
from evidence.selectors.queue import QueueFilter
from evidence.services.errors import Refused

MORNING = time(9, 0)


@dataclass(frozen=True, slots=True)
class Preset:
    """A date offered for snoozing."""

    value: str
    digit: str
    words: str
    at: datetime


def snooze_presets(now: datetime) -> list[Preset]:
    """Mornings in the person's zone: tomorrow, in three days, next Monday."""
    today = timezone.localtime(now).date()
    next_week = today + timedelta(days=7 - today.weekday())
    return [
        Preset("tomorrow", "1", _("Tomorrow"), morning_of(today + timedelta(days=1))),
        Preset("three_days", "2", _("In 3 days"), morning_of(today + timedelta(days=3))),
        Preset("next_week", "3", _("Next week"), morning_of(next_week)),
    ]


def morning_of(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, MORNING))


def whole_number(text: str | None, field: str) -> int | None:
    """None when absent; what is no number is refused, not guessed at."""
    if text is None or text == "":
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise Refused("invalid_value", f"{field} has to be a whole number.", field=field)
    return int(text)


def day_of(text: str, field: str) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Refused("invalid_value", "A date is written year-month-day.", field=field) from None


def filter_of(data: Mapping[str, str]) -> QueueFilter:
    """The filter under which the item was opened, carried along as its query string."""
    return QueueFilter.read(QueryDict(data.get("filter", "")[:8000]).dict())  # type: ignore[arg-type]


def decision_arguments(data: QueryDict, now: datetime) -> dict[str, Any]:
    """The keyword arguments of `decide` but for the item and the actor."""
    action = data.get("action", "")
    reason = data.get("reason", "")
    return {
        "action": action,
        "seen_version": whole_number(data.get("version"), "version"),
        "idempotency_key": data.get("idempotency_key", "")[:200],
        "plan_digest": data.get("plan_digest") or None,
        "reason_code": data.get("reason_code", ""),
        "reason": "" if action == Action.ASK_OWNER else reason,
        "question": reason if action == Action.ASK_OWNER else "",
        "checked_at": _checked_at(data, now),
        "supersedes": data.getlist("supersedes"),
        "durability": data.get("durability", ""),
        "ratify": data.get("ratify") == "1",
        "until": snooze_until(data, now) if action == Action.SNOOZE else None,
        "amends": identity_in(data, "amends"),
    }


def identity_in(data: Mapping[str, str], field: str) -> UUID | None:
    text = data.get(field, "")
    try:
        return UUID(text) if text else None
    except ValueError:
        raise Refused("invalid_value", f"{field} has to be an id.", field=field) from None


def peeked(data: Mapping[str, str], field: str = "next") -> UUID | None:
    """The item that was fetched ahead and is on the screen already: it comes next if it still can."""
    return uuid_of(data.get(field, ""))


def _checked_at(data: QueryDict, now: datetime) -> str:
    if data.get("checked_at") != "date":
        return data.get("checked_at", "")
    day = day_of(data.get("checked_date", ""), "checked_date")
    if day is None:
        raise Refused("check_date_required", "Say on which day it was checked.", field="checked_date")
    noon = timezone.make_aware(datetime.combine(day, time(12, 0)))
    # Today at noon may still be to come; what was checked today was checked by now.
    return to_iso(now if day == timezone.localtime(now).date() else noon)


def snooze_until(data: QueryDict, now: datetime) -> datetime | None:
    """The date that was chosen for a snooze; none when it was none."""
    if data.get("until") == "date":
        day = day_of(data.get("until_date", ""), "until_date")
        return morning_of(day) if day else None
    return next((preset.at for preset in snooze_presets(now) if preset.value == data.get("until")), None)


def typed(data: QueryDict) -> dict[str, Any]:
    """What the person chose and wrote, to be shown again after a refusal."""
    asked = data.get("action") == Action.ASK_OWNER
    return {
        "reason": "" if asked else data.get("reason", ""),
        "question": data.get("reason", "") if asked else "",
        "checked_at": data.get("checked_at", ""),
        "checked_date": data.get("checked_date", ""),
        "durability": data.get("durability", ""),
        "ratify": data.get("ratify", ""),
        "supersedes": data.getlist("supersedes"),
        # Of a cluster: who was shown beside the item, and who was ticked.
        "shown": {text.partition(":")[0] for text in data.getlist("shown")},
        "ticked": set(data.getlist("ticked")),
    }


def edited_claim(data: QueryDict) -> Claim | None:
    """The claim as typed; none when all three parts are empty. Half a claim is refused."""
    parts = [data.get(f"claim_{name}", "").strip() for name in ("subject", "attribute", "value")]
    if not any(parts):
        return None
    if not all(parts):
        raise Refused(
            "invalid_value", "A claim has a subject, an attribute and a value, or none of them.", field="claim_value"
        )
    return Claim(*parts)


def names_in(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


def scope_in(data: QueryDict, prefix: str, owner: str, project: str | None) -> Scope | None:
    """A scope as typed under a prefix; none when nothing was chosen."""
    access = data.get(f"{prefix}_access", "")
    if not access:
        return None
    return Scope(
        owner=owner, access=access, shared_with=names_in(data.get(f"{prefix}_shared_with", "")), project=project
    )


def span_in(data: QueryDict, prefix: str) -> tuple[datetime | None, datetime | None]:
    """From and until as typed, whole days in the person's zone."""
    days = [day_of(data.get(f"{prefix}_{end}", ""), f"{prefix}_{end}") for end in ("from", "until")]
    start, end = (timezone.make_aware(datetime.combine(day, time.min)) if day else None for day in days)
    return start, end
