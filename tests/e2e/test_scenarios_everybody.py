"""The desk for everybody: by Tab and Enter alone, without scripts, on a narrow or enlarged window, without motion, on paper."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from django.core.cache import cache
from django.urls import resolve
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from evidence.models import Decision, Evidence, HeldRecord, HeldSkip, Inquiry, User
from evidence.rules.vocab import Action, Role
from evidence.services.editing import edit_held
from tests.e2e.conftest import Arrive, signed_in
from tests.e2e.test_looks import LONG, looking, violations  # noqa: F401 - a fixture
from tests.e2e.test_reviewing import decided, read, status_of, waiting
from tests.services import make
from tests.web.whole_desk import whole_desk

# 320 px: a telephone, and a window of 1280 px at 400 %; 640 px: the same window at 200 % (WCAG 1.4.10).
WIDTHS = (320, 640)
NO_PAGES = {
    "peek",
    "queue-suggest",
    "queue-rows",
    "supersede-plan",
    "inbox-unread",
    "import-download",
    "audit-receipt",
    "health-live",
    "health-ready",
    "metrics",
}


def test_no_page_scrolls_sideways_on_a_narrow_or_enlarged_window(
    page: Page, live_server: LiveServer, reviewer: User
) -> None:
    for role in (Role.OWNER, Role.ADMINISTRATOR):
        make.user(reviewer.get_username(), role)
    whole = whole_desk(LONG[:380], reviewer)
    signed_in(page.context, reviewer, live_server.url)
    wide: list[str] = []
    addresses = [address for name, address in whole.addresses(few=True) if name not in NO_PAGES]
    addresses += [
        f"/queue/{whole.decided.pk}/?amend=1",
        f"/queue/{whole.conflicted.pk}/",
        f"/jobs/{whole.finished.pk}/",
    ]
    for address in [*addresses, "/accounts/password/change/", "/accounts/email/", "/accounts/2fa/totp/activate/"]:
        if getattr(resolve(address.split("?")[0]).func, "is_action", False):
            continue
        page.goto(f"{live_server.url}{address}")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            if page.evaluate("document.documentElement.scrollWidth") > width:
                wide.append(f"{width} px: {address}")
    assert not wide, "\n".join(wide)


def test_what_follows_a_conflict_or_a_refusal_can_be_used_by_everybody(looking: Page) -> None:  # noqa: F811
    ada = make.person(make.reviewer("ada"))
    first, second = waiting(2)
    looking.goto(f"/queue/{first.id}/")
    looking.wait_for_load_state("networkidle")
    edit_held(held_id=first.id, seen_version=first.version, actor=ada, reason="moved", statement=f"Backups {LONG}")
    looking.keyboard.press("a")
    expect(looking.get_by_role("alert")).to_contain_text("Changed while you looked")
    for width in WIDTHS:
        looking.set_viewport_size({"width": width, "height": 800})
        assert looking.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(looking) == []
    looking.goto(f"/queue/{second.id}/edit/")
    edit_held(
        held_id=second.id, seen_version=second.version, actor=ada, reason="moved", statement="Offices close late."
    )
    looking.get_by_label("Why").fill("It moved.")
    looking.get_by_role("button", name="Save and verify again").click()
    expect(looking.get_by_role("alert")).to_contain_text("Changed while you looked")
    assert violations(looking) == []
    second.refresh_from_db()
    done = make.act(second, User.objects.get(username="reviewer"), Action.REJECT, reason_code="wrong")
    looking.goto(f"/queue/{second.id}/?amend=1")
    expect(looking.get_by_role("heading", name="Decide differently")).to_be_visible()
    assert violations(looking) == []
    looking.goto(f"/queue/next/?done={done.decision.pk}")
    expect(looking.get_by_role("region", name="What was done")).to_be_visible()
    assert violations(looking) == []
    looking.goto("/queue/?after=made-up")
    expect(looking.get_by_role("heading", level=1)).to_have_text("That cannot be read.")
    assert violations(looking) == []


# --- by Tab and Enter alone ---


# A ring around it, or around the row that it stands for.
RINGED = """element => [getComputedStyle(element), getComputedStyle(element, "::after"), getComputedStyle(element, "::before")]
  .some(style => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2)"""


class Keyboard:
    """Tab and Enter, and words where they are asked for. What has the focus must be seen to have it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def to(self, wanted: Locator, *, back: bool = False) -> None:
        for _ in range(90):
            if wanted.evaluate("element => element === document.activeElement"):
                break
            self.page.keyboard.press("Shift+Tab" if back else "Tab")
        expect(wanted).to_be_focused()
        assert wanted.evaluate(RINGED), wanted
        expect(wanted).to_be_in_viewport()

    def press(self, wanted: Locator, *, back: bool = False) -> None:
        self.to(wanted, back=back)
        self.page.keyboard.press("Enter")

    def not_lost(self) -> None:
        assert self.page.evaluate("document.activeElement !== document.body && document.activeElement.isConnected")


def test_a_whole_sitting_by_tab_and_enter_alone(page: Page, live_server: LiveServer, reviewer: User) -> None:
    cache.clear()
    reviewer.shortcuts_on = False
    reviewer.save()
    first, second, third = waiting(3)
    hands = Keyboard(page)
    page.goto(live_server.url)
    page.keyboard.type(reviewer.get_username())
    hands.to(page.get_by_label("Password"))
    page.keyboard.type("pw")
    hands.press(page.get_by_role("button", name="Sign in"))
    expect(page.get_by_role("link", name="Queue", exact=True)).to_be_visible()
    hands.press(page.get_by_role("navigation", name="Main").get_by_role("link", name="Queue"))
    hands.press(page.locator("[data-row]").first)
    expect(page.locator("#claim")).to_have_text(first.statement)
    page.wait_for_load_state("networkidle")
    bar = page.get_by_role("group", name="Decide")
    hands.press(bar.get_by_role("button", name="Approve"))
    expect(page.locator("#claim")).to_have_text(second.statement)
    expect(page.locator("#claim")).to_be_focused()
    read(page)
    hands.press(page.get_by_role("button", name="Dismiss"))
    expect(page.locator(".toast")).to_have_count(0)
    hands.not_lost()
    hands.press(bar.get_by_role("button", name="Undo"))
    expect(page.locator("#claim")).to_have_text(first.statement)
    expect(page.locator("#claim")).to_be_focused()
    read(page)
    hands.press(bar.get_by_role("button", name="Reject"))
    hands.not_lost()
    sheet = page.get_by_role("dialog", name="Reject: why?")
    hands.to(sheet.get_by_label("In your words"), back=True)
    page.keyboard.type("It moved.")
    hands.press(sheet.get_by_role("button", name="Wrong", exact=True))
    expect(page.locator("#claim")).to_have_text(second.statement)
    hands.not_lost()
    read(page)
    hands.press(bar.get_by_role("button", name="Snooze"))
    page.keyboard.press("Escape")
    expect(bar.get_by_role("button", name="Snooze")).to_be_focused()
    hands.press(page.get_by_role("button", name=reviewer.get_username()), back=True)
    hands.press(page.get_by_role("link", name="Settings"))
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    hands.press(page.get_by_role("button", name=reviewer.get_username()))
    hands.press(page.get_by_role("button", name="Sign out"))
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    first.refresh_from_db()
    assert (first.status, first.reason) == ("rejected", "It moved.")
    assert [status_of(held) for held in (second, third)] == ["waiting", "waiting"]
    cache.clear()


# --- without scripts ---


@pytest.fixture
def plain(browser: Browser, live_server: LiveServer, reviewer: User) -> Iterator[Callable[[str], Page]]:
    make.user(reviewer.get_username(), Role.OWNER)
    context = browser.new_context(java_script_enabled=False, base_url=live_server.url)
    page = signed_in(context, reviewer, live_server.url).new_page()

    def inner(address: str) -> Page:
        page.goto(address)
        return page

    yield inner
    context.close()


def test_the_rest_of_the_bar_works_without_scripts(plain: Callable[[str], Page]) -> None:
    current = make.fact("The account is active.", about=make.claim("active"))
    held = make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    asked, skipped, snoozed, edited = waiting(4)
    page = plain(f"/queue/{held.id}/")
    page.get_by_role("button", name="Supersede").click()
    page.locator("#supersede-sheet").get_by_role("button", name="Wrong").click()
    expect(page.locator(".toast")).to_contain_text("Approved, replacing others")
    current.refresh_from_db()
    assert (status_of(held), current.state) == ("approved", "superseded")
    page = plain(f"/queue/{asked.id}/")
    page.get_by_role("button", name="Ask owner").click()
    page.get_by_label("Your question").fill("Is it two?")
    page.get_by_role("button", name="Send the question").click()
    expect(page.locator(".toast")).to_contain_text("Owner asked")
    plain(f"/queue/{skipped.id}/").get_by_role("button", name="Skip").click()
    assert HeldSkip.objects.filter(held=skipped).exists()
    page = plain(f"/queue/{snoozed.id}/")
    page.get_by_role("button", name="Snooze").click()
    page.get_by_role("button", name="In 3 days").click()
    assert HeldRecord.objects.get(pk=snoozed.pk).snoozed_until is not None
    page = plain(f"/queue/{edited.id}/")
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Statement").fill("Parcels are weighed in kilograms.")
    page.get_by_label("Why").fill("It changed.")
    page.get_by_role("button", name="Save and verify again").click()
    expect(page.locator("#claim")).to_have_text("Parcels are weighed in kilograms.")


def test_a_conflict_a_question_and_a_record_work_without_scripts(plain: Callable[[str], Page]) -> None:
    (held,) = waiting(1)
    page = plain(f"/queue/{held.id}/")
    make.act(held, make.reviewer("ada"), Action.REJECT, reason_code="wrong")
    page.get_by_role("button", name="Reject").click()
    page.get_by_label("In your words").first.fill("I had typed this.")
    page.get_by_role("button", name="Out of date").first.click()
    expect(page.get_by_role("alert")).to_contain_text("ada was first")
    expect(page.get_by_role("alert")).to_contain_text("I had typed this.")
    assert decided() == 1
    make.fact("The account is active.", about=make.claim("active"))
    claimed = make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    page = plain(f"/inquiries/{Inquiry.objects.get(held=claimed).pk}/")
    page.get_by_role("button", name="Answer").click()
    page.locator("[name=answer][value=other_value]").check()
    page.get_by_label("The value that is true").fill("on hold")
    page.get_by_label("In your words").fill("I looked.")
    page.get_by_role("button", name="Answer").click()
    expect(page.get_by_role("status").first).to_contain_text("on hold")
    fact = Evidence.objects.active().get(kind="fact")
    assert fact.claim_value == "on hold"
    page = plain(f"/records/{fact.record_id}/")
    page.get_by_role("button", name="Re-check").click()
    page.get_by_role("button", name="Revoke").click()
    page.get_by_label("Why").fill("Closed.")
    page.locator("#revoke-sheet").get_by_role("button", name="Revoke").click()
    fact.refresh_from_db()
    assert fact.state == "revoked"
    page = plain("/settings/")
    page.get_by_label("Time zone").fill("Europe/Oslo")
    page.locator("form").filter(has=page.get_by_label("Time zone")).get_by_role("button", name="Save").click()
    page.locator("main").get_by_role("button", name="Turn off").click()
    assert User.objects.filter(time_zone="Europe/Oslo", shortcuts_on=False).exists()
    assert Decision.objects.filter(action__in=["answer", "refresh_check", "revoke"]).count() == 3


# --- without motion, on paper ---

MOVING = """() => [...document.querySelectorAll("*")].filter(element => {
  const {transitionDuration, animationDuration, animationName, scrollBehavior} = getComputedStyle(element);
  const long = text => text.split(",").some(part => parseFloat(part) > 0.01);
  return long(transitionDuration) || (animationName !== "none" && animationName !== "toast-still" && long(animationDuration))
    || scrollBehavior === "smooth";
}).map(element => element.className || element.tagName)"""


def test_nothing_moves_for_who_asks_for_no_motion(arrive: Arrive, page: Page) -> None:
    waiting(2)
    page.emulate_media(reduced_motion="reduce")
    for address in ("/queue/", "/insights/", "/queue/next/"):
        arrive(address)
        assert page.evaluate(MOVING) == [], address
    page.keyboard.press("a")
    expect(page.locator(".toast")).to_be_visible()
    assert page.evaluate(MOVING) == []


def test_an_item_is_printed_whole_and_without_its_bars(arrive: Arrive, page: Page) -> None:
    words = " ".join(f"word{n}" for n in range(140))
    held = make.proposal(
        statement="Backups run at two.", evidence=(make.inline(f"Backups run at two. {words}"[:1000]),)
    )
    arrive(f"/queue/{held.id}/")
    page.emulate_media(media="print")
    for bar in (".top", ".actions", "#toast"):
        expect(page.locator(bar)).to_be_hidden()
    expect(page.locator(".skip-link")).not_to_be_in_viewport()
    expect(page.locator("#claim")).to_be_visible()
    expect(page.get_by_text("If you approve")).to_be_visible()
    cut = page.evaluate(
        """() => [...document.querySelectorAll("main *")].filter(element =>
          getComputedStyle(element).overflowY !== "visible" && element.scrollHeight > element.clientHeight + 2
          && element.checkVisibility() && element.clientHeight > 2).map(element => element.className)"""
    )
    assert cut == []
    assert re.search(r"word1[0-3]\d", page.locator("main").inner_text())
