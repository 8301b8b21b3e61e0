"""The browser itself: it reaches a served page, and the page breaks no rule of the Content-Security-Policy."""

from __future__ import annotations

from playwright.sync_api import ConsoleMessage, Page, expect
from pytest_django.live_server_helper import LiveServer


def test_the_sign_in_page_breaks_no_rule(page: Page, live_server: LiveServer) -> None:
    said: list[str] = []

    def note(message: ConsoleMessage) -> None:
        said.append(message.text)

    page.on("console", note)
    page.goto(f"{live_server.url}/accounts/login/")
    expect(page.locator("input[name=login]")).to_be_visible()
    assert [text for text in said if "Content Security Policy" in text] == []


def test_a_script_inside_the_page_is_not_run(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server.url}/accounts/login/")
    with page.expect_console_message(lambda message: "Content Security Policy" in message.text):
        page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x: onerror=\"document.title=1\">')")
    assert page.title() != "1"
