"""Every page in both schemes and widths: nothing scrolls sideways, axe finds nothing in panels, the theme is kept (screens)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from evidence.models import Decision, Inquiry, User
from evidence.rules.vocab import Action, Role
from tests.e2e.conftest import signed_in
from tests.e2e.test_axe import COLOURS
from tests.e2e.test_axe import violations as violations_of
from tests.services import make

LONG = "Unbroken" * 40 + " " + "https://registry.example/" + "a/" * 200
WIDTHS = (390, 1280)


def hostile_desk() -> list[str]:
    """Long, hidden, right-to-left and unbroken text in every place that shows text. Gives the pages."""
    text = f"{LONG} \u202egnp.exe\u202c \u0627\u0644\u0633\u0644\u0627\u0645 👨‍👩‍👧 <b>bold</b>"
    current = make.fact(f"{text} active", about=make.claim(f"one {LONG}", subject=LONG[:200]))
    said = (make.inline(text),)
    other = make.claim(f"two {LONG[:300]}", subject=LONG[:200])
    held = make.proposal(statement=f"{text} past due", claim=other, evidence=said, tags=(LONG[:150],))
    promoted = make.article(f"# Deploys\n\n{text}")
    rejected = make.proposal(statement=f"Other {text}", evidence=said)
    done = make.act(rejected, make.reviewer("ada"), Action.REJECT, reason_code="other", reason=text)
    make.act(held, make.reviewer("ada"), Action.ASK_OWNER, question=text)
    question = Inquiry.objects.filter(held=held).first()
    assert question is not None
    assert Decision.objects.exists()
    return [
        "/", "/queue/", "/queue/next/", f"/queue/{held.id}/", f"/queue/{held.id}/edit/", f"/queue/{done.held.id}/",
        f"/queue/{held.id}/candidates/?q=unbroken", "/inquiries/", f"/inquiries/{question.id}/", "/records/?state=active",
        "/records/?kind=article", f"/records/{current.record_id}/", f"/records/{promoted.record_id}/", "/audit/",
        f"/audit/{done.decision.id}/", "/agents/ops-agent/", "/settings/", "/accounts/logout/", "/accounts/2fa/", "/nowhere/",
    ]  # fmt: skip


@pytest.fixture(params=["light", "dark"])
def looking(
    request: pytest.FixtureRequest, browser: Browser, live_server: LiveServer, transactional_db: None
) -> Iterator[Page]:
    """A page of somebody with every role, in one colour scheme."""
    everything = make.user("reviewer", Role.REVIEWER, Role.OWNER, Role.ADMINISTRATOR)
    context = browser.new_context(color_scheme=request.param, reduced_motion="reduce", base_url=live_server.url)
    signed_in(context, everything, live_server.url)
    yield context.new_page()
    context.close()


# The scheme moves nothing; its colours are looked at in `test_axe`.
ONE_SCHEME = pytest.mark.parametrize("looking", ["light"], indirect=True)


def violations(page: Page) -> list[str]:
    """In the dark the colours only: all else is the same as in the light, where every test that asks looks too."""
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    return violations_of(page, only=COLOURS if dark else ())


@ONE_SCHEME
def test_every_page_fits(looking: Page) -> None:
    """What axe says of all of them: `test_axe`."""
    for path in hostile_desk():
        looking.goto(path)
        for width in WIDTHS:
            looking.set_viewport_size({"width": width, "height": 800})
            assert looking.evaluate("document.documentElement.scrollWidth") <= width, (path, width)


@pytest.mark.parametrize("sheet", ["Reject", "Supersede", "Ask owner", "Snooze", "Keyboard help"])
def test_every_panel_fits_and_can_be_used_by_everybody(looking: Page, sheet: str) -> None:
    make.fact(f"{LONG} active", about=make.claim("one"))
    make.proposal(statement=f"{LONG} past due", claim=make.claim("two"), evidence=(make.inline(LONG),))
    looking.goto("/queue/next/")
    for width in WIDTHS:
        looking.set_viewport_size({"width": width, "height": 800})
        looking.get_by_role("button", name=sheet, exact=True).click()
        panel = looking.locator("[popover]:popover-open")
        expect(panel).to_be_visible()
        box = panel.bounding_box()
        assert box is not None
        assert box["x"] >= 0, (sheet, width)
        assert box["x"] + box["width"] <= width, (sheet, width)
        assert violations(looking) == [], sheet
        looking.keyboard.press("Escape")


def test_the_sign_in_page_is_fit_for_everybody(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server.url}/accounts/login/")
    assert violations(page) == []


def test_the_theme_follows_the_system_until_somebody_chooses(
    page: Page, live_server: LiveServer, transactional_db: None
) -> None:
    signed_in(page.context, make.reviewer(), live_server.url)
    page.emulate_media(color_scheme="dark")
    page.goto(live_server.url)
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(ground) == "rgb(21, 21, 21)"
    page.emulate_media(color_scheme="light")
    assert page.evaluate(ground) == "rgb(247, 246, 243)"
    page.get_by_role("button", name="Change theme").click()
    assert page.evaluate(ground) == "rgb(21, 21, 21)"
    page.reload()
    assert page.evaluate(ground) == "rgb(21, 21, 21)"
    assert page.evaluate("JSON.stringify(Object.entries(localStorage))") == '[["theme","dark"]]'


@ONE_SCHEME
def test_the_action_bar_never_covers_the_end_of_the_card(looking: Page) -> None:
    make.proposal(statement=LONG, evidence=tuple(make.inline(f"{LONG[:900]} {n}", thread=f"t-{n}") for n in range(6)))
    looking.set_viewport_size({"width": 390, "height": 600})
    looking.goto("/queue/next/")
    looking.wait_for_load_state("networkidle")
    looking.evaluate("scrollTo(0, document.body.scrollHeight)")
    bottom = looking.locator(".columns").evaluate("box => box.getBoundingClientRect().bottom")
    top = looking.locator(".actions").evaluate("box => box.getBoundingClientRect().top")
    assert bottom <= top + 1


@ONE_SCHEME
def test_hostile_text_moves_nothing_and_runs_nothing(looking: Page, live_server: LiveServer) -> None:
    texts = [
        "<img src=x onerror=\"document.title='pwned'\">", '"><div hx-get="/settings/" hx-trigger="load" hx-target="body">',
        "\u202egniteerg\u202c end", "[a](javascript:alert(1))",
    ]  # fmt: skip
    for text in texts:
        make.proposal(statement=f"{text} {len(text)}")
    asked: list[str] = []
    looking.on("request", lambda request: asked.append(request.url))
    looking.goto("/queue/")
    for row in looking.locator("[data-row]").all():
        address = row.get_attribute("href")
        assert address is not None
        looking.context.request.get(address)
    for path in ["/queue/", *[str(row.get_attribute("href")) for row in looking.locator("[data-row]").all()]]:
        looking.goto(path)
        looking.wait_for_load_state("networkidle")
        assert looking.title().endswith("Evidence Desk")
    assert [url for url in asked if url.endswith("/settings/") or not url.startswith(live_server.url)] == []


def test_a_person_with_one_name_signs_in_with_next(page: Page, live_server: LiveServer, transactional_db: None) -> None:
    user: User = make.reviewer()
    user.set_password("correct horse battery")
    user.save()
    page.goto(f"{live_server.url}/queue/?risk=high")
    page.get_by_label("User name").fill("reviewer")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(f"{live_server.url}/queue/?risk=high")
