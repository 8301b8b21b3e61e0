"""The queue of re-checks in a real browser: by keyboard alone, in one place after the other; and without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from evidence.models import Evidence, Inquiry
from evidence.rules.vocab import Role
from evidence.services.records import revoke_record
from tests.e2e.conftest import Arrive, signed_in
from tests.e2e.test_looks import violations
from tests.services import make
from tests.services.test_rechecks import due, old

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]

HOSTILE = "Paid \u202eeud tsap\u202c <img src=x onerror=alert(1)> {{ 7|add:7 }} " + "long" * 60


def toast(page: Page) -> Locator:
    return page.locator(".toast .what")


def checked_now(row: Evidence) -> bool:
    row.refresh_from_db()
    return row.check_confirmed_by == "reviewer"


def owned(arrive: Arrive) -> Page:
    """The person of these tests owns everything, too."""
    make.agent()
    make.user("reviewer", Role.OWNER)
    return arrive("/rechecks/")


def test_places_are_settled_by_keyboard_alone(arrive: Arrive) -> None:
    bills = [old(number, days=9 - number) for number in range(3)]
    status = [old(number, days=3, check_method="Status page") for number in (5, 6)]
    page = owned(arrive)
    page.keyboard.press("j")
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.locator("[data-ticked]").first).to_have_text("✓ 2")
    page.keyboard.press("y")
    expect(toast(page)).to_have_text("Still true: 2 facts checked now.")
    assert [checked_now(row) for row in bills] == [True, True, False]
    expect(page.locator("#rechecks [data-row]").first).to_be_focused()
    page.keyboard.press("u")
    expect(toast(page)).to_have_text("Taken back: 2 facts are due again.")
    assert due() == {row.pk for row in (*bills, *status)}
    # Nothing is ticked: the row under the cursor is meant. The reason is asked for, and typing presses no key.
    page.locator("form[data-group]").nth(1).locator("[data-row]").first.focus()
    page.keyboard.press("n")
    reason = page.locator("form[data-group]").nth(1).locator("textarea")
    expect(reason).to_be_focused()
    page.keyboard.type("y: the page is gone")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(toast(page)).to_have_text("No longer true: 1 fact revoked.")
    assert due() == {row.pk for row in (*bills, status[1])}
    # One is left there: a fact that stands alone needs no tick.
    page.locator("form[data-group]").nth(1).locator("[data-row]").focus()
    page.keyboard.press("q")
    expect(toast(page)).to_have_text("The agent is asked about 1 fact.")
    assert Inquiry.objects.get().current_record == status[1].record_id


def test_what_changed_meanwhile_is_named_and_a_refusal_keeps_what_was_typed(arrive: Arrive) -> None:
    rows = [old(number) for number in range(3)]
    page = owned(arrive)
    page.get_by_label("Tick all of this place").check()
    revoke_record(
        record_pk=rows[0].pk, seen_version=1, actor=make.person(make.user("ada", Role.OWNER)), reason="Cancelled."
    )
    page.get_by_label("Where you looked").fill("Invoice of May")
    page.get_by_text("No longer true…").click()
    page.get_by_role("button", name="No longer true", exact=True).click()
    expect(page.locator("#problem")).to_contain_text("Say why this is no longer true.")
    expect(page.get_by_label("Where you looked")).to_have_value("Invoice of May")
    page.get_by_role("button", name=re.compile("Still true")).click()
    expect(toast(page)).to_have_text("Still true: 2 facts checked now.")
    expect(page.locator(".left-alone li")).to_have_count(1)
    expect(page.locator(".left-alone")).to_contain_text("revoked")
    expect(page.locator(".left-alone")).to_contain_text("ada")
    rows[1].refresh_from_db()
    assert rows[1].check_method == "Invoice of May"


def test_it_works_without_scripts(browser: Browser, live_server: object, transactional_db: None) -> None:
    make.agent()
    rows = [old(number) for number in range(2)]
    context = browser.new_context(java_script_enabled=False)
    page = signed_in(context, make.user("olga", Role.OWNER), live_server.url).new_page()  # type: ignore[attr-defined]
    page.goto(f"{live_server.url}/rechecks/")  # type: ignore[attr-defined]
    page.locator('input[name="pick"]').first.check()
    page.get_by_text("Later…").click()
    page.get_by_role("button", name="Later", exact=True).click()
    expect(toast(page)).to_have_text("Put off: 1 fact.")
    expect(page.locator("#rechecks [data-row]")).to_have_count(1)
    page.get_by_role("button", name=re.compile("Undo")).click()
    expect(toast(page)).to_have_text("Taken back: 1 fact is due again.")
    assert due() == {row.pk for row in rows}
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_kept_out_and_nothing_runs_over(arrive: Arrive, scheme: str) -> None:
    for number in range(2):
        old(
            number,
            content=HOSTILE,
            about=make.claim(HOSTILE, HOSTILE, f"{number} {HOSTILE}"),
            check_method=HOSTILE[:300],
        )
    old(3, about=make.claim("1", HOSTILE, "price"), content=HOSTILE, check_method="")
    page = owned(arrive)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    page.get_by_text("No longer true…").first.click()
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(page) == []
