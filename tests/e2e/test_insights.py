"""The pages of numbers in a browser: they fit, axe finds nothing, they work without scripts, and a token can be copied."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from evidence.models import HeldRecord
from evidence.rules.vocab import Action, Role
from evidence.services.batching import flush_all
from evidence.services.refusals import count_refused
from tests.e2e.conftest import signed_in
from tests.e2e.test_looks import LONG, WIDTHS, violations
from tests.services import make

Opens = Callable[..., Page]


@pytest.fixture
def opens(browser: Browser, live_server: LiveServer, transactional_db: None):
    """Opens a page as somebody with every role."""
    contexts = []

    def inner(path: str, *, scheme: str = "light", scripts: bool = True, roles: tuple[Role, ...] = tuple(Role)) -> Page:
        context = browser.new_context(
            color_scheme=scheme, reduced_motion="reduce", base_url=live_server.url, java_script_enabled=scripts
        )
        contexts.append(context)
        signed_in(context, make.user("everybody", *roles), live_server.url)
        page = context.new_page()
        page.goto(path)
        return page

    yield inner
    for context in contexts:
        context.close()


def a_desk(agent: str = "ops-agent") -> None:
    of, ada = make.agent(agent), make.reviewer("ada")
    make.fact("The account is active.", about=make.claim("active"), volatility="billing")
    make.proposal(of=of, statement="The account is past due.", claim=make.claim("past due"))
    make.approve(make.proposal(of=of, statement="Backups run at two."), ada)
    make.act(make.proposal(of=of, statement="Offices close at six."), ada, Action.REJECT, reason_code="wrong")
    count_refused(kinds=["jwt"], door="api", agent=agent)
    flush_all()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_numbers_fit_and_can_be_used_by_everybody(opens: Opens, scheme: str) -> None:
    a_desk(f"{LONG[:150]}\u202e <b>")
    page = opens("/", scheme=scheme)
    for path in ("/", "/insights/", "/insights/?days=90", "/insights/rows/?figure=ended&days=30",
                 "/insights/rows/?figure=refused&days=30", "/insights/rows/?figure=mine&days=30"):  # fmt: skip
        page.goto(path)
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
        assert violations(page) == [], path


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_new_desk_fits_and_hands_out_a_token_that_can_be_copied(opens: Opens, scheme: str) -> None:
    page = opens("/", scheme=scheme)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_label("Name of the agent").fill("ops-agent")
    page.get_by_role("button", name="Make a token").click()
    secret = page.locator("#token").inner_text()
    assert secret.startswith("eda_")
    page.locator('[data-copy="token"]').click()
    expect(page.locator('[data-copy="token"]')).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == secret
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
    assert violations(page) == []


def test_an_empty_desk_has_nothing_to_draw_and_says_so(opens: Opens) -> None:
    page = opens("/insights/")
    expect(page.get_by_role("heading", name="Nothing to draw yet")).to_be_visible()
    assert violations(page) == []


def test_everything_can_be_read_without_scripts(opens: Opens) -> None:
    a_desk()
    page = opens("/insights/", scripts=False)
    expect(page.get_by_role("img", name="Waiting by day")).to_be_visible()
    page.get_by_text("The numbers of each day").click()
    page.locator("table.numbers tbody tr").first.get_by_role("link").first.click()
    expect(page.get_by_role("heading", name="Filed")).to_be_visible()
    assert page.locator("[data-row]").count() == 3
    page.goto("/")
    expect(page.get_by_role("button", name="Copy")).to_have_count(0)


def test_a_printed_page_keeps_its_charts_and_drops_what_cannot_be_pressed(opens: Opens) -> None:
    a_desk()
    page = opens("/insights/")
    page.emulate_media(media="print")
    expect(page.get_by_role("img", name="Waiting by day")).to_be_visible()
    expect(page.get_by_role("navigation", name="Range")).to_be_hidden()
    expect(page.get_by_text("The numbers of each day")).to_be_hidden()


def test_what_was_drawn_by_lot_is_still_said_so_after_the_claim(opens: Opens) -> None:
    from evidence.models import User
    from evidence.selectors.picking import draw_for
    from tests.selectors.test_picking import many, with_a_draw

    page = opens("/queue/")
    person = User.objects.get(username="everybody")
    leaving = with_a_draw(person, many(40))
    person.skips.create(held=leaving)
    assert draw_for(person).by_lot
    page.goto("/queue/next/")
    expect(page.get_by_text("Picked at random, so that nothing starves.")).to_be_visible()
    shown = page.locator("#card").get_attribute("data-item")
    page.wait_for_url(f"**/queue/{shown}/")
    assert HeldRecord.objects.get(pk=shown).lease_by_lot
    page.reload()
    expect(page.get_by_text("Picked at random, so that nothing starves.")).to_be_visible()
