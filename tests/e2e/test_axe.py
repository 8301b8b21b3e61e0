"""Axe on every page that the URLconf has: light and dark, wide and narrow, with long and hostile texts; the main ones in German.

The pages come from the URLconf (`tests/web/whole_desk.py`): a new one is looked at without being named here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from axe_playwright_python.base import AXE_FILE_PATH
from django.urls import resolve, reverse
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from evidence.models import User
from evidence.rules.vocab import Role
from tests.e2e.conftest import signed_in
from tests.services import make
from tests.web.whole_desk import WholeDesk, whole_desk

LONG = (
    "Unbroken" * 9
    + " \u202egnp.exe\u202c \u0627\u0644\u0633\u0644\u0627\u0645 👨‍👩‍👧 <b>bold</b> "
    + "ordinary words " * 6
)
WIDE, NARROW = 1440, 390
COLOURS = ("color-contrast", "link-in-text-block")
# What another width can break: names, roles and order are the same markup.
LAYOUT = (*COLOURS, "target-size", "scrollable-region-focusable", "aria-hidden-focus", "heading-order")
ACCOUNT = ("account_login", "account_logout", "account_change_password", "mfa_index")


def pages(desk: WholeDesk) -> Iterator[str]:
    """One address of each name, and every kind of item, job and record."""
    seen = set()
    for name, address in desk.addresses(few=True):
        seen.add(address)
        if (
            not name.startswith("health")
            and name not in ("import-download", "audit-receipt")
            and not getattr(resolve(address).func, "is_action", False)
        ):
            yield address
    for name, address in desk.addresses():
        if name in ("item", "job", "record") and "?" not in address and address not in seen:
            seen.add(address)
            yield address


def open_page(browser: Browser, live_server: LiveServer, user: User, scheme: str, locale: str = "en") -> Page:
    context = browser.new_context(
        color_scheme=scheme,  # type: ignore[arg-type]
        reduced_motion="reduce", base_url=live_server.url, locale=locale,
    )  # fmt: skip
    signed_in(context, user, live_server.url)
    return context.new_page()


def violations(page: Page, *, only: tuple[str, ...] = ()) -> list[str]:
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if only:
        options["runOnly"] = {"type": "rule", "values": list(only)}
    if not page.evaluate("typeof window.axe === 'object'"):
        page.evaluate(AXE_FILE_PATH.read_text(encoding="utf-8"))
    found = page.evaluate(f"axe.run(document, {json.dumps(options)})")["violations"]
    return [f"{one['id']}: {[node['html'][:120] for node in one['nodes'][:3]]}" for one in found]


def faults(page: Page, *, only: tuple[str, ...] = ()) -> list[str]:
    """What axe finds in both widths, and what makes the page scroll sideways."""
    found = []
    for width, rules in ((WIDE, only), (NARROW, only or LAYOUT)):
        # High enough for the bar at the bottom to cover nothing, which would count as a target cut short.
        page.set_viewport_size({"width": width, "height": 900 if width == WIDE else 4000})
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append(f"{width}: scrolls sideways")
        found += [f"{width}: {one}" for one in violations(page, only=rules)]
    return found


def everybody() -> User:
    return make.user("reviewer", Role.REVIEWER, Role.OWNER, Role.ADMINISTRATOR)


def test_axe_finds_nothing_on_any_page_and_none_scrolls_sideways(
    browser: Browser, live_server: LiveServer, transactional_db: None
) -> None:
    user = everybody()
    desk = whole_desk(LONG, reviewer=user)
    addresses = [*pages(desk), "/nowhere/", *(reverse(name) for name in ACCOUNT)]
    found: dict[str, list[str]] = {}
    looked = []
    page = open_page(browser, live_server, user, "light")
    for address in addresses:
        answer = page.goto(address)
        assert answer is not None
        if "html" in answer.headers.get("content-type", "") and page.evaluate("!!document.querySelector('main')"):
            looked.append(address)
            found[address] = faults(page)
    page.context.close()
    # The scheme changes colours, and nothing else.
    page = open_page(browser, live_server, user, "dark")
    for address in looked:
        page.goto(address)
        found[f"{address} dark"] = violations(page, only=COLOURS)
    page.context.close()
    page = open_page(browser, live_server, user, "light", locale="de-DE")
    for address in ("/", "/queue/", reverse("item", args=[desk.conflicted.pk])):
        page.goto(address)
        assert page.evaluate("document.documentElement.lang") == "de"
        found[f"{address} de"] = faults(page)
    page.context.close()
    assert len(looked) > 35
    wrong = [f"{address}: {one}" for address, ones in found.items() for one in ones]
    assert wrong == [], "\n".join(wrong)
