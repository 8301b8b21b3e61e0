"""A cluster in a real browser: one key decides what is ticked, an outlier is taken out, nothing unseen is decided."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from evidence.models import Decision, HeldRecord
from evidence.services.editing import edit_held
from tests.e2e.conftest import Arrive
from tests.e2e.test_looks import violations
from tests.e2e.test_reviewing import read, status_of
from tests.services import make

SAME = [
    "Portal logs are kept for 7 days.",
    "For 7 days portal logs are kept.",
    "Portal logs are kept for 7 days in the archive.",
    "The portal logs are kept for 7 days.",
]


def filed(number: int = 4) -> list[HeldRecord]:
    return [make.proposal(make.agent(f"agent-{at}"), text) for at, text in enumerate(SAME[:number])]


def box(page: Page, held: HeldRecord) -> Locator:
    return page.locator(f'#cluster input[value="{held.pk}"]')


def test_one_key_decides_what_is_ticked_and_one_takes_it_all_back(arrive: Arrive) -> None:
    held = filed()
    other = make.proposal(make.agent("agent-9"), "The lighthouse keeps a log.")
    page = arrive(f"/queue/{held[0].pk}/")
    expect(page.get_by_role("button", name=re.compile("^Approve 4"))).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Reject 4"))).to_be_visible()
    page.keyboard.press("a")
    expect(page.locator("#claim")).to_have_text(other.statement)
    expect(page.locator(".toast")).to_contain_text(f"Approved 4: {SAME[0]}")
    assert [status_of(one) for one in held] == ["approved"] * 4
    read(page)
    page.keyboard.press("u")
    expect(page.locator("#claim")).to_have_text(SAME[0])
    expect(page.locator(".toast")).to_contain_text("All 4 taken back.")
    assert [status_of(one) for one in held] == ["waiting"] * 4
    expect(page.get_by_role("button", name=re.compile("^Approve 4"))).to_be_visible()


def test_an_outlier_is_taken_out_by_its_digit_and_the_button_says_so(arrive: Arrive) -> None:
    held = filed()
    page = arrive(f"/queue/{held[0].pk}/")
    second = page.locator('#cluster input[data-key="2"]')
    out = second.get_attribute("value")
    page.keyboard.press("2")
    expect(second).not_to_be_checked()
    approve = page.get_by_role("button", name=re.compile("^Approve"))
    expect(approve).to_have_text(re.compile(r"Approve\s+3"))
    expect(page.locator("[data-together-words]")).to_have_text("Approve decides 3 of them, Reject and Snooze 3")
    page.keyboard.press("2")
    expect(approve).to_have_text(re.compile(r"Approve\s+4"))
    second.uncheck()
    expect(approve).to_have_text(re.compile(r"Approve\s+3"))
    page.keyboard.press("a")
    expect(page.locator(".toast")).to_contain_text("Approved 3")
    assert {str(one.pk) for one in held if status_of(one) == "waiting"} == {out}


def test_rejecting_takes_the_ticked_ones_along_from_its_panel(arrive: Arrive) -> None:
    held = filed()
    page = arrive(f"/queue/{held[0].pk}/")
    box(page, held[3]).uncheck()
    page.locator("#claim").focus()
    page.keyboard.press("r")
    page.keyboard.press("4")
    expect(page.locator(".toast")).to_contain_text("Rejected 3")
    assert [status_of(one) for one in held] == ["rejected"] * 3 + ["waiting"]
    assert set(Decision.objects.filter(action="reject").values_list("reason_code", flat=True)) == {"wrong"}
    expect(page.locator("#claim")).to_have_text(SAME[3])


def test_skipping_passes_over_the_whole_cluster(arrive: Arrive) -> None:
    held = filed()
    other = make.proposal(make.agent("agent-9"), "The lighthouse keeps a log.")
    page = arrive(f"/queue/{held[0].pk}/")
    expect(page.get_by_role("button", name=re.compile("^Skip 4"))).to_be_visible()
    page.keyboard.press("k")
    expect(page.locator("#claim")).to_have_text(other.statement)
    expect(page.locator("#live")).to_have_text("Skipped 4.")
    assert not Decision.objects.filter(action__in=["approve", "reject"]).exists()


def test_what_arrives_later_is_not_in_it_and_what_changed_is_named(arrive: Arrive) -> None:
    held = filed()
    page = arrive(f"/queue/{held[0].pk}/")
    late = make.proposal(make.agent("agent-8"), "The logs of the portal are kept for 7 days.")
    edit_held(
        held_id=held[2].pk, seen_version=held[2].version, actor=make.person(make.reviewer("ada")), reason="It moved.",
        statement="Portal logs are kept for 9 days in the archive.",
    )  # fmt: skip
    page.keyboard.press("a")
    toast = page.locator(".toast")
    expect(toast).to_contain_text("Approved 3")
    expect(toast).to_contain_text("1 changed meanwhile and was left alone")
    assert [status_of(one) for one in (*held, late)] == ["approved", "approved", "waiting", "approved", "waiting"]
    toast.get_by_role("link", name=re.compile("left alone")).click()
    expect(page.get_by_role("heading", name=re.compile("3 approved"))).to_be_visible()
    expect(page.locator("#main")).to_contain_text("It was changed since you saw it.")


def test_the_card_that_comes_next_keeps_its_own_numbers(arrive: Arrive) -> None:
    """The number and the boxes belong to the card that is shown, also after a swap."""
    first = filed(3)
    texts = ["Backups run every night at two.", "Every night at two backups run."]
    second = [make.proposal(make.agent(f"other-{at}"), text) for at, text in enumerate(texts)]
    page = arrive(f"/queue/{first[0].pk}/")
    page.keyboard.press("a")
    expect(page.locator("#claim")).to_have_text(re.compile("two"))
    expect(page.get_by_role("button", name=re.compile("^Reject 2"))).to_be_visible()
    read(page)
    page.keyboard.press("a")
    expect(page.get_by_text("Nothing waits for you")).to_be_visible()
    assert [status_of(one) for one in (*first, *second)] == ["approved"] * 5


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_the_card_of_a_cluster_fits_and_axe_finds_nothing(arrive: Arrive, page: Page, scheme: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    hostile = f"\u202e {'unbroken' * 30} <img src=x>"
    agents = [make.agent(f"{'agent-with-a-rather-long-name-' * 3}{at}") for at in range(3)]
    held = [make.proposal(agent, f"{text} {hostile}") for agent, text in zip(agents, SAME, strict=False)]
    make.proposal(make.agent("agent-7"), f"{SAME[3]} {hostile}", durability="session")
    arrive(f"/queue/{held[0].pk}/")
    expect(page.locator("#cluster .mate")).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []


def test_the_list_folds_what_repeats(arrive: Arrive) -> None:
    held = filed(3)
    page = arrive("/queue/")
    expect(page.locator(".queue-rows > li")).to_have_count(3)
    page.get_by_role("link", name="Fold the 2 rows that repeat an earlier one").click()
    expect(page.locator(".queue-rows > li")).to_have_count(1)
    page.get_by_role("link", name="+2 nearly the same").click()
    expect(page.locator(".queue-rows > li")).to_have_count(3)
    assert {row.get_attribute("data-id") for row in page.locator(".queue-rows > li").all()} == {
        str(one.pk) for one in held
    }
