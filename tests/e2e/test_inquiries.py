"""Answering questions in a real browser: by keyboard, with the plan that follows, beside somebody who is faster."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from evidence.models import Evidence, Inquiry, User
from tests.e2e.conftest import signed_in
from tests.e2e.test_reviewing import read
from tests.services import disputes, make


@pytest.fixture
def owner(transactional_db: None) -> User:
    return disputes.owner()


@pytest.fixture
def desk(page: Page, live_server: LiveServer, owner: User, faults: list[str]) -> Page:
    signed_in(page.context, owner, live_server.url)
    return page


def look(page: Page, live_server: LiveServer, question: Inquiry) -> None:
    page.goto(f"{live_server.url}/inquiries/{question.pk}/")
    page.wait_for_load_state("networkidle")


def digit_of(page: Page, word: str) -> str:
    return str(page.locator(f"input[name=answer][value={word}]").get_attribute("data-key"))


def test_a_question_is_answered_by_keyboard_and_the_next_one_comes(desk: Page, live_server: LiveServer) -> None:
    first, second = disputes.by_proposal(), disputes.supersession()
    look(desk, live_server, first)
    desk.keyboard.press(digit_of(desk, "other_value"))
    expect(desk.locator("input[value=other_value]")).to_be_checked()
    desk.locator("#value").fill("on hold")
    desk.locator("#reason").fill("They called.")
    # The plan follows what was typed, before anything is pressed.
    expect(desk.locator("#plan-other_value")).to_contain_text("“on hold” becomes the fact")
    assert Evidence.objects.active().get(claim_value="active").check_confirmed_by == ""
    desk.locator("h1").focus()
    desk.keyboard.press("a")
    expect(desk.locator("#card")).to_have_attribute("data-item", str(second.pk))
    assert desk.url.endswith(f"/inquiries/{second.pk}/")
    expect(desk.locator(".toast")).to_contain_text("Another value")
    expect(desk.locator("#reason")).to_have_value("")
    assert desk.evaluate("document.activeElement.matches('#card [data-focus]')")
    assert Evidence.objects.active().filter(claim_value="on hold").exists()
    desk.keyboard.press("u")
    desk.wait_for_url(f"**/inquiries/{first.pk}/")
    expect(desk.locator("form input[name=answer]").first).to_be_visible()
    first.refresh_from_db()
    assert first.status == "open"
    desk.wait_for_load_state("networkidle")
    desk.keyboard.press("j")
    desk.wait_for_url(f"**/inquiries/{second.pk}/")
    desk.wait_for_load_state("networkidle")
    desk.keyboard.press("k")
    desk.wait_for_url(f"**/inquiries/{first.pk}/")


def test_no_key_answers_while_somebody_types(desk: Page, live_server: LiveServer) -> None:
    question = disputes.by_proposal()
    look(desk, live_server, question)
    desk.locator("#reason").focus()
    desk.keyboard.type("a1a2a3")
    expect(desk.locator("input[name=answer]:checked")).to_have_count(0)
    expect(desk.locator("#reason")).to_have_value("a1a2a3")
    question.refresh_from_db()
    assert question.status == "open"
    # Nothing chosen: the browser says so, and nothing is sent.
    desk.locator("h1").focus()
    desk.keyboard.press("a")
    question.refresh_from_db()
    assert question.status == "open"


def test_what_is_typed_survives_a_reload_and_a_conflict(desk: Page, live_server: LiveServer) -> None:
    question = disputes.by_proposal()
    look(desk, live_server, question)
    desk.locator("#reason").fill("I had typed this.")
    desk.reload()
    desk.wait_for_load_state("networkidle")
    expect(desk.locator("#reason")).to_have_value("I had typed this.")
    make.proposal(make.agent("sales-agent"), "They say it is past due.", claim=make.claim(), volatility="billing")
    desk.keyboard.press(digit_of(desk, "incoming"))
    desk.get_by_role("button", name="Answer").click()
    changed = desk.locator(".changed")
    expect(changed).to_be_visible()
    expect(changed).to_contain_text("look at the new plan")
    expect(desk.locator("#plan-incoming")).to_contain_text("Closes the equal proposal of")
    expect(desk.locator("#reason")).to_have_value("I had typed this.")
    expect(desk.locator("input[value=incoming]")).to_be_checked()
    read(desk)
    desk.get_by_role("button", name="Answer").click()
    expect(desk.locator(".toast")).to_contain_text("The new value is true")
    expect(desk.locator("#card .notice.good")).to_contain_text("The new value is true")
    question.refresh_from_db()
    assert question.status == "answered"
    assert desk.evaluate("Object.keys(sessionStorage).filter(name => name.startsWith('draft:')).length") == 0


def test_it_works_without_scripts(browser: Browser, live_server: LiveServer, owner: User) -> None:
    question = disputes.by_proposal()
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 800})
    try:
        page: Any = signed_in(context, owner, live_server.url).new_page()
        page.goto(f"{live_server.url}/inquiries/{question.pk}/")
        # Nothing sticks out of a narrow screen.
        assert page.locator("#card").bounding_box()["width"] <= 390
        page.locator("input[value=both_time]").check()
        page.locator("[name=current_until]").fill("2026-11-01")
        page.locator("[name=incoming_from]").fill("2026-11-01")
        page.get_by_role("button", name="Answer").click()
        expect(page.locator(".toast")).to_contain_text("Both, at different times")
        page.locator(".toast").get_by_role("button", name="Undo").click()
        expect(page.locator("input[value=both_time]")).to_be_visible()
    finally:
        context.close()
