"""The list of what waits: filters in the address, keyset pages, numbers that equal the rows behind them."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from evidence.rules.vocab import HeldKind, HeldStatus, MatchKind, Risk
from evidence.selectors import queue
from evidence.selectors.home import agents_seen
from evidence.selectors.queue import QueueFilter
from evidence.web.gates import DeskRequest, desk_page


@require_safe
@desk_page
def listing(request: DeskRequest) -> HttpResponse:
    now = timezone.now()
    wanted = QueueFilter.read(request.GET.dict())
    page = queue.listing(request.user, wanted, now, after=request.GET.get("after", ""))
    context = {
        "wanted": wanted,
        "page": page,
        "first_page": not request.GET.get("after"),
        "counts": queue.counts(request.user, now),
        "agents": agents_seen(request.user),
        "now": now,
        "choices": {
            "kind": list(HeldKind),
            "risk": list(Risk)[::-1],
            "match": list(MatchKind),
            "status": list(HeldStatus),
        },
    }
    return render(request, "evidence/queue.html", context)
