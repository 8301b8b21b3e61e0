"""From a selection to a preview: picked rows, a page, all that a search finds, or everything from one place."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.utils import timezone

from evidence.models import User
from evidence.rules.vocab import Action, HeldKind
from evidence.selectors import bulk as reads
from evidence.selectors.bulk import ORIGINS, Gathered, Origin
from evidence.services.bulk import preview_bulk
from evidence.services.errors import Refused
from evidence.services.texts import SOURCE_MAX, check_shape
from evidence.web.forms import filter_of, snooze_until
from evidence.web.gates import DeskRequest, desk_action

MATCHING, PAGE, PICKED, ORIGIN = "matching", "page", "picked", "origin"


@desk_action
def create(request: DeskRequest) -> HttpResponse:
    """Freeze what was selected and show it; nothing is decided here."""
    data = request.POST
    found, how = _gathered(request.user, data)
    job = preview_bulk(
        user=request.user,
        action=data.get("action", ""),
        held_ids=found.ids,
        checked_at=data.get("checked_at", ""),
        reason_code=data.get("reason_code", ""),
        reason=data.get("reason", ""),
        until=snooze_until(data, timezone.now()) if data.get("action") == Action.SNOOZE else None,
        found=how | {"more": found.more, "stopped_after": found.stopped_after},
    )
    return HttpResponseRedirect(reverse("job", args=[job.pk]))


def _gathered(user: User, data: QueryDict) -> tuple[Gathered, dict[str, Any]]:
    """The ids, and in words that can be shown again how they were found."""
    scopes = data.getlist("scope")
    if MATCHING in scopes:
        wanted = filter_of(data)
        if wanted.problems:
            # What is not understood is left out of a search, so more would match than the person meant.
            raise Refused("invalid_value", "A word of the search is not understood. Mend the search first.", field="q")
        return reads.all_matching(user, wanted, timezone.now()), {"scope": MATCHING, "query": wanted.q}
    if ORIGIN in scopes:
        origin = _origin(data)
        return reads.of_origin(user, origin), {"scope": ORIGIN, "origin": asdict(origin)}
    texts = data.getlist("pick") + data.get("also", "").split()
    if PAGE in scopes:
        texts += data.get("shown", "").split()
    return reads.picked(user, _ids(texts)), {"scope": PICKED}


def _ids(texts: list[str]) -> list[UUID]:
    try:
        return [UUID(text) for text in texts]
    except ValueError:
        raise Refused("invalid_value", "Items are selected by their ids.", field="pick") from None


def _origin(data: QueryDict) -> Origin:
    """Where the items come from, as its form says it; names are compared exactly and never looked up by likeness."""
    by = data.get("by", "")
    if by not in ORIGINS:
        raise Refused("invalid_value", f"by has to be one of: {', '.join(sorted(ORIGINS))}.", field="by")
    parts = {name: data.get(name, "") for name in ("value", "namespace", "owner")}
    for name, text in parts.items():
        check_shape(name, text, longest=SOURCE_MAX)
    if not parts["value"]:
        raise Refused("invalid_value", "Say where from.", field="value")
    kind = data.get("kind", "")
    if kind and kind not in set(HeldKind):
        raise Refused("invalid_value", f"kind has to be one of: {', '.join(HeldKind)}.", field="kind")
    return Origin(by, **parts, kind=kind)
