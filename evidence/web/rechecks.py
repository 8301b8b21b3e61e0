"""The queue of re-checks: looking, one press for what is ticked, and taking a press back. A link only opens a page.

The answer to a press is the list as it is now, with what was done and what was left alone: swapped in by htmx, or by a redirect.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from evidence.models import Decision, Evidence, User
from evidence.rules.vocab import Door, Volatility
from evidence.selectors import rechecks as reads
from evidence.selectors.audit_list import undoings
from evidence.selectors.items import decisions_about
from evidence.selectors.rechecks import RecheckFilter
from evidence.services.actors import Actor
from evidence.services.errors import Refused
from evidence.services.rechecks import (
    Left,
    Pick,
    Settled,
    Words,
    decisions_of_press,
    settle_rechecks,
    undo_rechecks,
)
from evidence.web.forms import snooze_presets, snooze_until, whole_number
from evidence.web.gates import DeskRequest, desk_action, desk_page, problem, problem_context

LEFT_NAMED = 20


@dataclass(frozen=True, slots=True)
class LeftAlone:
    """A record that a press did not touch: why, as a code, and what was decided about it last."""

    row: Evidence
    code: str
    last: Decision | None


@dataclass(frozen=True, slots=True)
class Pressed:
    """What the toast says of a press. `taken_back`: how many of its decisions were undone since."""

    bulk_id: UUID
    action: str
    number: int
    taken_back: int
    left: list[LeftAlone]
    left_unnamed: int

    @property
    def may_undo(self) -> bool:
        return self.number > self.taken_back


@require_safe
@desk_page
def listing(request: DeskRequest) -> HttpResponse:
    return page(request, RecheckFilter.read(request.GET.dict()), pressed_in(request))


@desk_action
def settle(request: DeskRequest) -> HttpResponse:
    """One press: still true, no longer true, ask the agent, later; for everything that is ticked."""
    actor = Actor.person(request.user, Door.WEB)
    try:
        settled = settle_rechecks(actor=actor, **arguments(request.POST))
    except Refused as refused:
        if request.htmx:
            return problem(request, refused)
        return page(request, filter_in(request.POST), None, refused)
    return after(request, settled.bulk_id, settled)


@desk_action
def undo(request: DeskRequest, bulk_id: UUID) -> HttpResponse:
    settled = undo_rechecks(bulk_id=bulk_id, actor=Actor.person(request.user, Door.WEB))
    return after(request, bulk_id, settled)


def arguments(data: QueryDict) -> dict[str, Any]:
    """The keyword arguments of `settle_rechecks` but for the actor."""
    now = timezone.now()
    action = data.get("action", "")
    return {
        "action": action,
        "picks": [pick_of(text) for text in data.getlist("pick")],
        "idempotency_key": data.get("idempotency_key", "")[:200],
        "words": Words(
            method=data.get("method", ""), reason=data.get("reason", ""),
            until=snooze_until(data, now) if action == "later" else None,
        ),
    }  # fmt: skip


def pick_of(text: str) -> Pick:
    """`<key>:<version>`, as the box of a row says it."""
    name, _, version = text.partition(":")
    try:
        return Pick(str(UUID(name)), whole_number(version, "version"))
    except ValueError:
        raise Refused("invalid_value", "pick has to be an id.", field="pick") from None


def filter_in(data: QueryDict) -> RecheckFilter:
    return RecheckFilter.read(QueryDict(data.get("filter", "")[:4000]).dict())  # type: ignore[arg-type]


def after(request: DeskRequest, bulk_id: UUID, settled: Settled) -> HttpResponse:
    wanted = filter_in(request.POST)
    if request.POST.get("from") == "record":
        return _back_to_record(request, settled)
    named = {"done": str(bulk_id)}
    if settled.left:
        named["left"] = ",".join(f"{one.record_pk}:{one.code}" for one in settled.left[:LEFT_NAMED])
        named["more"] = str(max(0, len(settled.left) - LEFT_NAMED))
    address = f"{reverse('rechecks')}?{'&'.join(part for part in (wanted.query, urlencode(named)) if part)}"
    if not request.htmx:
        return HttpResponseRedirect(address)
    told = pressed(request.user, bulk_id, settled.left)
    response = render(request, "evidence/rechecks.html#after", context_of(request, wanted, told))
    response["HX-Push-Url"] = address
    return response


def _back_to_record(request: DeskRequest, settled: Settled) -> HttpResponse:
    """A single fact, settled on its own page: that page says what became of it, or why nothing did."""
    from evidence.web.records import address_of, record_page

    picks = [pick_of(text).record_pk for text in request.POST.getlist("pick")][:1]
    row = next(iter(reads.seen_among(request.user, picks)), None)
    if row is None:
        return HttpResponseRedirect(reverse("rechecks"))
    if settled.left:
        return record_page(request, row, Refused(settled.left[0].code, settled.left[0].detail))
    return HttpResponseRedirect(address_of(row))


def page(
    request: DeskRequest, wanted: RecheckFilter, told: Pressed | None, refused: Refused | None = None
) -> HttpResponse:
    context = context_of(request, wanted, told)
    if refused is not None:
        context |= problem_context(refused)
    return render(request, "evidence/rechecks.html", context, status=refused.status if refused else 200)


def context_of(request: DeskRequest, wanted: RecheckFilter, told: Pressed | None) -> dict[str, Any]:
    user, now = request.user, timezone.now()
    cursor = request.GET.get("after", "") if request.method in ("GET", "HEAD") else ""
    data = request.POST
    return {
        "wanted": wanted,
        "page": reads.groups(user, wanted, now, after=cursor),
        "first_page": not cursor,
        "numbers": reads.numbers(user, now),
        "may_settle": reads.owns_any(user),
        "agents": reads.owned_agents(user),
        "kinds": list(Volatility),
        "presets": snooze_presets(now),
        "pressed": told,
        "key": uuid.uuid4().hex,
        # What was ticked and typed before a refusal.
        "ticked": {text.partition(":")[0] for text in data.getlist("pick")},
        "typed": {name: data.get(name, "") for name in ("reason", "method", "place", "until", "action")},
    }


def pressed_in(request: DeskRequest) -> Pressed | None:
    """The press that led here, for those without scripts; nothing where the address names somebody else's."""
    given = request.GET
    try:
        bulk_id = UUID(given.get("done", ""))
    except ValueError:
        return None
    left = [Left(pk, code, "") for pk, _, code in (part.partition(":") for part in given.get("left", "").split(","))]
    more = given.get("more", "")
    return pressed(request.user, bulk_id, left[:LEFT_NAMED], int(more) if more.isascii() and more.isdigit() else 0)


def pressed(user: User, bulk_id: UUID, left: Sequence[Left], more: int | None = None) -> Pressed | None:
    decisions = decisions_of_press(bulk_id, Actor.person(user, Door.WEB))
    if not decisions and not left:
        return None
    undone = len(undoings(decisions))
    unnamed = max(0, len(left) - LEFT_NAMED) if more is None else more
    action = str(decisions[0].action) if decisions else ""
    return Pressed(bulk_id, action, len(decisions), undone, _named(user, left[:LEFT_NAMED]), unnamed)


def _named(user: User, left: Sequence[Left]) -> list[LeftAlone]:
    codes: dict[UUID, str] = {}
    for one in left:
        try:
            codes[UUID(one.record_pk)] = one.code
        except ValueError:
            continue
    return [
        LeftAlone(row, codes[row.pk], next(iter(decisions_about("record", str(row.pk), limit=1)), None))
        for row in reads.seen_among(user, codes)
    ]
