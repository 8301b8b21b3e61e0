"""One question, shown by the signed link of a mail without signing in, and answered by its owner after a confirmation (S16).

Opening it decides nothing, by GET or HEAD, and no script of the page sends anything. An answer takes two forms sent one after
the other, each with its token against forgery; the second one carries the plan that the first one showed.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from evidence.models import User
from evidence.rules.vocab import Answer, Door
from evidence.selectors.answer_plans import answer_plan, rows_of
from evidence.selectors.inquiries import InquiryView, inquiry_view
from evidence.selectors.people import same_person
from evidence.services.actors import Actor
from evidence.services.answering import Answered, answer_inquiry
from evidence.services.errors import Refused
from evidence.services.mail_links import Opened, open_link
from evidence.web.gates import zone_of
from evidence.web.inquiry_pages import arguments, chosen_in
from evidence.web.steps import ShownAnswer, said, shown_answer, shown_plan

PAGE = "evidence/mail_question.html"
# What needs more than one field is answered on the question's own page.
BY_MAIL = frozenset(
    {Answer.CURRENT, Answer.INCOMING, Answer.OTHER_VALUE, Answer.NEITHER, Answer.NEED_EVIDENCE}
)  # fmt: skip


@require_http_methods(["GET", "HEAD", "POST"])
def mail_question(request: HttpRequest, token: str) -> HttpResponse:
    opened = open_link(token)
    if opened is None or _is_somebody_else(request, opened):
        return _gone(request)
    # Of whoever has no language of their own the browser's counts, which is active already.
    with (
        timezone.override(zone_of(opened.user)),
        translation.override(opened.user.language or translation.get_language()),
    ):
        if request.method != "POST":
            return _page(request, opened)
        return _confirmed(request, opened) if request.POST.get("confirm") == "1" else _confirm(request, opened)


def _is_somebody_else(request: HttpRequest, opened: Opened) -> bool:
    """Whoever is signed in as another person was handed the link, and would answer in a name that is not theirs."""
    return isinstance(request.user, User) and not same_person(request.user, opened.user)


def _gone(request: HttpRequest) -> HttpResponse:
    """One answer for every reason, so that a link tells nothing about the question or the person."""
    return render(request, PAGE, {"step": "gone"}, status=404)


def _page(request: HttpRequest, opened: Opened, refused: Refused | None = None) -> HttpResponse:
    view = inquiry_view(opened.inquiry, opened.user, timezone.now())
    context = {"step": "ask", "answers": _answers(view), "typed": request.POST if refused else QueryDict()}
    return _render(request, opened, view, context, refused)


def _confirm(request: HttpRequest, opened: Opened) -> HttpResponse:
    """The plan of the chosen answer, with the button that carries it out. Nothing is written."""
    view = inquiry_view(opened.inquiry, opened.user, timezone.now())
    word = request.POST.get("answer", "")
    chosen = next((one for one in _answers(view) if one.word == word), None)
    if chosen is None:
        return _page(request, opened, Refused("invalid_value", _("Choose one of the answers."), field="answer"))
    said = chosen_in(request.POST, opened.inquiry, word)
    if word == Answer.OTHER_VALUE and not said.value:
        return _page(request, opened, Refused("invalid_value", _("Say which value is true."), field="value"))
    rows = rows_of(opened.inquiry, opened.inquiry.held)
    plan = shown_plan(answer_plan(rows, word, said, user=opened.user, now=timezone.now()))
    context = {
        "step": "confirm", "word": word, "plan": plan, "typed": request.POST, "version": opened.inquiry.version,
        "key": uuid.uuid4().hex,
    }  # fmt: skip
    return _render(request, opened, view, context, None)


def _confirmed(request: HttpRequest, opened: Opened) -> HttpResponse:
    if request.POST.get("answer") not in BY_MAIL:
        return _page(request, opened, Refused("invalid_value", _("Choose one of the answers."), field="answer"))
    try:
        done: Answered = answer_inquiry(
            inquiry_id=opened.inquiry.pk, actor=Actor.person(opened.user, Door.MAIL),
            **arguments(request.POST, opened.inquiry),
        )  # fmt: skip
    except Refused as refused:
        again = open_link(str(request.resolver_match.kwargs["token"])) if request.resolver_match else None
        return _page(request, again, refused) if again is not None else _gone(request)
    return render(
        request, PAGE, {"step": "done", "effects": [said(step) for step in done.steps], "row": opened.inquiry}
    )


def _answers(view: InquiryView) -> list[ShownAnswer]:
    return [shown_answer(offer) for offer in view.answers if offer.word in BY_MAIL]


def _render(
    request: HttpRequest, opened: Opened, view: InquiryView, context: dict[str, Any], refused: Refused | None
) -> HttpResponse:
    context |= {"row": opened.inquiry, "view": view, "person": opened.user, "refused": refused}
    return render(request, PAGE, context, status=refused.status if refused else 200)
