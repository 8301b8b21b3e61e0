"""Decisions carried back to where their items came from: the plan first, then just that, and a log of what was written."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from evidence.models import Job, JobItem
from evidence.rules.bulk import WORKING, JobStatus
from evidence.selectors import imports as reads
from evidence.services import write_back_runs
from evidence.web.gates import DeskRequest, desk_action, desk_page
from evidence.web.imports import readers_only
from evidence.web.job_words import STATUSES


@require_safe
@desk_page
def listing(request: DeskRequest) -> HttpResponse:
    readers_only(request)
    after = request.GET.get("after", "")
    page = reads.write_backs(after=after)
    context = {
        "page": page,
        "first_page": not after,
        "rows": [{"job": job, "asked": job.detail, "state": STATUSES.get(job.status, job.status)} for job in page.rows],
        "stores": list(write_back_runs.stores().values()) if reads.may_import(request.user) else [],
        "may_run": reads.may_import(request.user),
    }
    return render(request, "evidence/write_backs.html", context)


@desk_action
def plan(request: DeskRequest) -> HttpResponse:
    job = write_back_runs.plan_write_back(user=request.user, store=request.POST.get("store", ""))
    return HttpResponseRedirect(reverse("write-back", args=[job.pk]))


@require_safe
@desk_page
def report(request: DeskRequest, back_id: UUID) -> HttpResponse:
    job = visible_or_404(request, back_id)
    works = job.status in WORKING
    if request.htmx and not works:
        return HttpResponse(headers={"HX-Refresh": "true"})
    after = request.GET.get("after", "")
    page = None if works else reads.lines(job, after=after)
    context = {
        "job": job,
        "asked": job.detail,
        "works": works,
        "state": STATUSES.get(job.status, job.status),
        "page": page,
        "after": after,
        "rows": [_row(line) for line in page.rows] if page else [],
        "may_carry_out": job.status == JobStatus.PREVIEW
        and bool(job.detail.get("planned"))
        and reads.may_import(request.user),
    }
    return render(request, "evidence/write_back.html#state" if request.htmx else "evidence/write_back.html", context)


@desk_action
def carry_out(request: DeskRequest, back_id: UUID) -> HttpResponse:
    visible_or_404(request, back_id)
    write_back_runs.carry_out_write_back(job_id=back_id, user=request.user)
    return HttpResponseRedirect(reverse("write-back", args=[back_id]))


def visible_or_404(request: DeskRequest, back_id: UUID) -> Job:
    readers_only(request)
    job = reads.write_back_job(back_id)
    if job is None:
        raise Http404("There is no such log.")
    return job


def _row(line: JobItem) -> dict[str, Any]:
    """A line, with the decision that it is about."""
    try:
        decision = UUID(line.code) if line.code else None
    except ValueError:
        decision = None
    return {"line": line, "decision": decision, "number": line.position + 1}
