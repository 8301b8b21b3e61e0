"""Deciding again at once: the same person, the same action, other words (contract 10 "amends", scenario S8).

A second save of one's own decision is no collision. Anything else that meets a decided item is: another person, another action,
a page older than the decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone

from evidence.models import HeldRecord, User
from evidence.selectors.items import last_decision_of, was_undone
from evidence.services.undoing import UNDOABLE

AT_ONCE = timedelta(minutes=5)


def amended_by(held: HeldRecord, user: User, arguments: Mapping[str, Any]) -> UUID | None:
    """The decision that this request is a second save of, or none."""
    if held.is_waiting or not held.decision_id:
        return None
    first = last_decision_of(held)
    if first is None or first.action not in UNDOABLE or first.action != str(arguments["action"]):
        return None
    is_own = first.actor_kind == "person" and first.actor_id == str(user.pk)
    if not is_own or was_undone(first):
        return None
    if (held.reason_code, held.reason) == (arguments["reason_code"], arguments["reason"]):
        return first.amends  # the same second save, sent twice
    is_fresh = timezone.now() - first.at <= AT_ONCE and arguments["seen_version"] == first.target_version
    return first.id if is_fresh else None
