"""A bulk that is asked for in one request: what was named is frozen and carried out, without a page to look at in between.

The caller names each item with the version that it saw; one that has another by now is left alone and said. What would be left
out of a preview at first (high risk, repeats, rivals) is left out here, since nobody looked and took it in.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from evidence.models import HeldRecord, Job, User
from evidence.rules.bulk import JobStatus
from evidence.rules.vocab import Action, Door
from evidence.services.bulk import preview_bulk
from evidence.services.bulk_freezing import AT_ONCE, start_frozen
from evidence.services.bulk_jobs import lock_job
from evidence.services.errors import Refused


def bulk_at_once(
    *,
    user: User,
    action: Action | str,
    seen: Mapping[str, int],
    checked_at: str = "",
    reason_code: str = "",
    reason: str = "",
    until: datetime | None = None,
    door: Door = Door.API,
) -> Job:
    """Have the decision taken for each item. Raises `Refused`: `empty_selection`, `reason_required`, `not_reviewer`.

    Items that the person may not see are told like items that do not exist.
    """
    if action == Action.REJECT and not reason_code:
        raise Refused("reason_required", "Say why, with one of the reason codes.", field="reason_code")
    if action == Action.SNOOZE and (until is None or until <= timezone.now()):
        raise Refused("invalid_value", "A snooze needs a date in the future.", field="until")
    visible = _visible(user, seen)
    ids = [key for key in seen if key in visible]
    if not ids:
        raise Refused("empty_selection", "None of the items is there for you: nothing was done.", field="items")
    unseen = [key for key in seen if key not in visible]
    with transaction.atomic():
        job = preview_bulk(
            user=user, action=action, held_ids=ids, checked_at=checked_at, reason_code=reason_code, reason=reason,
            until=until, seen={key: seen[key] for key in ids}, found={AT_ONCE: True, "unseen": unseen}, door=door,
        )  # fmt: skip
        if job.status == JobStatus.PREVIEW:
            job = lock_job(job.pk)
            start_frozen(job)
    return job


def _visible(user: User, seen: Mapping[str, int]) -> set[str]:
    ids = [key for key in seen if _is_id(key)]
    rows = HeldRecord.objects.visible_to(user).filter(pk__in=ids)
    return {str(pk) for pk in rows.values_list("pk", flat=True)}


def _is_id(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
