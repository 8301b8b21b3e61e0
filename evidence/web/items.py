"""One item at a time: showing it, deciding it, skipping it, taking a decision back. GET never changes anything.

Each action's answer is the next card (htmx) or a redirect to it (without scripts); a conflict is the same card with what
changed above it. The guard is the version and the plan's digest inside the service, never something on the page.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from evidence.models import Decision, HeldRecord, User
from evidence.models.remembered import one_reading
from evidence.rules.characters import visible
from evidence.rules.vocab import Action, AuditAction, Door
from evidence.selectors import items, queue
from evidence.selectors.cluster_mates import ids_of_mates, together_of
from evidence.selectors.queue import QueueFilter
from evidence.selectors.upcoming import upcoming
from evidence.services import deciding, leasing, undoing
from evidence.services.actors import Actor
from evidence.services.errors import Refused
from evidence.web import wording
from evidence.web.amending import amended_by
from evidence.web.cards import card_context, equals_closed, idle_context, may_undo, short, statement_of, undo_url
from evidence.web.changes import changed_view
from evidence.web.forms import decision_arguments, filter_of, peeked, typed
from evidence.web.gates import DeskRequest, desk_action, desk_page, named_decision, problem, problem_context
from evidence.web.mates import ticked_in

AGAIN = gettext_lazy("It had been sent before; it counts once.")


@require_safe
@desk_page
def next_item(request: DeskRequest) -> HttpResponse:
    """What a claim would most likely give; the page claims it by a POST of its own once it is there."""
    wanted = QueueFilter.read(request.GET.dict())
    held = queue.next_candidate(request.user, wanted, timezone.now())
    if held is None:
        return full_page(request, idle_context(request, wanted))
    seen = visible_or_404(request.user, held.id)
    seen.drawn = held.drawn
    return full_page(request, card_context(request, seen, wanted, claim_url=reverse("claim-next")))


@require_safe
@desk_page
def item(request: DeskRequest, held_id: UUID) -> HttpResponse:
    wanted = QueueFilter.read(request.GET.dict())
    context = card_context(request, visible_or_404(request.user, held_id), wanted)
    return full_page(request, context | {"amending": request.GET.get("amend") == "1"})


@require_safe
@desk_page
def peek(request: DeskRequest, held_id: UUID) -> HttpResponse:
    """The card that will most likely follow this one, fetched ahead: to look at only, its buttons work once it is claimed."""
    wanted = QueueFilter.read(request.GET.dict())
    shown = items.visible_item(request.user, held_id)
    # What says nearly the same will most likely be decided with it.
    beside = ids_of_mates(shown) if shown is not None else ()
    held = upcoming(request.user, wanted, timezone.now(), after=held_id, beside=beside)
    if held is None:
        return HttpResponse(status=204)
    seen = visible_or_404(request.user, held.id)
    seen.drawn = held.drawn
    context = card_context(request, seen, wanted)
    return render(request, "evidence/parts/_card.html", context)


@desk_action
def decide(request: DeskRequest, held_id: UUID) -> HttpResponse:
    held = visible_or_404(request.user, held_id)
    wanted = filter_of(request.POST)
    try:
        arguments = decision_arguments(request.POST, timezone.now())
        arguments["amends"] = arguments["amends"] or amended_by(held, request.user, arguments)
        done = deciding.decide(held_id=held.id, actor=Actor.person(request.user, Door.WEB), **arguments)
    except Refused as refused:
        return refusal(request, held_id, wanted, refused)
    if done.decision.action == AuditAction.ASK_OWNER:
        leasing.skip(held_id=held.id, user=request.user, now=timezone.now())
    return advance(request, wanted, done.decision, again=done.replay)


@desk_action
def skip(request: DeskRequest, held_id: UUID) -> HttpResponse:
    now = timezone.now()
    leasing.skip(held_id=visible_or_404(request.user, held_id).id, user=request.user, now=now)
    others = items.waiting_among(request.user, ticked_in(request.POST))
    for other in others:
        leasing.skip(held_id=other, user=request.user, now=now)
    return advance(
        request,
        filter_of(request.POST),
        None,
        live=_("Skipped %(n)s.") % {"n": len(others) + 1} if others else _("Skipped."),
    )


@desk_action
def undo(request: DeskRequest, decision_id: UUID) -> HttpResponse:
    key = request.POST.get("idempotency_key", "")[:200] or None
    wanted = filter_of(request.POST)
    done = undoing.undo(decision_id=decision_id, actor=Actor.person(request.user, Door.WEB), idempotency_key=key)
    if done.held is None:
        of_question = done.decision.target_kind == "inquiry"
        return HttpResponseRedirect(
            reverse("inquiry", args=[done.decision.target_id]) if of_question else reverse("home")
        )
    address = address_of(done.held.id, wanted)
    if not request.htmx:
        return HttpResponseRedirect(f"{address}{'&' if '?' in address else '?'}done={done.decision.id}")
    claim_quietly(done.held, request.user)
    context = card_context(request, visible_or_404(request.user, done.held.id), wanted)
    context["note"] = undone_words(len(done.shown))
    return swapped(request, context, address, done=done.decision, live=context["note"])


def visible_or_404(user: User, held_id: UUID) -> HeldRecord:
    held = items.visible_item(user, held_id)
    if held is None:
        raise Http404("There is no such item, or you may not see it.")
    return held


def full_page(request: DeskRequest, context: dict[str, Any], status: int = 200) -> HttpResponse:
    """A whole page around a card. `?done=` names the decision that led here, for those without scripts."""
    done = named_decision(request)
    context |= {"counts": queue.counts(request.user, timezone.now()), **_told(request.user, done)}
    if request.GET.get("again") == "1":
        context["note"] = AGAIN
    return render(request, "evidence/item.html", context, status=status)


def advance(
    request: DeskRequest, wanted: QueueFilter, done: Decision | None, *, live: str = "", again: bool = False
) -> HttpResponse:
    """After a decision: claim the next item under the filter and show it. `again`: it had been sent before (S1)."""
    if not request.htmx:
        parts = [wanted.query, f"done={done.id}" if done else "", "again=1" if again else ""]
        parts = [part for part in parts if part]
        return HttpResponseRedirect(reverse("queue-next") + (f"?{'&'.join(parts)}" if parts else ""))
    with one_reading():
        return _advanced(request, wanted, done, live=live, note=AGAIN if again else "")


def _advanced(
    request: DeskRequest, wanted: QueueFilter, done: Decision | None, *, live: str, note: object
) -> HttpResponse:
    now = timezone.now()
    held = leasing.claim_next(
        user=request.user, now=now, base=queue.reviewable(request.user, wanted, now), preferred=peeked(request.POST)
    )
    if held is None:
        address = reverse("queue-next") + (f"?{wanted.query}" if wanted.narrows else "")
        return swapped(request, idle_context(request, wanted) | {"note": note}, address, done=done, live=live)
    context = card_context(request, visible_or_404(request.user, held.id), wanted) | {"note": note}
    return swapped(request, context, address_of(held.id, wanted), done=done, live=live)


def swapped(
    request: DeskRequest, context: dict[str, Any], address: str, *, done: Decision | None = None, live: str = ""
) -> HttpResponse:
    """The card, with the numbers, the toast and the live region out of band."""
    context |= {"counts": queue.counts(request.user, timezone.now()), **_told(request.user, done)}
    if live:
        context["live"] = f"{context['live']} {live}".strip()
    response = render(request, "evidence/parts/_after.html", context)
    response["HX-Push-Url"] = address
    return response


def refusal(request: DeskRequest, held_id: UUID, wanted: QueueFilter, refused: Refused) -> HttpResponse:
    """409: the card again, as it is now, under what changed. Anything else: a line beside the action bar."""
    if refused.status != 409:
        if request.htmx:
            return problem(request, refused)
        context = card_context(request, visible_or_404(request.user, held_id), wanted, drafts=typed(request.POST))
        return full_page(request, context | problem_context(refused), status=refused.status)
    changed = changed_view(refused, request.POST.get("seen", ""))
    context = card_context(
        request, visible_or_404(request.user, held_id), wanted, changed=changed, drafts=typed(request.POST)
    )
    if not request.htmx:
        return full_page(request, context, status=409)
    response = swapped(request, context, address_of(held_id, wanted), live=f"{changed.headline}. {changed.detail}")
    response.status_code = 409
    return response


def address_of(held_id: UUID, wanted: QueueFilter) -> str:
    return reverse("item", args=[held_id]) + (f"?{wanted.query}" if wanted.narrows else "")


def _told(user: User, done: Decision | None) -> dict[str, Any]:
    """What the toast and the live region say."""
    if done is None:
        return {"done": None, "live": ""}
    words = str(wording.DONE.get(done.action) or wording.plain(done.action))
    together = together_of(done)
    text = short(together.statement) if together else statement_of(done)
    ends = done.action in {*Action} - {Action.ASK_OWNER}
    return {
        "done": done,
        "done_text": text,
        "done_together": together,
        "done_equals": 0 if together else equals_closed(done),
        "live": f"{words}{f' {together.done}' if together else ''}: {visible(text)}",
        "ends_draft": ends,
        "may_undo": may_undo(done, user),
        "done_undo_url": undo_url(done, together),
    }


def undone_words(shown: int) -> str:
    if not shown:
        return _("No recall is known to have shown it meanwhile.")
    return ngettext("Meanwhile %(n)s recall showed it.", "Meanwhile %(n)s recalls showed it.", shown) % {"n": shown}


def claim_quietly(held: HeldRecord, user: User) -> None:
    """Back on the screen means back in hand, unless somebody else has it."""
    if held.is_waiting and items.standpoint_of(user, held).is_reviewer:
        leasing.claim(held_id=held.id, user=user, now=timezone.now())
