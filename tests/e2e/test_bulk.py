"""Bulk work in a browser: selecting by keyboard and mouse, preview, progress, and all of it without scripts (S9, S10, S15)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from evidence.models import Decision, HeldRecord, Job, User
from evidence.rules.vocab import Role
from evidence.services.editing import edit_held
from evidence.services.outbox import BULK, deliver_due
from evidence.tasks import bulk as _bulk  # noqa: F401 - as in a worker, where the handlers are known
from evidence.tasks import outbox as _outbox  # noqa: F401
from tests.e2e.conftest import Arrive, signed_in
from tests.e2e.test_looks import LONG, WIDTHS, looking, violations  # noqa: F401
from tests.services import make

# A poll comes every two seconds, and the page that follows works out a plan for each of its rows.
PATIENCE_MS = 20_000
PREVIEW = re.compile(r"/jobs/[0-9a-f-]{36}/$")


def hosts(count: int) -> list[HeldRecord]:
    return [
        make.proposal(
            make.agent(f"agent-{n // 20}"), f"Host number {n} is called quail-{n}.",
            claim=make.claim(f"quail-{n}", f"host {n}", "name"),
        )
        for n in range(count)
    ]  # fmt: skip


def work() -> None:
    while deliver_due(lane=BULK) + deliver_due():
        pass


def ticked(page: Page) -> list[bool]:
    return [box.is_checked() for box in page.locator("input[data-pick]").all()]


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def newest() -> Job:
    return Job.objects.latest("created_at")


def test_items_are_selected_approved_and_undone_by_keyboard(arrive: Arrive) -> None:
    hosts(6)
    page = arrive("/queue/")
    press(page, "j", "x", "j", "j", "Shift+X", "j", "j", "x")
    assert ticked(page) == [True, True, True, False, True, False]
    expect(page.locator("span[data-picked]")).to_have_text("4 selected")
    press(page, "x")
    expect(page.get_by_role("button", name="Approve 3…")).to_be_enabled()
    press(page, "a")
    expect(page).to_have_url(PREVIEW)
    expect(page.get_by_role("button", name="Approve 3")).to_be_visible()
    press(page, "j", "x")
    expect(page.get_by_role("button", name="Approve 2")).to_be_visible()
    expect(page.locator("#live")).to_have_text("2 selected")
    expect(page.locator("#count-out")).to_have_text("1")
    press(page, "a")
    expect(page.locator("#job-state")).to_have_text(re.compile(r"0 approved of 2"))
    work()
    expect(page.locator("#job-state")).to_have_text("2 approved")
    expect(page.locator("#live")).to_have_text("Complete: 2 approved.")
    page.get_by_role("button", name="Undo all 2").click()
    page.get_by_role("dialog").get_by_role("button", name="Undo all 2").click()
    expect(page.get_by_role("heading", name="Take back in bulk")).to_be_visible()
    work()
    expect(page.locator("#job-state")).to_have_text("2 taken back")
    assert HeldRecord.objects.waiting().count() == 6


def test_what_changed_since_the_preview_is_reported_with_a_way_back_to_it(arrive: Arrive) -> None:
    """Scenario S9."""
    held = hosts(50)
    page = arrive("/queue/")
    page.get_by_label("All on this page").check()
    expect(page.get_by_role("button", name="Approve 50…")).to_be_enabled()
    press(page, "a")
    expect(page.locator("#job-state")).to_have_text(re.compile("Preparing the preview"))
    work()
    expect(page.get_by_role("button", name="Approve 50")).to_be_visible(timeout=PATIENCE_MS)
    edit_held(
        held_id=held[11].pk, seen_version=held[11].version, actor=make.person(make.reviewer("ada")), reason="moved",
        statement="Host number 11 is called wren-11.",
    )  # fmt: skip
    press(page, "a")
    expect(page.locator("#job-state")).to_be_visible()
    work()
    expect(page.locator("#job-state")).to_have_text("49 approved, 1 changed meanwhile", timeout=PATIENCE_MS)
    job = newest()
    assert Decision.objects.filter(bulk_id=job.pk, action="approve").count() == 49
    trouble = page.locator("#job .job-rows li")
    expect(trouble).to_have_count(1)
    expect(trouble).to_contain_text("Edited by ada")
    trouble.get_by_role("link").click()
    expect(page.locator("#claim")).to_have_text("Host number 11 is called wren-11.")


def test_the_selection_outlives_pages_and_decisions_but_not_what_was_handled(arrive: Arrive) -> None:
    hosts(60)
    page = arrive("/queue/")
    press(page, "j", "x", "j", "x", "j", "x")
    page.get_by_role("link", name="Next page").click()
    expect(page.locator("span[data-picked]")).to_have_text("3 selected, 3 on other pages")
    press(page, "j", "x")
    expect(page.locator("span[data-picked]")).to_have_text("4 selected, 3 on other pages")
    page.go_back()
    expect(page.locator("span[data-picked]")).to_have_text("4 selected, 1 on other pages")
    assert ticked(page)[:4] == [True, True, True, False]
    # One of them is decided on its own.
    press(page, "j", "Enter")
    expect(page.locator("#claim")).to_be_visible()
    page.wait_for_load_state("networkidle")
    press(page, "a")
    expect(page.locator(".toast")).to_be_visible()
    page.goto(page.url.split("/queue/")[0] + "/queue/")
    expect(page.locator("span[data-picked]")).to_have_text("3 selected")  # the other page's first row moved up
    press(page, "r")
    expect(page).to_have_url(PREVIEW)
    assert newest().items.count() == 3
    press(page, "r", "4")
    expect(page.locator("#job-state")).to_be_visible()
    work()
    expect(page.locator("#job-state")).to_have_text("3 rejected")
    page.get_by_role("link", name="Back to the queue").click()
    expect(page.locator("span[data-picked]")).to_have_text("Nothing selected")


def test_shift_click_selects_a_range_and_clear_empties_it(arrive: Arrive) -> None:
    hosts(6)
    page = arrive("/queue/")
    boxes = page.locator("input[data-pick]")
    boxes.nth(1).click()
    boxes.nth(4).click(modifiers=["Shift"])
    assert ticked(page) == [False, True, True, True, True, False]
    boxes.nth(1).click()
    boxes.nth(2).click(modifiers=["Shift"])
    assert ticked(page) == [False, False, False, True, True, False]
    page.get_by_label("All on this page").check()
    assert ticked(page) == [True] * 6
    page.get_by_role("button", name="Clear").click()
    assert ticked(page) == [False] * 6
    expect(page.get_by_role("button", name="Approve")).to_be_disabled()
    # A click beside the box, at the edge of the row, ticks it; a click on the row opens the item.
    page.locator(".pick-row").nth(2).click(position={"x": 4, "y": 30})
    assert ticked(page)[2]
    page.locator("[data-row]").nth(2).click()
    expect(page.locator("#claim")).to_be_visible()


def test_a_range_in_the_preview_is_one_choice(arrive: Arrive) -> None:
    hosts(6)
    page = arrive("/queue/")
    page.get_by_label("All on this page").check()
    press(page, "z")
    expect(page).to_have_url(PREVIEW)
    boxes = page.locator("input[data-pick]")
    boxes.nth(1).click()
    boxes.nth(3).click(modifiers=["Shift"])
    expect(page.locator("#bulk-bar")).to_contain_text("3 of 6 selected")
    assert [row.selected for row in newest().items.order_by("position")] == [True, False, False, False, True, True]
    press(page, "z", "2")
    expect(page.locator("#job-state")).to_be_visible()
    work()
    expect(page.locator("#job-state")).to_have_text("3 snoozed")


def test_an_item_that_somebody_else_decides_is_not_selected_any_more(arrive: Arrive, page: Page) -> None:
    held = hosts(3)
    page.clock.install()
    arrive("/queue/")
    page.get_by_label("All on this page").check()
    make.approve(held[1], make.reviewer("ada"))
    page.mouse.move(10, 10)
    page.clock.run_for(11_000)
    expect(page.locator("span[data-picked]")).to_have_text("2 selected")
    expect(page.locator("input[data-pick]").nth(1)).to_be_disabled()
    assert ticked(page) == [True, False, True]


@pytest.mark.parametrize(
    "init", ["{key: 'x', ctrlKey: true}", "{key: 'x', repeat: true}", "{key: 'x', isComposing: true}", "{key: 'x', altKey: true}"]
)  # fmt: skip
def test_a_key_that_was_not_meant_selects_nothing(arrive: Arrive, init: str) -> None:
    hosts(2)
    page = arrive("/queue/")
    press(page, "j")
    page.evaluate(f"document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {{bubbles: true, ...{init}}}))")
    assert ticked(page) == [False, False]
    page.locator("#q").click()
    page.keyboard.type("x")
    assert ticked(page) == [False, False]


def test_enter_on_a_box_decides_nothing(arrive: Arrive) -> None:
    hosts(2)
    page = arrive("/queue/")
    page.get_by_label("All on this page").check()
    press(page, "r")
    expect(page).to_have_url(PREVIEW)
    page.locator("input[data-pick]").first.focus()
    press(page, "Enter")
    page.wait_for_load_state("networkidle")
    expect(page.get_by_role("button", name=re.compile("Reject 2"))).to_be_visible()
    assert not Decision.objects.filter(action="reject").exists()


def test_the_button_pressed_before_a_choice_arrived_does_nothing_yet(arrive: Arrive, faults: list[str]) -> None:
    hosts(3)
    page = arrive("/queue/")
    page.get_by_label("All on this page").check()
    press(page, "a")
    expect(page).to_have_url(PREVIEW)
    page.route("**/selection/", lambda route: route.abort())
    page.locator("input[data-pick]").first.click()
    with page.expect_navigation():
        press(page, "a")
    expect(page.locator("#problem")).to_contain_text("The selection changed")
    expect(page.get_by_role("button", name="Approve 2")).to_be_visible()
    assert not Decision.objects.filter(action="approve").exists()
    faults.clear()


@pytest.fixture
def without_scripts(browser: Browser, live_server: LiveServer, reviewer: User) -> Callable[[], Page]:
    context = signed_in(
        browser.new_context(java_script_enabled=False, base_url=live_server.url), reviewer, live_server.url
    )
    yield context.new_page
    context.close()


def test_it_all_works_without_scripts(without_scripts: Callable[[], Page]) -> None:
    hosts(4)
    page = without_scripts()
    page.goto("/queue/")
    for place in (0, 1, 2):
        page.locator("input[data-pick]").nth(place).check()
    page.get_by_role("button", name="Reject").click()
    expect(page.get_by_role("button", name=re.compile("Reject 3"))).to_be_visible()
    page.locator("input[data-pick]").nth(0).uncheck()
    page.get_by_role("button", name="Update the selection").click()
    page.get_by_role("button", name=re.compile("Reject 2")).click()
    page.get_by_role("button", name="Wrong", exact=True).click()
    expect(page.locator("#job-state")).to_have_text(re.compile("0 rejected of 2"))
    work()
    page.get_by_role("link", name="See how far it is").click()
    expect(page.locator("#job-state")).to_have_text("2 rejected")
    page.goto("/queue/")
    page.get_by_role("checkbox", name="All on this page").check()
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_role("button", name="Approve 2")).to_be_visible()


def test_everything_from_one_session_is_rejected_from_an_item(arrive: Arrive) -> None:
    agent = make.agent()
    bad = []
    for number in range(3):
        said = make.inline(f"planted {number}", thread="t-bad")
        about = make.claim(str(number), f"s{number}", "a")
        bad.append(make.proposal(agent, f"Planted claim {number}.", claim=about, evidence=(said,)))
    make.proposal(agent, "Backups run at two.", evidence=(make.inline("two", thread="t-good"),))
    page = arrive(f"/queue/{bad[0].pk}/")
    press(page, "r")
    page.get_by_text("Reject everything from one place").click()
    page.get_by_role("button", name="all that cites session t-bad").click()
    expect(page).to_have_url(PREVIEW)
    expect(page.locator(".bulk-found")).to_contain_text("All that wait from thread t-bad")
    press(page, "r", "8")
    expect(page.locator("#job-state")).to_be_visible()
    work()
    expect(page.locator("#job-state")).to_have_text("3 rejected")
    assert HeldRecord.objects.waiting().count() == 1


def test_every_page_of_it_fits_and_can_be_used_by_everybody(looking: Page) -> None:  # noqa: F811
    make.user("reviewer", Role.REVIEWER)
    text = f"{LONG} \u202egnp.exe\u202c \u0627\u0644\u0633 👨‍👩‍👧 <b>bold</b>"
    make.fact(f"{text} active", about=make.claim(f"one {LONG}", subject=LONG[:200]))
    make.proposal(
        statement=f"{text} past due",
        claim=make.claim(f"two {LONG[:300]}", subject=LONG[:200]),
        evidence=(make.inline(text),),
    )
    make.proposal(statement=f"Only for now {text}", durability="temporary")
    make.proposal(statement="Logs go to disk.", **make.risky("Logs go to disk."))
    for action, label in (("Approve", "Approve 1"), ("Reject", "Reject 2: why?")):
        looking.goto("/queue/")
        looking.locator("input[data-pick]").first.check()
        fits(looking)
        looking.get_by_label("All that match").check()
        looking.get_by_role("button", name=action, exact=False).first.click()
        expect(looking.get_by_role("heading", name=f"{action} in bulk: preview")).to_be_visible()
        fits(looking)
        if action == "Reject":
            looking.get_by_role("button", name="of high risk too").click()
            looking.get_by_role("button", name=label).click()
            expect(looking.locator("[popover]:popover-open")).to_be_visible()
            fits(looking)
            press(looking, "4")
        else:
            press(looking, "a")
        expect(looking.locator("#job-state")).to_be_visible()
        fits(looking)
        work()
        expect(looking.get_by_role("button", name="Undo all")).to_be_visible()
        fits(looking)
    looking.goto("/jobs/")
    fits(looking)


def fits(page: Page) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (page.url, width)
    assert violations(page) == [], page.url
