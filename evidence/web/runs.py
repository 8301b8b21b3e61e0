"""Runs of agents: the list, and one run with its work, what happened, and what it knew."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from evidence.rules.errors import BadInput
from evidence.rules.run_vocab import RunOutcomeWord, RunStatus
from evidence.selectors import runs
from evidence.selectors.home import agents_seen
from evidence.selectors.runs import RunFilter
from evidence.web.gates import DeskRequest, desk_page

MOST = 2**31 - 1


@require_safe
@desk_page
def listing(request: DeskRequest) -> HttpResponse:
    wanted = RunFilter.read(request.GET.dict())
    page = runs.listing(request.user, wanted, after=request.GET.get("after", ""))
    context = {
        "wanted": wanted,
        "page": page,
        "first_page": not request.GET.get("after"),
        "agents": agents_seen(request.user),
        "choices": {"status": list(RunStatus), "outcome": list(RunOutcomeWord)},
    }
    return render(request, "evidence/runs.html", context)


@require_safe
@desk_page
def run(request: DeskRequest, run_id: UUID) -> HttpResponse:
    found = runs.find_run(request.user, run_id)
    if found is None:
        raise Http404("There is no such run, or you may not see it.")
    since = _since(request.GET.get("since", ""))
    view = runs.run_view(found, request.user, timezone.now(), since=since)
    return render(request, "evidence/run.html", {"view": view, "run": found, "state": view.state, "since": since})


def _since(text: str) -> int:
    if not text:
        return 0
    if not (text.isascii() and text.isdecimal() and len(text) < 11 and int(text) <= MOST):
        raise BadInput("malformed", "This is no place in the list: start from the first page.", "since")
    return int(text)
