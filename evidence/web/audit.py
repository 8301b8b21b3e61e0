"""The audit: decisions and events by time, each with its texts, and the proof that nothing was changed afterwards."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from evidence.models import Decision, User
from evidence.rules.vocab import ActorKind, AuditAction
from evidence.selectors import audit_list
from evidence.selectors.audit import verify_chain
from evidence.selectors.audit_list import AuditFilter
from evidence.web.gates import DeskRequest, desk_action, desk_page


@require_safe
@desk_page
def listing(request: DeskRequest) -> HttpResponse:
    return render(request, "evidence/audit.html", _list_context(request))


@require_safe
@desk_page
def row(request: DeskRequest, decision_id: UUID) -> HttpResponse:
    """One row with what was on the screen; a fragment when it is opened inside the list."""
    view = audit_list.decision_view(visible_or_404(request.user, decision_id), request.user)
    template = "evidence/parts/_audit_row.html" if request.htmx else "evidence/audit_row.html"
    return render(request, template, {"view": view, "row": view.row})


@desk_action
def verify(request: DeskRequest) -> HttpResponse:
    """Walk the chains. A POST because it reads everything there is, not because it changes anything."""
    report = verify_chain(request.POST.get("ns") or None)
    context = {"report": report, "verified_at": timezone.now(), "broken": report.broken[:50]}
    if request.htmx:
        return render(request, "evidence/parts/_chain.html", context)
    return render(request, "evidence/audit.html", _list_context(request) | context)


def visible_or_404(user: User, decision_id: UUID) -> Decision:
    found = audit_list.visible_decision(user, decision_id)
    if found is None:
        raise Http404("There is no such audit row, or you may not see it.")
    return found


def _list_context(request: DeskRequest) -> dict[str, object]:
    wanted = AuditFilter.read(request.GET.dict())
    after = request.GET.get("after", "")
    page = audit_list.listing(request.user, wanted, after=after)
    return {
        "wanted": wanted,
        "page": page,
        "subjects": audit_list.subjects_of(page.rows, request.user),
        "first_page": not after,
        "actions": list(AuditAction),
        "kinds": list(ActorKind),
    }
