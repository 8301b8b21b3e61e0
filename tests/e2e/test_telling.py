"""Inbox, choices and the link of a mail in a browser: live without anything moving, and whole without scripts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from evidence.models import Delivery, Inquiry, User, Webhook
from evidence.rules.vocab import Role
from evidence.services.mail_links import token_for
from evidence.services.outbox import deliver_due
from evidence.tasks import outbox as _outbox  # noqa: F401 - as in a worker, where the handlers are known
from tests.e2e.conftest import signed_in
from tests.services import make
from tests.services.test_sending import question

pytestmark = pytest.mark.django_db(transaction=True)

HOSTILE = "Is the \u202egnp.exe <b>door</b> red? " + "x" * 300 + " <img src=x onerror=alert(1)>"
# Where pictures of the pages go, for whoever wants to look at them.
SHOTS = os.environ.get("SHOTS", "")


@pytest.fixture
def people(transactional_db: None) -> tuple[User, User]:
    both = Role.OWNER, Role.REVIEWER
    return make.user("owner", *both, email="owner@desk.invalid"), make.user("admin", Role.ADMINISTRATOR)


def passed_on() -> None:
    while deliver_due():
        pass


def shoot(page: Page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"), full_page=True)


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


def test_news_arrives_on_an_open_page_and_moves_nothing(
    page: Page, live_server: LiveServer, people: tuple[User, User], faults: list[str]
) -> None:
    question()
    passed_on()
    signed_in(page.context, people[0], live_server.url)
    page.clock.install()
    page.goto(f"{live_server.url}/inbox/")
    entry = page.locator(".inbox-rows > li").first
    expect(page.locator("#inbox-count b")).to_have_text("1")
    before = entry.bounding_box()
    Delivery.objects.update(state="sent")
    question("And the window?")
    passed_on()
    page.clock.fast_forward(21_000)
    expect(page.locator("#inbox-newer a")).to_have_text("1 new entry: show it")
    expect(page.locator("#inbox-count b")).to_have_text("2")
    assert entry.bounding_box() == before
    page.get_by_role("link", name="1 new entry").click()
    expect(page.locator(".inbox-rows > li")).to_have_count(2)
    page.get_by_role("button", name="Mark all as read").click()
    expect(page.locator("#inbox-count b")).to_have_text("0")


def test_a_mails_link_asks_and_answers_without_scripts_or_a_session(
    browser: Browser, live_server: LiveServer, people: tuple[User, User], settings: Any
) -> None:
    settings.MAIL_ANSWERS = True
    make.fact(about=make.claim("active"))
    make.proposal(make.agent(), "The vendor account is past due.", claim=make.claim("past due"))
    asked = Inquiry.objects.get()
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.goto(f"{live_server.url}/mail/question/{token_for(asked, people[0])}/")
    shoot(page, "mail-question-390")
    assert fits(page)
    page.get_by_label("The new value is true").check()
    page.get_by_role("button", name="Continue").click()
    shoot(page, "mail-confirm-390")
    expect(page.locator(".steps")).to_contain_text("past due")
    assert Inquiry.objects.get().status == "open"
    page.get_by_role("button", name="Answer").click()
    expect(page.get_by_role("heading", name="Answered")).to_be_visible()
    assert Inquiry.objects.get().answer == "incoming"
    page.goto(f"{live_server.url}/inquiries/")
    assert "/accounts/login/" in page.url
    context.close()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 390)])
def test_every_page_of_it_fits_and_axe_finds_nothing(
    browser: Browser, live_server: LiveServer, people: tuple[User, User], scheme: Any, width: int
) -> None:
    owner, admin = people
    hostile = make.agent("ops \u202eagent " + "w" * 120)
    for text in (HOSTILE, "Is the window open?"):
        row = question(text, agent=hostile.id)
        passed_on()
        Delivery.objects.update(state="sent")
        Inquiry.objects.filter(pk=row.pk).exclude(question=HOSTILE).update(status="withdrawn")
    for number in range(8):
        question(f"Is door {number} of the long corridor on the second floor red?")
    passed_on()
    Delivery.objects.filter(count=1).update(read_at=timezone.now())
    for who, pages in ((owner, ["inbox/", "settings/telling/", "settings/"]), (admin, ["settings/webhooks/"])):
        context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
        page = signed_in(context, who, live_server.url).new_page()
        for address in pages:
            page.goto(f"{live_server.url}/{address}")
            if address == "settings/webhooks/":
                page.get_by_label("Name").last.fill("Ops channel " + "n" * 40)
                page.get_by_label("Address", exact=False).last.fill("https://hooks.desk.invalid/T0/B0")
                page.get_by_label("A question waits for an answer").last.check()
                page.get_by_role("button", name="Add", exact=True).click()
                expect(page.locator(".secret-once code")).to_contain_text("whsec_")
                hook = Webhook.objects.get()
                Delivery.objects.create(
                    channel="webhook", webhook=hook, endpoint=f"hook:{hook.pk}", lane="at_once", state="dead",
                    last_error="no_answer", attempts=8,
                )  # fmt: skip
            shoot(page, f"{address.strip('/').replace('/', '-')}-{scheme}-{width}")
            assert fits(page), address
            found = Axe().run(page)
            assert found.violations_count == 0, found.generate_report()
        context.close()
