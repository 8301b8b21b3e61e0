"""The OpenAPI page: Swagger UI from this server's own files and no inline script, so it works offline and under the CSP."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase


class Pages(DocsBase):
    """Renders `templates/api/docs.html`; `static/api/docs.js` reads the address of the description off the page."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        return render(request, "api/docs.html", {"title": api.title, "openapi_url": self.get_openapi_url(api, kwargs)})
