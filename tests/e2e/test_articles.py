"""Articles in a real browser: hostile Markdown does nothing, the pages fit everybody, a text is brought on by keyboard."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from evidence.models import Evidence, HeldRecord, User
from evidence.services.drafts import PromotionTarget
from tests.e2e.conftest import Arrive
from tests.e2e.test_reviewing import read, status_of
from tests.e2e.test_scenarios_text import ACTING, Watch, watched
from tests.services import make

__all__ = ["watched"]

LONG = "Unbroken" * 30
HOSTILE = f"""# {ACTING}

{ACTING}

![p](https://zz.example/p.png) ![p](data:image/svg+xml;base64,PHN2Zz4=)
[x](&#106;avascript:zz()) <javascript:zz()>

<link rel=stylesheet href=https://zz.example/x.css><style>body {{ display: none }}</style><meta http-equiv=refresh content=0>

[ref]: javascript:zz() "{LONG}"

| {" | ".join(["head"] * 12)} |
|{"---|" * 12}
| {" | ".join([LONG] * 12)} |

```html
<script>zz()</script> {LONG}
```

\u202e{LONG}\u202c a\u200bb <zz-out>

{"> " * 15}deep

- [ ] {ACTING}
"""


def propose(article: Evidence | None, content: str, title: str = "Deploys") -> HeldRecord:
    target = PromotionTarget("graph/runbooks/deploy.md", article.source_version if article else "", title, content)
    return make.proposal(statement=f"Deploys. {content[:40]}", target=target)


def faults_of(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {[node['html'][:120] for node in one['nodes'][:3]]}" for one in found]


def test_hostile_markdown_runs_and_loads_nothing_and_fits(
    watched: tuple[Page, Watch], reviewer: User, live_server: LiveServer
) -> None:
    page, watch = watched
    row = make.article(f"{HOSTILE}\nOne.", summary=f"T {ACTING}"[:300])
    behind, held = propose(row, f"{HOSTILE}\nTwo."), propose(row, f"{HOSTILE}\nThree.", f"T {ACTING}"[:300])
    for name in ("ada", "grace"):  # what reads like this takes two people
        make.approve(HeldRecord.objects.get(pk=held.pk), make.reviewer(name))
    made = HeldRecord.objects.get(pk=held.pk).promotion.result
    make.article(
        HOSTILE, source_id="wiki:ops-agent/flat/x.md", approval_by="", approval_at=None, approval_proposal="", review=""
    )
    pages = [
        f"/queue/{behind.pk}/", f"/queue/{behind.pk}/edit/?onto=current", "/articles/", f"/articles/{made.record_id}/",
        f"/articles/{made.record_id}/?from={row.record_id}", f"/articles/{row.record_id}/",
    ]  # fmt: skip
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        for address in pages:
            page.goto(f"{live_server.url}{address}")
            page.wait_for_load_state("networkidle")
            page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (address, width)
            assert page.locator("zz-out, main img, main iframe, main script, main link, main style").count() == 0, (
                address
            )
            acting = page.locator("main :is([onerror], [onfocus], [onclick], [onload], [href^='javascript:'], [style])")
            assert acting.count() == 0, address
            if width == 390 and address in (pages[0], pages[3]):
                assert faults_of(page) == [], address
            assert watch.nothing(), (address, watch)
    page.goto(f"{live_server.url}/queue/{behind.pk}/edit/?onto=current")
    page.get_by_role("button", name="Look first").click()
    expect(page.get_by_role("heading", name="How it would look")).to_be_visible()
    page.goto(f"{live_server.url}/articles/")
    page.get_by_role("button", name="Count all as reviewed…").click()
    expect(page.get_by_role("button", name="Yes, count 1 as reviewed")).to_be_visible()


def test_a_moved_text_is_brought_on_and_approved_by_keyboard(arrive: Arrive, reviewer: User) -> None:
    base = "# Deploys\n\nOn Tuesday.\n\n## Freeze\n\nOne week.\n"
    row = make.article(base, summary="Deploys")
    held = propose(row, base.replace("Tuesday", "Thursday"))
    make.approve(propose(row, base.replace("One week", "Two weeks")), make.reviewer("ada"))
    page = arrive(f"/queue/{held.pk}/")
    expect(page.get_by_text("Nothing conflicts.")).to_be_visible()
    expect(page.get_by_role("button", name="Approve")).to_be_disabled()
    page.get_by_role("link", name="Take the proposal onto the current version").press("Enter")
    expect(page.get_by_label("Text", exact=False).first).to_have_value(
        base.replace("Tuesday", "Thursday").replace("One week", "Two weeks")
    )
    page.get_by_role("button", name="Save and verify again").press("Enter")
    page.wait_for_url(f"**/queue/{held.pk}/")
    page.wait_for_load_state("networkidle")
    read(page)
    page.keyboard.press("a")
    expect(page.locator(".toast .what")).to_contain_text("Deploys")
    assert status_of(held) == "approved"
    stands = Evidence.objects.get(kind="article", state="active")
    assert ("Thursday" in stands.content, "Two weeks" in stands.content) == (True, True)
