"""The session that ended, the token that turned, the page from the history, what a browser keeps (scenarios S18, S19)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.cache import cache
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from evidence.models import Evidence, HeldRecord, Inquiry, Job, User
from evidence.rules.vocab import Action, Role
from evidence.services import leasing
from evidence.services.bulk import preview_bulk
from evidence.services.editing import edit_held
from tests.e2e.conftest import Arrive, signed_in
from tests.e2e.test_reviewing import decided, read, status_of, waiting
from tests.services import make

WORDS = "I had typed this."


@pytest.fixture(autouse=True)
def everything(reviewer: User) -> None:
    for role in (Role.OWNER, Role.ADMINISTRATOR):
        make.user(reviewer.get_username(), role)


def session_ends(page: Page) -> None:
    page.context.clear_cookies(name="sessionid")


def at_the_sign_in(page: Page) -> str:
    """A page of its own, no form within a card; gives the way back."""
    expect(page).to_have_url(re.compile(r"/accounts/login/\?next="))
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert page.locator("#card, [data-row], #bulk-bar").count() == 0
    return parse_qs(urlsplit(page.url).query)["next"][0]


def back_again(page: Page, reviewer: User, address: str, way: str) -> None:
    signed_in(page.context, reviewer, address)
    page.goto(f"{address}{way}")
    page.wait_for_load_state("networkidle")


# --- S18: every control that htmx or a form sends ---

# A key for each panel, then the control by its selector.
CONTROLS = {
    "approve": ("", "#approve-form button"),
    "skip": ("", "[data-key=k]"),
    "undo": ("", "[data-key=u]"),
    "snooze": ("z", "#snooze-sheet [data-key='1']"),
    "a tick of a record": ("s", "#pick input"),
    "the switch of the keys": ("?", "#shortcuts button"),
}


@pytest.mark.parametrize("control", CONTROLS)
def test_every_control_of_the_card_leads_to_a_full_sign_in(arrive: Arrive, reviewer: User, control: str) -> None:
    make.act(make.proposal(statement="Offices close at six."), reviewer, Action.REJECT, reason_code="wrong")
    make.fact("The account is active.", about=make.claim("active"))
    held = make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    page = arrive(f"/queue/{held.id}/?q=status%3Awaiting")
    session_ends(page)
    key, selector = CONTROLS[control]
    if key:
        page.keyboard.press(key)
    page.locator(selector).first.click()
    assert at_the_sign_in(page) == f"/queue/{held.id}/?q=status%3Awaiting"
    assert (status_of(held), decided()) == ("waiting", 1)


def test_the_heartbeat_and_a_take_over_lead_there_too_and_the_words_are_back_afterwards(
    arrive: Arrive, page: Page, reviewer: User, live_server: LiveServer
) -> None:
    (held,) = waiting(1)
    page.clock.install()
    arrive(f"/queue/{held.id}/")
    page.keyboard.press("r")
    page.get_by_label("In your words").first.fill(WORDS)
    session_ends(page)
    page.clock.run_for(31_000)
    way = at_the_sign_in(page)
    leasing.claim(held_id=held.id, user=make.reviewer("ada"), now=timezone.now(), take_over=True)
    back_again(page, reviewer, live_server.url, way)
    expect(page.locator("#reject-reason")).to_have_value(WORDS)
    session_ends(page)
    page.get_by_role("button", name="Take over").click()
    at_the_sign_in(page)


@pytest.fixture
def forms(reviewer: User) -> dict[str, tuple[str, str, list[str], str]]:
    """By name: the page, what opens the form, its fields, and the button that sends it."""
    current = make.fact("The account is active.", about=make.claim("active"))
    held = make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    asked = Inquiry.objects.get(held=held)
    job = preview_bulk(user=reviewer, action=Action.REJECT, held_ids=[held.pk])
    done = make.proposal(statement="Offices close at six.")
    make.act(done, reviewer, Action.REJECT, reason_code="wrong", reason="Teh reason.")
    return {
        "edit": (f"/queue/{held.id}/edit/", "", ["#statement", "#c-value", "#reason"], "Save and verify again"),
        "ask": (f"/queue/{held.id}/", "Ask owner", ["#ask-reason"], "Send the question"),
        "supersede": (f"/queue/{held.id}/", "Supersede", ["#supersede-reason"], "Wrong"),
        "decide differently": (f"/queue/{done.id}/?amend=1", "", ["#amend-reason"], "Wrong"),
        "answer": (f"/inquiries/{asked.id}/", "", ["#reason"], "Answer"),
        "revoke": (f"/records/{current.record_id}/?ns=default", "Revoke", ["#revoke-reason"], "Revoke"),
        "bulk": (f"/jobs/{job.id}/", "Reject 1: why?", ["#bulk-reason"], "Wrong"),
    }  # fmt: skip


@pytest.mark.parametrize("name", ["edit", "ask", "supersede", "decide differently", "answer", "revoke", "bulk"])
def test_what_was_typed_into_any_form_is_there_again_after_the_sign_in(
    arrive: Arrive,
    reviewer: User,
    live_server: LiveServer,
    forms: dict[str, tuple[str, str, list[str], str]],
    name: str,
) -> None:
    address, opens, fields, sends = forms[name]
    page = arrive(address)

    def open_it() -> Locator:
        if opens:
            page.locator("main").get_by_role("button", name=opens).first.click()
        return page.locator("[popover]:popover-open" if opens else "main")

    form = open_it()
    for field in fields:
        form.locator(field).fill(f"{WORDS} {field}")
    if name == "answer":
        form.locator("[name=answer][value=neither]").check()
    session_ends(page)
    form.get_by_role("button", name=sends).first.click()
    way = at_the_sign_in(page)
    assert way == address
    back_again(page, reviewer, live_server.url, way)
    form = open_it()
    for field in fields:
        expect(form.locator(field)).to_have_value(f"{WORDS} {field}")


def test_a_text_that_was_sent_is_not_offered_again(arrive: Arrive, reviewer: User) -> None:
    (held,) = waiting(1)
    page = arrive(f"/queue/{held.id}/edit/")
    page.get_by_label("Statement").fill("Backups run at three.")
    page.get_by_label("Why").fill(WORDS)
    page.get_by_role("button", name="Save and verify again").click()
    expect(page.locator("#claim")).to_have_text("Backups run at three.")
    page.goto(page.url.split("?")[0] + "edit/")
    expect(page.get_by_label("Why")).to_have_value("")
    expect(page.get_by_label("Statement")).to_have_value("Backups run at three.")


def test_a_draft_never_lies_over_a_text_that_somebody_changed_meanwhile(arrive: Arrive) -> None:
    (held,) = waiting(1)
    page = arrive(f"/queue/{held.id}/edit/")
    page.get_by_label("Statement").fill("Backups run at four.")
    page.get_by_label("Why").fill(WORDS)
    edit_held(
        held_id=held.id, seen_version=held.version, actor=make.person(make.reviewer("ada")), reason="moved",
        statement="Backups run at three.",
    )  # fmt: skip
    page.reload()
    expect(page.get_by_label("Statement")).to_have_value("Backups run at three.")
    expect(page.get_by_label("Why")).to_have_value(WORDS)


def test_suggestions_of_the_search_show_no_sign_in_and_the_search_leads_to_one(arrive: Arrive) -> None:
    waiting(1)
    page = arrive("/queue/")
    session_ends(page)
    box = page.get_by_label("Search the queue")
    with page.expect_response("**/queue/suggest/**") as answer:
        box.press_sequentially("ag")
    assert answer.value.status == 401
    expect(page.get_by_role("option")).to_have_count(0)
    expect(page.get_by_label("Password")).to_have_count(0)
    box.fill("agent:ops-agent")
    page.get_by_role("button", name="Search").click()
    assert at_the_sign_in(page) == "/queue/?q=agent%3Aops-agent"


def test_bulk_work_leads_to_a_full_sign_in(arrive: Arrive, reviewer: User) -> None:
    held = waiting(2)
    job = preview_bulk(user=reviewer, action=Action.APPROVE, held_ids=[one.pk for one in held])
    page = arrive(f"/jobs/{job.pk}/")
    session_ends(page)
    page.locator("input[data-pick]").first.uncheck()
    assert at_the_sign_in(page) == f"/jobs/{job.pk}/"
    assert Job.objects.get(pk=job.pk).items.filter(selected=True).count() == 2


# --- S18: the token turned ---


@pytest.fixture
def no_limit() -> Iterator[None]:
    """Signing in is rate-limited, for all tests together."""
    cache.clear()
    yield
    cache.clear()


def test_a_sign_in_in_another_tab_turns_the_token_and_the_old_card_says_what_to_do(
    arrive: Arrive, page: Page, reviewer: User, live_server: LiveServer, no_limit: None, faults: list[str]
) -> None:
    (held,) = waiting(1)
    arrive(f"/queue/{held.id}/")
    page.keyboard.press("r")
    page.get_by_label("In your words").first.fill(WORDS)
    session_ends(page)
    tab = page.context.new_page()
    tab.goto(f"{live_server.url}/accounts/login/")
    tab.get_by_label("User name").fill(reviewer.get_username())
    tab.get_by_label("Password").fill("pw")  # as tests.services.make gives it
    tab.get_by_role("button", name="Sign in").click()
    expect(tab.get_by_role("heading", level=1)).to_be_visible()
    page.bring_to_front()
    page.get_by_role("button", name="Wrong", exact=True).first.click()
    alert = page.locator("#problem").get_by_role("alert")
    expect(alert).to_contain_text("Reload the page: what you typed is kept.")
    expect(alert).to_be_in_viewport()
    assert status_of(held) == "waiting"
    page.reload()
    page.wait_for_load_state("networkidle")
    page.keyboard.press("r")
    expect(page.get_by_label("In your words").first).to_have_value(WORDS)
    page.keyboard.press("4")
    expect(page.get_by_text("Nothing waits for you")).to_be_visible()
    assert HeldRecord.objects.get(pk=held.pk).reason == WORDS
    faults.clear()  # the 403, as the browser notes it


# --- S19 ---


def test_back_forward_and_refresh_show_each_item_as_it_is_now(arrive: Arrive) -> None:
    first, second, _ = waiting(3)
    page = arrive(f"/queue/{first.id}/")
    page.keyboard.press("a")
    expect(page.locator("#claim")).to_have_text(second.statement)
    page.reload()
    expect(page.locator("#claim")).to_have_text(second.statement)
    expect(page.get_by_role("button", name="Approve")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("What became of it")).to_be_visible()
    page.go_forward()
    expect(page.locator("#claim")).to_have_text(second.statement)
    page.wait_for_load_state("networkidle")
    page.go_back()
    expect(page.get_by_text("What became of it")).to_be_visible()
    expect(page.get_by_role("button", name="Approve")).to_have_count(0)
    assert decided() == 1


def test_a_page_out_of_the_browsers_memory_is_asked_for_anew(arrive: Arrive) -> None:
    (held,) = waiting(1)
    page = arrive(f"/queue/{held.id}/")
    make.act(held, make.reviewer("ada"), Action.REJECT, reason_code="wrong")
    with page.expect_navigation():
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    expect(page.get_by_text("What became of it")).to_be_visible()
    expect(page.get_by_role("button", name="Approve")).to_have_count(0)


def test_a_browser_keeps_ids_and_its_theme_and_no_text_of_anybody(arrive: Arrive, reviewer: User) -> None:
    items = waiting(3)
    page = arrive("/queue/")
    page.keyboard.press("j")
    page.keyboard.press("x")
    page.get_by_role("button", name="Change theme").click()
    page.goto(page.url + f"{items[0].id}/")
    page.wait_for_load_state("networkidle")
    page.keyboard.press("r")
    page.get_by_label("In your words").first.fill(WORDS)
    page.get_by_role("button", name="Wrong", exact=True).first.click()
    expect(page.locator("#claim")).to_have_text(items[1].statement)
    read(page)
    page.keyboard.press("a")
    expect(page.locator("#claim")).to_have_text(items[2].statement)
    page.wait_for_function("() => !Object.keys(sessionStorage).some(name => name.startsWith('draft:'))")
    kept = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
    for text in [WORDS, reviewer.get_username(), *(item.statement for item in items)]:
        assert text not in kept
    assert page.evaluate("Object.keys(localStorage)") == ["theme"]
    assert not Evidence.objects.filter(content=WORDS).exists()
