"""A reviewer at work in a real browser: keys, conflicts that are seen, nothing decided by accident (S1 to S3, S18 to S20)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from evidence.models import Decision, HeldRecord, Inquiry, User
from evidence.services.editing import edit_held
from tests.e2e.conftest import Arrive
from tests.services import make

STATEMENTS = [
    "Backups run at two.", "Offices close at six.", "The lighthouse keeps a log.", "Parcels are weighed in grams.",
    "Quotes are rounded to the cent.", "The printer speaks ZPL.", "Invoices are numbered by year.", "Money is stored as cents.",
    "Reports are built on Mondays.", "The mirror is in Oslo.",
]  # fmt: skip


def waiting(number: int = 3) -> list[HeldRecord]:
    return [make.proposal(statement=text) for text in STATEMENTS[:number]]


def claim_on(page: Page) -> str:
    return page.locator("#claim").inner_text()


def read(page: Page) -> None:
    """As long as a person needs at the very least: until then keys and clicks count as meant for the card before."""
    page.wait_for_function("() => !window.Desk.busy() && !window.Desk.unread()")


def status_of(held: HeldRecord) -> str:
    return HeldRecord.objects.values_list("status", flat=True).get(pk=held.pk)


def decided() -> int:
    return Decision.objects.filter(action__in=["approve", "reject", "supersede"]).count()


def test_ten_items_are_decided_by_keyboard_alone(arrive: Arrive) -> None:
    items = waiting(10)
    page = arrive()
    for place, held in enumerate(items):
        expect(page.locator("#claim")).to_have_text(held.statement)
        expect(page.locator("#claim")).to_be_focused() if place else None
        read(page)
        if place % 3 == 1:
            page.keyboard.press("r")
            page.keyboard.press("4")
        else:
            page.keyboard.press("a")
        expect(page.locator("#live")).to_contain_text(held.statement)
    expect(page.get_by_text("Nothing waits for you")).to_be_visible()
    assert [status_of(held) for held in items] == ["approved", "rejected", "approved"] * 3 + ["approved"]
    assert set(Decision.objects.filter(action="reject").values_list("reason_code", flat=True)) == {"wrong"}


def test_undo_by_key_brings_the_item_back(arrive: Arrive) -> None:
    first, second = waiting(2)
    page = arrive()
    page.keyboard.press("a")
    expect(page.locator("#claim")).to_have_text(second.statement)
    page.keyboard.press("u")
    expect(page.locator("#claim")).to_have_text(first.statement)
    expect(page.locator("#live")).to_contain_text("Undone")
    expect(page.locator("#toast")).to_contain_text("No recall is known to have shown it")
    assert status_of(first) == "waiting"


def test_the_toast_names_what_was_done_and_undoes_it(arrive: Arrive) -> None:
    first, second = waiting(2)
    page = arrive()
    page.get_by_role("button", name="Approve").click()
    toast = page.locator(".toast")
    expect(toast).to_contain_text(f"Approved: {first.statement}")
    expect(page.locator("#claim")).to_have_text(second.statement)
    toast.get_by_role("button", name="Undo").click()
    expect(page.locator("#claim")).to_have_text(first.statement)


def test_buttons_carry_their_plain_names(arrive: Arrive) -> None:
    waiting(2)
    page = arrive()
    page.keyboard.press("a")
    expect(page.locator("#claim")).to_have_text(STATEMENTS[1])
    bar = page.locator(".actions")
    for name in ("Approve", "Reject", "Supersede", "Edit", "Ask owner", "Snooze", "Skip", "Undo"):
        expect(bar.get_by_role("button", name=name, exact=True)).to_be_visible()


def test_skip_and_snooze_move_on_without_deciding(arrive: Arrive) -> None:
    items = waiting(3)
    page = arrive()
    page.keyboard.press("k")
    expect(page.locator("#claim")).to_have_text(items[1].statement)
    read(page)
    page.keyboard.press("z")
    page.keyboard.press("1")
    expect(page.locator("#claim")).to_have_text(items[2].statement)
    assert decided() == 0
    assert HeldRecord.objects.get(pk=items[1].pk).snoozed_until is not None


def test_edit_is_a_step_of_its_own(arrive: Arrive) -> None:
    first, _ = waiting(2)
    page = arrive()
    page.keyboard.press("e")
    page.get_by_label("Statement").fill("Backups run at three.")
    page.get_by_label("Why").fill("It moved.")
    page.get_by_role("button", name="Save and verify again").click()
    expect(page.locator("#claim")).to_have_text("Backups run at three.")
    assert HeldRecord.objects.get(pk=first.pk).version > first.version


def test_asking_the_owner_by_keyboard(arrive: Arrive) -> None:
    first, second = waiting(2)
    page = arrive()
    page.keyboard.press("q")
    page.keyboard.type("Is it two or three? approve quickly")
    page.get_by_role("button", name="Send the question").click()
    expect(page.locator("#claim")).to_have_text(second.statement)
    assert Inquiry.objects.get(kind="question").question == "Is it two or three? approve quickly"
    assert status_of(first) == "waiting"


def test_superseding_shows_what_it_replaces_and_asks_why(arrive: Arrive) -> None:
    current = make.fact("The account is active.", about=make.claim("active"))
    held = make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    page = arrive()
    expect(page.locator("#claim ins")).to_have_text("past due")
    page.keyboard.press("s")
    sheet = page.locator("#supersede-sheet")
    expect(sheet.get_by_role("checkbox")).to_be_checked()
    expect(sheet).to_contain_text("Replaces “active” (verified), which becomes superseded.")
    sheet.get_by_role("checkbox").uncheck()
    expect(sheet).to_contain_text("Tick what it replaces.")
    sheet.get_by_role("checkbox").check()
    expect(sheet).to_contain_text("which becomes superseded")
    page.keyboard.press("1")
    expect(page.get_by_text("Nothing waits for you")).to_be_visible()
    current.refresh_from_db()
    assert (status_of(held), current.state) == ("approved", "superseded")


def test_the_date_of_the_check_chosen_above_counts_for_supersede_too(arrive: Arrive) -> None:
    make.fact("The account is active.", about=make.claim("active"))
    held = make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    page = arrive()
    page.get_by_label("I checked it just now").check()
    page.keyboard.press("s")
    page.keyboard.press("2")
    expect(page.get_by_text("Nothing waits for you")).to_be_visible()
    held.refresh_from_db()
    assert held.fact_proposal.result.check_by == "reviewer"


def test_a_double_click_is_one_decision_on_one_item(arrive: Arrive) -> None:
    first, second, third = waiting(3)
    page = arrive()
    page.get_by_role("button", name="Approve").dblclick()
    expect(page.locator("#claim")).to_have_text(second.statement)
    read(page)
    assert decided() == 1
    assert [status_of(held) for held in (first, second, third)] == ["approved", "waiting", "waiting"]


def test_a_tap_or_click_that_was_meant_for_the_card_before_decides_nothing(arrive: Arrive) -> None:
    first, second, third = waiting(3)
    page = arrive()
    # The moment the next card stands there, as a hand that taps twice would hit it.
    page.evaluate(
        """() => document.addEventListener("htmx:afterSwap", () => setTimeout(() => {
          document.dispatchEvent(new KeyboardEvent("keydown", {key: "a", bubbles: true}));
          document.querySelector("#approve-form button")?.click();
          window.tapped = true;
        }, 60), {once: true})"""
    )
    page.keyboard.press("a")
    page.wait_for_function("() => window.tapped && !window.Desk.busy()")
    expect(page.locator("#claim")).to_have_text(second.statement)
    assert [status_of(held) for held in (first, second, third)] == ["approved", "waiting", "waiting"]
    read(page)
    page.keyboard.press("a")
    expect(page.locator("#claim")).to_have_text(third.statement)


def test_keys_do_nothing_while_a_decision_is_on_its_way(arrive: Arrive) -> None:
    _, second, _ = waiting(3)
    page = arrive()
    held_back: list[Route] = []

    def hold_back(route: Route) -> None:
        held_back.append(route)

    page.route("**/decision/", hold_back)
    page.keyboard.press("a")
    page.wait_for_function("() => window.Desk.busy()")
    for key in "aaraku":
        page.keyboard.press(key)
    assert len(held_back) == 1
    held_back[0].continue_()
    expect(page.locator("#claim")).to_have_text(second.statement)
    read(page)
    assert decided() == 1


def test_typing_in_a_field_decides_nothing(arrive: Arrive) -> None:
    first, _ = waiting(2)
    page = arrive()
    page.keyboard.press("r")
    field = page.get_by_label("In your words").first
    field.click()
    page.keyboard.type("a real 1 2 3 reason? k u")
    expect(field).to_have_value("a real 1 2 3 reason? k u")
    assert claim_on(page) == first.statement
    assert decided() == 0
    page.get_by_role("button", name="Wrong", exact=True).first.click()
    expect(page.locator("#claim")).to_have_text(STATEMENTS[1])
    assert HeldRecord.objects.get(pk=first.pk).reason == "a real 1 2 3 reason? k u"


@pytest.mark.parametrize(
    "init",
    [
        "{key: 'a', ctrlKey: true}", "{key: 'a', altKey: true}", "{key: 'a', metaKey: true}", "{key: 'a', repeat: true}",
        "{key: 'a', isComposing: true}", "{key: 'a', keyCode: 229}", "{key: 'a', modifierAltGraph: true}",
        "{key: 'q', code: 'KeyA', altKey: true}", "{key: 'Process', code: 'KeyA'}", "{key: 'ф', code: 'KeyA'}",
    ],
)  # fmt: skip
def test_no_decision_by_a_key_that_was_not_meant_as_one(arrive: Arrive, init: str) -> None:
    (first,) = waiting(1)
    page = arrive()
    page.evaluate(f"document.body.dispatchEvent(new KeyboardEvent('keydown', {{bubbles: true, ...{init}}}))")
    assert not page.evaluate("() => window.Desk.busy()")  # a decision would be on its way by now
    assert claim_on(page) == first.statement
    assert decided() == 0


def test_the_letter_counts_not_its_place_on_the_keyboard(arrive: Arrive) -> None:
    first, second = waiting(2)
    page = arrive()
    page.evaluate("document.body.dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, key: 'a', code: 'KeyQ'}))")
    expect(page.locator("#claim")).to_have_text(second.statement)
    assert status_of(first) == "approved"


def test_shortcuts_switched_off_do_nothing_and_buttons_still_work(arrive: Arrive, reviewer: User) -> None:
    first, second = waiting(2)
    page = arrive()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.get_by_role("dialog", name="Keys").get_by_role("button", name="Turn off").click()
    expect(page.locator("body")).to_have_attribute("data-shortcuts", "off")
    page.keyboard.press("a")
    assert not page.evaluate("() => window.Desk.busy()")  # a decision would be on its way by now
    assert claim_on(page) == first.statement
    page.get_by_role("button", name="Approve").click()
    expect(page.locator("#claim")).to_have_text(second.statement)
    reviewer.refresh_from_db()
    assert reviewer.shortcuts_on is False


def test_a_conflict_is_seen_in_the_second_tab_with_the_words_kept(
    arrive: Arrive, other_tab: Callable[[str], Page]
) -> None:
    first, second = waiting(2)
    page = arrive(f"/queue/{first.id}/")
    tab = other_tab(f"/queue/{first.id}/")
    page.keyboard.press("a")
    expect(page.locator("#claim")).to_have_text(second.statement)
    tab.keyboard.press("r")
    tab.get_by_label("In your words").first.fill("I had typed this.")
    tab.get_by_role("button", name="Wrong", exact=True).first.click()
    alert = tab.get_by_role("alert")
    expect(alert).to_contain_text("Already decided")
    expect(alert).to_contain_text("reviewer was first")
    expect(tab.get_by_text("What became of it")).to_be_visible()
    expect(tab.get_by_role("button", name="Approve")).to_have_count(0)
    assert decided() == 1


def test_a_changed_item_shows_the_difference_and_can_be_decided_anew(arrive: Arrive) -> None:
    first, second = waiting(2)
    page = arrive(f"/queue/{first.id}/")
    edit_held(
        held_id=first.id, seen_version=first.version, actor=make.person(make.reviewer("ada")), reason="moved",
        statement="Backups run at three.",
    )  # fmt: skip
    page.keyboard.press("r")
    page.get_by_label("In your words").first.fill("I had typed this.")
    page.get_by_role("button", name="Wrong", exact=True).first.click()
    alert = page.get_by_role("alert")
    expect(alert.locator("ins")).to_have_text("three")
    expect(page.locator("#claim")).to_have_text("Backups run at three.")
    assert status_of(first) == "waiting"
    read(page)
    page.keyboard.press("r")
    expect(page.get_by_label("In your words").first).to_have_value("I had typed this.")
    page.keyboard.press("4")
    expect(page.locator("#claim")).to_have_text(second.statement)
    assert HeldRecord.objects.get(pk=first.pk).reason == "I had typed this."


def test_what_is_missing_is_said_beside_the_bar(arrive: Arrive) -> None:
    held = make.proposal(durability="temporary")
    page = arrive()
    page.locator("#durability").evaluate("field => field.removeAttribute('required')")
    page.keyboard.press("a")
    expect(page.locator("#problem")).to_contain_text("say for how long it should hold")
    page.locator("#durability").select_option("project")
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_text("Nothing waits for you")).to_be_visible()
    assert status_of(held) == "approved"


def test_back_shows_the_decided_item_without_buttons(arrive: Arrive) -> None:
    first, second = waiting(2)
    page = arrive(f"/queue/{first.id}/")
    page.keyboard.press("a")
    expect(page.locator("#claim")).to_have_text(second.statement)
    expect(page).to_have_url(re.compile(str(second.id)))
    page.go_back()
    expect(page.locator("#claim")).to_have_text(first.statement)
    expect(page.get_by_text("What became of it")).to_be_visible()
    expect(page.get_by_role("button", name="Approve")).to_have_count(0)
    stored = page.evaluate("JSON.stringify([Object.entries(localStorage), Object.keys(sessionStorage)])")
    assert first.statement not in stored


def test_an_expired_session_leads_to_login_and_back_with_the_words_kept(arrive: Arrive, reviewer: User) -> None:
    (first,) = waiting(1)
    page = arrive(f"/queue/{first.id}/")
    page.keyboard.press("r")
    page.get_by_label("In your words").first.fill("I had typed this.")
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Wrong", exact=True).first.click()
    expect(page).to_have_url(re.compile(r"/accounts/login/\?next="))
    reviewer.set_password("correct horse battery")
    reviewer.save()
    page.get_by_label("User name").fill("reviewer")
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(re.compile(f"/queue/{first.id}/"))
    page.wait_for_load_state("networkidle")
    page.keyboard.press("r")
    expect(page.get_by_label("In your words").first).to_have_value("I had typed this.")
    page.keyboard.press("4")
    expect(page.get_by_text("Nothing waits for you")).to_be_visible()
    assert HeldRecord.objects.get(pk=first.pk).reason == "I had typed this."
    page.wait_for_function("() => !Object.keys(sessionStorage).some(name => name.startsWith('draft:'))")


def test_a_server_that_does_not_answer_leaves_the_card_and_says_so(arrive: Arrive, faults: list[str]) -> None:
    (first,) = waiting(1)
    page = arrive()
    page.route("**/decision/", lambda route: route.abort())
    page.keyboard.press("a")
    expect(page.locator("#problem")).to_contain_text("did not answer")
    page.unroute("**/decision/")
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_text("Nothing waits for you")).to_be_visible()
    assert status_of(first) == "approved"
    faults.clear()


def test_the_lease_is_shown_and_another_person_can_take_over(arrive: Arrive, live_server: LiveServer) -> None:
    (first,) = waiting(1)
    from django.utils import timezone

    from evidence.services import leasing

    leasing.claim(held_id=first.id, user=make.reviewer("ada"), now=timezone.now())
    page = arrive(f"/queue/{first.id}/")
    expect(page.locator("#lease")).to_contain_text("held by ada")
    page.get_by_role("button", name="Take over").click()
    expect(page.locator("#lease")).to_contain_text("yours")
    expect(page.locator("[data-countdown]")).to_have_text(re.compile(r"1:[0-5]\d"))


def test_lists_are_walked_with_j_and_k_and_searched_with_slash(arrive: Arrive) -> None:
    items = waiting(3)
    page = arrive("/queue/")
    for _ in range(2):
        page.keyboard.press("j")
    expect(page.locator("[data-row]").nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(page.locator("[data-row]").nth(0)).to_be_focused()
    page.keyboard.press("/")
    page.keyboard.type("lighthouse")
    page.keyboard.press("Enter")
    expect(page.locator("[data-row]")).to_have_count(1)
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("#claim")).to_have_text(items[2].statement)


def test_it_all_works_without_scripts(browser, live_server: LiveServer, reviewer: User) -> None:
    from tests.e2e.conftest import signed_in

    first, second, third = waiting(3)
    context = signed_in(browser.new_context(java_script_enabled=False), reviewer, live_server.url)
    try:
        page = context.new_page()
        page.goto(f"{live_server.url}/queue/next/")
        page.get_by_role("button", name="Approve").click()
        expect(page.locator("#claim")).to_have_text(second.statement)
        expect(page.locator(".toast")).to_contain_text(f"Approved: {first.statement}")
        page.get_by_role("button", name="Reject").click()
        page.get_by_role("button", name="Wrong", exact=True).first.click()
        expect(page.locator("#claim")).to_have_text(third.statement)
        page.locator(".actions").get_by_role("button", name="Undo").click()
        expect(page.locator("#claim")).to_have_text(second.statement)
        assert [status_of(held) for held in (first, second)] == ["approved", "waiting"]
    finally:
        context.close()


def test_the_lease_is_kept_alive_while_the_tab_is_looked_at(arrive: Arrive, page: Page) -> None:
    (first,) = waiting(1)
    page.clock.install()
    arrive(f"/queue/{first.id}/")
    page.evaluate("() => Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true})")
    beats: list[str] = []
    page.on(
        "request", lambda request: beats.append(request.post_data or "") if request.url.endswith("/lease/") else None
    )
    page.clock.run_for(65_000)
    assert beats == []
    page.evaluate("() => Object.defineProperty(document, 'visibilityState', {value: 'visible'})")
    with page.expect_response("**/lease/"):
        page.clock.run_for(30_000)
    assert [beat for beat in beats if "token=" in beat] == beats
    expect(page.locator("#lease")).to_contain_text("yours")
