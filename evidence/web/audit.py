"""The audit: decisions and events by time, each with its texts, and the proof that nothing was changed afterwards."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from evidence.models import Decision, User
from evidence.rules.vocab import ActorKind, AuditAction
from evidence.selectors import audit_list
from evidence.selectors.audit_export import receipt_of
from evidence.selectors.audit_list import AuditFilter
from evidence.services.audit_keys import public_keys
from evidence.services.audit_verifying import verify_audit
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
    report = verify_audit(namespace=request.POST.get("ns") or None)
    context = {"report": report, "verified_at": timezone.now(), "broken": report.broken[:50]}
    if request.htmx:
        return render(request, "evidence/parts/_chain.html", context)
    return render(request, "evidence/audit.html", _list_context(request) | context)


@require_safe
@desk_page
def receipt(request: DeskRequest, decision_id: UUID) -> HttpResponse:
    """The whole link with its seal, to keep: with a public key it proves the decision, also without this desk."""
    row = visible_or_404(request.user, decision_id)
    answer = JsonResponse(receipt_of(row), json_dumps_params={"indent": 1, "ensure_ascii": False})
    answer["Content-Disposition"] = f'attachment; filename="receipt-{row.id}.json"'
    return answer


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """The public keys that verify seals, for everybody: a receipt is worth something to who cannot sign in, too."""
    return JsonResponse({"keys": {name: key.hex() for name, key in public_keys().items()}})


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
