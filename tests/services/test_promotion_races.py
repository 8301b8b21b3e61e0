"""Articles under several writers at once, on SQLite and on PostgreSQL: one text stands, nothing is approved twice."""

from __future__ import annotations

import uuid
from collections import Counter

import pytest

from evidence.models import Decision, Evidence, HeldRecord, Inquiry
from evidence.rules.vocab import Role
from evidence.selectors.audit import verify_chain
from evidence.services.answering import answer_inquiry
from evidence.services.article_counting import ask_as_owner
from evidence.services.deciding import decide
from evidence.services.drafts import EvidenceDraft, PromotionTarget
from evidence.services.editing import edit_held
from evidence.services.filing import file_evidence
from evidence.services.promotion_edits import ArticleEdit
from tests.services import make
from tests.services.test_races import at_once

pytestmark = [pytest.mark.races, pytest.mark.django_db(transaction=True)]

BASE = "# Deploys\n\nDeploys happen on Tuesday.\n"
SOURCE = "wiki:ops-agent/graph/runbooks/deploy.md"
WRITERS = 6


def propose(article: Evidence | None, content: str) -> HeldRecord:
    target = PromotionTarget("graph/runbooks/deploy.md", article.source_version if article else "", "Deploys", content)
    return make.proposal(statement=f"Deploys: {content[-20:]}", target=target)


def approve(held: HeldRecord, who) -> str:
    decide(
        held_id=held.pk, action="approve", seen_version=held.version, actor=make.person(who),
        idempotency_key=uuid.uuid4().hex,
    )  # fmt: skip
    return "done"


@pytest.mark.parametrize("exists", [True, False])
def test_of_texts_for_one_article_approved_at_once_one_stands(exists):
    row = make.article(BASE) if exists else None
    held = [propose(row, f"{BASE}\nText {number}.") for number in range(WRITERS)]
    people = [make.reviewer(f"r{number}") for number in range(WRITERS)]
    assert Counter(at_once(lambda n: approve(held[n], people[n]), WRITERS)) == {"done": 1, "base_changed": WRITERS - 1}
    approved = Evidence.objects.filter(source_id=SOURCE, state="active").exclude(approval_by="")
    assert approved.count() == 1
    assert Decision.objects.filter(action="approve").count() == 1
    assert HeldRecord.objects.waiting().count() == WRITERS - 1
    assert verify_chain().ok


def test_approving_while_the_agent_writes_anew_loses_neither():
    held = propose(None, f"{BASE}\nReviewed.")
    reviewer = make.reviewer()

    def work(number: int) -> str:
        if number == 0:
            return approve(held, reviewer)
        draft = EvidenceDraft(SOURCE, f"v{number}", kind="article", content=f"{BASE}\nVersion {number}.")
        file_evidence(filer=make.filer(), draft=draft)
        return "filed"

    results = Counter(at_once(work, 4))
    assert results["filed"] == 3
    assert results["done"] + results["base_changed"] == 1
    rows = Evidence.objects.filter(source_id=SOURCE)
    assert rows.count() == 3 + results["done"]
    assert rows.filter(state="active", approval_by="").count() <= 1
    assert verify_chain().ok


def test_an_edit_and_an_approval_at_once_leave_the_text_that_was_seen():
    held = propose(None, BASE)
    one, two = make.reviewer("one"), make.reviewer("two")

    def work(number: int) -> str:
        if number == 0:
            return approve(held, one)
        edit_held(
            held_id=held.pk, seen_version=held.version, actor=make.person(two), reason="better",
            article=ArticleEdit(content=BASE.replace("Tuesday", "Thursday")),
        )  # fmt: skip
        return "edited"

    results = Counter(at_once(work, 2))
    written = Evidence.objects.filter(source_id=SOURCE, state="active").values_list("content", flat=True)
    assert list(written) == ([BASE] if results["done"] else [])
    assert results["done"] + results["edited"] == 1


def test_one_question_about_all_articles_and_one_answer():
    make.agent()
    for number in range(3):
        make.article(
            BASE, source_id=f"wiki:ops-agent/graph/{number}.md", approval_by="", approval_at=None, approval_proposal="",
            review="",
        )  # fmt: skip
    owners = [make.user(f"o{number}", Role.OWNER) for number in range(WRITERS)]
    asked = at_once(
        lambda n: ask_as_owner(agent_id="ops-agent", namespace="default", actor=make.person(owners[n])).inquiry.pk,
        WRITERS,
    )
    assert len(set(asked)) == Inquiry.objects.count() == 1

    def answer(number: int) -> str:
        answer_inquiry(
            inquiry_id=asked[0], answer="incoming" if number % 2 else "current", seen_version=1,
            actor=make.person(owners[number]), idempotency_key=uuid.uuid4().hex,
        )  # fmt: skip
        return "done"

    results = Counter(at_once(answer, WRITERS))
    assert results == {"done": 1, "closed": WRITERS - 1}
    yes = Inquiry.objects.get().answer == "incoming"
    assert Evidence.objects.exclude(approval_by="").count() == (3 if yes else 0)
    assert Decision.objects.filter(action="approve").count() == (3 if yes else 0)
    assert verify_chain().ok
