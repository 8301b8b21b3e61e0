"""The demo backlog cleared by keyboard in a real browser: two people, few keys, and only what stood on the screen is decided."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from evidence.models import Decision, HeldRecord, User
from evidence.selectors.audit import verify_chain
from evidence.services.outbox import deliver_due
from evidence.services.seeding import seed
from evidence.tasks import outbox as _outbox  # noqa: F401 - as in a worker, where the handlers are known
from tests.e2e.conftest import signed_in
from tests.e2e.test_reviewing import read
from tests.web.test_demo_clusters import GROUPS

pytestmark = pytest.mark.django_db(transaction=True)

# What a person who was told "approve what is supported, reject the rest" goes by: the card, and nothing else.
LOOK = """() => {
    const card = document.querySelector('[data-item]');
    if (!card || !document.querySelector('#approve-form')) return null;
    const approve = document.querySelector('.actions [data-key="a"]');
    const asks = document.querySelector('[name="durability"], [name="ratify"]');
    const ticked = [...document.querySelectorAll('#cluster input[name="ticked"]:checked')].map((box) => box.value);
    return {
        item: card.dataset.item,
        mates: ticked,
        approves: !approve.disabled && !asks && !document.querySelector('.flags'),
    };
}"""
ENDINGS = ["approve", "reject", "first_approval", "close_equal"]


@dataclass
class Sitting:
    """One person before one page. `keys` is what was pressed, `shown` what stood on the screen at each press."""

    page: Page
    keys: int = 0
    shown: set[str] = field(default_factory=set)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
        self.keys += len(keys)

    def work(self) -> None:
        """Until nothing waits for this person."""
        while True:
            read(self.page)
            card = self.page.evaluate(LOOK)
            if card is None:
                return
            self.shown |= {card["item"], *card["mates"]}
            self.press("a") if card["approves"] else self.press("r", "1")
            self.page.wait_for_function(
                "(item) => document.querySelector('[data-item]')?.dataset.item !== item", arg=card["item"]
            )
            while deliver_due():  # what workers do meanwhile
                pass


def sit_down(browser: Browser, live_server: LiveServer, name: str) -> Sitting:
    context = signed_in(browser.new_context(), User.objects.get(username=name), live_server.url)
    page = context.new_page()
    page.goto(f"{live_server.url}/queue/next/")
    page.wait_for_load_state("networkidle")
    return Sitting(page)


def test_two_people_clear_the_backlog_with_at_most_three_keys_for_two_proposals(
    browser: Browser, live_server: LiveServer
) -> None:
    seed(password="long enough to count")
    waiting = {str(pk) for pk in HeldRecord.objects.waiting().values_list("pk", flat=True)}
    seeded = set(Decision.objects.values_list("pk", flat=True))
    sittings = [sit_down(browser, live_server, name) for name in ("reviewer", "reviewer2")]
    for sitting in sittings * 2:  # what takes two comes back to the other one
        sitting.page.reload()
        sitting.page.wait_for_load_state("networkidle")
        sitting.work()

    assert HeldRecord.objects.waiting().count() == 0
    assert sum(sitting.keys for sitting in sittings) / len(waiting) <= 1.5
    made = Decision.objects.exclude(pk__in=seeded).filter(action__in=ENDINGS)
    closed = set(made.filter(action="close_equal").values_list("target_id", flat=True))
    decided = set(made.exclude(action="close_equal").values_list("target_id", flat=True))
    assert decided | closed == waiting
    assert decided <= sittings[0].shown | sittings[1].shown
    group = {str(row.pk) for row in HeldRecord.objects.filter(origin_id__in=GROUPS["clusters"]["c01"])}
    assert group
    assert group <= set(made.exclude(bulk_id=None).values_list("target_id", flat=True))  # as one cluster
    assert verify_chain().ok
    for sitting in sittings:
        sitting.page.context.close()
