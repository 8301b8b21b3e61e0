"""Editing the article of a proposal: title, place, text; bringing it onto the version that stands now; looking first.

Saving is `edit_held`. The two other buttons only show the page again with what was typed; they store nothing.
"""

from __future__ import annotations

import uuid
from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from evidence.models import HeldRecord
from evidence.rules.merging import merge
from evidence.rules.sources import FOLDERS, source_name
from evidence.rules.vocab import Door
from evidence.selectors.people import is_reviewer
from evidence.selectors.planning import current_article
from evidence.services.actors import Actor
from evidence.services.editing import edit_held
from evidence.services.errors import Refused
from evidence.services.promoting import propose_for_article
from evidence.services.promotion_edits import ArticleEdit, content_of
from evidence.services.texts import CONTENT_MAX
from evidence.web.article_views import compared, differ, parts_of, proposal_view
from evidence.web.changes import changed_view
from evidence.web.forms import edited_claim, filter_of, whole_number
from evidence.web.gates import DeskRequest, desk_action, headline
from evidence.web.items import address_of, visible_or_404
from evidence.web.markdown import render as rendered


def edit(request: DeskRequest, held: HeldRecord) -> HttpResponse:
    """The edit page of an article proposal; `editing.edit` comes here."""
    if request.method != "POST":
        return form_page(request, held, stored(held, onto=request.GET.get("onto") == "current"))
    values = typed(request.POST)
    if "look" in request.POST:
        return form_page(request, held, values, looked=True)
    if "bring" in request.POST:
        return form_page(request, held, brought(held, values))
    try:
        edit_held(held_id=held.id, actor=Actor.person(request.user, Door.WEB), **arguments(request.POST, held))
    except Refused as refused:
        return form_page(request, visible_or_404(request.user, held.id), values, refused=refused)
    return HttpResponseRedirect(address_of(held.id, filter_of(request.POST)))


def form_page(
    request: DeskRequest, held: HeldRecord, values: dict[str, Any], *, looked: bool = False,
    refused: Refused | None = None,
) -> HttpResponse:  # fmt: skip
    now = timezone.now()
    conflict = refused is not None and refused.status == 409
    article = proposal_view(held, request.user, now)
    current = current_article(held.namespace, held.promotion.target_source)
    behind = values["onto"] != (current.source_version if current else "")
    preview_changes = compared(held.promotion.content, values["content"][:CONTENT_MAX]) if looked else []
    context = {
        "held": held,
        "values": values,
        "article": article,
        "behind": behind and not article.gone,
        # What was typed against what stands now, in the three-way view, where the article moved under the writer's hands.
        "typed_three_way": parts_of(_onto(held, values)) if conflict and behind and current else [],
        "looked": looked,
        "preview": rendered(values["content"][:CONTENT_MAX], 2) if looked else None,
        "preview_changes": preview_changes,
        "preview_differs": differ(preview_changes),
        "folders": FOLDERS,
        "owner": source_name(held.promotion.target_source).owner,
        "refused": None if conflict else refused,
        "headline": headline(refused) if refused else "",
        "changed": changed_view(refused, request.POST.get("seen", "")) if conflict and refused else None,
        "wanted": filter_of(request.POST or request.GET),
        "may_edit": held.is_waiting and is_reviewer(request.user, held.agent_id),
        "key": uuid.uuid4().hex,
    }
    return render(request, "evidence/article_edit.html", context, status=refused.status if refused else 200)


def stored(held: HeldRecord, *, onto: bool = False) -> dict[str, Any]:
    """The proposal as it is; `onto`: its text on the version that stands now, where nothing is stored until it is saved."""
    row, claim = held.promotion, held.claim
    folder, _, path = source_name(row.target_source).rest.partition("/")
    values = {
        "title": row.title,
        "folder": folder,
        "path": path,
        "content": row.content,
        "statement": held.statement,
        "claim_subject": claim.subject if claim else "",
        "claim_attribute": claim.attribute if claim else "",
        "claim_value": claim.value if claim else "",
        "onto": row.base_version,
        "reason": "",
    }
    return brought(held, values) if onto else values


def typed(data: QueryDict) -> dict[str, Any]:
    names = (
        "title",
        "folder",
        "path",
        "statement",
        "claim_subject",
        "claim_attribute",
        "claim_value",
        "onto",
        "reason",
    )
    return {name: data.get(name, "") for name in names} | {"content": data.get("content", "").replace("\r\n", "\n")}


def brought(held: HeldRecord, values: dict[str, Any]) -> dict[str, Any]:
    """What is in the fields, on the article as it stands now; conflicts are marked in the text."""
    current = current_article(held.namespace, held.promotion.target_source)
    made = _onto(held, values)
    words = gettext("Brought onto the version that stands now.")
    return values | {
        "content": made.text + "\n",
        "onto": current.source_version if current else "",
        "conflicts": made.conflicts,
        "is_brought": True,
        "reason": values["reason"] or words,
    }


def _onto(held: HeldRecord, values: dict[str, Any]) -> Any:
    target = held.promotion.target_source
    current = current_article(held.namespace, target)
    onto = current.content if current else ""
    # Without the version that it was written against, whatever differs is for the person to sort out.
    base = content_of(held.namespace, target, values["onto"]) if values["onto"] else ""
    return merge(base or "", onto, values["content"][:CONTENT_MAX])


def arguments(data: QueryDict, held: HeldRecord) -> dict[str, Any]:
    """The keyword arguments of `edit_held`; a member that was not sent is left alone."""
    path = f"{data['folder']}/{data.get('path', '').strip()}" if "folder" in data else None
    unchanged = path == source_name(held.promotion.target_source).rest
    content = str(data["content"]).replace("\r\n", "\n") if "content" in data else None
    wanted: dict[str, Any] = {
        "seen_version": whole_number(data.get("version"), "version"),
        "reason": data.get("reason", ""),
        "idempotency_key": data.get("idempotency_key", "")[:200] or None,
        "article": ArticleEdit(
            title=data.get("title"),
            path=None if unchanged else path,
            content=content,
            onto=data.get("onto") if unchanged or path is None else None,
        ),
    }
    if "statement" in data:
        wanted["statement"] = data["statement"].replace("\r\n", "\n")
    if "claim_value" in data:
        wanted["claim"] = edited_claim(data)
    return wanted


@desk_action
def propose(request: DeskRequest, held_id: UUID) -> HttpResponse:
    """What a reviewed article stands against becomes a proposal for its text; the next page is where it is written."""
    held = visible_or_404(request.user, held_id)
    version = whole_number(request.POST.get("version"), "version")
    made = propose_for_article(held_id=held.id, seen_version=version, actor=Actor.person(request.user, Door.WEB))
    return HttpResponseRedirect(reverse("edit", args=[made.pk]))
