"""The inbox: what happened, for this person. Opening it marks nothing; a button does. New entries move nothing on the screen."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.views.decorators.http import require_safe

from evidence.models import User
from evidence.selectors.inbox import inbox_of, newer_than, unread_count
from evidence.services.inbox import mark_all_read, mark_read
from evidence.web.forms import identity_in
from evidence.web.gates import DeskRequest, desk_action, desk_page


@require_safe
@desk_page
def listing(request: DeskRequest) -> HttpResponse:
    unread_only = request.GET.get("show") == "unread"
    after = request.GET.get("after", "")
    inbox = inbox_of(request.user, timezone.now(), after=after, unread_only=unread_only)
    return render(request, "evidence/inbox.html", {"inbox": inbox, "unread_only": unread_only, "first_page": not after})


@require_safe
@desk_page
def unread(request: DeskRequest) -> HttpResponse:
    """The number at the top of every page; on the inbox itself also how many entries came since it was opened."""
    context: dict[str, Any] = {"inbox_unread": unread_count(request.user)}
    if "since" in request.GET:
        context["newer"] = newer_than(request.user, identity_in(request.GET.dict(), "since"))
    return render(request, "evidence/parts/_inbox_count.html", context)


@desk_action
def read(request: DeskRequest, delivery_id: UUID) -> HttpResponse:
    mark_read(user=request.user, delivery_id=delivery_id, read=request.POST.get("read", "1") == "1")
    return _back(request)


@desk_action
def read_all(request: DeskRequest) -> HttpResponse:
    mark_all_read(user=request.user, until=identity_in(request.POST.dict(), "until"))
    return _back(request)


def unread_for_header(request: HttpRequest) -> dict[str, Any]:
    """A context processor: counted only where a template shows it, so a fragment costs nothing."""
    user = getattr(request, "user", None)
    if not isinstance(user, User) and not getattr(user, "is_authenticated", False):
        return {}
    return {"inbox_unread": SimpleLazyObject(lambda: unread_count(user))}  # type: ignore[arg-type]


def _back(request: DeskRequest) -> HttpResponse:
    show = "?show=unread" if request.POST.get("show") == "unread" else ""
    return HttpResponseRedirect(f"{reverse('inbox')}{show}")
