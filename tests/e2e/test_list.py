"""The list in a browser: suggestions by keyboard, rows that end in place, keys, and the whole of it without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from evidence.models import HeldRecord, User
from evidence.rules.vocab import Action
from tests.e2e.conftest import Arrive, signed_in
from tests.e2e.test_looks import violations
from tests.services import make


@pytest.fixture
def list_page(arrive: Arrive) -> Callable[..., Page]:
    def inner(query: str = "") -> Page:
        return arrive(f"/queue/{query}")

    return inner


def three(names: str = "abc") -> list[HeldRecord]:
    return [make.proposal(statement=f"Fact number {name}.") for name in names]


def test_a_search_is_written_by_keyboard_with_suggestions(list_page: Callable[..., Page]) -> None:
    make.proposal(statement="Backups run at two.", **make.risky("Backups run at two."))
    make.proposal(statement="The lighthouse is dark.")
    page = list_page()
    page.keyboard.press("/")
    box = page.get_by_role("combobox", name="Search the queue")
    expect(box).to_be_focused()
    expect(box).to_have_attribute("aria-expanded", "false")
    page.keyboard.type("ris")
    options = page.get_by_role("option")
    expect(options).to_have_count(1)
    expect(box).to_have_attribute("aria-expanded", "true")
    assert violations(page) == []
    page.keyboard.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    expect(box).to_have_attribute("aria-activedescendant", "suggestion-1")
    page.keyboard.press("Enter")
    expect(box).to_have_value("risk:")
    expect(options).to_have_count(3)
    expect(options.first).to_contain_text("high")
    expect(options.first.locator(".count")).to_have_text("1")
    page.keyboard.press("ArrowUp")
    expect(options.last).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    expect(box).not_to_have_attribute("aria-activedescendant", re.compile("."))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(box).to_have_value("risk:high ")
    expect(page.get_by_role("listbox")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/queue/\?q=risk%3Ahigh"))
    expect(page.locator("[data-row]")).to_have_count(1)


def test_escape_closes_the_suggestions_and_keeps_what_was_typed(list_page: Callable[..., Page]) -> None:
    page = list_page()
    box = page.get_by_label("Search the queue")
    box.fill("ag")
    expect(page.get_by_role("option")).to_have_count(2)
    box.press("Escape")
    expect(page.get_by_role("listbox")).to_be_hidden()
    expect(box).to_have_value("ag")
    box.press("ArrowDown")
    expect(page.get_by_role("option")).to_have_count(2)
    box.press("Tab")
    expect(page.get_by_role("listbox")).to_be_hidden()


def test_a_suggestion_is_taken_by_pointer_at_the_caret(list_page: Callable[..., Page]) -> None:
    page = list_page()
    box = page.get_by_label("Search the queue")
    box.fill("status:rej light")
    box.evaluate("box => { box.setSelectionRange(10, 10); box.dispatchEvent(new Event('input', {bubbles: true})); }")
    page.get_by_role("option").first.click()
    expect(box).to_have_value("status:rejected light")
    expect(box).to_be_focused()


def test_keys_typed_into_the_box_decide_and_move_nothing(list_page: Callable[..., Page]) -> None:
    three()
    page = list_page()
    page.get_by_label("Search the queue").press_sequentially("jkoxa?")
    expect(page.get_by_label("Search the queue")).to_have_value("jkoxa?")
    assert HeldRecord.objects.filter(status="waiting").count() == 3


def test_rows_are_walked_and_opened_by_keys(list_page: Callable[..., Page]) -> None:
    first, second, _ = three()
    page = list_page()
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    expect(page.locator("[data-row]").first).to_be_focused()
    page.keyboard.press("j")
    page.keyboard.press("o")
    expect(page).to_have_url(re.compile(rf"/queue/{second.id}/"))
    page.go_back()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(rf"/queue/{first.id}/"))


def test_a_row_that_somebody_decided_turns_grey_where_it_stands(
    page: Page, list_page: Callable[..., Page], reviewer: User
) -> None:
    made = three()
    page.clock.install()
    list_page()
    heights = "() => [...document.querySelectorAll('.queue-rows > li')].map(row => row.getBoundingClientRect().top)"
    before = page.evaluate(heights)
    make.act(made[1], make.reviewer("ada"), Action.REJECT, reason_code="wrong")
    with page.expect_response(re.compile("/queue/rows/")):
        page.clock.run_for(10_500)
    row = page.locator(f"[data-id='{made[1].id}']")
    expect(row).to_have_class(re.compile("ended"))
    expect(row.locator(".state")).to_have_text("✕rejected")
    expect(row.locator(".badge")).to_have_attribute("title", "rejected by ada")
    expect(page.locator(".ended")).to_have_count(1)
    expect(page.locator("#live")).to_have_text("One item on this page no longer waits.")
    assert page.evaluate(heights) == before
    assert violations(page) == []


def test_nobody_is_asked_while_the_tab_is_hidden_or_nobody_is_there(page: Page, list_page: Callable[..., Page]) -> None:
    three()
    page.clock.install()
    list_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/queue/rows/" in request.url else None)
    hide = "state => Object.defineProperty(document, 'visibilityState', {value: state, configurable: true})"
    page.evaluate(hide, "hidden")
    page.clock.run_for(60_000)
    assert asked == []
    page.evaluate(hide, "visible")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_timeout(200)
    assert len(asked) == 1
    page.clock.fast_forward(31 * 60_000)
    asked.clear()
    page.clock.run_for(60_000)
    page.wait_for_timeout(200)
    assert asked == []
    page.mouse.move(5, 5)
    with page.expect_response(re.compile("/queue/rows/")):
        page.clock.run_for(10_500)


def test_the_list_works_without_scripts(browser: Browser, live_server: LiveServer, reviewer: User) -> None:
    make.proposal(statement="Backups run at two.", **make.risky("Backups run at two."))
    make.proposal(statement="The lighthouse is dark.")
    context = browser.new_context(java_script_enabled=False, base_url=live_server.url)
    page = signed_in(context, reviewer, live_server.url).new_page()
    page.goto("/queue/")
    page.get_by_text("How to search").click()
    page.get_by_role("link", name="-risk:low").click()
    page.get_by_role("searchbox", name="Search the queue").fill("risk:hgih")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="risk:high").first.click()
    expect(page.locator("[data-row]")).to_have_count(1)
    page.get_by_text("Save this search").click()
    page.get_by_label("Name", exact=True).fill("Big ones")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("navigation", name="Views").get_by_role("link", name="Big ones 1")).to_have_attribute(
        "aria-current", "page"
    )
    page.get_by_text("Your views").click()
    page.get_by_label("Name of the view “Big ones”").fill("Risks")
    page.get_by_role("button", name="Rename").click()
    page.get_by_text("Your views").click()
    page.get_by_role("button", name="Delete the view “Risks”").click()
    expect(page.get_by_role("link", name="Risks")).to_have_count(0)
    context.close()


@pytest.mark.parametrize("width", [390, 1440])
def test_the_list_fits_with_everything_open_and_hostile_text(
    page: Page, list_page: Callable[..., Page], width: int
) -> None:
    long = "Unbroken" * 40
    make.proposal(
        of=make.agent(f"agent-{long[:150]}"), statement=f"{long} \u202egnp.exe\u202c <b>bold</b>", tags=("x",)
    )
    page.set_viewport_size({"width": width, "height": 900})
    list_page(f"?q=riks:{long[:300]} status:any age:3d")
    for summary in page.locator("main summary").all():
        summary.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []
    page.get_by_label("Search the queue").fill("")
    page.get_by_label("Search the queue").press("ArrowDown")
    expect(page.get_by_role("option").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []
