"""What every page asks first: who is it, in which time zone, and what a refusal looks like to this kind of request.

An htmx control met by an expired session gets a full-page login with the way back, never a form inside a card (S18).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode, urlsplit
from uuid import UUID
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render, resolve_url
from django.urls import Resolver404, resolve
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST
from django_htmx.middleware import HtmxDetails

from evidence.models import Decision, User
from evidence.models.remembered import one_reading
from evidence.rules.errors import BadInput
from evidence.selectors.audit_list import visible_decision
from evidence.services.errors import Refused

View = Callable[..., HttpResponse]

HEADLINES: dict[int, str | Promise] = {
    400: gettext_lazy("That cannot be read."),
    403: gettext_lazy("Not you."),
    404: gettext_lazy("Not found."),
    413: gettext_lazy("Too long."),
}


class DeskRequest(HttpRequest):
    """A request behind `desk_page`: the person is known."""

    user: User
    htmx: HtmxDetails


class Restored(HtmxDetails):
    """A page that the browser's history asks for through htmx: it is answered like any other page, whole (S19)."""

    def __bool__(self) -> bool:
        return False


def desk_page(view: View) -> View:
    """Signed-in people only, times in their zone, refusals as pages or fragments."""

    @wraps(view)
    def inner(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return to_login(request)
        if request.htmx.history_restore_request:
            request.htmx = Restored(request)
        with timezone.override(zone_of(request.user)):
            try:
                return _answered(view, request, *args, **kwargs)
            except BadInput as bad:
                return problem(request, Refused.of(bad))
            except Refused as refused:
                return problem(request, refused)

    return inner


def _answered(view: View, request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
    """Drawing a page reads what holds for all of it once; an action changes things, and reads as it goes."""
    if request.method not in ("GET", "HEAD"):
        return view(request, *args, **kwargs)
    with one_reading():
        return view(request, *args, **kwargs)


def desk_action(view: View) -> View:
    """As `desk_page`, by POST only: nobody can open its address, so no way back leads there."""
    inner = require_POST(desk_page(view))
    inner.is_action = True  # type: ignore[attr-defined]
    return inner


def zone_of(user: User) -> ZoneInfo:
    try:
        return ZoneInfo(user.time_zone)
    except (KeyError, ValueError, OSError):
        return ZoneInfo("UTC")


def to_login(request: Any) -> HttpResponse:
    """A redirect, or for htmx 401 with the address for the whole page; `next` is the page, never an action's address."""
    address = f"{resolve_url('account_login')}?{urlencode({'next': way_back(request)})}"
    if request.htmx:
        return HttpResponse(status=401, headers={"HX-Redirect": address})
    return HttpResponseRedirect(address)


def way_back(request: Any) -> str:
    if request.htmx:
        return request.htmx.current_url_abs_path or "/"
    if request.method in ("GET", "HEAD"):
        return str(request.get_full_path())
    referer = urlsplit(request.headers.get("Referer", ""))
    if referer.netloc != request.get_host() or not referer.path:
        return "/"
    page = page_at(referer.path)
    return f"{page}?{referer.query}" if referer.query else page


def page_at(path: str) -> str:
    """The page at this address or, where an action's answer stands there, the page that it hangs below."""
    while path != "/":
        try:
            if not getattr(resolve(path).func, "is_action", False):
                break
        except Resolver404:
            pass
        path = path.rstrip("/").rpartition("/")[0] + "/"
    return path


def problem(request: Any, refused: Refused) -> HttpResponse:
    """The refusal where the person looks: beside the action bar for htmx, else a page of its own."""
    context = problem_context(refused)
    if request.htmx:
        response = render(request, "evidence/parts/_problem.html", context, status=refused.status)
        response["HX-Retarget"] = "#problem"
        response["HX-Reswap"] = "innerHTML"
        response["HX-Push-Url"] = "false"
        return response
    return render(request, "evidence/problem.html", context, status=refused.status)


def problem_context(refused: Refused) -> dict[str, Any]:
    """What `_problem.html` reads."""
    field = refused.extra.get("field", "")
    return {"refused": refused, "headline": headline(refused), "status": refused.status, "field": field}


def headline(refused: Refused) -> str:
    if refused.code in ("own_edit", "four_eyes"):
        return _("Another person has to do this.")
    if refused.code == "secret_detected":
        return _("That would store a secret.")
    return str(HEADLINES.get(refused.status) or _("Nothing was decided."))


def csrf_failure(request: Any, reason: str = "") -> HttpResponse:
    """A page that was opened before a login in another tab carries an old token; what was typed stays where it is."""
    detail = "Your session was renewed meanwhile. Reload the page: what you typed is kept."
    return problem(request, Refused("right_missing", detail))


def named_decision(request: DeskRequest) -> Decision | None:
    """The decision that led here (`?done=`), for those without scripts; only one's own."""
    try:
        named = UUID(request.GET.get("done", ""))
    except ValueError:
        return None
    found = visible_decision(request.user, named)
    return found if found is not None and found.actor_id == str(request.user.pk) else None
