"""A job of bulk work on its page: the preview to choose from, the progress, what became of each item, taking it back.

Every number is counted from rows. Whoever may look at another person's job can do nothing with it.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from evidence.models import Job, User
from evidence.rules.bulk import JobStatus
from evidence.rules.vocab import Action, ReasonCode
from evidence.selectors import job_rows, jobs
from evidence.services import bulk, bulk_running, bulk_selecting, bulk_undoing
from evidence.services.errors import Refused
from evidence.web.cards import codes, grouped
from evidence.web.forms import snooze_presets, snooze_until, whole_number
from evidence.web.gates import DeskRequest, desk_action, desk_page, problem_context
from evidence.web.job_words import JOBS, OUTCOMES, STATUSES

LIVE_STEP = 25


@require_safe
@desk_page
def listing(request: DeskRequest) -> HttpResponse:
    after = request.GET.get("after", "")
    page = jobs.own_jobs(request.user, after=after)
    numbers = jobs.tallies(page.rows)
    rows = [
        {"job": job, "tally": numbers[job.pk], "words": JOBS[job.detail["action"]], "state": STATUSES[job.status]}
        for job in page.rows
    ]
    return render(request, "evidence/jobs.html", {"rows": rows, "page": page, "first_page": not after})


@require_safe
@desk_page
def job(request: DeskRequest, job_id: UUID) -> HttpResponse:
    """The preview while nothing was started, else the progress and the results; a poll gets only what moves."""
    found = visible_or_404(request.user, job_id)
    if found.status == JobStatus.PREVIEW:
        if request.htmx:
            return HttpResponse(headers={"HX-Refresh": "true"})  # it was being prepared a moment ago
        return render(request, "evidence/bulk.html", preview_context(request, found))
    context = progress_context(request, found) | _results(request, found)
    return render(request, "evidence/job.html#progress" if request.htmx else "evidence/job.html", context)


@desk_action
def select(request: DeskRequest, job_id: UUID) -> HttpResponse:
    """Take items in or out: those ticked on the page, or all of a kind."""
    user = request.user
    which = request.POST.get("take", "")
    kept_out: list[int] = []
    if which:
        bulk_selecting.take(job_id=job_id, user=user, which=which)
    else:
        kept_out = bulk_selecting.select_items(job_id=job_id, user=user, **_ticked(request)).kept_out
    if not request.htmx:
        return HttpResponseRedirect(_back_to(request, job_id))
    context = bar_context(visible_or_404(user, job_id)) | {"kept_out": kept_out}
    return render(request, "evidence/bulk.html#bar", context)


@desk_action
def run(request: DeskRequest, job_id: UUID) -> HttpResponse:
    """Carry the preview out, exactly as the button said; what it says otherwise now is shown and nothing is done."""
    data = request.POST
    try:
        if bulk_selecting.select_items(job_id=job_id, user=request.user, **_ticked(request)).changed:
            raise Refused("version_conflict", "The selection changed: look at the number again. Nothing was done yet.")
        bulk_running.run_bulk(
            job_id=job_id,
            user=request.user,
            number=whole_number(data.get("number"), "number"),
            selection=data.get("selection", ""),
            reason_code=data.get("reason_code", ""),
            reason=data.get("reason", ""),
            until=snooze_until(data, timezone.now()) if data.get("until") else None,
        )
    except Refused as refused:
        return _run_refused(request, job_id, refused)
    return HttpResponseRedirect(reverse("job", args=[job_id]))


@desk_action
def cancel(request: DeskRequest, job_id: UUID) -> HttpResponse:
    """Discard the preview, or stop what runs."""
    stopped = bulk.cancel_job(job_id=job_id, user=request.user)
    if stopped.detail.get("ran"):
        return HttpResponseRedirect(reverse("job", args=[job_id]))
    return HttpResponseRedirect(reverse("queue"))


@desk_action
def again(request: DeskRequest, job_id: UUID) -> HttpResponse:
    """A new preview of the same items, or of those that were left undone."""
    made = bulk.preview_again(job_id=job_id, user=request.user, checked_at=request.POST.get("checked_at"))
    return HttpResponseRedirect(reverse("job", args=[made.pk]))


@desk_action
def undo(request: DeskRequest, job_id: UUID) -> HttpResponse:
    made = bulk_undoing.undo_bulk(job_id=job_id, user=request.user, reason=request.POST.get("reason", ""))
    return HttpResponseRedirect(reverse("job", args=[made.pk]))


def visible_or_404(user: User, job_id: UUID) -> Job:
    found = jobs.visible_job(user, job_id)
    if found is None:
        raise Http404("There is no such job, or it is somebody else's.")
    return found


def preview_context(request: DeskRequest, found: Job) -> dict[str, Any]:
    """What `bulk.html` reads."""
    now = timezone.now()
    show, after = request.GET.get("show", ""), whole_number(request.GET.get("after"), "after")
    page = job_rows.preview_rows(found, request.user, now, show=show, after=after)
    rows = [{"row": row, "effects": grouped(row.effects), "holder": _holder(row, request.user)} for row in page.rows]
    return bar_context(found) | {
        "mine": found.owner_id == request.user.pk,
        "rows": rows,
        "page": page,
        "show": show,
        "after": after,
        "moved": sum(row.moved for row in page.rows),
        "shown": " ".join(str(row.item.position) for row in page.rows),
        "now": now,
    }


def _holder(row: job_rows.PreviewRow, user: User) -> str:
    """Who else looks at the item right now."""
    held = row.held
    if held is None or held.lease_holder is None or held.lease_holder_id == user.pk:
        return ""
    return held.lease_holder.get_username() if held.leased_at(timezone.now()) else ""


def bar_context(found: Job) -> dict[str, Any]:
    """The part of the preview that changes with the selection: its numbers, its name, its button."""
    now = timezone.now()
    number, selection = bulk_selecting.digest_of(found)
    action = found.detail["action"]
    return {
        "job": found,
        "asked": found.detail,
        "action": action,
        "words": JOBS[action],
        "tally": jobs.tally(found),
        "number": number,
        "selection": selection,
        "reject_codes": codes(tuple(ReasonCode)) if action == Action.REJECT else [],
        "snoozes": snooze_presets(now) if action == Action.SNOOZE else [],
        "tomorrow": timezone.localtime(snooze_presets(now)[0].at),
    }


def progress_context(request: DeskRequest, found: Job) -> dict[str, Any]:
    """What moves while a job runs. `said`: the live region speaks at every quarter, not at every poll."""
    numbers = jobs.tally(found)
    step = numbers.percent // LIVE_STEP if found.detail.get("ran") else 0
    over = jobs.is_over(found)
    said = request.GET.get("step")
    return {
        "job": found,
        "asked": found.detail,
        "mine": found.owner_id == request.user.pk,
        "tally": numbers,
        "over": over,
        "failing": None if over else jobs.failing(found),
        "step": step,
        "speak": request.htmx and (over or said != str(step)),
        "words": JOBS[found.detail["action"]],
        "state": STATUSES[found.status],
        "otherwise": [(OUTCOMES[name], name, numbers.outcomes[name]) for name in OUTCOMES if numbers.outcomes[name]],
        "troubles": job_rows.troubles(found, request.user),
        "handled": job_rows.handled_ids(found) if over else [],
    }


def _results(request: DeskRequest, found: Job) -> dict[str, Any]:
    """What a finished job adds below: every row, and which recalls showed what it did."""
    if not jobs.is_over(found):
        return {}
    after = whole_number(request.GET.get("after"), "after")
    return {
        "results": job_rows.result_rows(found, request.user, show=request.GET.get("show", ""), after=after),
        "show": request.GET.get("show", ""),
        "after": after,
        "recalls": job_rows.recalls_that_showed(found, request.user, timezone.now()),
    }


def _ticked(request: DeskRequest) -> dict[str, list[int]]:
    """Positions on the page, and those of them that are ticked."""
    data = request.POST
    shown = data.get("shown", "").split()
    return {name: _positions(name, texts) for name, texts in (("shown", shown), ("picked", data.getlist("picked")))}


def _positions(field: str, texts: list[str]) -> list[int]:
    found = [whole_number(text, field) for text in texts]
    return [place for place in found if place is not None]


def _back_to(request: DeskRequest, job_id: UUID) -> str:
    query = request.POST.get("here", "")
    known = all(letter.isalnum() or letter in "=&" for letter in query)
    return reverse("job", args=[job_id]) + (f"?{query}" if query and known else "")


def _run_refused(request: DeskRequest, job_id: UUID, refused: Refused) -> HttpResponse:
    """The preview as it is now, with what stands in the way; a job that runs already is simply shown."""
    found = visible_or_404(request.user, job_id)
    if found.status != JobStatus.PREVIEW:
        if found.detail.get("ran"):
            return HttpResponseRedirect(reverse("job", args=[job_id]))
        raise refused
    context = preview_context(request, found) | problem_context(refused) | {"reason": request.POST.get("reason", "")}
    return render(request, "evidence/bulk.html", context, status=refused.status)
