"""The list of what waits: one search box whose text is the address, keyset pages, numbers that equal the rows behind them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from evidence.rules.characters import visible
from evidence.rules.vocab import Role
from evidence.selectors.items import roles_of
from evidence.selectors.queue import LONGEST_SEARCH, QueueFilter
from evidence.selectors.queue_list import list_view
from evidence.selectors.queue_rows import ended
from evidence.selectors.saved_views import MOST_VIEWS
from evidence.selectors.suggestions import suggestions
from evidence.services.errors import Refused
from evidence.web import wording
from evidence.web.forms import whole_number
from evidence.web.gates import DeskRequest, desk_page
from evidence.web.searching import HELP, ORDERS, problem_view, tabs_of

MOST_WATCHED = 100


@require_safe
@desk_page
def listing(request: DeskRequest) -> HttpResponse:
    return render(request, "evidence/queue.html", list_context(request, request.GET))


def list_context(request: DeskRequest, given: Mapping[str, str]) -> dict[str, Any]:
    """Everything that `queue.html` reads. `given` is the address, or what a form that was refused carried of it."""
    user, now = request.user, timezone.now()
    wanted = QueueFilter.read(given)
    place = {name: given[name] for name in ("after", "before") if given.get(name)}
    folds = given.get("fold") == "1"
    view = list_view(user, wanted, now, fold=folds, **place)
    return {
        "wanted": wanted,
        "page": view.page,
        "rows": view.rows,
        "first_page": view.is_first,
        "folds": folds,
        "repeats": view.repeats,
        "other_fold": urlencode({**({"q": wanted.q} if wanted.q else {}), **place, **({} if folds else {"fold": "1"})}),
        "order": ORDERS[view.page.order],
        "tabs": tabs_of(wanted, view.counts),
        "views": view.views,
        "saved": next((one for one in view.views if one.wanted == wanted), None),
        "may_save": wanted.narrows and not wanted.problems and len(view.views) < MOST_VIEWS,
        "problems": problem_view(wanted),
        "may_select": Role.REVIEWER in roles_of(user),
        "any_status": None if view.rows else _in_any_status(wanted),
        "help": HELP,
        "now": now,
    }


def _in_any_status(wanted: QueueFilter) -> QueueFilter | None:
    """The same search among decided items too, where it named no status itself."""
    search = wanted.search
    if not search.terms or search.problems or search.of("status"):
        return None
    return QueueFilter(f"{wanted.q} status:any")


@require_safe
@desk_page
def suggest(request: DeskRequest) -> HttpResponse:
    """What may follow at the caret, as options of the list under the search box."""
    text = request.GET.get("q", "")[:LONGEST_SEARCH]
    caret = whole_number(request.GET.get("at"), "at")
    found = suggestions(request.user, text, len(text) if caret is None else caret, timezone.now())
    return render(request, "evidence/queue.html#suggestions", {"suggestions": found})


@require_safe
@desk_page
def rows(request: DeskRequest) -> HttpResponse:
    """Which of the rows on a page wait no more: they turn grey where they stand, and nothing else moves."""
    ids = _ids(request.GET.get("ids", ""))
    found = [
        {
            "id": row.id,
            "word": row.status,
            "said": wording.plain(row.status),
            "shape": wording.SHAPES.get(row.status, ""),
            "by": visible(row.by),
        }
        for row in ended(request.user, ids)
    ]
    return JsonResponse({"ended": found})


def _ids(text: str) -> list[UUID]:
    try:
        ids = [UUID(part) for part in text.split(",") if part]
    except ValueError:
        raise Refused("malformed", "ids are ids of items with commas between them.", field="ids") from None
    if len(ids) > MOST_WATCHED:
        raise Refused("too_large", f"At most {MOST_WATCHED} ids at once.", field="ids")
    return ids


def address_of_list(wanted: QueueFilter) -> str:
    return reverse("queue") + (f"?{wanted.query}" if wanted.narrows else "")
