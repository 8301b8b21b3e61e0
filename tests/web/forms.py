"""Forms as a browser would send them: read out of the page that was rendered, never made up."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from django.http import HttpResponse
from django.test import Client

HTMX = {"HTTP_HX_REQUEST": "true"}


class _Forms(HTMLParser):
    """Collects each form's hidden fields, by the form's `action` attribute and its hidden `action` field."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[dict[str, Any]] = []
        self._open: dict[str, Any] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self._open = {"to": given.get("action", ""), "fields": {}}
            self.forms.append(self._open)
        elif tag == "input" and self._open is not None and given.get("type") == "hidden":
            self._open["fields"][given.get("name", "")] = given.get("value") or ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None


def forms_of(response: HttpResponse) -> list[dict[str, Any]]:
    parser = _Forms()
    parser.feed(response.content.decode())
    return parser.forms


def form_for(response: HttpResponse, action: str) -> tuple[str, dict[str, str]]:
    """Address and hidden fields of the decision form for an action ("approve", "reject" …)."""
    for form in forms_of(response):
        if form["fields"].get("action") == action:
            return form["to"], dict(form["fields"])
    raise AssertionError(f"no form for {action} on the page")


def send(client: Client, page: HttpResponse, action: str, *, htmx: bool = True, **fields: Any) -> HttpResponse:
    """Fill the form for an action in and send it."""
    address, hidden = form_for(page, action)
    return client.post(address, hidden | fields, **(HTMX if htmx else {}))
