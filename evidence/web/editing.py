"""Editing a waiting item, a step of its own: what is changed is matched and verified again, and both authors are named."""

from __future__ import annotations

import uuid
from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from evidence.models import HeldRecord
from evidence.rules.vocab import Access, Door, HeldKind, Volatility
from evidence.selectors import items
from evidence.selectors.people import is_reviewer
from evidence.services.actors import Actor
from evidence.services.editing import edit_held
from evidence.services.errors import Refused
from evidence.web import promotions
from evidence.web.cards import grouped
from evidence.web.changes import changed_view
from evidence.web.forms import edited_claim, filter_of, scope_in, whole_number
from evidence.web.gates import DeskRequest, desk_page, headline
from evidence.web.items import address_of, visible_or_404


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def edit(request: DeskRequest, held_id: UUID) -> HttpResponse:
    held = visible_or_404(request.user, held_id)
    if held.kind == HeldKind.PROMOTION_PROPOSAL:
        return promotions.edit(request, held)
    if request.method != "POST":
        return form_page(request, held, shown(held, fill=request.GET.get("fill") == "claim"))
    try:
        edit_held(held_id=held.id, actor=Actor.person(request.user, Door.WEB), **arguments(request.POST, held))
    except Refused as refused:
        return form_page(request, visible_or_404(request.user, held_id), typed(request.POST), refused)
    return HttpResponseRedirect(address_of(held.id, filter_of(request.POST)))


@require_safe
@desk_page
def candidates(request: DeskRequest, held_id: UUID) -> HttpResponse:
    """Records that the item could replace, by words. A fragment for the panel, a page without scripts."""
    held = visible_or_404(request.user, held_id)
    words = request.GET.get("q", "").strip()[:200]
    now = timezone.now()
    found = items.find_replaceable(held, request.user, now, words) if words else []
    context: dict[str, Any] = {"held": held, "found": found, "q": words}
    if request.htmx:
        return render(request, "evidence/parts/_candidates.html", context)
    view = items.item_view(held, request.user, now)
    return render(request, "evidence/supersede.html", context | {"view": view, "key": uuid.uuid4().hex})


@require_safe
@desk_page
def supersede_plan(request: DeskRequest, held_id: UUID) -> HttpResponse:
    """What superseding would do with the records that are ticked now."""
    held = visible_or_404(request.user, held_id)
    chosen = request.GET.getlist("supersedes")[:50]
    made = items.supersede_plan(held, request.user, timezone.now(), chosen) if chosen else None
    effects = grouped(made.effects) if made else []
    return render(request, "evidence/parts/_effects.html", {"effects": effects})


def form_page(
    request: DeskRequest, held: HeldRecord, values: dict[str, Any], refused: Refused | None = None
) -> HttpResponse:
    conflict = refused is not None and refused.status == 409
    context = {
        "held": held,
        "values": values,
        "suggested": items.suggested_claim(held),
        "links": items.links_of(held),
        "refused": None if conflict else refused,
        "headline": headline(refused) if refused else "",
        "changed": changed_view(refused, request.POST.get("seen", "")) if conflict and refused else None,
        "wanted": filter_of(request.POST or request.GET),
        "volatilities": list(Volatility),
        "accesses": list(Access),
        "may_edit": held.is_waiting and is_reviewer(request.user, held.agent_id),
        "key": uuid.uuid4().hex,
    }
    return render(request, "evidence/edit.html", context, status=refused.status if refused else 200)


def shown(held: HeldRecord, *, fill: bool = False) -> dict[str, Any]:
    """The item as it is; `fill` writes the suggested claim into the empty fields, where nothing is stored until it is saved."""
    suggested = items.suggested_claim(held) if fill else None
    claim = suggested.claim if suggested else held.claim
    return {
        "statement": held.statement,
        "claim_subject": claim.subject if claim else "",
        "claim_attribute": claim.attribute if claim else "",
        "claim_value": claim.value if claim else "",
        "is_filled": suggested is not None,
        "volatility": held.volatility,
        "scope_access": held.scope_access,
        "scope_shared_with": ", ".join(held.scope_shared_with),
        "unlink": [],
        "reason": "",
    }


def typed(data: QueryDict) -> dict[str, Any]:
    return data.dict() | {"unlink": data.getlist("unlink")}


def arguments(data: QueryDict, held: HeldRecord) -> dict[str, Any]:
    """The keyword arguments of `edit_held`; a member that was not sent is left alone."""
    wanted: dict[str, Any] = {
        "seen_version": whole_number(data.get("version"), "version"),
        "reason": data.get("reason", ""),
        "unlink": data.getlist("unlink"),
        "idempotency_key": data.get("idempotency_key", "")[:200] or None,
    }
    if "statement" in data:
        wanted["statement"] = data["statement"].replace("\r\n", "\n")
    if "claim_value" in data:
        wanted["claim"] = edited_claim(data)
    if "volatility" in data:
        wanted["volatility"] = data["volatility"]
    if "scope_access" in data:
        wanted["scope"] = scope_in(data, "scope", held.scope_owner, held.scope_project or None)
    return wanted
