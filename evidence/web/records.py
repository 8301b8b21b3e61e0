"""Records: lists by kind, one record with its life, and the re-check by those who may."""

from __future__ import annotations

import uuid

from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from evidence.models import Evidence
from evidence.rules.vocab import Door, Kind, Label, State
from evidence.selectors import records
from evidence.selectors.feedback import last_words, said_of
from evidence.selectors.home import agents_seen
from evidence.selectors.imports import foreign_of
from evidence.selectors.people import recheck_verdict
from evidence.selectors.rechecks import due_of, filled
from evidence.selectors.records import RecordFilter
from evidence.selectors.runs import gone_of, uses_of
from evidence.services.actors import Actor
from evidence.services.errors import Refused
from evidence.services.recheck_changes import propose_change
from evidence.services.records import recheck_record, revoke_record
from evidence.web.forms import snooze_presets, whole_number
from evidence.web.gates import DeskRequest, desk_action, desk_page, headline, problem_context


@require_safe
@desk_page
def listing(request: DeskRequest) -> HttpResponse:
    now = timezone.now()
    wanted = RecordFilter.read(request.GET.dict())
    page = records.listing(request.user, wanted, now, after=request.GET.get("after", ""))
    context = {
        "wanted": wanted,
        "page": page,
        "rows": [records.labelled(row, now) for row in page.rows],
        "first_page": not request.GET.get("after"),
        "kind_counts": records.kind_counts(request.user),
        "agents": agents_seen(request.user),
        "choices": {"state": list(State), "label": list(Label)},
    }
    return render(request, "evidence/records.html", context)


@require_safe
@desk_page
def record(request: DeskRequest, record_id: str) -> HttpResponse:
    return record_page(request, visible_or_404(request, record_id))


@desk_action
def recheck(request: DeskRequest, record_id: str) -> HttpResponse:
    """“Still true, checked now.”"""
    row = visible_or_404(request, record_id)
    try:
        recheck_record(record_pk=row.pk, actor=Actor.person(request.user, Door.WEB), **_arguments(request))
    except Refused as refused:
        return record_page(request, visible_or_404(request, record_id), refused)
    return HttpResponseRedirect(address_of(row))


@desk_action
def revoke(request: DeskRequest, record_id: str) -> HttpResponse:
    """“No longer true.”"""
    row = visible_or_404(request, record_id)
    try:
        revoke_record(record_pk=row.pk, actor=Actor.person(request.user, Door.WEB), **_arguments(request))
    except Refused as refused:
        return record_page(request, visible_or_404(request, record_id), refused)
    return HttpResponseRedirect(address_of(row))


@desk_page
def change(request: DeskRequest, record_id: str) -> HttpResponse:
    """“It is now …”: a proposal with another value, from the owner; a reviewer decides it."""
    row = visible_or_404(request, record_id)
    if request.method != "POST" and recheck_verdict(request.user, row.scope_owner).refusal is not None:
        raise Http404("Only its owner says what is true now.")
    if row.kind != Kind.FACT or row.state != State.ACTIVE:
        return HttpResponseRedirect(address_of(row))
    if request.method != "POST":
        return change_page(request, row)
    try:
        version = whole_number(request.POST.get("version"), "version")
        held = propose_change(
            record_pk=row.pk, seen_version=version, value=request.POST.get("value", ""),
            method=request.POST.get("method", ""), actor=Actor.person(request.user, Door.WEB),
        )  # fmt: skip
    except Refused as refused:
        if refused.status == 403:
            raise
        return change_page(request, row, refused)
    return HttpResponseRedirect(reverse("item", args=[held.id]))


def change_page(request: DeskRequest, row: Evidence, refused: Refused | None = None) -> HttpResponse:
    context = {"row": row, "typed": request.POST} | (problem_context(refused) if refused else {})
    return render(request, "evidence/record_change.html", context, status=refused.status if refused else 200)


def visible_or_404(request: DeskRequest, record_id: str) -> Evidence:
    namespace = request.POST.get("ns", "") or request.GET.get("ns", "")
    row = records.find_record(request.user, record_id, namespace)
    if row is None:
        raise Http404("There is no such record, or you may not see it.")
    return row


def address_of(row: Evidence) -> str:
    return f"{reverse('record', args=[row.record_id])}?{urlencode({'ns': row.namespace})}"


def record_page(request: DeskRequest, row: Evidence, refused: Refused | None = None) -> HttpResponse:
    user, now = request.user, timezone.now()
    may = recheck_verdict(user, row.scope_owner).refusal is None and row.state == State.ACTIVE
    context = {
        "row": row,
        "view": records.record_view(row, user, now),
        "due": filled([due_of(row, now)], user, now)[0],
        "presets": snooze_presets(now),
        "said": said_of(row),
        "words": last_words(row, user),
        "foreign": foreign_of(row.namespace, "record", row.record_id),
        "uses": uses_of(row, user),
        "gone": gone_of(row),
        "may_act": may,
        "may_recheck": may and row.kind == Kind.FACT,
        "refused": refused,
        "headline": headline(refused) if refused else "",
        "typed": request.POST,
        "key": uuid.uuid4().hex,
    }
    return render(request, "evidence/record.html", context, status=refused.status if refused else 200)


def _arguments(request: DeskRequest) -> dict[str, object]:
    return {
        "seen_version": whole_number(request.POST.get("version"), "version"),
        "reason": request.POST.get("reason", ""),
        "idempotency_key": request.POST.get("idempotency_key", "")[:200] or None,
    }
