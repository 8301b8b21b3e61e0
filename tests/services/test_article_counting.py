"""One question about all articles that nobody reviewed: frozen, answered once, undone; never asked twice (contract 13)."""

from __future__ import annotations

import uuid
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from evidence.models import Decision, Evidence, Inquiry
from evidence.rules.records import Reader
from evidence.rules.vocab import Role
from evidence.selectors.audit import verify_chain
from evidence.selectors.recall import Ask, recall
from evidence.services.actors import Actor
from evidence.services.answering import answer_inquiry
from evidence.services.article_counting import (
    ask_about_never_reviewed,
    ask_as_owner,
    listed_in,
    undo_never_reviewed,
)
from evidence.services.drafts import EvidenceDraft, PromotionTarget
from evidence.services.errors import Refused
from evidence.services.filing import file_evidence
from evidence.services.mail_links import answer_link, open_link, token_for
from evidence.services.undoing import undo
from tests.services import make

pytestmark = pytest.mark.django_db


def unreviewed(name: str = "one", **columns: object) -> Evidence:
    return make.article(
        f"# {name}\n\nText of {name}.", source_id=f"wiki:ops-agent/graph/{name}.md", approval_by="", approval_at=None,
        approval_proposal="", review="", **columns,
    )  # fmt: skip


@pytest.fixture
def owner():
    make.agent()
    return make.user("olga", Role.OWNER)


def ask(owner, **members):
    return ask_as_owner(agent_id="ops-agent", namespace="default", actor=make.person(owner), **members).inquiry


def answer(inquiry, owner, word="incoming", **members):
    defaults = {"seen_version": inquiry.version, "idempotency_key": uuid.uuid4().hex}
    return answer_inquiry(inquiry_id=inquiry.pk, answer=word, actor=make.person(owner), **(defaults | members))


def test_the_question_lists_what_nobody_reviewed_and_nothing_else(owner):
    rows = [unreviewed("b"), unreviewed("a")]
    make.article(source_id="wiki:ops-agent/graph/reviewed.md", source_version="2")
    unreviewed("reviewed")  # a version beside the reviewed one is a question of its own
    unreviewed("held", trust="external")
    unreviewed("others", scope_owner="sales-agent")
    unreviewed("gone", state="revoked")
    inquiry = ask(owner)
    assert [one["id"] for one in listed_in(inquiry)] == [rows[1].record_id, rows[0].record_id]
    assert (inquiry.kind, inquiry.agent_id, inquiry.status) == ("question", "ops-agent", "open")


def test_yes_approves_exactly_the_versions_that_were_shown(owner):
    stays, moves = unreviewed("stays"), unreviewed("moves")
    inquiry = ask(owner)
    file_evidence(
        filer=make.filer(),
        draft=EvidenceDraft("wiki:ops-agent/graph/moves.md", "2", kind="article", content="New."),
    )
    later = unreviewed("later")
    answer(inquiry, owner)
    for row in (stays, moves, later):
        row.refresh_from_db()
    assert (stays.approval_by, stays.label_base, stays.approval_proposal) == ("olga", "approved", str(inquiry.pk))
    assert (moves.approval_by, later.approval_by) == ("", "")
    decisions = Decision.objects.filter(action="approve")
    assert [(one.target_kind, one.target_id) for one in decisions] == [("record", str(stays.pk))]
    assert decisions[0].bulk_id == Decision.objects.get(action="answer").bulk_id is not None
    assert verify_chain().ok


def test_no_leaves_all_as_they_are_and_is_not_asked_again(owner):
    row = unreviewed()
    answer(ask(owner), owner, "current")
    row.refresh_from_db()
    assert (row.approval_by, row.version) == ("", 1)
    said = Actor.system()
    assert ask_about_never_reviewed(agent_id="ops-agent", namespace="default", actor=said).refused_at is not None
    assert ask(owner).status == "open"  # a person asks for it


def test_it_is_not_asked_while_it_is_open_nor_about_nothing(owner):
    assert ask(owner) is None
    unreviewed()
    assert ask(owner) == ask(owner)
    assert Inquiry.objects.count() == 1


@pytest.mark.parametrize("word", ["neither", "other_value", "need_evidence", "both_time"])
def test_it_takes_yes_or_no(owner, word):
    unreviewed()
    with pytest.raises(Refused) as refused:
        answer(ask(owner), owner, word, value="x")
    assert refused.value.extra["allowed"] == ["incoming", "current"]
    assert Inquiry.objects.get().status == "open"


def test_only_an_owner_asks_and_answers(owner):
    unreviewed()
    reviewer = make.reviewer()
    with pytest.raises(Refused, match="owner"):
        ask(reviewer)
    with pytest.raises(Refused, match="owner"):
        answer(ask(owner), reviewer)


def test_a_second_answer_is_a_replay_or_too_late(owner):
    row = unreviewed()
    inquiry = ask(owner)
    first = answer(inquiry, owner, idempotency_key="k")
    assert answer(inquiry, owner, idempotency_key="k").replay
    with pytest.raises(Refused) as refused:
        answer(inquiry, owner, "current")
    assert refused.value.code == "closed"
    row.refresh_from_db()
    assert (row.version, first.decision.action) == (2, "answer")


def test_agents_get_it_as_approved_afterwards_and_as_unverified_after_the_undo(owner):
    row = unreviewed("kestrel")
    inquiry = ask(owner)

    def label() -> str:
        found = recall(reader=Reader("ops-agent"), namespace="default", ask=Ask("kestrel"), now=timezone.now())
        return str(found.results[0].label)

    assert label() == "unverified"
    answer(inquiry, owner)
    row.refresh_from_db()
    assert label() == "approved"
    taken = undo_never_reviewed(inquiry_id=inquiry.pk, actor=make.person(owner))
    row.refresh_from_db()
    inquiry.refresh_from_db()
    assert (taken, row.approval_by, row.label_base, inquiry.status) == ((1, 0), "", "unverified", "open")
    assert label() == "unverified"
    answer(inquiry, owner)
    row.refresh_from_db()
    assert row.label_base == "approved"


def test_one_article_is_taken_back_alone_and_what_was_decided_since_stays(owner):
    one, two = unreviewed("one"), unreviewed("two")
    inquiry = ask(owner)
    answer(inquiry, owner)
    undo(decision_id=Decision.objects.get(target_id=str(one.pk), action="approve").pk, actor=make.person(owner))
    target = PromotionTarget("graph/two.md", two.source_version, "Two", "# Two\n\nAnew.")
    make.approve(make.proposal(statement="Two.", target=target, evidence=()), make.reviewer())
    assert undo_never_reviewed(inquiry_id=inquiry.pk, actor=make.person(owner)) == (0, 1)
    for row in (one, two):
        row.refresh_from_db()
    assert (one.label_base, two.state) == ("unverified", "superseded")


def test_a_mail_links_to_the_list_and_cannot_answer_for_it(owner):
    unreviewed()
    inquiry = ask(owner)
    assert answer_link(inquiry_id=inquiry.pk, user=owner) == ""
    assert open_link(token_for(inquiry, owner)) is None


def test_the_command_asks_once_and_says_so(owner):
    unreviewed()

    def run(*arguments: str) -> str:
        out = StringIO()
        call_command("ask_about_articles", *arguments, stdout=out)
        return out.getvalue().strip()

    assert run("ops-agent") == "ops-agent: asked, 1 articles"
    assert run() == "ops-agent: is asked already, 1 articles"
    answer(Inquiry.objects.get(), owner, "current")
    assert run() == "ops-agent: answered with no; --again asks all the same"
    assert run("--again") == "ops-agent: asked, 1 articles"
