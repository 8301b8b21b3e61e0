"""The insights, and the rows behind each of their numbers. Nothing here tells one person of another's decisions."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from evidence.rules.times import read_time
from evidence.selectors.audit_list import subjects_of
from evidence.selectors.feedback import most_said
from evidence.selectors.insights_counts import counts_of
from evidence.selectors.insights_judged import approvals_since, oldest_waiting, overturned, own_figures, time_taken
from evidence.selectors.insights_period import DEFAULT_RANGE, RANGES, Period
from evidence.selectors.insights_rows import RowsFilter, rows_behind
from evidence.selectors.records import labelled
from evidence.web.gates import DeskRequest, desk_page, zone_of
from evidence.web.insights_tables import Judged, page_of, title_of


@require_safe
@desk_page
def insights(request: DeskRequest) -> HttpResponse:
    user, now = request.user, timezone.now()
    period = Period(_days(request.GET.get("days", "")), zone_of(user), now)
    judged = Judged(
        oldest=oldest_waiting(user),
        time=time_taken(user, period.since),
        overturned=overturned(approvals_since(user, period.since))[0],
        mine=own_figures(user, period.since),
    )
    context = {
        "page": page_of(counts_of(user, period), judged, period),
        "ranges": RANGES,
        "days": period.days,
        "said": most_said(user, period.since),
    }
    return render(request, "evidence/insights.html", context)


@require_safe
@desk_page
def rows(request: DeskRequest) -> HttpResponse:
    wanted = RowsFilter.read(request.GET.dict())
    now, after = timezone.now(), request.GET.get("after", "")
    found = rows_behind(request.user, wanted, zone=zone_of(request.user), now=now, after=after)
    context = {
        "wanted": wanted,
        "title": title_of(wanted),
        "shape": found.shape,
        "page": found.page,
        "first_page": not after,
        "since": read_time(wanted.since),
        "until": read_time(wanted.until),
    }
    if found.shape == "record":
        context["records"] = [labelled(row, now) for row in found.page.rows]
    if found.shape == "decision":
        context["subjects"] = subjects_of(found.page.rows, request.user)
    return render(request, "evidence/insights_rows.html", context)


def _days(text: str) -> int:
    return int(text) if text in {str(days) for days in RANGES} else DEFAULT_RANGE
