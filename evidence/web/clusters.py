"""Deciding near-duplicates together from the card of one of them, and taking that back as a whole."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import gettext as _

from evidence.models import Job, User
from evidence.rules.joining import FIRST, TOGETHER
from evidence.rules.vocab import Door
from evidence.selectors.audit_list import about_in_bulk
from evidence.selectors.job_rows import recalls_that_showed
from evidence.selectors.jobs import own_job, tally
from evidence.services.actors import Actor
from evidence.services.cluster_deciding import decide_together, undo_together
from evidence.services.errors import Refused
from evidence.web import items
from evidence.web.cards import card_context
from evidence.web.forms import decision_arguments, filter_of, whole_number
from evidence.web.gates import DeskRequest, desk_action
from evidence.web.mates import shown_in, ticked_in


@desk_action
def decide(request: DeskRequest, held_id: UUID) -> HttpResponse:
    """The item on the screen and those that are ticked. Without any on the page it is an ordinary decision."""
    data = request.POST
    held = items.visible_or_404(request.user, held_id)
    shown = shown_in(data)
    if not shown or not held.is_waiting or data.get("action") not in TOGETHER:
        return items.decide(request, held_id)
    try:
        done = decide_together(
            held_id=held.id, actor=Actor.person(request.user, Door.WEB), shown=shown, picked=ticked_in(data),
            number=whole_number(data.get("number"), "number"), **decision_arguments(data, timezone.now()),
        )  # fmt: skip
    except Refused as refused:
        return items.refusal(request, held_id, filter_of(data), refused)
    return items.advance(request, filter_of(data), done.decision, again=done.replay)


@desk_action
def undo(request: DeskRequest, job_id: UUID) -> HttpResponse:
    """All of it back, and the card that was decided on the screen again."""
    job = own_job(request.user, job_id)
    if job is None or FIRST not in job.detail:
        raise Refused("not_found", "There is no such decision, or it is somebody else's.")
    taken = undo_together(job_id=job_id, user=request.user)
    wanted = filter_of(request.POST)
    held = items.visible_or_404(request.user, UUID(job.detail[FIRST]))
    address = items.address_of(held.id, wanted)
    done = about_in_bulk(taken.pk, held.id)
    if not request.htmx:
        told = f"{'&' if '?' in address else '?'}done={done.id}" if done else ""
        return HttpResponseRedirect(f"{address}{told}")
    items.claim_quietly(held, request.user)
    context = card_context(request, items.visible_or_404(request.user, held.id), wanted)
    context["note"] = _words(taken, request.user)
    context["note_job"] = taken.pk
    return items.swapped(request, context, address, done=done, live=context["note"])


def _words(taken: Job, user: User) -> str:
    """What came back, what did not, and who had seen it meanwhile."""
    numbers = tally(taken)
    words = [
        _("%(n)s taken back.") % {"n": numbers.done}
        if numbers.undone or numbers.waiting
        else _("All %(n)s taken back.") % {"n": numbers.selected}
    ]
    if numbers.undone:
        words.append(_("%(n)s had been decided again since: left alone.") % {"n": numbers.undone})
    if numbers.waiting:
        words.append(_("%(n)s to come.") % {"n": numbers.waiting})
    words.append(items.undone_words(recalls_that_showed(taken, user, timezone.now()).number.number))
    return " ".join(words)
