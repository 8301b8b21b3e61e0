"""Keys that were not meant as shortcuts, typed by a real keyboard in every place that has shortcuts (scenario S20)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from evidence.models import HeldRecord, Job, User
from evidence.rules.vocab import Action
from evidence.services.bulk import preview_bulk
from tests.e2e.conftest import Arrive
from tests.e2e.test_reviewing import decided, read, status_of, waiting
from tests.services import make


def compose(page: Page, text: str) -> None:
    """As an input method does it: the text grows under the caret, and the keys say that they belong to it."""
    browser = page.context.new_cdp_session(page)
    for end in range(1, len(text) + 1):
        browser.send(
            "Input.dispatchKeyEvent",
            {"type": "rawKeyDown", "windowsVirtualKeyCode": 229, "key": "Process", "code": "KeyA"},
        )
        browser.send("Input.imeSetComposition", {"text": text[:end], "selectionStart": end, "selectionEnd": end})
    browser.send("Input.insertText", {"text": text})


@pytest.mark.parametrize("combination", ["Control+a", "Alt+a", "Meta+a", "Shift+a", "Control+Alt+a", "A"])
def test_a_letter_with_another_key_decides_nothing(arrive: Arrive, combination: str) -> None:
    (held,) = waiting(1)
    page = arrive()
    page.keyboard.press(combination)
    assert not page.evaluate("window.Desk.busy()")
    assert (status_of(held), decided()) == ("waiting", 0)


def test_composing_in_a_field_decides_nothing_and_enters_the_text(arrive: Arrive) -> None:
    (held,) = waiting(1)
    page = arrive()
    page.keyboard.press("q")
    field = page.get_by_label("Your question")
    field.focus()
    compose(page, "あa1")
    expect(field).to_have_value("あa1")
    assert (status_of(held), decided()) == ("waiting", 0)
    # Composing with the focus nowhere, as some input methods let it happen.
    page.keyboard.press("Escape")
    compose(page, "a")
    assert not page.evaluate("window.Desk.busy()")


def test_letters_in_every_kind_of_field_are_letters(arrive: Arrive, reviewer: User) -> None:
    held = make.proposal(durability="temporary", claim=make.claim())
    page = arrive(f"/queue/{held.id}/")
    page.locator("#durability").focus()
    page.keyboard.type("arsk")
    page.locator("[name=checked_date]").focus()
    page.keyboard.type("ark")
    page.keyboard.press("s")
    assert page.locator("[popover]:popover-open").count() == 0
    page.goto(page.url + "edit/")
    page.get_by_label("Statement").press_sequentially(" a r s k ? u")
    page.get_by_label("Subject").press("End")
    page.keyboard.type(" arsk?u")
    expect(page.get_by_label("Subject")).to_have_value("vendor account arsk?u")
    page.goto(page.url.replace(f"queue/{held.id}/edit/", "settings/"))
    page.get_by_label("Time zone").press("End")
    page.keyboard.type("a/?")
    expect(page.get_by_label("Time zone")).to_have_value("UTCa/?")
    assert (status_of(held), decided()) == ("waiting", 0)


def test_keys_belong_to_the_panel_that_is_open(arrive: Arrive) -> None:
    held, following = waiting(2)
    page = arrive()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    for key in "akru1":
        page.keyboard.press(key)
    page.keyboard.press("Escape")
    page.keyboard.press("z")
    page.keyboard.press("a")
    page.keyboard.press("k")
    assert not page.evaluate("window.Desk.busy()")
    page.keyboard.press("Escape")
    page.keyboard.press("1")  # the digit of a panel that is closed
    assert not page.evaluate("window.Desk.busy()")
    assert [status_of(one) for one in (held, following)] == ["waiting", "waiting"]
    page.keyboard.press("a")
    expect(page.locator("#claim")).to_have_text(following.statement)


def test_escape_closes_a_panel_and_the_focus_is_where_it_was(arrive: Arrive) -> None:
    waiting(1)
    page = arrive()
    page.get_by_role("button", name="Reject").focus()
    page.keyboard.press("r")
    expect(page.get_by_role("dialog", name="Reject")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Reject")).to_be_focused()
    assert decided() == 0


def test_enter_in_a_field_of_words_sends_nothing(arrive: Arrive) -> None:
    (held,) = waiting(1)
    page = arrive()
    page.keyboard.press("r")
    field = page.get_by_label("In your words").first
    field.fill("One line")
    field.press("Enter")
    expect(field).to_have_value("One line\n")
    assert (status_of(held), decided()) == ("waiting", 0)


def test_keys_while_a_skip_or_an_undo_is_on_its_way_act_on_nothing(arrive: Arrive, reviewer: User) -> None:
    make.act(make.proposal(statement="Offices close at eight."), reviewer, Action.REJECT, reason_code="wrong")
    waiting(3)
    page = arrive()
    stopped: list[Route] = []

    def hold_back(route: Route) -> None:
        stopped.append(route)

    page.route(re.compile(r"/(skip|undo)/$"), hold_back)
    for key in "ku":
        page.keyboard.press(key)
        page.wait_for_function("() => window.Desk.busy()")
        for other in "arsekuz1":
            page.keyboard.press(other)
        assert page.locator("[popover]:popover-open").count() == 0
        assert len(stopped) == 1
        stopped.pop().continue_()
        read(page)
    assert HeldRecord.objects.filter(status="waiting").count() == 4


def test_the_keys_of_bulk_work_are_as_careful(arrive: Arrive, reviewer: User) -> None:
    held = waiting(2)
    job = preview_bulk(user=reviewer, action=Action.APPROVE, held_ids=[one.pk for one in held])
    page = arrive(f"/jobs/{job.pk}/")
    page.keyboard.press("Control+a")
    page.evaluate("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'a', repeat: true, bubbles: true}))")
    page.evaluate(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'a', isComposing: true, bubbles: true}))"
    )
    page.locator("#checked-at").focus()
    page.keyboard.press("a")
    page.wait_for_load_state("networkidle")
    assert Job.objects.get(pk=job.pk).status == "preview"
    page.goto(page.url.split("/jobs/")[0] + "/queue/")
    page.get_by_label("Search the queue").focus()
    page.keyboard.type("xarz")
    expect(page.locator("input[data-pick]:checked")).to_have_count(0)
    assert Job.objects.count() == 1


def test_switched_off_they_do_nothing_anywhere_and_come_back(arrive: Arrive, reviewer: User) -> None:
    held = waiting(2)
    job = preview_bulk(user=reviewer, action=Action.APPROVE, held_ids=[held[1].pk])
    page = arrive("/settings/")
    page.locator("main").get_by_role("button", name="Turn off").click()
    for address in ("/queue/", f"/queue/{held[0].id}/", f"/jobs/{job.pk}/"):
        arrive(address)
        before = page.url
        for key in "jxarsekqzu/?o":
            page.keyboard.press(key)
        assert page.locator("[popover]:popover-open").count() == 0
        expect(page.locator("input[data-pick]:checked:not([name=picked])")).to_have_count(0)
        assert page.url == before
    assert (decided(), Job.objects.get(pk=job.pk).status) == (0, "preview")
    arrive("/settings/")
    page.locator("main").get_by_role("button", name="Turn on").click()
    arrive(f"/queue/{held[0].id}/").keyboard.press("a")
    expect(page.locator("#claim")).to_have_text(held[1].statement)
