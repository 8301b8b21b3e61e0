"""Saved views: keeping, renaming and deleting a person's own named searches. Every answer leads back to the list."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from evidence.selectors.queue import QueueFilter
from evidence.services.errors import Refused
from evidence.services.saved_views import delete_view, rename_view, save_view
from evidence.web.gates import DeskRequest, desk_action, problem_context
from evidence.web.queue import address_of_list, list_context


@desk_action
def save(request: DeskRequest) -> HttpResponse:
    try:
        made = save_view(user=request.user, name=request.POST.get("name", ""), query=request.POST.get("q", ""))
    except Refused as refused:
        return _again(request, refused)
    return HttpResponseRedirect(address_of_list(QueueFilter(made.query)))


@desk_action
def rename(request: DeskRequest, view_id: UUID) -> HttpResponse:
    try:
        rename_view(user=request.user, view_id=view_id, name=request.POST.get("name", ""))
    except Refused as refused:
        return _again(request, refused)
    return _back(request)


@desk_action
def delete(request: DeskRequest, view_id: UUID) -> HttpResponse:
    delete_view(user=request.user, view_id=view_id)
    return _back(request)


def _back(request: DeskRequest) -> HttpResponse:
    return HttpResponseRedirect(address_of_list(QueueFilter.read(request.POST.dict())))


def _again(request: DeskRequest, refused: Refused) -> HttpResponse:
    """The list as it was, with what was typed and why it was refused."""
    context = list_context(request, {"q": request.POST.get("q", "")}) | problem_context(refused)
    context["typed_name"] = request.POST.get("name", "")
    return render(request, "evidence/queue.html", context, status=refused.status)
