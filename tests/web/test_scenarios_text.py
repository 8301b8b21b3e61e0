"""Hostile text on every page there is, made from the URLconf: shown for what it is, and inert (scenarios S12, S15)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from django.http import HttpResponse
from django.test import Client

from evidence.models import User
from evidence.rules.vocab import Role
from tests.services import make
from tests.web.conftest import SignIn
from tests.web.whole_desk import WholeDesk, other_addresses, whole_desk

pytestmark = pytest.mark.django_db

HIDDEN = "\u202e\u2066\u200b\u3164\u00ad\ufeff\u2069\U000e0041"
HIDING = f"a{HIDDEN}b\tc"
# One of each way out of where a text stands: an element, an attribute in either quote, the ends of what takes text only.
ACTING = (
    '<zz-out onzz=1> " onzz="1" \' onzz=\'1 </textarea><zz-out> </title><zz-out> </script><zz-out> --><zz-out> '
    "{{ held.pk }} {% now 'Y' %} [x](javascript:zz) ![](https://zz.example/p.png) javascript:zz"
)


class Read(HTMLParser):
    """What a page consists of: elements, attributes, and text outside the controls that hold it to be edited."""

    TYPED = ("value", "data-text")  # to be sent back as they came

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str, str]] = []
        self.texts: list[str] = []
        self._typing = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self._typing = tag == "textarea"

    def handle_endtag(self, tag: str) -> None:
        self._typing = False

    def handle_data(self, data: str) -> None:
        if not self._typing:
            self.texts.append(data)

    def shown(self) -> Iterator[str]:
        yield from self.texts
        yield from (value for _, name, value in self.attributes if name not in self.TYPED)


def pages(whole: WholeDesk, desk: Client, sign_in: SignIn) -> Iterator[tuple[str, HttpResponse]]:
    """Every page for somebody who may see everything, and the admin site; what is refused is a page too."""
    for role in (Role.OWNER, Role.ADMINISTRATOR):
        make.user(whole.reviewer.get_username(), role)
    for _, address in whole.addresses():
        response = desk.get(address)
        # What is saved as a file is shown by no page.
        if not response.get("Content-Disposition", "").startswith("attachment"):
            yield address, response
    root = sign_in(make.user("root", is_staff=True, is_superuser=True))
    for address in other_addresses():
        yield address, root.get(address)


def test_hidden_characters_are_named_on_every_page(desk: Client, reviewer: User, sign_in: SignIn) -> None:
    found: list[str] = []
    for address, response in pages(whole_desk(HIDING, reviewer), desk, sign_in):
        text = response.content.decode()
        is_json = response["Content-Type"] == "application/json"
        shown = [str(json.loads(text))] if is_json else list(Read(text).shown())
        found += [f"{address}: {part.strip()[:80]!a}" for part in shown if set(part) & set(HIDDEN)]
    assert not found, "\n".join(found)


def test_no_text_becomes_part_of_any_page(desk: Client, reviewer: User, sign_in: SignIn) -> None:
    for address, response in pages(whole_desk(ACTING, reviewer), desk, sign_in):
        read = Read(response.content.decode())
        assert "zz-out" not in read.tags, address
        wrong = [
            (tag, name, value)
            for tag, name, value in read.attributes
            if name == "onzz"
            or (name in ("href", "src", "action") and value.startswith(("javascript:", "https://zz.")))
        ]
        assert wrong == [], address
