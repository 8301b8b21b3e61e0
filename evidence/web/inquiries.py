"""Questions to owners: the list, and one question with both sides. A link only opens a page; only a POST answers (S16)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from evidence.rules.vocab import Answer, Door, InquiryKind, InquiryStatus
from evidence.selectors import inquiries
from evidence.selectors.answer_plans import answer_plan, rows_of
from evidence.selectors.inquiries import Show
from evidence.selectors.sides import answers_of
from evidence.services.actors import Actor
from evidence.services.answering import answer_inquiry
from evidence.services.article_counting import is_count_question
from evidence.services.errors import Refused
from evidence.web import articles
from evidence.web.gates import DeskRequest, desk_action, desk_page
from evidence.web.inquiry_pages import after_answer, arguments, chosen_in, question_page, refusal, visible_or_404
from evidence.web.steps import shown_plan

_SHOWS = [
    (Show.MINE, _("For you")),
    (Show.OVERDUE, _("Overdue")),
    (Show.ESCALATED, _("Passed on")),
    (Show.AGENTS, _("With agents")),
]


@require_safe
@desk_page
def listing(request: DeskRequest) -> HttpResponse:
    show = _word(request.GET.get("show", ""), [*Show]) or (Show.MINE if request.GET.get("mine") == "1" else "")
    status = _word(request.GET.get("status", InquiryStatus.OPEN), [*InquiryStatus, "any"]) or InquiryStatus.OPEN
    kind = _word(request.GET.get("kind", ""), [*InquiryKind])
    after, now = request.GET.get("after", ""), timezone.now()
    page = inquiries.listing(request.user, "" if status == "any" else status, kind, show=show, after=after, now=now)
    context = {"page": page, "status": status, "kind": kind, "first_page": not after, "kinds": list(InquiryKind)}
    context |= {"statuses": [*InquiryStatus, "any"], "show": show, "shows": _SHOWS, "now": now}
    return render(request, "evidence/inquiries.html", context)


@require_safe
@desk_page
def inquiry(request: DeskRequest, inquiry_id: UUID) -> HttpResponse:
    row = visible_or_404(request.user, inquiry_id)
    return articles.count_page(request, row) if is_count_question(row) else question_page(request, row)


@require_safe
@desk_page
def answer_preview(request: DeskRequest, inquiry_id: UUID) -> HttpResponse:
    """What one answer would do with what was chosen so far; looked up again as it is chosen."""
    row = visible_or_404(request.user, inquiry_id)
    word = _word(request.GET.get("answer", ""), [*Answer])
    if is_count_question(row) or row.status != InquiryStatus.OPEN or word not in answers_of(row):
        raise Http404("There is no such answer.")
    rows = rows_of(row, row.held)
    chosen = chosen_in(request.GET, row, word)
    plan = answer_plan(rows, word, chosen, user=request.user, now=timezone.now())
    return render(request, "evidence/parts/_steps.html", {"plan": shown_plan(plan)})


@desk_action
def answer(request: DeskRequest, inquiry_id: UUID) -> HttpResponse:
    row = visible_or_404(request.user, inquiry_id)
    if is_count_question(row):
        return articles.count_answer(request, row)
    try:
        done = answer_inquiry(
            inquiry_id=row.id, actor=Actor.person(request.user, Door.WEB), **arguments(request.POST, row)
        )
    except Refused as refused:
        return refusal(request, inquiry_id, refused)
    return after_answer(request, row, done.decision, replay=done.replay)


def _word(given: str, known: list[Any]) -> str:
    return given if given in known else ""
