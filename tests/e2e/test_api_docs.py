"""The API pages in a real browser: drawn under the content security policy, from this server alone."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer


def test_the_api_pages_are_drawn_from_this_server_and_break_no_policy(live_server: LiveServer, page: Page) -> None:
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on(
        "console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{live_server.url}/api/v1/docs")
    expect(page.locator(".opblock-summary-path").filter(has_text="recall").first).to_be_visible()
    page.locator("#operations-Recall-recall .opblock-summary-control").click()
    expect(page.locator("#operations-Recall-recall .opblock-body")).to_be_visible()
    assert complaints == []
    assert {url.split("/", 3)[2] for url in asked if not url.startswith("data:")} == {live_server.url.split("/")[2]}
