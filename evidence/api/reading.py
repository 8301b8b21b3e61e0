"""`browse`, `stats`, `export`, `context`: an agent looks around in what it may read, behind the same walls as recall."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from ninja import Query, Router

from evidence.api.auth import AgentToken, token_of
from evidence.api.shapes import errors
from evidence.rules.vocab import Right
from evidence.selectors.answer_shapes import ContextAnswer, ExportAnswer, Listing, StatsAnswer
from evidence.selectors.reading import browse_json, context_json, export_json, stats_json
from evidence.services.compiling import compile_context, look_around
from evidence.services.tool_shapes import BrowseShape, ContextShape, ExportShape

router = Router(tags=["Recall"])
READ_ERRORS = errors(400, 401, 403, 422)
MARKDOWN = "text/markdown"
# Two media types for one answer: what ninja describes is the JSON.
_AS_TEXT = {"responses": {200: {"content": {MARKDOWN: {"schema": {"type": "string"}}}}}}


@router.get(
    "browse",
    auth=AgentToken(Right.RECALL),
    response={200: Listing, **READ_ERRORS},
    operation_id="browse",
    summary="What there is to read",
)
def get_browse(request: HttpRequest, asked: Annotated[BrowseShape, Query()]) -> HttpResponse:
    """Facts, articles and observations that you may read, newest first."""
    page = look_around(token=token_of(request), look=asked.to_look(), mode="browse", now=timezone.now())
    return JsonResponse(browse_json(page))


@router.get(
    "stats",
    auth=AgentToken(Right.RECALL),
    response={200: StatsAnswer, **errors(401, 403)},
    operation_id="stats",
    summary="How much there is to read",
)
def get_stats(request: HttpRequest) -> HttpResponse:
    """Counts of what you may read, by kind and by label; nothing else is counted."""
    return JsonResponse(stats_json(token_of(request), timezone.now()))


@router.get(
    "export",
    auth=AgentToken(Right.RECALL),
    response={200: ExportAnswer, **READ_ERRORS},
    operation_id="export",
    summary="Take along what you may read",
)
def get_export(request: HttpRequest, asked: Annotated[ExportShape, Query()]) -> HttpResponse:
    """Page by page, with ids and labels. As Markdown: in the member `markdown`, each record a line."""
    token, now = token_of(request), timezone.now()
    page = look_around(token=token, look=asked.to_look(), mode="export", now=now)
    return JsonResponse(export_json(token, page, now, markdown=asked.format == "markdown"))


@router.get(
    "context",
    auth=AgentToken(Right.RECALL),
    response={200: ContextAnswer, **READ_ERRORS},
    operation_id="context",
    summary="What to know at the start, or for a task",
    openapi_extra=_AS_TEXT,
)
def get_context(request: HttpRequest, asked: Annotated[ContextShape, Query()]) -> HttpResponse:
    """A compiled view within a budget of characters, as JSON or (`format=markdown`) as text. Each line has its record's id and
    label; a stale one says that it has to be looked at again.
    """
    compiled = compile_context(
        token=token_of(request), kind=asked.kind, query=asked.query, budget=asked.budget, now=timezone.now()
    )
    if asked.format == "markdown":
        return HttpResponse(compiled.markdown, content_type=f"{MARKDOWN}; charset=utf-8")
    return JsonResponse(context_json(compiled))
