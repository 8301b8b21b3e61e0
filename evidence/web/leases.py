"""Claiming: on arrival, by heartbeat, by take-over. A courtesy between people; no decision depends on it."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from evidence.models import HeldRecord, User
from evidence.rules.characters import visible
from evidence.selectors import queue
from evidence.selectors.items import last_decision_of
from evidence.selectors.people import is_reviewer
from evidence.services import leasing, presence
from evidence.services.errors import Refused
from evidence.web import wording
from evidence.web.cards import LeaseView, card_context, idle_context, lease_view
from evidence.web.forms import filter_of, peeked, whole_number
from evidence.web.gates import DeskRequest, desk_action
from evidence.web.items import address_of, swapped, visible_or_404


@desk_action
def lease(request: DeskRequest, held_id: UUID) -> HttpResponse:
    """Claim (no token), prolong (with the token), or take over. The answer is the small line that says who holds it.

    Every open page asks again now and then, so that people see each other and what was decided meanwhile.
    """
    held = visible_or_404(request.user, held_id)
    now = timezone.now()
    if held.is_waiting and is_reviewer(request.user, held.agent_id):
        token = whole_number(request.POST.get("token"), "token")
        if token is not None:
            leasing.extend(held_id=held.id, user=request.user, token=token, now=now)
        else:
            _claim(held.id, request.user, take_over=request.POST.get("take_over") == "1")
    if not request.htmx:
        return HttpResponseRedirect(reverse("item", args=[held.id]))
    return _line(request, visible_or_404(request.user, held_id))


@desk_action
def claim_next(request: DeskRequest) -> HttpResponse:
    """Claim the item that the page already shows; where somebody was quicker, the next one takes its place on the page."""
    wanted = filter_of(request.POST)
    now = timezone.now()
    base = queue.reviewable(request.user, wanted, now)
    shown = peeked(request.POST, "shown")
    held = leasing.claim_next(user=request.user, now=now, base=base, preferred=shown)
    if not request.htmx:
        return HttpResponseRedirect(address_of(held.id, wanted) if held else reverse("queue-next"))
    if held is not None and held.id == shown:
        response = _line(request, visible_or_404(request.user, held.id))
        response["HX-Replace-Url"] = address_of(held.id, wanted)
        return response
    return _another(request, held)


def _another(request: DeskRequest, held: HeldRecord | None) -> HttpResponse:
    wanted = filter_of(request.POST)
    if held is None:
        context, address = idle_context(request, wanted), reverse("queue-next")
    else:
        context = card_context(request, visible_or_404(request.user, held.id), wanted)
        address = address_of(held.id, wanted)
    response = swapped(request, context, address, live=_("Somebody else took that item; this is the next one."))
    del response["HX-Push-Url"]
    response["HX-Replace-Url"] = address
    response["HX-Retarget"] = "#card"
    response["HX-Reswap"] = "outerHTML"
    return response


def _line(request: DeskRequest, held: HeldRecord) -> HttpResponse:
    """Who holds it, who else looks at it; or what became of it since the page was drawn (`seen`: the version on it)."""
    now = timezone.now()
    view = lease_view(held, request.user, now, claimable=False) if held.is_waiting else LeaseView()
    context = {
        "held": held,
        "lease": view,
        "looking": presence.look(held_id=held.id, user=request.user, now=now),
        "gone": gone_words(held, whole_number(request.POST.get("seen"), "seen")),
    }
    return render(request, "evidence/parts/_lease.html", context)


def gone_words(held: HeldRecord, seen: int | None) -> str:
    """What happened to the item that the page still shows as it was; empty while it is as it was."""
    if seen is None or (held.is_waiting and held.version == seen):
        return ""
    if held.is_waiting:
        return _("changed meanwhile: version %(version)s") % {"version": held.version}
    decision = last_decision_of(held)
    status = wording.plain(held.status)
    if decision is None:
        return status
    return _("%(done)s by %(name)s") % {"done": status, "name": visible(decision.actor_name)}


def _claim(held_id: UUID, user: User, *, take_over: bool) -> None:
    try:
        leasing.claim(held_id=held_id, user=user, now=timezone.now(), take_over=take_over)
    except Refused as refused:
        if refused.code != "closed":  # decided a moment ago: there is nothing left to hold
            raise
