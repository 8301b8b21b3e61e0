"""The first page, an agent's page, and the person's own settings."""

from __future__ import annotations

from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from evidence.selectors import home as reads
from evidence.services.preferences import set_shortcuts, set_time_zone
from evidence.web.gates import DeskRequest, desk_page


@require_safe
@desk_page
def home(request: DeskRequest) -> HttpResponse:
    return render(request, "evidence/home.html", {"view": reads.home_view(request.user, timezone.now())})


@require_safe
@desk_page
def agent(request: DeskRequest, agent_id: str) -> HttpResponse:
    view = reads.agent_view(request.user, agent_id, timezone.now())
    if view is None:
        raise Http404("There is no such agent, or you may not see it.")
    return render(request, "evidence/agent.html", {"view": view, "agent": view.agent})


@require_safe
@desk_page
def settings(request: DeskRequest) -> HttpResponse:
    context = {
        "memberships": reads.memberships_of(request.user),
        "policy": reads.current_policy(),
        "zones": reads.time_zones(),
    }
    return render(request, "evidence/settings.html", context)


@require_POST
@desk_page
def shortcuts(request: DeskRequest) -> HttpResponse:
    set_shortcuts(user=request.user, on=request.POST.get("on") == "1")
    if request.htmx:
        response = render(request, "evidence/parts/_help.html#shortcuts")
        # The switch is on <body>, which htmx does not swap.
        response["HX-Refresh"] = "true"
        return response
    return HttpResponseRedirect(reverse("settings"))


@require_POST
@desk_page
def time_zone(request: DeskRequest) -> HttpResponse:
    set_time_zone(user=request.user, name=request.POST.get("time_zone", ""))
    return HttpResponseRedirect(reverse("settings"))
