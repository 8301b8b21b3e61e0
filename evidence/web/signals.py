"""Signals of agents, for the people who look after them: who told whom what, who has it in hand, and what became of it."""

from __future__ import annotations

from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from evidence.models.base import NAME_LENGTH
from evidence.rules.errors import BadInput
from evidence.rules.signal_vocab import AgentSignalStatus
from evidence.selectors.agent_signals import signals_page
from evidence.selectors.home import agents_seen
from evidence.web.gates import DeskRequest, desk_page


@require_safe
@desk_page
def listing(request: DeskRequest) -> HttpResponse:
    now, agent = timezone.now(), request.GET.get("agent", "")[:NAME_LENGTH]
    status = request.GET.get("status", "")
    status = status if status in list(AgentSignalStatus) else ""
    before = _before(request.GET.get("before", ""))
    page = signals_page(request.user, agent=agent, status=status, before=before, now=now)
    wanted = {name: value for name, value in (("agent", agent), ("status", status)) if value}
    context = {
        "rows": [(row, str(row.status_at(now))) for row in page.rows],
        "agent": agent,
        "status": status,
        "statuses": list(AgentSignalStatus),
        "agents": agents_seen(request.user),
        "narrows": bool(wanted),
        "first": f"?{urlencode(wanted)}" if before else "",
        "next": f"?{urlencode(wanted | {'before': page.before})}" if page.before else "",
    }
    return render(request, "evidence/signals.html", context)


def _before(text: str) -> UUID | None:
    if not text:
        return None
    try:
        return UUID(text)
    except ValueError:
        raise BadInput("malformed", "This is no place in the list: start from the first page.", "before") from None
