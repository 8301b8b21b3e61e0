"""Questions of other systems, as their importers ask them, answered in a real browser: what it says is what happens.

`tests/web/test_inquiries_samples.py` gives every answer to every question; here each kind is answered by clicking, once.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from evidence.models import Decision, HeldRecord, Inquiry, User
from evidence.rules.vocab import Role
from evidence.services.importing import run_import
from evidence.services.verification import verify_held
from tests.e2e.conftest import signed_in
from tests.exchange.checkouts import sample as checkout
from tests.exchange.pi_stores import sample as pi_store
from tests.services import disputes, make
from tests.services.answered import hold, plan_of
from tests.web.test_inquiries_samples import typed

ANSWERS = {
    ("agentx", "conflict"): "current",
    ("agentx", "question"): "other_value",
    ("pi", "conflict"): "both_time",
    ("pi", "ambiguous"): "both_scope",
    ("", "supersession"): "incoming",
    ("", "conflict"): "article_should_change",
}


@pytest.fixture
def owner(transactional_db: None, tmp_path: Path) -> User:
    run_import(format_name="agentx", path=checkout(tmp_path))
    run_import(format_name="pi", path=pi_store(tmp_path))
    for held in HeldRecord.objects.waiting().filter(origin_id__in=["cap_pnpm", "cap_ci_super"]):
        verify_held(held_id=held.pk)
    make.article(about=make.claim(*disputes.TUESDAY))
    make.proposal(statement="Deploys happen on Thursday.", claim=make.claim(*disputes.THURSDAY))
    return make.user("the-owner", Role.OWNER)


def answered_by_clicking(page: Page, address: str, question: Inquiry, word: str) -> Decision:
    page.goto(f"{address}/inquiries/{question.pk}/")
    page.wait_for_load_state("networkidle")
    page.locator(f"input[name=answer][value={word}]").check()
    for name, value in typed(question, word).items():
        field = page.locator(f"form [name={name}]").first
        if value and field.is_visible() and name != "answer":
            is_choice = field.evaluate("field => field.tagName") == "SELECT"
            (field.select_option if is_choice else field.fill)(value)
    page.get_by_role("button", name="Answer").click()
    expect(page.locator(".toast")).to_be_visible()
    return Decision.objects.filter(action="answer", target_id=str(question.pk)).latest("at", "seq")


def test_each_kind_of_question_is_answered_by_clicking(
    page: Page, live_server: LiveServer, owner: User, faults: list[str]
) -> None:
    signed_in(page.context, owner, live_server.url)
    asked = {(one.origin_system, str(one.kind)): one for one in Inquiry.objects.open().order_by("-id")}
    assert asked.keys() == ANSWERS.keys()
    for place, word in ANSWERS.items():
        question = Inquiry.objects.get(pk=asked[place].pk)
        plan = plan_of(question, owner, word)
        assert plan.refusal is None, place

        def give(question: Inquiry = question, word: str = word) -> Decision:
            return answered_by_clicking(page, live_server.url, question, word)

        hold(question, owner, word, plan, give)
