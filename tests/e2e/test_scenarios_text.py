"""Hostile text in a real browser: nothing of it runs, loads, moves or hides what stands beside it (scenarios S12, S14, S15)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from django.urls import resolve
from playwright.sync_api import Page, Request, expect
from pytest_django.live_server_helper import LiveServer

from evidence.models import User
from evidence.rules.vocab import Action, Role
from evidence.services.editing import edit_held
from tests.e2e.conftest import Arrive, signed_in
from tests.e2e.test_reviewing import decided, read, status_of
from tests.services import make
from tests.web.whole_desk import other_addresses, whole_desk

# Elements, both quotes, every end of what takes text only, what htmx, templates and Markdown would act on.
ACTING = (
    '<img src=x onerror=zz()> " onfocus="zz()" autofocus hx-get="/settings/" hx-trigger="load" x=" \' onclick=\'zz() '
    "</textarea></title></script><script>zz()</script> --> {{ held.pk }} javascript:zz() "
    "[x](javascript:zz()) ![](https://zz.example/p.png) <a href=javascript:zz()>x</a> <svg onload=zz()> <zz-out>"
)
HIDING = "pay \u202eelpoep\u2066 reg\u200bistry \u3164\u00ad\u0430dmin a\tb"


@dataclass
class Watch:
    """What a page did that it must not: a dialog, a broken policy, a request elsewhere or that nobody made."""

    dialogs: list[str] = field(default_factory=list)
    policy: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def nothing(self) -> bool:
        return (self.dialogs, self.policy, self.requests) == ([], [], [])


@pytest.fixture
def watched(page: Page, live_server: LiveServer, reviewer: User) -> Iterator[tuple[Page, Watch]]:
    for role in (Role.OWNER, Role.ADMINISTRATOR):
        make.user(reviewer.get_username(), role)
    User.objects.filter(pk=reviewer.pk).update(is_staff=True, is_superuser=True)
    watch = Watch()

    def asked(request: Request) -> None:
        by_a_text = request.url.endswith("/settings/") and "hx-request" in request.headers
        if by_a_text or not request.url.startswith(live_server.url):
            watch.requests.append(request.url)

    page.on("dialog", lambda dialog: (watch.dialogs.append(dialog.message), dialog.dismiss()))
    page.on("request", asked)
    page.expose_function("zz", lambda *_: watch.dialogs.append("zz ran"))
    page.expose_function("broken", lambda *rule: watch.policy.append(str(rule)))
    page.add_init_script(
        "document.addEventListener('securitypolicyviolation', e => broken(e.violatedDirective + e.sourceFile))"
    )
    signed_in(page.context, reviewer, live_server.url)
    yield page, watch
    assert watch.nothing(), watch


PARTS = {"peek", "queue-suggest", "queue-rows", "supersede-plan", "inbox-unread", "import-download", "audit-receipt"}


def test_no_page_runs_or_loads_anything_of_a_text(
    watched: tuple[Page, Watch], reviewer: User, live_server: LiveServer
) -> None:
    page, watch = watched
    whole = whole_desk(ACTING, reviewer)
    pages = [
        address for name, address in whole.addresses(few=True) if not name.startswith("health") and name not in PARTS
    ]
    pages += [
        address for name, address in whole.addresses() if name == "job" or (name == "queue-next" and "done" in address)
    ]
    pages += [address for address in other_addresses() if "/heldrecord/" in address]
    for address in dict.fromkeys(pages):
        if getattr(resolve(address.split("?")[0]).func, "is_action", False):
            continue
        answer = page.goto(f"{live_server.url}{address}")
        assert answer is not None
        if answer.status == 200 and "text/html" in answer.headers.get("content-type", ""):
            assert page.locator("zz-out").count() == 0, address
            for control in page.locator("[onerror], [onfocus], [onclick], [onload], [href^='javascript:']").all():
                raise AssertionError((address, control))
        assert watch.nothing(), (address, watch)


def test_toast_conflict_and_dialogs_run_nothing_either(watched: tuple[Page, Watch], live_server: LiveServer) -> None:
    page, _ = watched
    first, second = (make.proposal(statement=f"{word} {ACTING}") for word in ("Backups", "Offices"))
    page.goto(f"{live_server.url}/queue/{first.id}/")
    page.wait_for_load_state("networkidle")
    page.keyboard.press("r")
    page.get_by_label("In your words").first.fill(ACTING)
    page.get_by_role("button", name="Wrong", exact=True).first.click()
    expect(page.locator(".toast .what")).to_contain_text("<img src=x onerror=zz()>")
    assert status_of(first) == "rejected"
    edit_held(
        held_id=second.id, seen_version=second.version, actor=make.person(make.reviewer("ada")), reason=ACTING,
        statement=f"Offices! {ACTING}",
    )  # fmt: skip
    read(page)
    page.keyboard.press("q")
    page.get_by_label("Your question").fill(ACTING)
    page.get_by_role("button", name="Send the question").click()
    expect(page.get_by_role("alert")).to_contain_text("Changed while you looked")
    read(page)
    page.keyboard.press("Escape")
    for key in "rsz?":
        page.keyboard.press(key)
        expect(page.locator("[popover]:popover-open")).to_be_visible()
        page.keyboard.press("Escape")


# --- S12: it cannot reorder or hide what stands beside it ---

IN_ORDER = """element => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const wrong = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest("bdi") || !node.data.trim()) continue;
    const range = document.createRange();
    let last = null;
    for (let at = 0; at < node.length; at += 1) {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const box = range.getBoundingClientRect();
      if (!box.width) continue;
      if (last && box.top < last.bottom && box.bottom > last.top && box.left < last.left) wrong.push(node.data.trim());
      last = box;
    }
  }
  return wrong;
}"""


def test_a_text_reorders_nothing_beside_it_in_queue_card_toast_and_bar(arrive: Arrive, reviewer: User) -> None:
    make.act(make.proposal(statement=f"Offices {HIDING}"), reviewer, Action.REJECT, reason_code="other", reason=HIDING)
    current = make.fact(f"The account is active {HIDING}", about=make.claim(f"active {HIDING}"))
    held = make.proposal(statement=f"The account is past due {HIDING}", claim=make.claim(f"past due {HIDING}"))
    make.act(held, reviewer, Action.ASK_OWNER, question=HIDING)
    for address in ["/queue/", f"/queue/{held.id}/", "/inquiries/", f"/records/{current.record_id}/", "/audit/"]:
        page = arrive(address)
        assert page.locator("body").evaluate(IN_ORDER) == [], address
        isolated = "elements => elements.every(one => getComputedStyle(one).unicodeBidi.startsWith('isolate'))"
        assert page.locator(".agent-text").evaluate_all(isolated), address
        assert not set(page.locator("body").inner_text()) & set("\u202e\u2066\u200b\u3164\u00ad"), address
        expect(page.locator(".hidden-char").filter(has_text="RLO").first).to_be_visible()
    page = arrive(f"/queue/{held.id}/")
    expect(page.locator(".tag.warn").filter(has_text="text-direction controls")).to_be_visible()
    page.keyboard.press("k")
    read(page)
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator(".toast")).to_be_visible()
    assert page.locator("body").evaluate(IN_ORDER) == []


def test_the_name_of_an_agent_turns_no_title_and_no_control(arrive: Arrive) -> None:
    agent = make.agent("ops\u202eegnahc")
    make.proposal(agent, "Backups run at two.")
    page = arrive("/agents/ops%E2%80%AEegnahc/")
    assert page.title() == "ops[RLO]egnahc · Evidence Desk"
    arrive("/records/")
    assert "\u202e" not in "".join(page.locator("option").all_inner_texts())


# --- S12, S14: differences ---


CHANGES = [
    ("registry", "reg\u200bistry", "regZWSPistry"),
    ("👨‍👩‍👧", "👨‍👩‍👦", "👨‍👩‍👦"),
    ("🇳🇴", "🇳🇱", "🇳🇱"),
    ("👍🏻", "👍🏿", "👍🏿"),
    ("cafe\u0301", "cafe\u0300", "cafe\u0300"),
]


def test_a_change_is_drawn_by_whole_graphemes_and_shows_what_nobody_sees(arrive: Arrive) -> None:
    held = make.proposal(statement=" and then ".join(old for old, _, _ in CHANGES))
    page = arrive(f"/queue/{held.id}/")
    edit_held(
        held_id=held.id, seen_version=held.version, actor=make.person(make.reviewer("ada")), reason="changed",
        statement=" and then ".join(new for _, new, _ in CHANGES),
    )  # fmt: skip
    page.keyboard.press("a")
    well = page.get_by_role("alert").locator(".well")
    expect(well.locator("del")).to_have_text([old for old, _, _ in CHANGES])
    expect(well.locator("ins")).to_have_text([shown for _, _, shown in CHANGES])
    assert "\ufffd" not in page.content()
    assert decided() == 0
