"""Questions to owners: the list, and one question with both sides. A link only opens a page; only a POST answers (S16)."""

from __future__ import annotations

import uuid
from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from evidence.models import Inquiry, User
ANSWER_WORDS: dict = {}
from evidence.rules.vocab import Access, Answer, Door, InquiryKind, InquiryStatus
from evidence.selectors import inquiries
from evidence.selectors.home import agents_seen
from evidence.services.actors import Actor
from evidence.services.answering import answer_inquiry
from evidence.services.errors import Refused
from evidence.web.forms import scope_in, span_in, whole_number
from evidence.web.gates import DeskRequest, desk_action, desk_page, headline

_SIDES = ("current", "incoming")


@require_safe
@desk_page
def listing(request: DeskRequest) -> HttpResponse:
    status = _word(request.GET.get("status", InquiryStatus.OPEN), [*InquiryStatus, "any"]) or InquiryStatus.OPEN
    kind = _word(request.GET.get("kind", ""), [*InquiryKind])
    after = request.GET.get("after", "")
    mine = request.GET.get("mine") == "1"
    page = inquiries.listing(request.user, "" if status == "any" else status, kind, mine=mine, after=after)
    context = {"page": page, "status": status, "kind": kind, "first_page": not after, "kinds": list(InquiryKind)}
    return render(request, "evidence/inquiries.html", context | {"statuses": [*InquiryStatus, "any"], "mine": mine})


@require_safe
@desk_page
def inquiry(request: DeskRequest, inquiry_id: UUID) -> HttpResponse:
    return inquiry_page(request, visible_or_404(request.user, inquiry_id))


@desk_action
def answer(request: DeskRequest, inquiry_id: UUID) -> HttpResponse:
    row = visible_or_404(request.user, inquiry_id)
    try:
        done = answer_inquiry(
            inquiry_id=row.id, actor=Actor.person(request.user, Door.WEB), **arguments(request.POST, row)
        )
    except Refused as refused:
        return inquiry_page(request, visible_or_404(request.user, inquiry_id), refused)
    return HttpResponseRedirect(f"{reverse('inquiry', args=[row.id])}?done={done.decision.id}")


def visible_or_404(user: User, inquiry_id: UUID) -> Inquiry:
    row = inquiries.visible_inquiry(user, inquiry_id)
    if row is None:
        raise Http404("There is no such question, or you may not see it.")
    return row


def inquiry_page(request: DeskRequest, row: Inquiry, refused: Refused | None = None) -> HttpResponse:
    view = inquiries.inquiry_view(row, request.user, timezone.now())
    context = {
        "row": row,
        "view": view,
        "answers": [(word, "") for word in view.answers],
        "typed": request.POST,
        "refused": refused,
        "headline": headline(refused) if refused else "",
        "accesses": list(Access),
        "agents": agents_seen(request.user),
        "key": uuid.uuid4().hex,
    }
    return render(request, "evidence/inquiry.html", context, status=refused.status if refused else 200)


def arguments(data: QueryDict, row: Inquiry) -> dict[str, Any]:
    """The keyword arguments of `answer_inquiry`; what belongs to another answer than the chosen one is left out."""
    word = data.get("answer", "")
    wanted: dict[str, Any] = {
        "answer": word,
        "seen_version": whole_number(data.get("version"), "version"),
        "idempotency_key": data.get("idempotency_key", "")[:200],
        "reason": data.get("reason", ""),
    }
    if word == Answer.OTHER_VALUE:
        wanted["value"] = data.get("value", "")
    if word == Answer.BOTH_SCOPE:
        given = {side: scope_in(data, side, data.get(f"{side}_owner") or row.agent_id, None) for side in _SIDES}
        wanted["scopes"] = {side: scope for side, scope in given.items() if scope is not None}
    if word == Answer.BOTH_TIME:
        wanted["validity"] = {side: span_in(data, side) for side in _SIDES}
    return wanted


def _word(given: str, known: list[Any]) -> str:
    return given if given in known else ""
