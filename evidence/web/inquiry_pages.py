"""What the page of one question is rendered with, and the answer to whoever answered: the next question, or what changed."""

from __future__ import annotations

import uuid
from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from evidence.models import Decision, Inquiry, User
from evidence.rules.characters import visible
from evidence.rules.vocab import Access, Answer, AuditAction
from evidence.selectors import inquiries
from evidence.selectors.answer_plans import Chosen
from evidence.selectors.audit_list import answer_of, asked_by
from evidence.selectors.home import agents_seen
from evidence.services.errors import Refused
from evidence.web import wording
from evidence.web.cards import may_undo, short
from evidence.web.forms import scope_in, span_in, whole_number
from evidence.web.gates import DeskRequest, headline, named_decision, problem, problem_context
from evidence.web.steps import shown_answer

SIDES = ("current", "incoming")


def visible_or_404(user: User, inquiry_id: UUID) -> Inquiry:
    row = inquiries.visible_inquiry(user, inquiry_id)
    if row is None:
        raise Http404("There is no such question, or you may not see it.")
    return row


def question_context(request: DeskRequest, row: Inquiry, refused: Refused | None = None) -> dict[str, Any]:
    """Everything that `_question.html` reads. What was typed is kept whatever was refused."""
    view = inquiries.inquiry_view(row, request.user, timezone.now())
    last = answer_of(row)
    context = {
        "row": row,
        "view": view,
        "answers": [shown_answer(offer) for offer in view.answers],
        "typed": request.POST,
        "accesses": list(Access),
        "agents": agents_seen(request.user),
        "key": uuid.uuid4().hex,
        "answered": last,
        "may_undo_this": may_undo(last, request.user),
    }
    if refused is not None:
        context |= problem_context(refused) | {"headline": headline(refused)}
    return context


def question_page(request: DeskRequest, row: Inquiry, refused: Refused | None = None) -> HttpResponse:
    context = question_context(request, row, refused) | told(request.user, named_decision(request))
    return render(request, "evidence/inquiry.html", context, status=refused.status if refused else 200)


def after_answer(request: DeskRequest, row: Inquiry, decision: Decision, *, replay: bool) -> HttpResponse:
    """The next question of this person, else this one as it is now; with what was done, and Undo."""
    following = inquiries.next_for(request.user, after=row)
    shown = following if following is not None else row
    address = reverse("inquiry", args=[shown.pk])
    if not request.htmx:
        return HttpResponseRedirect(f"{address}?done={decision.id}{'&again=1' if replay else ''}")
    context = question_context(request, visible_or_404(request.user, shown.pk)) | told(request.user, decision)
    # What was typed belongs to the question that was answered.
    context |= {"typed": QueryDict(), "note": _("It had been sent before; it counts once.") if replay else ""}
    response = render(request, "evidence/parts/_question_after.html", context)
    response["HX-Push-Url"] = address
    return response


def refusal(request: DeskRequest, inquiry_id: UUID, refused: Refused) -> HttpResponse:
    """409: the question again as it is now, with the plans as they are now. Anything else: a line beside the answers."""
    if request.htmx and refused.status != 409:
        return problem(request, refused)
    row = visible_or_404(request.user, inquiry_id)
    if not request.htmx:
        return question_page(request, row, refused)
    context = question_context(request, row, refused) | {"live": refused.detail}
    response = render(request, "evidence/parts/_question_after.html", context, status=refused.status)
    response["HX-Push-Url"] = reverse("inquiry", args=[row.pk])
    return response


def told(user: User, done: Decision | None) -> dict[str, Any]:
    """What the toast and the live region say."""
    if done is None:
        return {"done": None, "live": ""}
    asked = asked_by(done)
    question = short(asked.question) if asked is not None else ""
    word = str(done.effects[0]["kind"]) if done.action == AuditAction.ANSWER and done.effects else ""
    return {
        "done": done, "done_text": question, "done_word": word, "done_inquiry": asked,
        "live": f"{wording.DONE.get(done.action, done.action)}: {visible(question)}",
        "may_undo": may_undo(done, user), "undo_key": uuid.uuid4().hex,
    }  # fmt: skip


def arguments(data: QueryDict, row: Inquiry) -> dict[str, Any]:
    """The keyword arguments of `answer_inquiry`; what belongs to another answer than the chosen one is left out."""
    word = data.get("answer", "")
    chosen = chosen_in(data, row, word)
    return {
        "answer": word,
        "seen_version": whole_number(data.get("version"), "version"),
        "idempotency_key": data.get("idempotency_key", "")[:200],
        "plan_digest": data.get(f"digest_{word}", "") if word in set(Answer) else "",
        "reason": data.get("reason", ""),
        "value": chosen.value,
        "scopes": chosen.scopes,
        "validity": chosen.validity,
    }


def chosen_in(data: QueryDict, row: Inquiry, word: str) -> Chosen:
    if word == Answer.OTHER_VALUE:
        return Chosen(value=data.get("value", "").strip())
    if word == Answer.BOTH_SCOPE:
        given = {side: scope_in(data, side, data.get(f"{side}_owner") or row.agent_id, None) for side in SIDES}
        return Chosen(scopes={side: scope for side, scope in given.items() if scope is not None})
    if word == Answer.BOTH_TIME:
        return Chosen(validity={side: span_in(data, side) for side in SIDES})
    return Chosen()
