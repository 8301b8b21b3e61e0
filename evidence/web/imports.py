"""Imports: sending a file, looking at what it would do, carrying it out, and the reports of all of them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from evidence.exchange.csv_rows import guarded
from evidence.exchange.registry import FORMATS
from evidence.models import Job, JobItem
from evidence.rules.bulk import WORKING, JobStatus
from evidence.selectors import imports as reads
from evidence.services import import_uploads
from evidence.services.errors import Refused
from evidence.web.gates import DeskRequest, desk_action, desk_page, problem_context
from evidence.web.job_words import STATUSES

LIVE_STEP = 10_000
_COLUMNS = ("position", "place", "outcome", "code", "detail", "result")

OUTCOMES: Mapping[str, str | Promise] = {
    "created": _("created"),
    "changed": _("new version"),
    "unchanged": _("unchanged"),
    "held": _("waiting for a person"),
    "refused": _("refused"),
}
# What becomes of entries, in a rehearsal.
WOULD: Mapping[str, str | Promise] = {
    "created": _("would be created"),
    "changed": _("would be a new version"),
    "unchanged": _("unchanged"),
    "held": _("would wait for a person"),
    "refused": _("would be refused"),
}


@require_safe
@desk_page
def listing(request: DeskRequest) -> HttpResponse:
    readers_only(request)
    return _listing(request)


@desk_action
def upload(request: DeskRequest) -> HttpResponse:
    """Keep what was sent and look at it. A refusal leaves the choices as they were."""
    try:
        job = _received(request)
    except Refused as refused:
        readers_only(request)
        return _listing(request, refused)
    return HttpResponseRedirect(reverse("import", args=[job.pk]))


def _received(request: DeskRequest) -> Job:
    sent = request.FILES.get("file")
    if sent is None and getattr(request, "upload_refused", False):
        raise import_uploads.too_large()
    return import_uploads.receive(
        user=request.user, name=(sent.name if sent else "") or "", blocks=sent.chunks() if sent else (),
        format_name=request.POST.get("format", ""), namespace=request.POST.get("namespace", ""),
    )  # fmt: skip


@require_safe
@desk_page
def report(request: DeskRequest, import_id: UUID) -> HttpResponse:
    """One import: how far it is, what it did or would do, and its lines; a poll gets only what moves."""
    job = visible_or_404(request, import_id)
    context = _progress(request, job)
    if request.htmx and job.status in WORKING:
        return render(request, "evidence/import.html#progress", context)
    if request.htmx:
        return HttpResponse(headers={"HX-Refresh": "true"})  # it is over: the lines are there now
    outcome = request.GET.get("show", "")
    if outcome not in ("", "said", *reads.OUTCOMES):
        outcome = ""
    after = request.GET.get("after", "")
    page = reads.lines(job, outcome=outcome, after=after) if job.status not in WORKING else None
    context |= {
        "page": page,
        "show": outcome,
        "after": after,
        "rows": [_row(job, line) for line in page.rows] if page else [],
    }
    return render(request, "evidence/import.html", context)


@desk_action
def carry_out(request: DeskRequest, import_id: UUID) -> HttpResponse:
    visible_or_404(request, import_id)
    import_uploads.carry_out(job_id=import_id, user=request.user)
    return HttpResponseRedirect(reverse("import", args=[import_id]))


@desk_action
def cancel(request: DeskRequest, import_id: UUID) -> HttpResponse:
    visible_or_404(request, import_id)
    import_uploads.cancel_import(job_id=import_id, user=request.user)
    return HttpResponseRedirect(reverse("import", args=[import_id]))


@require_safe
@desk_page
def download(request: DeskRequest, import_id: UUID, form: str) -> StreamingHttpResponse:
    """The whole report, line by line as it is read; in a table no cell is a formula."""
    job = visible_or_404(request, import_id)
    if form not in _FORMS:
        raise Http404("There is no such form of a report.")
    content_type, write = _FORMS[form]
    answer = StreamingHttpResponse(write(reads.every_line(job)), content_type=content_type)
    answer["Content-Disposition"] = f'attachment; filename="import-{job.id}.{form}"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


def visible_or_404(request: DeskRequest, import_id: UUID) -> Job:
    readers_only(request)
    job = reads.import_job(import_id)
    if job is None:
        raise Http404("There is no such import.")
    return job


def readers_only(request: DeskRequest) -> None:
    if not reads.may_read_imports(request.user):
        raise Refused("right_missing", "Imports are for administrators and auditors.")


def _listing(request: DeskRequest, refused: Refused | None = None) -> HttpResponse:
    after = request.GET.get("after", "")
    page = reads.imports(after=after)
    context: dict[str, Any] = {
        "page": page,
        "first_page": not after,
        "rows": [_summary(job) for job in page.rows],
        "may_import": reads.may_import(request.user),
        "formats": list(FORMATS.values()),
        "typed": request.POST if refused else {},
        "most": settings.IMPORT_UPLOAD_MAX // 1024**2,
    }
    if refused is not None:
        context |= problem_context(refused)
    return render(request, "evidence/imports.html", context, status=refused.status if refused else 200)


def _summary(job: Job) -> dict[str, Any]:
    return {
        "job": job,
        "asked": job.detail,
        "state": STATUSES.get(job.status, job.status),
        "numbers": _numbers(job, {name: int(job.detail.get(name) or 0) for name in reads.OUTCOMES}),
    }


def _numbers(job: Job, counts: Mapping[str, int]) -> list[tuple[str, int, str | Promise]]:
    words = WOULD if job.detail.get("dry_run") else OUTCOMES
    return [(name, counts[name], words[name]) for name in reads.OUTCOMES if counts.get(name)]


def _progress(request: DeskRequest, job: Job) -> dict[str, Any]:
    found = reads.progress(job)
    works = job.status in WORKING
    expected = int((job.detail.get("rehearsed") or {}).get("read") or 0)
    step = found.read // LIVE_STEP
    may = reads.may_import(request.user) and bool(job.detail.get("file"))
    return {
        "job": job,
        "asked": job.detail,
        "found": found,
        "numbers": _numbers(job, found.counts),
        "works": works,
        "expected": expected,
        "state": STATUSES.get(job.status, job.status),
        "may_carry_out": may and job.status == JobStatus.PREVIEW,
        "may_cancel": may and (works or job.status == JobStatus.PREVIEW),
        "to_store": sum(found.counts.get(name, 0) for name in ("created", "changed", "held")),
        "step": step,
        "speak": request.htmx and request.GET.get("step") != str(step),
    }


def _row(job: Job, line: JobItem) -> dict[str, Any]:
    """A line, with the address of what it became; what a rehearsal made is nowhere."""
    kind, _colon, target = line.result_id.partition(":")
    rehearsed = bool(job.detail.get("dry_run")) and line.outcome != "unchanged"
    is_there = bool(target) and kind in _PAGES and not rehearsed
    return {
        "line": line,
        "address": reverse(_PAGES[kind], args=[target]) if is_there else "",
        "word": (WOULD if rehearsed else OUTCOMES).get(line.outcome, line.outcome),
        "number": line.position + 1,
    }


_PAGES = {"record": "record", "held": "item", "inquiry": "inquiry", "run": "run"}


def _cells(line: JobItem) -> tuple[object, ...]:
    return (line.position + 1, line.subject, line.outcome, line.code, line.detail, line.result_id)


def _jsonl(lines: Iterable[JobItem]) -> Iterator[str]:
    for line in lines:
        yield json.dumps(dict(zip(_COLUMNS, _cells(line), strict=True)), ensure_ascii=False) + "\n"


def _csv(lines: Iterable[JobItem]) -> Iterator[str]:
    kept = io.StringIO()
    table = csv.writer(kept)
    yield "\ufeff"
    table.writerow(_COLUMNS)
    for line in lines:
        table.writerow([guarded(str(cell)) for cell in _cells(line)])
        yield kept.getvalue()
        kept.seek(0)
        kept.truncate()
    yield kept.getvalue()


_FORMS: Mapping[str, tuple[str, Any]] = {
    "jsonl": ("application/x-ndjson; charset=utf-8", _jsonl),
    "csv": ("text/csv; charset=utf-8", _csv),
}
