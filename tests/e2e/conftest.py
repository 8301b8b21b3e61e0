"""A signed-in browser on a served desk."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import BrowserContext, Page
from pytest_django.live_server_helper import LiveServer

from evidence.models import User
from tests.services import make

Arrive = Callable[..., Page]


def signed_in(context: BrowserContext, user: User, address: str) -> BrowserContext:
    """Gives the browser the session that a sign-in would have given it."""
    client = Client()
    client.force_login(user)
    value = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": value, "url": address}])
    return context


@pytest.fixture
def reviewer(transactional_db: None) -> User:
    return make.reviewer()


@pytest.fixture
def faults(page: Page) -> Iterator[list[str]]:
    """Whatever the page's console calls an error; a test that meets one fails at its end."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    yield said
    # A refusal is an answer, not a fault; browser and htmx note its status all the same.
    assert [text for text in said if not re.search(r"(status of|Status Error Code) (401|409|422)\b", text)] == []


@pytest.fixture
def arrive(page: Page, live_server: LiveServer, reviewer: User, faults: list[str]) -> Arrive:
    """Opens a page as the reviewer and waits until its claim was answered."""
    signed_in(page.context, reviewer, live_server.url)

    def inner(path: str = "/queue/next/") -> Page:
        page.goto(f"{live_server.url}{path}")
        page.wait_for_load_state("networkidle")
        return page

    return inner


@pytest.fixture
def other_tab(page: Page, arrive: Arrive, live_server: LiveServer) -> Callable[[str], Page]:
    """A second tab of the same person."""

    def inner(path: str) -> Page:
        tab = page.context.new_page()
        tab.goto(f"{live_server.url}{path}")
        tab.wait_for_load_state("networkidle")
        return tab

    return inner
