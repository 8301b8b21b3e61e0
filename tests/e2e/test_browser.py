"""The browser itself: it reaches a served page, and the page breaks no rule of the Content-Security-Policy."""

from __future__ import annotations

from playwright.sync_api import ConsoleMessage, Page, expect
from pytest_django.live_server_helper import LiveServer


def test_the_sign_in_page_breaks_no_rule(page: Page, live_server: LiveServer) -> None:
    complaints: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            complaints.append(message.text)

    page.on("console", note)
    page.goto(f"{live_server.url}/accounts/login/")
    expect(page.locator("input[name=login]")).to_be_visible()
    assert complaints == []
