"""Every kind of question with every answer that it allows: what happens is what the plan said, and undo takes it back."""

from __future__ import annotations

import pytest
from django.utils import timezone, translation

from evidence.models import Evidence
from evidence.rules.vocab import Answer, State
from evidence.selectors.answer_plans import answer_plans
from evidence.selectors.audit import verify_chain
from evidence.selectors.sides import answers_of
from evidence.services.errors import Refused
from evidence.web.sentences import told
from tests.services import disputes, make
from tests.services.answered import hold, plan_of

pytestmark = pytest.mark.django_db

BOTH = ("current", "incoming", "other_value", "both_scope", "both_time", "neither", "need_evidence")
ARTICLE = ("current", "incoming", "other_value", "article_should_change", "need_evidence")
ALLOWED: dict[str, tuple[str, ...]] = {
    "by_report": BOTH, "by_two_reports": BOTH, "by_proposal": BOTH, "with_equals": BOTH, "with_two_questions": BOTH,
    "supersession": BOTH, "ambiguous": BOTH, "about_capture": BOTH, "against_unreviewed": BOTH,
    "asked_by_reviewer": ("incoming", "neither", "need_evidence"),
    "about_plain_capture": ("incoming", "neither", "need_evidence"),
    "against_article": ARTICLE, "article_by_report": ARTICLE,
    "recheck": ("current", "neither", "need_evidence"), "plain": ("other_value", "neither", "need_evidence"),
    "current_gone": ("incoming", "neither"), "incoming_gone": ("current", "neither"), "both_gone": ("neither",),
}  # fmt: skip
CASES = [(kind, word) for kind, words in ALLOWED.items() for word in words]


def test_the_table_names_every_question_and_every_answer() -> None:
    assert ALLOWED.keys() == disputes.EVERY.keys()
    assert {word for _, word in CASES} == {word.value for word in Answer}


@pytest.mark.parametrize("kind", ["about_capture", "about_plain_capture"])
def test_an_owner_does_not_let_in_alone_what_came_from_outside(kind: str) -> None:
    who = disputes.owner()
    question = disputes.EVERY[kind]()
    plan = plan_of(question, who, "incoming")
    assert plan.refusal is not None
    assert (plan.refusal.code, plan.steps) == ("four_eyes", ())
    with pytest.raises(Refused, match="four_eyes"):
        disputes.answer(question, who, "incoming")


@pytest.mark.parametrize(("kind", "word"), CASES)
def test_what_happens_is_what_the_plan_said_and_can_be_taken_back(kind: str, word: str) -> None:
    who = disputes.owner(of_all="capture" in kind)
    if "capture" in kind:
        disputes.one_person_is_enough()
    question = disputes.EVERY[kind]()
    assert {str(one) for one in answers_of(question)} == set(ALLOWED[kind])
    plan = plan_of(question, who, word)
    with translation.override("de"):
        assert [step.words for step in plan.steps if told(step.words) == step.words] == []
    hold(question, who, word, plan, lambda: disputes.answer(question, who, word, plan_digest=plan.digest).decision)
    assert verify_chain().ok


def test_an_answer_of_which_the_plan_has_changed_is_refused_with_the_new_plan() -> None:
    who = disputes.owner()
    question = disputes.by_proposal()
    seen = answer_plans(question, user=who, now=timezone.now())[Answer.INCOMING]
    make.proposal(make.agent("sales-agent"), "They say it is past due.", claim=make.claim(), volatility="billing")
    with pytest.raises(Refused) as info:
        disputes.answer(question, who, "incoming", plan_digest=seen.digest)
    assert (info.value.code, info.value.status) == ("version_conflict", 409)
    assert any("sales-agent" in words for words in info.value.extra["plan"])  # type: ignore[union-attr]
    question.refresh_from_db()
    assert question.status == "open"
    # The same answer with what is seen now goes through; another answer never depended on it.
    assert disputes.answer(question, who, "incoming").decision.action == "answer"


def test_a_current_side_that_changed_meanwhile_is_another_plan() -> None:
    who = disputes.owner()
    question = disputes.by_report()
    seen = answer_plans(question, user=who, now=timezone.now())[Answer.CURRENT]
    Evidence.objects.filter(record_id=question.current_record).update(version=2)
    with pytest.raises(Refused, match="version_conflict"):
        disputes.answer(question, who, "current", plan_digest=seen.digest)


def test_scopes_that_are_chosen_name_what_else_gives_way() -> None:
    """A fact that stands where the new one is put is in the plan for these choices, and gives way."""
    who = disputes.owner()
    question = disputes.by_proposal()
    other = disputes.stands("frozen", scope_owner="sales-agent", scope_access="private")
    done = disputes.answer(question, who, "both_scope")
    assert other.record_id in {step.target_id for step in done.steps if step.kind == "supersede_record"}
    other.refresh_from_db()
    assert other.state == State.SUPERSEDED
