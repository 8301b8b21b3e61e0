"""What meets on one item: two clicks, two tabs, two people, its agent (scenarios S1 to S5, S7, S8), in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from evidence.models import Decision, HeldRecord, User
from evidence.rules.vocab import AuditAction, HeldStatus
from evidence.services.editing import edit_held
from evidence.services.proposing import end_by_filer
from tests.e2e.conftest import Arrive, signed_in
from tests.e2e.test_reviewing import decided, read, status_of, waiting
from tests.services import make

OtherTab = Callable[[str], Page]
WORDS = "I had typed this."


def seen_by_the_person(page: Page, element: Locator) -> None:
    """On the screen as it stands, not merely somewhere on the page, and the focus leads to it."""
    expect(element).to_be_in_viewport(ratio=0.9)
    assert page.evaluate("document.activeElement !== document.body")


def answers_to(page: Page, ending: str) -> list[int]:
    found: list[int] = []
    page.on("response", lambda answer: found.append(answer.status) if answer.url.endswith(ending) else None)
    return found


# --- S1 ---

HANDS = """
  const button = document.querySelector("#approve-form button");
  const key = name => document.body.dispatchEvent(new KeyboardEvent("keydown", {key: name, bubbles: true}));
"""
TOGETHER = {
    "Enter and a click": "button.focus(); button.form.requestSubmit(button); button.click();",
    "the key and a click": "key('a'); button.click();",
    "the key twice": "key('a'); key('a');",
    "a click, and another after 40 ms": "button.click(); setTimeout(() => button.click(), 40);",
    "a click, and one on Skip beside it": "button.click(); document.querySelector('.actions [data-key=k]').click();",
    "the key, and another on what took its place": "key('a'); setTimeout(() => key('a'), 50);",
}


@pytest.mark.parametrize("together", TOGETHER)
def test_two_of_them_within_50_ms_are_one_decision(arrive: Arrive, together: str) -> None:
    first, second, third = waiting(3)
    page = arrive()
    answers, others = answers_to(page, "/decision/"), answers_to(page, "/skip/")
    page.evaluate(f"() => {{ {HANDS} {TOGETHER[together]} }}")
    expect(page.locator("#claim")).to_have_text(second.statement)
    read(page)
    page.wait_for_load_state("networkidle")
    assert (answers, others) == ([200], [])
    assert Decision.objects.filter(target_id=str(first.pk)).exclude(action="file").count() == 1
    assert [status_of(held) for held in (first, second, third)] == ["approved", "waiting", "waiting"]


def test_a_key_that_is_held_down_decides_once(arrive: Arrive) -> None:
    _, second, third = waiting(3)
    page = arrive()
    page.keyboard.down("a")
    for _ in range(5):
        page.keyboard.down("a")  # repeats, as the keyboard sends them
    expect(page.locator("#claim")).to_have_text(second.statement)
    read(page)
    for _ in range(5):
        page.keyboard.down("a")
        assert not page.evaluate("window.Desk.busy()")
    page.keyboard.up("a")
    assert decided() == 1
    page.keyboard.press("a")
    expect(page.locator("#claim")).to_have_text(third.statement)


def test_the_same_request_twice_on_the_wire_is_one_decision_and_a_replay(arrive: Arrive) -> None:
    """As a proxy or a retrying browser sends it: both arrive, at the same time."""
    (first,) = waiting(1)
    page = arrive()
    answers = page.evaluate(
        """async () => {
          const form = document.getElementById("approve-form");
          const send = () => fetch(form.getAttribute("action"), {
            method: "POST", body: new URLSearchParams(new FormData(form)), headers: {"HX-Request": "true"},
          }).then(async answer => [answer.status, (await answer.text()).includes("It had been sent before")]);
          return Promise.all([send(), send()]);
        }"""
    )
    assert sorted(answers) == [[200, False], [200, True]]
    assert Decision.objects.filter(target_id=str(first.pk)).exclude(action="file").count() == 1


# --- S2, S3, S4 ---


def test_a_conflict_stands_where_the_person_looks_even_far_down_the_page(arrive: Arrive, other_tab: OtherTab) -> None:
    long = tuple(make.inline(f"Backups run at two. {'word ' * 150}{n}", thread=f"t-{n}") for n in range(5))
    held = make.proposal(evidence=long)
    page = arrive(f"/queue/{held.id}/")
    page.set_viewport_size({"width": 390, "height": 600})
    other_tab(f"/queue/{held.id}/").keyboard.press("a")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.get_by_role("button", name="Approve").click()
    alert = page.get_by_role("alert").filter(has_text="Already decided")
    seen_by_the_person(page, alert.get_by_role("heading"))
    expect(alert).to_be_focused()
    expect(alert).to_contain_text("reviewer was first")
    expect(alert.locator("time")).to_be_visible()
    assert decided() == 1


def test_without_the_version_nothing_is_decided_and_the_person_sees_why(arrive: Arrive) -> None:
    (first,) = waiting(1)
    page = arrive()
    page.set_viewport_size({"width": 390, "height": 600})
    page.evaluate("document.querySelector('#approve-form [name=version]').remove()")
    page.get_by_role("button", name="Approve").click()
    problem = page.locator("#problem").get_by_role("alert")
    expect(problem).to_contain_text("which version you saw")
    seen_by_the_person(page, problem)
    assert (status_of(first), decided()) == ("waiting", 0)


def test_a_nul_is_refused_in_words_and_what_was_typed_stays(arrive: Arrive, faults: list[str]) -> None:
    (first,) = waiting(1)
    page = arrive()
    page.keyboard.press("r")
    page.get_by_label("In your words").first.evaluate(
        "field => { field.value = 'a\\u0000b'; field.dispatchEvent(new Event('input', {bubbles: true})); }"
    )
    page.get_by_role("button", name="Wrong", exact=True).first.click()
    problem = page.locator("#problem").get_by_role("alert")
    expect(problem).to_contain_text("NUL")
    seen_by_the_person(page, problem)
    expect(page.locator("#reject-reason")).to_have_value("a\x00b")
    assert status_of(first) == "waiting"
    faults.clear()  # the browser notes the 400, and so does htmx


# --- S5 ---


def test_an_edit_that_arrives_while_the_reason_is_typed_makes_the_old_approval_impossible(arrive: Arrive) -> None:
    first, _ = waiting(2)
    page = arrive(f"/queue/{first.id}/")
    edit_held(
        held_id=first.id, seen_version=first.version, actor=make.person(make.reviewer("ada")), reason="moved",
        statement="Backups run at three.",
    )  # fmt: skip
    page.keyboard.press("a")
    alert = page.get_by_role("alert").filter(has_text="Changed while you looked")
    seen_by_the_person(page, alert.locator("ins"))
    expect(alert.locator("del")).to_have_text("two")
    expect(page.locator("#claim")).to_have_text("Backups run at three.")
    assert (status_of(first), decided()) == ("waiting", 0)


def test_a_newer_proposal_of_its_filer_is_shown_as_a_difference_with_a_way_to_it(arrive: Arrive) -> None:
    (first,) = waiting(1)
    page = arrive(f"/queue/{first.id}/")
    replaced_by_its_filer(first, "Backups run at three.")
    page.keyboard.press("r")
    page.get_by_label("In your words").first.fill(WORDS)
    page.get_by_role("button", name="Wrong", exact=True).first.click()
    alert = page.get_by_role("alert")
    expect(alert.locator("ins")).to_have_text("three")
    expect(alert).to_contain_text(WORDS)
    alert.get_by_role("link", name="The item that took its place").click()
    expect(page.locator("#claim")).to_have_text("Backups run at three.")
    assert decided() == 0


def replaced_by_its_filer(held: HeldRecord, statement: str) -> HeldRecord:
    """As an import that brings a newer version of the proposal does it."""
    from django.db import transaction

    newer = make.proposal(statement=statement)
    with transaction.atomic():
        end_by_filer(
            HeldRecord.objects.select_for_update().get(pk=held.pk), make.filer(), status=HeldStatus.SUPERSEDED,
            action=AuditAction.REPLACE,
        )  # fmt: skip
    HeldRecord.objects.filter(pk=held.pk).update(replaced_by=newer)
    return newer


# --- S7 ---


def test_a_lapsed_lease_is_taken_and_nothing_of_the_first_persons_words_is_lost(
    arrive: Arrive, page: Page, browser: Browser, live_server: LiveServer
) -> None:
    (first,) = waiting(1)
    page.clock.install()
    arrive(f"/queue/{first.id}/")
    page.keyboard.press("r")
    page.get_by_label("In your words").first.fill(WORDS)
    HeldRecord.objects.filter(pk=first.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    ada = make.reviewer("ada")
    context = signed_in(browser.new_context(base_url=live_server.url), ada, live_server.url)
    theirs = context.new_page()
    theirs.goto(f"/queue/{first.id}/")
    expect(theirs.locator("#lease")).to_contain_text("yours")
    with page.expect_response("**/lease/"):
        page.clock.run_for(30_000)
    expect(page.locator("#lease")).to_contain_text("held by ada")
    assert HeldRecord.objects.get(pk=first.pk).lease_holder_id == ada.pk
    theirs.keyboard.press("a")
    expect(theirs.locator("#live")).to_contain_text(first.statement)
    context.close()
    with page.expect_response("**/lease/"):
        page.clock.run_for(30_000)
    expect(page.locator("#lease")).to_contain_text("approved by ada")
    expect(page.locator("#reject-reason")).to_have_value(WORDS)
    page.get_by_role("button", name="Wrong", exact=True).first.click()
    alert = page.get_by_role("alert").filter(has_text="Already decided")
    expect(alert).to_contain_text("ada was first")
    expect(alert).to_contain_text(WORDS)
    assert Decision.objects.filter(action__in=["approve", "reject"]).count() == 1


# --- S8 ---


def test_a_second_save_of_ones_own_decision_mends_it(arrive: Arrive, other_tab: OtherTab) -> None:
    first, second = waiting(2)
    page = arrive(f"/queue/{first.id}/")
    tab = other_tab(f"/queue/{first.id}/")
    for one, words in ((page, "Teh backups moved."), (tab, "The backups moved.")):
        one.bring_to_front()
        read(one)
        one.keyboard.press("r")
        one.get_by_label("In your words").first.fill(words)
        one.get_by_role("button", name="Wrong", exact=True).first.click()
        expect(one.locator("#claim")).to_have_text(second.statement)
    first.refresh_from_db()
    assert (first.status, first.reason) == ("rejected", "The backups moved.")
    assert list(Decision.objects.filter(target_id=str(first.pk)).order_by("seq").values_list("action", flat=True)) == [
        "file", "reject", "undo", "reject",
    ]  # fmt: skip


def test_deciding_differently_by_keyboard(arrive: Arrive, reviewer: User) -> None:
    (first,) = waiting(1)
    make.act(first, reviewer, "reject", reason_code="wrong", reason="Teh backups moved.")
    page = arrive(f"/queue/{first.id}/")
    page.keyboard.press("d")
    field = page.get_by_label("In your words")
    expect(field).to_have_value("Teh backups moved.")
    field.fill("The backups moved. a r s")
    page.get_by_role("button", name="Out of date").click()
    expect(page.locator("#toast")).to_contain_text("Rejected")
    first.refresh_from_db()
    assert (first.reason_code, first.reason) == ("stale", "The backups moved. a r s")
