"""The first page, an agent's page, and the person's own settings."""

from __future__ import annotations

from django.conf import settings as django_settings
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from evidence.rules.vocab import Door
from evidence.selectors import home as reads
from evidence.selectors.agents import agent_work
from evidence.selectors.people import is_administrator
from evidence.services.actors import Actor
from evidence.services.connecting import connect_agent
from evidence.services.errors import Refused
from evidence.services.preferences import set_language, set_shortcuts, set_time_zone
from evidence.web.gates import DeskRequest, desk_action, desk_page, problem_context, zone_of
from evidence.web.insights_tables import waiting_chart
from evidence.web.snippets import snippets


@require_safe
@desk_page
def home(request: DeskRequest) -> HttpResponse:
    return home_page(request)


@desk_action
def setup_token(request: DeskRequest) -> HttpResponse:
    """A first agent with its token, for a new desk. The answer is the page itself: the token is shown once, and in no address."""
    agent = request.POST.get("agent", "").strip()
    try:
        issued = connect_agent(agent_id=agent, actor=Actor.person(request.user, Door.WEB))
    except Refused as refused:
        return home_page(request, refused=refused, agent=agent)
    return home_page(request, agent=agent, secret=issued.secret)


def home_page(
    request: DeskRequest, *, agent: str = "", secret: str = "", refused: Refused | None = None
) -> HttpResponse:
    user, now = request.user, timezone.now()
    view = reads.home_view(user, now, zone_of(user))
    context: dict[str, object] = {"view": view}
    if view.backlog:
        context["backlog"] = waiting_chart(view.backlog)
    if view.steps is not None:
        context |= {"agent": agent, "secret": secret, "may_set_up": is_administrator(user)}
        context["snippets"] = snippets(request.build_absolute_uri("/"), secret, agent)
    if refused is not None:
        context |= problem_context(refused)
    return render(request, "evidence/home.html", context, status=refused.status if refused else 200)


@require_safe
@desk_page
def agent(request: DeskRequest, agent_id: str) -> HttpResponse:
    view = reads.agent_view(request.user, agent_id, timezone.now())
    if view is None:
        raise Http404("There is no such agent, or you may not see it.")
    context = {"view": view, "agent": view.agent, "work": agent_work(request.user, view.agent.pk)}
    return render(request, "evidence/agent.html", context)


@require_safe
@desk_page
def settings(request: DeskRequest) -> HttpResponse:
    context = {
        "memberships": reads.memberships_of(request.user),
        "policy": reads.current_policy(),
        "zones": reads.time_zones(),
        "may_webhooks": is_administrator(request.user),
        "languages": django_settings.LANGUAGES,
    }
    return render(request, "evidence/settings.html", context)


@desk_action
def shortcuts(request: DeskRequest) -> HttpResponse:
    set_shortcuts(user=request.user, on=request.POST.get("on") == "1")
    if request.htmx:
        response = render(request, "evidence/parts/_help.html#shortcuts")
        # The switch is on <body>, which htmx does not swap.
        response["HX-Refresh"] = "true"
        return response
    return HttpResponseRedirect(reverse("settings"))


@desk_action
def time_zone(request: DeskRequest) -> HttpResponse:
    set_time_zone(user=request.user, name=request.POST.get("time_zone", ""))
    return HttpResponseRedirect(reverse("settings"))


@desk_action
def language(request: DeskRequest) -> HttpResponse:
    set_language(user=request.user, code=request.POST.get("language", ""))
    return HttpResponseRedirect(reverse("settings"))
