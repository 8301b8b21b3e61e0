"""Articles: the list, one article with its versions, and the question whether all that nobody reviewed count as reviewed."""

from __future__ import annotations

import uuid
from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from evidence.models import Evidence, Inquiry
from evidence.rules.vocab import Door, Label
from evidence.selectors import articles
from evidence.selectors.articles import ArticleFilter
from evidence.selectors.audit_list import answer_of
from evidence.selectors.home import agents_seen
from evidence.selectors.inquiries import visible_inquiry
from evidence.selectors.people import is_administrator, is_owner
from evidence.selectors.records import labelled
from evidence.services.actors import Actor
from evidence.services.answering import answer_inquiry
from evidence.services.article_counting import (
    ask_as_owner,
    has_more,
    is_count_question,
    listed_in,
    undo_never_reviewed,
)
from evidence.services.errors import Refused
from evidence.web.article_views import compared, differ
from evidence.web.forms import whole_number
from evidence.web.gates import DeskRequest, desk_action, desk_page, headline
from evidence.web.markdown import render as rendered

AGENTS_ASKED = 20


@require_safe
@desk_page
def listing(request: DeskRequest) -> HttpResponse:
    now, user = timezone.now(), request.user
    wanted = ArticleFilter.read(request.GET.dict())
    page = articles.listing(user, wanted, now, after=request.GET.get("after", ""))
    waiting = articles.waiting_for(page.rows, user)
    agents = agents_seen(user)
    context = {
        "wanted": wanted,
        "page": page,
        "rows": [(labelled(row, now), waiting.get((row.namespace, row.source_id), 0)) for row in page.rows],
        "first_page": not request.GET.get("after"),
        "agents": agents,
        "labels": [Label.APPROVED, Label.UNVERIFIED],
        "never_goes_stale": wanted.label in (Label.STALE, Label.VERIFIED),
        "to_count": countable(request, wanted),
    }
    return render(request, "evidence/articles.html", context)


def countable(request: DeskRequest, wanted: ArticleFilter) -> list[tuple[str, str, int]]:
    """Agents of this owner with articles that nobody reviewed: the agent, the namespace, how many."""
    found = articles.never_reviewed_by_agent(request.user)
    mine = [(agent, ns, number) for (agent, ns), number in found.items() if wanted.agent in ("", agent)]
    return [one for one in mine[:AGENTS_ASKED] if is_owner(request.user, one[0])]


@require_safe
@desk_page
def article(request: DeskRequest, article_id: str) -> HttpResponse:
    """One version of an article, and everything about it. `?from=` another version: what changed since."""
    now, user = timezone.now(), request.user
    row = articles.find_article(user, article_id, request.GET.get("ns", ""))
    if row is None:
        raise Http404("There is no such article, or you may not see it.")
    since = articles.version_of(row, user, request.GET.get("from", ""))
    changes = compared(since.content, row.content) if since else []
    context = {
        "row": row,
        "view": articles.article_view(row, user, now),
        "rendered": rendered(row.content, 2),
        "since": since,
        "changes": changes,
        "changes_differ": differ(changes),
    }
    return render(request, "evidence/article.html", context)


@desk_action
def ask(request: DeskRequest) -> HttpResponse:
    """An owner asks to count what nobody reviewed; the question is the next page."""
    agent_id, namespace = request.POST.get("agent", ""), request.POST.get("ns", "") or "default"
    asked = ask_as_owner(agent_id=agent_id, namespace=namespace, actor=Actor.person(request.user, Door.WEB))
    if asked.inquiry is None:
        raise Refused("empty_selection", "Every article of this agent was reviewed, or none may be shown.")
    return HttpResponseRedirect(reverse("inquiry", args=[asked.inquiry.pk]))


def count_page(request: DeskRequest, inquiry: Inquiry, refused: Refused | None = None) -> HttpResponse:
    """The question with its list: which of the articles still are what was shown, and their labels before and after."""
    now, user = timezone.now(), request.user
    listed = listed_in(inquiry)
    found = articles.by_id(user, inquiry.namespace, [one["id"] for one in listed])
    shown = [_shown(one, found.get(one["id"]), inquiry, now) for one in listed]
    is_open = inquiry.status == "open"
    decision = answer_of(inquiry)
    mine = decision is not None and (decision.actor_id == str(user.pk) or is_administrator(user))
    context = {
        "row": inquiry,
        "shown": shown,
        "ready": sum(one["is_ready"] for one in shown),
        "changed": sum(not one["is_ready"] for one in shown) if is_open else 0,
        "may_answer": is_open and is_owner(user, inquiry.agent_id),
        "decision": decision,
        "may_undo": mine and not is_open,
        "more": has_more(inquiry),
        "may_ask": not is_open and is_owner(user, inquiry.agent_id),
        "typed": request.POST,
        "refused": refused,
        "headline": headline(refused) if refused else "",
        "done": request.GET.get("taken", "")[:9],
        "left": request.GET.get("left", "")[:9],
        "key": uuid.uuid4().hex,
    }
    return render(request, "evidence/article_count.html", context, status=refused.status if refused else 200)


def count_answer(request: DeskRequest, inquiry: Inquiry) -> HttpResponse:
    """Yes or no, and the question as it is then."""
    try:
        answer_inquiry(
            inquiry_id=inquiry.pk, answer=request.POST.get("answer", ""),
            seen_version=whole_number(request.POST.get("version"), "version"),
            actor=Actor.person(request.user, Door.WEB), idempotency_key=request.POST.get("idempotency_key", "")[:200],
            reason=request.POST.get("reason", ""),
        )  # fmt: skip
    except Refused as refused:
        return count_page(request, inquiry, refused)
    return HttpResponseRedirect(reverse("inquiry", args=[inquiry.pk]))


def _shown(one: dict[str, Any], row: Evidence | None, inquiry: Inquiry, now: Any) -> dict[str, Any]:
    same = row is not None and (row.content_hash, row.scope_key) == (one["content"], one["readers"])
    counted = row is not None and row.approval_proposal == str(inquiry.pk)
    return {
        **one,
        "row": row,
        "label": labelled(row, now).label if row else "",
        "is_ready": same and row is not None and row.state == "active" and not row.approval_by,
        "is_counted": counted,
    }


@desk_action
def uncount(request: DeskRequest, inquiry_id: UUID) -> HttpResponse:
    """Take back the yes, or the no."""
    inquiry = visible_inquiry(request.user, inquiry_id)
    if inquiry is None or not is_count_question(inquiry):
        raise Http404("There is no such question, or you may not see it.")
    try:
        taken, left = undo_never_reviewed(inquiry_id=inquiry.pk, actor=Actor.person(request.user, Door.WEB))
    except Refused as refused:
        return count_page(request, inquiry, refused)
    address = reverse("inquiry", args=[inquiry.pk])
    return HttpResponseRedirect(f"{address}?{urlencode({'taken': taken, 'left': left})}")
